(* Events: the pure bound on densities is the pure bound on probabilities of events.
   An event is a finite union of intervals of outputs, tails and single points included. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Pfverify Require Import Release Integrals.
Import ListNotations.
Open Scope R_scope.

(* A set of outputs that changes only at finitely many points: x and y are both in it or both
   outside wherever none of the points lies in [x, y].  These are the finite unions of intervals. *)
Definition event (B : R -> bool) : Prop :=
  exists points, forall x y, x < y -> (forall c, In c points -> ~ x <= c <= y) -> B x = B y.

(* A continuous density of an output. *)
Definition density (f : R -> R) : Prop :=
  (forall y, continuous f y) /\ (forall y, 0 <= f y) /\ integrates f 1.

(* The density f within B, and the probability of B under it. *)
Definition within (B : R -> bool) (f : R -> R) (y : R) : R := if B y then f y else 0.
Definition measure (f : R -> R) (B : R -> bool) : R := integral (within B f).

(* [a, b], where an end may be infinite, and a union of such intervals. *)
Definition inside (i : Rbar * Rbar) (y : R) : bool :=
  if Rbar_le_dec (fst i) y then if Rbar_le_dec y (snd i) then true else false else false.
Definition union (l : list (Rbar * Rbar)) (y : R) : bool := existsb (fun i => inside i y) l.

(* ------------------------------------------------------------ which sets are events *)

Lemma event_constant : forall b, event (fun _ => b).
Proof. intros b. exists []. reflexivity. Qed.

Lemma event_complement : forall B, event B -> event (fun y => negb (B y)).
Proof. intros B [l H]. exists l. intros x y Hxy K. f_equal. apply H; assumption. Qed.

Lemma event_both : forall (op : bool -> bool -> bool) B C,
  event B -> event C -> event (fun y => op (B y) (C y)).
Proof.
  intros op B C [l H] [k K]. exists (l ++ k). intros x y Hxy N.
  rewrite (H x y Hxy), (K x y Hxy); [reflexivity | |]; intros c Hc; apply N, in_or_app; auto.
Qed.

(* Each half-line is an event, closed or open. *)
Lemma event_from : forall a : Rbar, event (fun y => if Rbar_le_dec a y then true else false).
Proof.
  intros [a| |]; [exists [a] | exists [] | exists []]; intros x y Hxy N;
    destruct (Rbar_le_dec _ x) as [H|H], (Rbar_le_dec _ y) as [K|K]; simpl in *; try easy.
  - lra.
  - exfalso. apply (N a); [auto | lra].
Qed.

Lemma event_to : forall b : Rbar, event (fun y : R => if Rbar_le_dec y b then true else false).
Proof.
  intros [b| |]; [exists [b] | exists [] | exists []]; intros x y Hxy N;
    destruct (Rbar_le_dec x _) as [H|H], (Rbar_le_dec y _) as [K|K]; simpl in *; try easy.
  - exfalso. apply (N b); [auto | lra].
  - lra.
Qed.

(* Every finite union of intervals is an event. *)
Theorem event_union : forall l, event (union l).
Proof.
  induction l as [|i l IH]; [apply event_constant|].
  apply (event_both orb (inside i) (union l)); [|exact IH].
  destruct (event_both andb _ _ (event_from (fst i)) (event_to (snd i))) as [k H].
  exists k. intros x y Hxy N. specialize (H x y Hxy N). unfold inside.
  destruct (Rbar_le_dec (fst i) x), (Rbar_le_dec x (snd i)),
    (Rbar_le_dec (fst i) y), (Rbar_le_dec y (snd i)); simpl in *; congruence.
Qed.

(* ------------------------------------------------------------ events have a probability *)

Lemma within_integrable_on : forall f points B a b, locally_integrable f -> a <= b ->
  (forall x y, a < x < b -> a < y < b -> x < y ->
    (forall c, In c points -> ~ x <= c <= y) -> B x = B y) ->
  ex_RInt (within B f) a b.
Proof.
  intros f points B. induction points as [|c points IH]; intros a b Hf Hab H.
  - assert (C : forall x y, a < x < b -> a < y < b -> B x = B y).
    { intros x y Hx Hy. destruct (Rtotal_order x y) as [L | [-> | L]];
        [| reflexivity | symmetry]; apply H; auto. }
    set (m := (a + b) / 2).
    apply ex_RInt_ext with (f := fun y => if B m then f y else 0).
    + rewrite Rmin_left, Rmax_right by assumption. intros x Hx. unfold within.
      rewrite (C x m); [reflexivity | assumption | unfold m; lra].
    + destruct (B m); [apply Hf | apply ex_RInt_const].
  - destruct (Rlt_dec a c) as [Ha | Ha]; [destruct (Rlt_dec c b) as [Hb | Hb]|].
    + apply ex_RInt_Chasles with c; apply IH; auto; try lra;
        intros x y Hx Hy Hxy N; (apply H; [lra | lra | lra |]);
        intros e [<- | He]; [lra | apply N, He | lra | apply N, He].
    + apply IH; auto. intros x y Hx Hy Hxy N. apply H; auto.
      intros e [<- | He]; [lra | apply N, He].
    + apply IH; auto. intros x y Hx Hy Hxy N. apply H; auto.
      intros e [<- | He]; [lra | apply N, He].
Qed.

Lemma within_integrable : forall f B,
  locally_integrable f -> event B -> locally_integrable (within B f).
Proof.
  intros f B Hf [points H] a b. destruct (Rle_lt_dec a b) as [Hab | Hab].
  - apply (within_integrable_on f points); auto.
  - apply ex_RInt_swap, (within_integrable_on f points); auto. lra.
Qed.

Theorem measure_exists : forall f B,
  density f -> event B -> integrates (within B f) (measure f B).
Proof.
  intros f B (Hc & H0 & H1) HB.
  destruct (dominated (within B f) f 1) as [l Hl].
  - apply within_integrable; [apply continuous_integrable, Hc | exact HB].
  - apply continuous_integrable, Hc.
  - intros y. specialize (H0 y). unfold within. destruct (B y); lra.
  - exact H1.
  - unfold measure. rewrite (integral_of _ _ Hl). exact Hl.
Qed.

(* ------------------------------------------------------------ it is a probability *)

Theorem measure_line : forall f, density f -> measure f (fun _ => true) = 1.
Proof. intros f (_ & _ & H). apply integral_of. exact H. Qed.

Theorem measure_nonnegative : forall f B, density f -> event B -> 0 <= measure f B.
Proof.
  intros f B H HB. apply integrates_nonnegative with (within B f).
  - intros y. unfold within. destruct H as (_ & H & _). specialize (H y). destruct (B y); lra.
  - apply measure_exists; assumption.
Qed.

Theorem measure_disjoint : forall f B C, density f -> event B -> event C ->
  (forall y, B y && C y = false)%bool ->
  measure f (fun y => B y || C y)%bool = measure f B + measure f C.
Proof.
  intros f B C H HB HC N. apply integral_of.
  apply integrates_ext with (fun y => within B f y + within C f y).
  - intros y. specialize (N y). unfold within. destruct (B y), (C y); simpl in *; try easy; ring.
  - apply integrates_plus; apply measure_exists; assumption.
Qed.

(* The probability of [a, b] is the integral of the density from a to b. *)
Theorem measure_interval : forall f (a b : R), density f -> a <= b ->
  measure f (inside (Finite a, Finite b)) = RInt f a b.
Proof.
  intros f a b (Hc & _ & _) Hab. apply integral_of.
  assert (Hf := continuous_integrable f Hc).
  intros P HP. exists (fun u => u < a) (fun v => b < v); [exists a; auto | exists b; auto |].
  intros u v Hu Hv. exists (RInt f a b). split; [|apply locally_singleton; exact HP]. simpl.
  replace (RInt f a b) with (0 + (RInt f a b + 0)) by ring.
  assert (O : forall x, ~ a <= x <= b -> within (inside (Finite a, Finite b)) f x = 0).
  { intros x Hx. unfold within, inside. simpl.
    destruct (Rbar_le_dec a x), (Rbar_le_dec x b); simpl in *; try reflexivity. lra. }
  apply (@is_RInt_Chasles R_NormedModule _ u a v 0 (RInt f a b + 0)); [|
    apply (@is_RInt_Chasles R_NormedModule _ a b v (RInt f a b) 0)].
  - apply segment_zero. intros x Hx. apply O. rewrite Rmin_left, Rmax_right in Hx; lra.
  - apply is_RInt_ext with (f := f); [|apply segment_is, Hf].
    rewrite Rmin_left, Rmax_right by assumption. intros x Hx. unfold within, inside. simpl.
    destruct (Rbar_le_dec a x), (Rbar_le_dec x b); simpl in *; try reflexivity; lra.
  - apply segment_zero. intros x Hx. apply O. rewrite Rmin_left, Rmax_right in Hx; lra.
Qed.

(* The probability of a tail is the integral of the density over it. *)
Theorem measure_tail_right : forall f (a : R) l,
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) l -> measure f (inside (Finite a, p_infty)) = l.
Proof.
  intros f a l H. apply integral_of. rewrite <- (Rplus_0_l l).
  apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ a 0 l).
  - apply zero_left. intros x Hx. unfold within, inside. simpl.
    destruct (Rbar_le_dec a x); simpl in *; [lra | reflexivity].
  - apply (@is_RInt_gen_ext R_NormedModule _ _ _ _ f); [|exact H].
    exists (fun u => u = a) (fun v => a < v); [reflexivity | exists a; auto |].
    intros u v -> Hv x Hx. simpl in Hx. rewrite Rmin_left in Hx by lra.
    unfold within, inside. simpl.
    destruct (Rbar_le_dec a x), (Rbar_le_dec x p_infty); simpl in *; try easy; lra.
