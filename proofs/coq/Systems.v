(* Problems of users: a sum or a mean over independent users, one of whom is protected.

   For exported files, where `check` is `certify bits bases` or `refute bits` of Check.v or
   CheckFast.v and `check_sound` its theorem:

   System : list (positive * table) -> positive -> system
     (how many others have which law; the divisor: 1 for a sum, the number of users for a mean)
   certified_system : forall check, (forall d, check d = true -> certifies d) ->
     forall s d, certify_system check s d = true -> certifies_system s d
   refuted_system : forall check, (forall d, check d = true -> refutes d) ->
     forall s d, refute_system check s d = true -> refutes_system s d
   certified_any_rest : forall check, (forall d, check d = true -> certifies d) ->
     forall n d, check (of_one_user n d) = true -> certifies_any_rest n d

   The pairs of d are laws of what the protected user reports, not divided: a value x/u is
   Table u 1 [(x, 1)], absence is the value 0.  The scale of d is that of the noise on the release.
   Only the user's own laws are computed with: the law of the sum is stated, and never written out.
   So laws that only the others hide are not certified here, and only values are refuted. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Classical.
From Pfverify Require Import Release Numbers Problems Means Couplings Independent Merge Monotone.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ what is released *)

(* The other users, so many of each law, and what the sum is divided by. *)
Record system := System { others : list (positive * table); divisor : positive }.

(* The sum of so many independent users of one law. *)
Definition copies (count : positive) (P : prior) : prior :=
  Pos.iter (convolve P) nobody count.

(* The law of what the others report in sum. *)
Definition rest (s : system) : prior :=
  sum_of (map (fun group => copies (fst group) (law (snd group))) (others s)).

(* The law of (X + S)/n: X is what the protected user reports, S what the others do. *)
Definition released (n : positive) (X S : prior) : prior :=
  scaled (/ IZR (Zpos n)) (convolve X S).

(* What is certified: for every pair of laws of the user, what is released is private. *)
Definition certifies_system (s : system) (d : problem) : Prop :=
  0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (released (divisor s) (law P) (rest s)) /\
    probability (released (divisor s) (law Q) (rest s)) /\
    private (value (scale d)) (value (epsilon d))
      (released (divisor s) (law P) (rest s)) (released (divisor s) (law Q) (rest s)).

(* What is refuted: at some output, in one of the orders. *)
Definition refutes_system (s : system) (d : problem) : Prop :=
  0 < value (scale d) /\
  exists P Q y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (released (divisor s) (law P) (rest s)) /\
    probability (released (divisor s) (law Q) (rest s)) /\
    violated (value (scale d)) (value (epsilon d))
      (released (divisor s) (law P) (rest s)) (released (divisor s) (law Q) (rest s)) y.

(* The same where nothing is known of the others: for every law of what they report in sum. *)
Definition certifies_any_rest (n : positive) (d : problem) : Prop :=
  0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    forall S, probability S ->
      private (value (scale d)) (value (epsilon d)) (released n (law P) S) (released n (law Q) S).

(* ------------------------------------------------------------ what is computed *)

(* What one user alone would release. *)
Definition divided (n : positive) (t : table) : table := Table (unit t * n) (whole t) (rows t).

Definition of_one_user (n : positive) (d : problem) : problem :=
  Problem (scale d) (epsilon d)
    (map (fun pair => (divided n (fst pair), divided n (snd pair))) (pairs d)).

Definition others_are_laws (s : system) : bool :=
  forallb (fun group => is_law (snd group)) (others s).

(* One value for sure. *)
Definition is_value (t : table) : bool :=
  match rows t with
  | [(_, weight)] => (weight =? Zpos (whole t))%Z
  | _ => false
  end.

Definition certify_system (check : problem -> bool) (s : system) (d : problem) : bool :=
  if others_are_laws s then check (of_one_user (divisor s) d) else false.

Definition refute_system (check : problem -> bool) (s : system) (d : problem) : bool :=
  if others_are_laws s then
    if forallb (fun pair => if is_value (fst pair) then is_value (snd pair) else false) (pairs d)
    then check (of_one_user (divisor s) d) else false
  else false.

(* ------------------------------------------------------------ lemmas *)

