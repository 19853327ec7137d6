(* What one certified and one refuted scale say about all the others, for events and a delta. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Numbers Problems Divergence MonotoneEvents Approximate.
Open Scope R_scope.

(* F2: with a delta the smallest private scale lies between the two. *)
Theorem bracket_delta : forall lower upper epsilon delta pairs,
  refutes_delta delta (Problem lower epsilon pairs) ->
  certifies_delta delta (Problem upper epsilon pairs) ->
  let E := exp (value epsilon) in
  (defined upper /\ defined epsilon /\ defined delta /\ 0 < value upper /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    divergence E (release theta (law P)) (release theta (law Q)) <= value delta /\
    divergence E (release theta (law Q)) (release theta (law P)) <= value delta) /\
  (defined lower /\ defined epsilon /\ defined delta /\ 0 < value lower /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\
    ~ (divergence E (release theta (law P)) (release theta (law Q)) <= value delta /\
    divergence E (release theta (law Q)) (release theta (law P)) <= value delta)).
Proof.
  intros lower upper epsilon delta pairs (Dl & De & Dd & Hl & P & Q & HPQ & LP & LQ & V)
    (Du & _ & _ & Hu & H) E. simpl in *. split; repeat (split; [assumption|]).
  - intros theta Ht P' Q' HPQ'. destruct (H P' Q' HPQ') as (LP' & LQ' & F & G).
    repeat (split; [assumption|]).
    split; [eapply Rle_trans; [|exact F] | eapply Rle_trans; [|exact G]];
      apply divergence_monotone; (assumption || lra).
  - intros theta Ht. pose proof (divergence_monotone theta _ (value epsilon) _ _ Ht LP LQ) as M.
    fold E in M, V. destruct HPQ as [HPQ | HPQ]; [exists P, Q | exists Q, P];
      repeat (split; [assumption|]); intros [F G]; lra.
Qed.

(* And where only an upper end is known. *)
Theorem private_above_delta : forall upper epsilon delta pairs,
  certifies_delta delta (Problem upper epsilon pairs) ->
  let E := exp (value epsilon) in
  defined upper /\ defined epsilon /\ defined delta /\ 0 < value upper /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    divergence E (release theta (law P)) (release theta (law Q)) <= value delta /\
    divergence E (release theta (law Q)) (release theta (law P)) <= value delta.
Proof.
  intros upper epsilon delta pairs (Du & De & Dd & Hu & H) E. simpl in *.
  repeat (split; [assumption|]). intros theta Ht P Q HPQ. destruct (H P Q HPQ) as (LP & LQ & F & G).
  repeat (split; [assumption|]).
  split; [eapply Rle_trans; [|exact F] | eapply Rle_trans; [|exact G]];
    apply divergence_monotone; (assumption || lra).
Qed.