Qed.

Theorem measure_tail_left : forall f (b : R) l,
  is_RInt_gen f (Rbar_locally m_infty) (at_point b) l -> measure f (inside (m_infty, Finite b)) = l.
Proof.
  intros f b l H. apply integral_of. rewrite <- (Rplus_0_r l).
  apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ b l 0).
  - apply (@is_RInt_gen_ext R_NormedModule _ _ _ _ f); [|exact H].
    exists (fun u => u < b) (fun v => v = b); [exists b; auto | reflexivity |].
    intros u v Hu -> x Hx. simpl in Hx. rewrite Rmax_right in Hx by lra.
    unfold within, inside. simpl.
    destruct (Rbar_le_dec m_infty x), (Rbar_le_dec x b); simpl in *; try easy; lra.
  - apply zero_right. intros x Hx. unfold within, inside. simpl.
    destruct (Rbar_le_dec m_infty x), (Rbar_le_dec x b); simpl in *; try easy; lra.
Qed.

(* ------------------------------------------------------------ the pure bound, on events *)

(* A bound on densities bounds every event. *)
Theorem events_of_densities : forall E p q, density p -> density q ->
  (forall y, p y <= E * q y) -> forall B, event B -> measure p B <= E * measure q B.
Proof.
  intros E p q Hp Hq H B HB.
  apply integrates_le with (within B p) (fun y => E * within B q y).
  - intros y. unfold within. specialize (H y). destruct (B y); lra.
  - apply measure_exists; assumption.
  - apply integrates_scaled, measure_exists; assumption.
