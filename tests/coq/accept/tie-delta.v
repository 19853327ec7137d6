(* The packaged tie-delta: the divergence equals delta. *)
From Pfverify Require Import Release Divergence Approximate DivergenceCheck.
Open Scope R_scope.
Definition scale : number := 1%number.
Definition epsilon : number := (1 / 2)%number.
Definition delta : number := (1 - Exp (- (1 / 4)))%number.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : defined scale /\ defined epsilon /\ defined delta /\ 0 < value scale /\ forall P Q, In (P, Q) pairs ->
  let p := release (value scale) (law P) in let q := release (value scale) (law Q) in
  let E := exp (value epsilon) in
  probability (law P) /\ probability (law Q) /\
  divergence E p q <= value delta /\ divergence E q p <= value delta.
Proof.
  exact (certified_delta 64 delta (Problem scale epsilon pairs)
           ltac:(vm_cast_no_check (eq_refl true))).
Qed.
