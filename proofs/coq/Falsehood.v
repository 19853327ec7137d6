(* Published statements that are false, refuted: each is stated as its paper quantifies it, and its
   negation is proved by a counterexample. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Psatz.
From Pfverify Require Import Release Means Couplings Independent Scales.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ two answers about one input (D08)

   Kawamoto and Murakami, "Local Obfuscation Mechanisms for Hiding Probability Distributions",
   Table 1 and Section 4: if A_0 and A_1 are (epsilon_b, delta_b)-DistP for a relation Psi, both
   answers on one input are (epsilon_0 + epsilon_1, (delta_0 + delta_1) |Phi|)-DistP for Psi. *)

(* Sets of inputs and outputs are finite: lists of all their elements. *)
Definition is_law {A : Type} (l : list A) (mu : A -> R) : Prop :=
  (forall a, In a l -> 0 <= mu a) /\ sum mu l = 1.

Definition is_channel {X Y : Type} (inputs : list X) (outputs : list Y) (A : X -> Y -> R) : Prop :=
  forall x, In x inputs -> is_law outputs (A x).

(* The law of A's output if its input has the law lambda. *)
Definition lifted {X Y : Type} (inputs : list X) (A : X -> Y -> R) (lambda : X -> R) (y : Y) : R :=
  sum (fun x => lambda x * A x y) inputs.

Definition probability_of {Y : Type} (outputs : list Y) (mu : Y -> R) (event : Y -> bool) : R :=
  sum (fun y => if event y then mu y else 0) outputs.

(* Definition 8: distribution privacy of A for the relation Psi of laws. *)
Definition DistP {X Y : Type} (inputs : list X) (outputs : list Y) (A : X -> Y -> R)
    (Psi : (X -> R) -> (X -> R) -> Prop) (epsilon delta : R) : Prop :=
  forall lambda lambda', Psi lambda lambda' -> forall event,
    probability_of outputs (lifted inputs A lambda) event <=
    exp epsilon * probability_of outputs (lifted inputs A lambda') event + delta.

(* A_1 (.) A_0: both answers on the same input. *)
Definition both {X Y Z : Type} (A : X -> Y -> R) (B : X -> Z -> R) (x : X) (yz : Y * Z) : R :=
  A x (fst yz) * B x (snd yz).

Definition composition_adds_up (size : R) : Prop :=
  forall (X Y Z : Type) (inputs : list X) (ys : list Y) (zs : list Z)
    (A : X -> Y -> R) (B : X -> Z -> R) (Psi : (X -> R) -> (X -> R) -> Prop)
    (epsilon epsilon' delta delta' : R),
  NoDup inputs -> NoDup ys -> NoDup zs -> is_channel inputs ys A -> is_channel inputs zs B ->
  (forall lambda lambda', Psi lambda lambda' -> is_law inputs lambda /\ is_law inputs lambda') ->
  0 <= epsilon -> 0 <= epsilon' -> 0 <= delta -> 0 <= delta' ->
  DistP inputs ys A Psi epsilon delta -> DistP inputs zs B Psi epsilon' delta' ->
  DistP inputs (list_prod ys zs) (both A B) Psi (epsilon + epsilon') ((delta + delta') * size).

(* The randomized response that tells the truth with 3/4, and the laws (1/2, 1/2) and (1, 0). *)
Definition response (x y : bool) : R := if eqb x y then 3 / 4 else 1 / 4.
Definition even (x : bool) : R := 1 / 2.
Definition certain (x : bool) : R := if x then 0 else 1.

Lemma exp_ln_2 : exp (ln 2) = 2.
Proof. apply exp_ln. lra. Qed.

(* False whatever the factor |Phi| is: each answer is (log 2, 0)-DistP, and "both are 1" has the
   probabilities 5/16 and 1/16, which are not within the factor 4. *)
Theorem composition_does_not_add_up : forall size, ~ composition_adds_up size.
Proof.
  intros size claim.
  set (Psi := fun lambda lambda' : bool -> R => lambda = even /\ lambda' = certain).
  assert (N : NoDup [false; true]).
  { repeat constructor; simpl; intuition discriminate. }
  assert (C : is_channel [false; true] [false; true] response).
  { intros x _. split; [intros y _|]; [destruct x, y | destruct x]; cbn; lra. }
  assert (D : DistP [false; true] [false; true] response Psi (ln 2) 0).
  { intros lambda lambda' [-> ->] event. rewrite exp_ln_2.
    unfold probability_of, lifted, sum, response, even, certain. cbn.
    destruct (event false), (event true); lra. }
  assert (L : 0 <= ln 2) by (rewrite <- ln_1; left; apply ln_increasing; lra).
  specialize (claim bool bool bool [false; true] [false; true] [false; true] response response Psi
    (ln 2) (ln 2) 0 0 N N N C C).
  assert (B := claim ltac:(intros lambda lambda' [-> ->]; split;
    (split; [intros [|] _|]); unfold sum, even, certain; cbn; lra) L L
    (Rle_refl 0) (Rle_refl 0) D D even certain (conj eq_refl eq_refl) (fun yz => fst yz && snd yz)).
  rewrite exp_plus, exp_ln_2 in B.
  unfold probability_of, lifted, sum, both, response, even, certain in B. cbn in B. lra.
Qed.

(* ------------------------------------------------------------ a user of the one law or the other

   Ding, Lu, Yang and Zhang, "Multi-user pufferfish privacy", Theorem 4 (M25): Laplace noise of the
   scale (16), (1/epsilon) sup_t Delta(t) over the values t that user i may report, hides whether
   the report has the law P or Q, whatever the others report; Delta(t) is (17).  It is true where
   the values are consecutive whole numbers and the steps whole. *)

(* F(t): the mass of the atoms up to t. *)
Fixpoint cumulative (P : prior) (t : R) : R :=
  match P with
  | [] => 0
  | (x, m) :: rest => (if Rle_dec x t then m else 0) + cumulative rest t
  end.

(* d is the least element of S, or its infimum where it has none. *)
Definition least (S : R -> Prop) (d : R) : Prop :=
  (forall s, S s -> d <= s) /\ forall b, (forall s, S s -> b <= s) -> b <= d.

(* (17), with the steps that may be taken: all real numbers, or the whole ones. *)
Definition shift (steps : R -> Prop) (F G : R -> R) (t d : R) : Prop :=
  (F t = G t -> d = 0) /\
  (F t > G t -> least (fun s => 0 < s /\ steps s /\ F t <= G (t + s)) d) /\
  (F t < G t -> least (fun s => 0 < s /\ steps s /\ F t >= G (t - s)) d).

Definition any_real (s : R) : Prop := True.
Definition whole_number (s : R) : Prop := exists n, s = IZR n.

Definition theorem_4 (steps : R -> Prop) : Prop :=
  forall (letters : list R) (P Q others : prior) (Delta : R -> R) (epsilon theta : R),
  probability P -> probability Q -> probability others ->
  incl (atoms P) letters -> incl (atoms Q) letters ->
  (forall t, In t letters -> shift steps (cumulative P) (cumulative Q) t (Delta t)) ->
  0 < epsilon -> 0 < theta ->
  (forall t, In t letters -> Delta t <= epsilon * theta) ->
  (exists t, In t letters /\ Delta t = epsilon * theta) ->
  private theta epsilon (convolve P others) (convolve Q others).

Lemma point_probability : forall x, probability (point x).
Proof. intros x. split; [repeat constructor; simpl; lra|]. unfold total, point. simpl. lra. Qed.

Lemma points_two_apart_are_not_private : forall others, others = point 0 ->
  ~ private 1 1 (convolve (point 2) others) (convolve (point 0) others).
Proof.
  intros others -> [B _]. apply (bounded_refuted 1 1 _ _ 2) in B; [exact B|].
  unfold violated, convolve, point. simpl. unfold laplace.
  replace (- Rabs (2 - (2 + 0)) / 1) with 0 by (rewrite Rabs_pos_eq; lra).
  replace (- Rabs (2 - (0 + 0)) / 1) with (-2) by (rewrite Rabs_pos_eq; lra).
  rewrite exp_0. assert (exp 1 * exp (-2) < 1); [|lra].
  rewrite <- exp_plus. replace 1 with (exp 0) at 2 by apply exp_0. apply exp_increasing. lra.
Qed.

Ltac cumulate :=
  unfold point, cumulative in *;
  repeat match goal with
  | H : context [Rle_dec ?a ?b] |- _ => destruct (Rle_dec a b)
  | |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b)
  end; try lra.

(* False for whole steps: a report of 2 or of 0, the values 0 and 2.  Then Delta(0) = 1,
   Delta(2) = 0, and the noise has half of the scale 2/epsilon that is needed. *)
Theorem theorem_4_is_false_with_whole_steps : ~ theorem_4 whole_number.
Proof.
  intros claim. set (Delta := fun t => if Rle_dec t 1 then 1 else 0).
  refine (points_two_apart_are_not_private (point 0) eq_refl
    (claim [0; 2] (point 2) (point 0) (point 0) Delta 1 1
       (point_probability 2) (point_probability 0) (point_probability 0) _ _ _ _ _ _ _));
    try lra; unfold Delta.
  - intros x [<-|[]]. simpl. tauto.
  - intros x [<-|[]]. simpl. tauto.
  - intros t [<-|[<-|[]]]; destruct (Rle_dec _ 1); try lra; (split; [|split]); intros H; cumulate.
    split.
    + intros s (Hs & [k ->] & _). apply IZR_le. apply lt_IZR in Hs. lia.
    + intros b Hb. apply Hb. split; [lra|]. split; [exists 1%Z; lra|]. cumulate.
  - intros t [<-|[<-|[]]]; destruct (Rle_dec _ 1); lra.
  - exists 0. split; [now left|]. destruct (Rle_dec 0 1); lra.
Qed.

(* False for real steps: a report of 2 or of 0, the values 0, 1 and 2.  Then Delta(0) = 0,
   Delta(1) = 1 (infima, no minimum is there), Delta(2) = 0. *)
Theorem theorem_4_is_false_with_real_steps : ~ theorem_4 any_real.
Proof.
  intros claim. set (Delta := fun t => if Req_EM_T t 1 then 1 else 0).
  refine (points_two_apart_are_not_private (point 0) eq_refl
    (claim [0; 1; 2] (point 2) (point 0) (point 0) Delta 1 1
       (point_probability 2) (point_probability 0) (point_probability 0) _ _ _ _ _ _ _));
    try lra; unfold Delta.
  - intros x [<-|[]]. simpl. tauto.
  - intros x [<-|[]]. simpl. tauto.
  - intros t [<-|[<-|[<-|[]]]]; destruct (Req_EM_T _ 1); try lra;
      (split; [|split]); intros H; cumulate; split.
    + intros s (Hs & _). lra.
    + intros b Hb. apply le_epsilon. intros g Hg. replace (0 + g) with g by ring.
      apply Hb. split; [lra|]. split; [exact I|]. cumulate.
    + intros s (Hs & _ & HF). cumulate.
    + intros b Hb. apply le_epsilon. intros g Hg.
      apply Hb. split; [lra|]. split; [exact I|]. cumulate.
  - intros t [<-|[<-|[<-|[]]]]; destruct (Req_EM_T _ 1); lra.
  - exists 1. split; [right; now left|]. destruct (Req_EM_T 1 1); lra.
Qed.

(* ------------------------------------------------------------ how much noise Laplace needs (D18)

   Kawamoto and Murakami, abstract: to make two distributions indistinguishable the Laplace
   mechanism needs noise proportional to their W-infinity distance: W <= epsilon * theta. *)

Definition laplace_needs_W_infinity : Prop :=
  forall (P Q : prior) (epsilon theta : R),
  probability P -> probability Q -> 0 <= epsilon -> 0 < theta -> private theta epsilon P Q ->
  exists pi, couples pi P Q /\ moves_within (epsilon * theta) pi.

(* False: for (1/2, 1/2) on {0, 1} and the point 0, epsilon = log 2, the scale 1/log 3 is private,
   while half of the mass has to move by 1 > epsilon * theta = log 2 / log 3. *)
Theorem laplace_does_not_need_W_infinity : ~ laplace_needs_W_infinity.
Proof.
  intros claim.
  assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (L3 : ln 2 < ln 3) by (apply ln_increasing; lra).
  assert (T : 0 < / ln 3) by (apply Rinv_0_lt_compat; lra).
  destruct (claim [(0, 1 / 2); (1, 1 / 2)] (point 0) (ln 2) (/ ln 3))
    as (pi & (positive & one & two) & near); try lra.
  - split; [repeat constructor; simpl; lra|]. unfold total. simpl. lra.
  - apply point_probability.
  - assert (B : forall y, exp (- Rabs (y - 1) / / ln 3) <= 3 * exp (- Rabs (y - 0) / / ln 3)).
    { intros y. replace 3 with (exp (ln 3)) at 2 by (apply exp_ln; lra). rewrite <- exp_plus.
      unfold Rdiv. rewrite Rinv_inv.
      assert (Rabs (y - 0) <= Rabs (y - 1) + 1).
      { replace (y - 0) with ((y - 1) + 1) by ring.
        pose proof (Rabs_triang (y - 1) 1). rewrite (Rabs_pos_eq 1) in * by lra. lra. }
      destruct (Rle_lt_or_eq_dec (- Rabs (y - 1) * ln 3) (ln 3 + - Rabs (y - 0) * ln 3)) as [H1|H1].
      - nra.
      - left. now apply exp_increasing.
      - rewrite H1. lra. }
    assert (D : 0 < / (2 * / ln 3)) by (apply Rinv_0_lt_compat; lra).
    split; intros y; rewrite exp_ln_2; simpl; unfold laplace; specialize (B y);
      pose proof (exp_pos (- Rabs (y - 0) / / ln 3));
      pose proof (exp_pos (- Rabs (y - 1) / / ln 3));
      unfold Rdiv in *; nra.
  - assert (W : ln 2 * / ln 3 < 1).
    { apply Rmult_lt_reg_r with (ln 3); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
    pose proof (same_mean _ _ (fun x => if Req_EM_T x 1 then 1 else 0) one) as from_1.
    pose proof (same_mean _ _ (fun z => if Req_EM_T z 0 then 0 else 1) two) as to_others.
    assert (L : mean (fun x => if Req_EM_T x 1 then 1 else 0) (first pi) <=
      mean (fun z => if Req_EM_T z 0 then 0 else 1) (second pi)).
    { unfold mean, first, second. rewrite !sum_map. apply sum_le. intros [[x z] m] I. simpl.
      rewrite Forall_forall in positive. specialize (positive _ I). simpl in positive.
      destruct (Req_EM_T x 1) as [->|_]; [|destruct (Req_EM_T z 0); lra].
      destruct (Req_EM_T z 0) as [->|_]; [|lra].
      destruct positive as [M|<-]; [|lra]. specialize (near 1 0 m I M).
      rewrite Rabs_pos_eq in near by lra. lra. }
    rewrite from_1, to_others in L. unfold mean, point in L. simpl in L.
    destruct (Req_EM_T 0 1); [lra|]. destruct (Req_EM_T 1 1); [|lra].
    destruct (Req_EM_T 0 0); lra.
Qed.