Qed.

(* A bound on bounded intervals bounds the densities. *)
Theorem densities_of_intervals : forall E p q, density p -> density q ->
  (forall a b, a < b -> RInt p a b <= E * RInt q a b) -> forall y, p y <= E * q y.
Proof.
  intros E p q (Hp & _ & _) (Hq & _ & _) H y. apply Rnot_lt_le. intros N.
  set (g := fun x => p x - E * q x).
  assert (Hg : forall x, continuous g x).
  { intros x. apply (@continuous_minus _ R_AbsRing R_NormedModule); [apply Hp|].
    apply (@continuous_scal_r _ R_AbsRing R_NormedModule). apply Hq. }
  assert (0 < g y) as G by (unfold g; lra).
  destruct (proj1 (filterlim_locally g (g y)) (Hg y) (mkposreal _ G)) as [d Hd].
  assert (P : forall x, Rabs (x - y) < d -> 0 < g x).
  { intros x Hx. specialize (Hd x Hx). apply Rabs_def2 in Hd.
    unfold minus, plus, opp in Hd. simpl in Hd. lra. }
  assert (D := cond_pos d). set (a := y - d / 2). set (b := y + d / 2).
  assert (0 < RInt g a b).
  { apply RInt_gt_0; [unfold a, b; lra | | intros; apply Hg].
    intros x Hx. apply P. unfold a, b in Hx. apply Rabs_def1; lra. }
  assert (RInt g a b = RInt p a b - E * RInt q a b).
  { apply segment_of. apply (@is_RInt_minus R_NormedModule p (fun x => E * q x)).
    - apply segment_is, continuous_integrable, Hp.
    - apply (@is_RInt_scal R_NormedModule q a b E). apply segment_is, continuous_integrable, Hq. }
  specialize (H a b). unfold a, b in *. lra.
