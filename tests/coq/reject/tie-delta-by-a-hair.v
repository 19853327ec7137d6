(* The packaged tie-delta with an exponent above -1/4. *)
From Pfverify Require Import Approximate DivergenceCheck.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : certifies_delta (1 - Exp (- (249999999 / 1000000000))) (Problem 1 (1 / 2) pairs).
Proof. apply (certified_delta 64). vm_compute. reflexivity. Qed.