Lemma probability_copies : forall count P, probability P -> probability (copies count P).
Proof.
  intros count P H. unfold copies. apply Pos.iter_invariant; [|apply probability_point].
  intros S HS. apply probability_convolve; assumption.
Qed.

Lemma probability_rest : forall s, others_are_laws s = true -> probability (rest s).
Proof.
  unfold others_are_laws, rest. intros s H. apply probability_sum, Forall_map, Forall_forall.
  intros group I. apply probability_copies, is_law_sound.
  rewrite forallb_forall in H. exact (H group I).
Qed.

Lemma probability_released : forall n X S,
  probability X -> probability S -> probability (released n X S).
Proof. intros. apply probability_scaled, probability_convolve; assumption. Qed.

Lemma law_divided : forall n t, law (divided n t) = scaled (/ IZR (Zpos n)) (law t).
Proof.
  intros n t. unfold law, divided, scaled. simpl. rewrite map_map. apply map_ext. intros [x w].
  simpl. f_equal. unfold atom_of. rewrite Pos2Z.inj_mul, mult_IZR.
  assert (0 < IZR (Zpos n)) by (apply IZR_lt; lia).
  assert (0 < IZR (Zpos (unit t))) by (apply IZR_lt; lia). field. lra.
Qed.

Lemma probability_divided : forall n t, probability (law (divided n t)) -> probability (law t).
Proof.
  intros n t. rewrite law_divided. unfold probability, total, masses, scaled. rewrite map_map.
  exact (fun H => H).
Qed.

Lemma released_divided : forall n t S,
  released n (law t) S = convolve (law (divided n t)) (scaled (/ IZR (Zpos n)) S).
Proof. intros. unfold released. rewrite scaled_convolve, law_divided. reflexivity. Qed.

Lemma law_value : forall t, is_value t = true -> exists a, law t = point a.
Proof.
  unfold is_value, law, point. intros t H. destruct (rows t) as [|[x w] [|r l]]; try discriminate.
  apply Z.eqb_eq in H. subst w. exists (atom_of (unit t) x). simpl. unfold mass_of, Rdiv.
  rewrite Rinv_r; [reflexivity|]. apply not_0_IZR. lia.
Qed.

(* ------------------------------------------------------------ certified *)

Lemma any_rest_from_one_user : forall n d, certifies (of_one_user n d) -> certifies_any_rest n d.
Proof.
  intros n d [Ht H]. split; [exact Ht|]. intros P Q I.
  destruct (H (divided n P) (divided n Q)) as [HP [HQ HPQ]].
  { change (divided n P, divided n Q)
      with ((fun pair => (divided n (fst pair), divided n (snd pair))) (P, Q)).
    apply in_map. exact I. }
  split; [exact (probability_divided n P HP)|]. split; [exact (probability_divided n Q HQ)|].
  intros S HS. rewrite !released_divided.
  apply private_with_others; [apply probability_scaled, HS|exact HPQ].
Qed.

(* What the check certifies for the user alone holds for every law of the others. *)
Theorem certified_any_rest : forall check, (forall d, check d = true -> certifies d) ->
  forall n d, check (of_one_user n d) = true -> certifies_any_rest n d.
Proof. intros check sound n d H. apply any_rest_from_one_user, sound, H. Qed.

(* And so for the others that there are. *)
Theorem certified_system : forall check, (forall d, check d = true -> certifies d) ->
  forall s d, certify_system check s d = true -> certifies_system s d.
Proof.
  unfold certify_system. intros check sound s d H.
  destruct (others_are_laws s) eqn:L; [|discriminate].
  pose proof (probability_rest s L) as HR. apply sound, any_rest_from_one_user in H as [Ht H].
  split; [exact Ht|]. intros P Q I. destruct (H P Q I) as [HP [HQ HPQ]].
  split; [apply probability_released; assumption|].
  split; [apply probability_released; assumption|]. apply HPQ, HR.
Qed.

(* ------------------------------------------------------------ refuted *)