Qed.

(* ------------------------------------------------------------ the release has a density *)

Lemma laplace_continuous : forall theta x y, continuous (fun y => laplace theta (y - x)) y.
Proof.
  intros theta x y. apply continuity_pt_filterlim. unfold laplace, Rdiv. reg.
Qed.

Lemma release_continuous : forall theta P y, continuous (release theta P) y.
Proof.
  intros theta P y. induction P as [|[x m] P IH]; simpl; [apply continuous_const|].
  apply (@continuous_plus _ R_AbsRing R_NormedModule); [|exact IH].
  apply (@continuous_scal_r _ R_AbsRing R_NormedModule). apply laplace_continuous.
Qed.

(* The distribution function of Laplace noise. *)
Definition cumulative (theta z : R) : R :=
  if Rle_dec z 0 then exp (z / theta) / 2 else 1 - exp (- z / theta) / 2.

Lemma cumulative_primitive : forall theta x, 0 < theta ->
  primitive (fun y => cumulative theta (y - x)) (fun y => laplace theta (y - x)).
Proof.
  intros theta x Ht.
  assert (H : forall b, is_RInt (fun y => laplace theta (y - x)) x b
    (cumulative theta (b - x) - cumulative theta (x - x))).
  { intros b. unfold cumulative. rewrite (Rminus_eq_0 x).
    destruct (Rle_dec 0 0) as [_|]; [|lra]. destruct (Rle_dec (b - x) 0) as [L|L].
    - apply is_RInt_ext with (f := fun y => exp ((y - x) / theta) / (2 * theta)).
      + rewrite Rmin_right, Rmax_left by lra. intros y Hy. unfold laplace.
        rewrite Rabs_left1 by lra. do 3 f_equal. ring.
      + evar_last; [apply is_RInt_derive with (f := fun y => exp ((y - x) / theta) / 2)|].
        * intros y _. auto_derive; [easy|]. unfold Rdiv, Rminus. field. lra.
        * intros y _. apply continuity_pt_filterlim. unfold Rdiv. reg.
        * unfold minus, plus, opp; simpl. rewrite (Rminus_eq_0 x). reflexivity.
    - apply is_RInt_ext with (f := fun y => exp (- (y - x) / theta) / (2 * theta)).
      + rewrite Rmin_left, Rmax_right by lra. intros y Hy. unfold laplace.
        rewrite Rabs_pos_eq by lra. reflexivity.
      + evar_last; [apply is_RInt_derive with (f := fun y => 1 - exp (- (y - x) / theta) / 2)|].
        * intros y _. auto_derive; [easy|]. unfold Rdiv, Rminus. field. lra.
        * intros y _. apply continuity_pt_filterlim. unfold Rdiv. reg.
        * unfold minus, plus, opp; simpl. rewrite (Rminus_eq_0 x).
          replace (- 0 / theta) with (0 / theta) by (field; lra).
          replace (0 / theta) with 0 by (field; lra). rewrite exp_0. lra. }
  exact (primitive_from (fun y => cumulative theta (y - x)) _ x H).
