(* What one certified and one refuted scale say about all the others. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Numbers Problems Monotone.
Import ListNotations.
Open Scope R_scope.

(* F2 for a certificate: it certifies every larger scale as well. *)
Theorem private_above : forall upper epsilon pairs,
  certifies (Problem upper epsilon pairs) ->
  defined upper /\ defined epsilon /\ 0 < value upper /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    private theta (value epsilon) (law P) (law Q).
Proof.
  intros upper epsilon pairs (Du & De & Hpos & H). simpl in *. repeat (split; [assumption|]).
  intros theta Ht P Q HPQ. destruct (H P Q HPQ) as (HP & HQ & B). repeat (split; [assumption|]).
  apply private_monotone with (value upper); [lra|exact B].
Qed.

(* F2 for a refutation: it refutes every smaller scale as well. *)
Theorem not_private_below : forall lower epsilon pairs,
  refutes (Problem lower epsilon pairs) ->
  defined lower /\ defined epsilon /\ 0 < value lower /\
  forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\
    ~ private theta (value epsilon) (law P) (law Q).
Proof.
  intros lower epsilon pairs (Dl & De & Hpos & P & Q & y & HPQ & HP & HQ & _ & Hv).
  simpl in *. repeat (split; [assumption|]). intros theta Ht.
  assert (Hno : ~ bounded theta (value epsilon) (law P) (law Q)).
  { intro B. apply (bounded_refuted _ _ _ _ _ Hv).
    exact (bounded_monotone _ _ _ _ _ Ht B). }
  destruct HPQ as [HPQ | HPQ].
  - exists P, Q. repeat (split; [assumption|]). intros [B _]. exact (Hno B).
  - exists Q, P. repeat (split; [assumption|]). intros [_ B]. exact (Hno B).
Qed.

(* F2: the smallest private scale lies between the two. *)
Theorem bracket : forall lower upper epsilon pairs,
  refutes (Problem lower epsilon pairs) -> certifies (Problem upper epsilon pairs) ->
  (defined upper /\ defined epsilon /\ 0 < value upper /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    private theta (value epsilon) (law P) (law Q)) /\
  (defined lower /\ defined epsilon /\ 0 < value lower /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\
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
  destruct (bracket _ _ _ _ Hr Hc) as [(_ & _ & Hpos & Habove) (_ & _ & _ & Hbelow)].
  destruct (Hbelow (value upper)) as (P & Q & HPQ & _ & _ & Hno); [lra|].
  apply Hno. exact (proj2 (proj2 (Habove _ (Rle_refl _) P Q HPQ))).
Qed.
