(* No event refutes what holds: the divergence is 1 - e^(-1/4) = 0.22119922 (F4). *)
From Pfverify Require Import Approximate DivergenceCheck.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : refutes_delta (22119922 / 100000000) (Problem 1 (1 / 2) pairs).
Proof. apply (refuted_delta 60). vm_compute. reflexivity. Qed.