(* What is not hidden of a value alone, no others hide. *)
Lemma values_violated : forall theta epsilon n P Q S y, 0 < theta -> probability S ->
  is_value P = true -> is_value Q = true ->
  violated theta epsilon (law (divided n P)) (law (divided n Q)) y ->
  exists z, violated theta epsilon (released n (law P) S) (released n (law Q) S) z.
Proof.
  intros theta epsilon n P Q S y Ht HS VP VQ V.
  destruct (not_all_not_ex R (fun z =>
    violated theta epsilon (released n (law P) S) (released n (law Q) S) z)) as [z Z];
    [|exists z; exact Z].
  intros none. apply (bounded_refuted _ _ _ _ _ V).
  destruct (law_value (divided n P) VP) as [a EP]. destruct (law_value (divided n Q) VQ) as [b EQ].
  rewrite EP, EQ. apply bounded_points; [exact Ht|].
  apply values_need with (scaled (/ IZR (Zpos n)) S); [exact Ht|apply probability_scaled, HS|].
  rewrite <- EP, <- EQ, <- !released_divided. intros z. apply Rnot_lt_le. exact (none z).
Qed.

(* A pair of values that the check refutes for the user alone is refuted for the system. *)
Theorem refuted_system : forall check, (forall d, check d = true -> refutes d) ->
  forall s d, refute_system check s d = true -> refutes_system s d.
Proof.
  unfold refute_system. intros check sound s d H.
  destruct (others_are_laws s) eqn:L; [|discriminate].
  destruct (forallb _ (pairs d)) eqn:V; [|discriminate].
  pose proof (probability_rest s L) as HR. rewrite forallb_forall in V.
  apply sound in H as [Ht [P' [Q' [y [I [HP [HQ [_ HV]]]]]]]].
  assert (back : forall A B, In (A, B) (pairs (of_one_user (divisor s) d)) ->
    exists P Q, In (P, Q) (pairs d) /\ A = divided (divisor s) P /\ B = divided (divisor s) Q /\
      is_value P = true /\ is_value Q = true).
  { intros A B J. apply in_map_iff in J as [[P Q] [E J]]. simpl in E. injection E as EA EB.
    specialize (V (P, Q) J). simpl in V. destruct (is_value P) eqn:VP; [|discriminate].
    exists P, Q. auto. }
  assert (both : exists P Q, (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    P' = divided (divisor s) P /\ Q' = divided (divisor s) Q /\
    is_value P = true /\ is_value Q = true).
  { destruct I as [I|I]; destruct (back _ _ I) as (P & Q & J & EP & EQ & VP & VQ);
      [exists P, Q|exists Q, P]; auto. }
  clear I. destruct both as (P & Q & I & EP & EQ & VP & VQ). subst P' Q'.
  destruct (values_violated _ _ (divisor s) P Q (rest s) y Ht HR VP VQ HV) as [z Z].
  split; [exact Ht|]. exists P, Q, z. split; [exact I|].
  split; [|split; [|exact Z]]; apply probability_released; try exact HR;
    eapply probability_divided; eassumption.
Qed.

(* ------------------------------------------------------------ the least scale *)

(* F2: one certified and one refuted scale of a system bracket its least private scale. *)
Theorem bracket_system : forall s lower upper epsilon pairs,
  refutes_system s (Problem lower epsilon pairs) ->
  certifies_system s (Problem upper epsilon pairs) ->
  (forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    private theta (value epsilon)
      (released (divisor s) (law P) (rest s)) (released (divisor s) (law Q) (rest s))) /\
  (forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    ~ private theta (value epsilon)
      (released (divisor s) (law P) (rest s)) (released (divisor s) (law Q) (rest s))).
Proof.
  intros s lower upper epsilon pairs [_ (P & Q & y & I & _ & _ & V)] [Hu H].
  simpl in Hu, H, I, V. split.
  - intros theta L A B J. destruct (H A B J) as [_ [_ HPQ]].
    apply private_monotone with (value upper); [lra|exact HPQ].
  - intros theta T. destruct I as [I|I]; [exists P, Q|exists Q, P]; (split; [exact I|]);
      intros HPQ; apply (private_monotone _ (value lower)) in HPQ; try lra;
      apply (bounded_refuted _ _ _ _ _ V); [exact (proj1 HPQ)|exact (proj2 HPQ)].
Qed.