Qed.

(* Laplace noise has total probability 1. *)
Theorem laplace_integrates : forall theta x, 0 < theta ->
  integrates (fun y => laplace theta (y - x)) 1.
Proof.
  intros theta x Ht. rewrite <- (Rminus_0_r 1).
  apply integrates_by_primitive with (fun y => cumulative theta (y - x)).
  - apply cumulative_primitive. exact Ht.
  - apply filterlim_locally. intros eps. exists (x + Rmin 0 (theta * ln eps)). intros y Hy.
    assert (L := Rmin_l 0 (theta * ln eps)). assert (K := Rmin_r 0 (theta * ln eps)).
    destruct (exp_small theta eps (y - x) Ht (cond_pos eps)); [lra|].
    unfold cumulative. destruct (Rle_dec (y - x) 0); [|lra].
    apply Rabs_def1; unfold minus, plus, opp; simpl; lra.
  - apply filterlim_locally. intros eps. exists (x + Rmax 0 (- theta * ln eps)). intros y Hy.
    assert (L := Rmax_l 0 (- theta * ln eps)). assert (K := Rmax_r 0 (- theta * ln eps)).
    destruct (exp_small theta eps (- (y - x)) Ht (cond_pos eps)); [lra|].
    unfold cumulative. destruct (Rle_dec (y - x) 0); [lra|].
    apply Rabs_def1; unfold minus, plus, opp; simpl; lra.
Qed.

Lemma release_integrates : forall theta P, 0 < theta -> integrates (release theta P) (total P).
Proof.
  intros theta P Ht. induction P as [|[x m] P IH]; [apply integrates_zero|].
  unfold total. simpl. apply integrates_plus; [|exact IH].
  rewrite <- (Rmult_1_r m) at 1. apply integrates_scaled, laplace_integrates, Ht.
Qed.

(* The release of a probability prior has a continuous density, of total probability 1. *)
Theorem release_density : forall theta P, 0 < theta -> probability P -> density (release theta P).
Proof.
  intros theta P Ht [H0 H1]. split; [apply release_continuous|split].
  - intros y. apply release_nonnegative; assumption.
  - rewrite <- H1. apply release_integrates, Ht.
Qed.

(* Definition of differential privacy, one order: the pure bound on densities holds exactly if the
   probability of every event is within e^epsilon. *)
Theorem bounded_events : forall theta epsilon P Q, 0 < theta -> probability P -> probability Q ->
  (bounded theta epsilon P Q <->
   forall B, event B -> measure (release theta P) B <= exp epsilon * measure (release theta Q) B).
Proof.
  intros theta epsilon P Q Ht HP HQ.
  assert (Dp := release_density theta P Ht HP). assert (Dq := release_density theta Q Ht HQ).
  unfold bounded. split.
  - apply events_of_densities; assumption.
  - intros H. apply densities_of_intervals; [exact Dp | exact Dq |]. intros a b Hab.
    rewrite <- 2!measure_interval by (assumption || lra). apply H.
    destruct (event_union [(Finite a, Finite b)]) as [l K]. exists l. intros x y Hxy N.
    specialize (K x y Hxy N). simpl in K. rewrite !Bool.orb_false_r in K. exact K.
Qed.
