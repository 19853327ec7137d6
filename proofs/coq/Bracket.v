(* What one certified and one refuted scale say about all the others. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Numbers Problems Monotone.
Import ListNotations.
Open Scope R_scope.

(* F2 for a certificate: it certifies every larger scale as well. *)
Theorem private_above : forall upper epsilon pairs,
  certifies (Problem upper epsilon pairs) ->
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    private theta (value epsilon) (law P) (law Q).
Proof.
  intros upper epsilon pairs [Hpos H] theta Ht P Q HPQ. simpl in *.
  apply private_monotone with (value upper); [lra|]. apply H. exact HPQ.
Qed.

(* F2 for a refutation: it refutes every smaller scale as well. *)
Theorem not_private_below : forall lower epsilon pairs,
  refutes (Problem lower epsilon pairs) ->
  forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    ~ private theta (value epsilon) (law P) (law Q).
Proof.
  intros lower epsilon pairs (_ & P & Q & y & HPQ & _ & _ & _ & Hv) theta Ht. simpl in *.
  assert (Hno : ~ bounded theta (value epsilon) (law P) (law Q)).
  { intro B. apply (bounded_refuted _ _ _ _ _ Hv).
    exact (bounded_monotone _ _ _ _ _ Ht B). }
  destruct HPQ as [HPQ | HPQ].
  - exists P, Q. split; [exact HPQ|]. intros [B _]. exact (Hno B).
  - exists Q, P. split; [exact HPQ|]. intros [_ B]. exact (Hno B).
Qed.

(* F2: the smallest private scale lies between the two. *)
Theorem bracket : forall lower upper epsilon pairs,
  refutes (Problem lower epsilon pairs) -> certifies (Problem upper epsilon pairs) ->
  (forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    private theta (value epsilon) (law P) (law Q)) /\
  (forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    ~ private theta (value epsilon) (law P) (law Q)).
Proof.
  intros lower upper epsilon pairs Hr Hc.
  split; [exact (private_above _ _ _ Hc) | exact (not_private_below _ _ _ Hr)].
Qed.

(* F2: so the one scale is below the other. *)
Corollary bracket_order : forall lower upper epsilon pairs,
  refutes (Problem lower epsilon pairs) -> certifies (Problem upper epsilon pairs) ->
  value lower < value upper.
Proof.
  intros lower upper epsilon pairs Hr Hc. apply Rnot_le_lt. intro Hle.
  destruct (bracket _ _ _ _ Hr Hc) as [Habove Hbelow]. destruct Hc as [Hpos _].
  destruct (Hbelow (value upper)) as (P & Q & HPQ & Hno); [simpl in Hpos; lra|].
  apply Hno. exact (Habove _ (Rle_refl _) P Q HPQ).
Qed.
