(* What a problem with a delta claims, and what that says of events. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Numbers Problems Events Divergence Processing.
Open Scope R_scope.

(* Both are laws, and both hockey-stick divergences are at most delta. *)
Definition certifies_delta (delta : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined delta /\
  0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    let p := release (value (scale d)) (law P) in
    let q := release (value (scale d)) (law Q) in
    let E := exp (value (epsilon d)) in
    probability (law P) /\ probability (law Q) /\
    divergence E p q <= value delta /\ divergence E q p <= value delta.

(* One pair has a larger one, in one of the orders. *)
Definition refutes_delta (delta : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined delta /\
  0 < value (scale d) /\
  exists P Q, (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\
    value delta < divergence (exp (value (epsilon d)))
      (release (value (scale d)) (law P)) (release (value (scale d)) (law Q)).

(* Every event, and every event of what an admissible map makes of the output. *)
Theorem certified_events : forall delta d f P Q B, certifies_delta delta d ->
  admissible f -> In (P, Q) (pairs d) -> event B ->
  let p := release (value (scale d)) (law P) in
  let q := release (value (scale d)) (law Q) in
  let E := exp (value (epsilon d)) in
  after f p B <= E * after f q B + value delta /\
  after f q B <= E * after f p B + value delta.
Proof.
  intros delta d f P Q B (_ & _ & _ & Ht & H) Hf HPQ HB. destruct (H P Q HPQ) as (LP & LQ & D1 & D2).
  split; apply divergence_after; assumption.
Qed.

Theorem refuted_event : forall delta d, refutes_delta delta d ->
  exists P Q B, (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\ event B /\
    exp (value (epsilon d)) * measure (release (value (scale d)) (law Q)) B + value delta
      < measure (release (value (scale d)) (law P)) B.
Proof.
  intros delta d (_ & _ & _ & Ht & P & Q & HPQ & LP & LQ & H).
  set (p := release (value (scale d)) (law P)) in *.
  set (q := release (value (scale d)) (law Q)) in *.
  exists P, Q, (above (exp (value (epsilon d))) p q).
  assert (HA := event_above (value (scale d)) (exp (value (epsilon d))) (law P) (law Q) Ht).
  fold p q in HA. split; [exact HPQ | split; [exact HA|]].
  rewrite divergence_attained in H; try assumption; [|apply release_density; assumption..].
  fold p q. lra.
Qed.
