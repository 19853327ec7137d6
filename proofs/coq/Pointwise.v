(* F4b: the pointwise form, p - e^epsilon q <= delta at every output, under Laplace noise: the
   excess is largest at atoms.  And F2 for this form. *)
From Coq Require Import Reals List Lra Psatz.
From Pfverify Require Import Release Numbers Problems FiniteCheck Monotone.
Import ListNotations.
Open Scope R_scope.

(* One order of the pointwise form.  The density bound delta has the unit of 1/y. *)
Definition pointwise (theta epsilon delta : R) (P Q : prior) : Prop :=
  forall y, release theta P y - exp epsilon * release theta Q y <= delta.

(* F4b: the pointwise form holds everywhere if and only if it holds at the atoms. *)
Theorem pointwise_at_atoms : forall theta epsilon delta P Q, 0 < theta -> 0 <= delta ->
  pointwise theta epsilon delta P Q <->
  forall a, In a (atoms (P ++ Q)) ->
    release theta P a - exp epsilon * release theta Q a <= delta.
Proof.
  intros theta epsilon delta P Q Ht Hdelta. split; [intros H a _; apply H|].
  intros H y. apply linear_excess; [assumption | assumption | apply Forall_forall; exact H].
Qed.

(* F4b: where the excess p - e^epsilon q is positive somewhere, its supremum is reached at an
   atom.  (Elsewhere the supremum is 0, the limit far out.) *)
Theorem supremum_at_atom : forall theta epsilon P Q y, 0 < theta ->
  violated theta epsilon P Q y ->
  exists a, In a (atoms (P ++ Q)) /\ forall z,
    release theta P z - exp epsilon * release theta Q z <=
    release theta P a - exp epsilon * release theta Q a.
Proof.
  intros theta epsilon P Q y Ht Hv. unfold violated in Hv.
  set (g := fun z => release theta P z - exp epsilon * release theta Q z).
  assert (Hy : 0 < g y) by (unfold g; lra).
  assert (Hcap : forall delta, 0 <= delta ->
    (forall b, In b (atoms (P ++ Q)) -> g b <= delta) -> forall z, g z <= delta).
  { intros delta Hd H. apply (pointwise_at_atoms theta epsilon delta P Q Ht Hd), H. }
  assert (Hne : atoms (P ++ Q) <> []).
  { intro E. rewrite E in Hcap. specialize (Hcap 0 (Rle_refl 0) ltac:(simpl; tauto) y). lra. }
  destruct (greatest g _ Hne) as (a & Ha & Hmax). rewrite Forall_forall in Hmax.
  exists a. split; [exact Ha|]. apply (Hcap (g a)); [|exact Hmax].
  destruct (Rle_dec 0 (g a)) as [Hga | Hga]; [exact Hga|].
  assert (g y <= 0); [|lra]. apply Hcap; [lra|].
  intros b Hb. specialize (Hmax b Hb). lra.
Qed.

(* With delta = 0 it is the pure bound ... *)
Theorem pointwise_0 : forall theta epsilon P Q,
  pointwise theta epsilon 0 P Q <-> bounded theta epsilon P Q.
Proof.
  unfold pointwise, bounded. intros theta epsilon P Q.
  split; intros H y; specialize (H y); lra.
Qed.

(* ... and F2 holds for every delta: what is private at a scale is so at every larger one. *)
Theorem pointwise_monotone : forall theta theta' epsilon delta P Q,
  0 < theta <= theta' -> pointwise theta epsilon delta P Q -> pointwise theta' epsilon delta P Q.
Proof.
  intros theta theta' epsilon delta P Q Ht H y.
  rewrite <- release_difference. apply smoother with theta; [exact Ht|].
  intro z. rewrite release_difference. apply H.
Qed.

(* ------------------------------------------------------------ problems with a delta *)

(* What a certificate of the pointwise form certifies: both are laws, and both orders hold at every
   output. *)
Definition certifies_pointwise (delta : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined delta /\
  0 < value (scale d) /\ 0 <= value delta /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    pointwise (value (scale d)) (value (epsilon d)) (value delta) (law P) (law Q) /\
    pointwise (value (scale d)) (value (epsilon d)) (value delta) (law Q) (law P).

(* What it refutes: at an atom of one of the pairs, in one of the orders. *)
Definition refutes_pointwise (delta : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined delta /\
  0 < value (scale d) /\ 0 <= value delta /\
  exists P Q y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\ In y (atoms (law P ++ law Q)) /\
    value delta <
      release (value (scale d)) (law P) y -
      exp (value (epsilon d)) * release (value (scale d)) (law Q) y.

(* F2: what one certified and one refuted scale say about all the others. *)
Theorem bracket_pointwise : forall lower upper epsilon delta pairs,
  refutes_pointwise delta (Problem lower epsilon pairs) ->
  certifies_pointwise delta (Problem upper epsilon pairs) ->
  (defined upper /\ defined epsilon /\ defined delta /\ 0 < value upper /\ 0 <= value delta /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    pointwise theta (value epsilon) (value delta) (law P) (law Q) /\
    pointwise theta (value epsilon) (value delta) (law Q) (law P)) /\
  (defined lower /\ defined epsilon /\ defined delta /\ 0 < value lower /\ 0 <= value delta /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\
    ~ (pointwise theta (value epsilon) (value delta) (law P) (law Q) /\
    pointwise theta (value epsilon) (value delta) (law Q) (law P))).
Proof.
  intros lower upper epsilon delta pairs
    (Dl & De & Dd & Hl & Hd & P & Q & y & Hin & HP & HQ & _ & Hv) (Du & _ & _ & Hu & _ & H).
  simpl in *. split; repeat (split; [assumption|]).
  - intros theta Ht P' Q' HPQ. destruct (H P' Q' HPQ) as (HP' & HQ' & F & G).
    repeat (split; [assumption|]).
    split; apply pointwise_monotone with (value upper); (assumption || lra).
  - intros theta Ht.
    assert (Hno : ~ pointwise theta (value epsilon) (value delta) (law P) (law Q)).
    { intro B. apply (pointwise_monotone _ _ _ _ _ _ Ht) in B. specialize (B y). lra. }
    destruct Hin as [Hin | Hin]; [exists P, Q | exists Q, P]; tauto.
Qed.

(* And where only an upper end is known. *)
Theorem private_above_pointwise : forall upper epsilon delta pairs,
  certifies_pointwise delta (Problem upper epsilon pairs) ->
  defined upper /\ defined epsilon /\ defined delta /\ 0 < value upper /\ 0 <= value delta /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    pointwise theta (value epsilon) (value delta) (law P) (law Q) /\
    pointwise theta (value epsilon) (value delta) (law Q) (law P).
Proof.
  intros upper epsilon delta pairs (Du & De & Dd & Hu & Hd & H). simpl in *.
  repeat (split; [assumption|]). intros theta Ht P Q HPQ. destruct (H P Q HPQ) as (HP & HQ & F & G).
  repeat (split; [assumption|]).
  split; apply pointwise_monotone with (value upper); (assumption || lra).
Qed.
