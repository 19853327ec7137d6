(* Two points at the distance 1: the divergence is 1 - e^(-1/4) = 0.22119922 (F4). *)
From Pfverify Require Import Approximate DivergenceCheck.
Definition points := Problem 1 (1 / 2) [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : certifies_delta (22119922 / 100000000) points.
Proof. apply (certified_delta 60). vm_compute. reflexivity. Qed.
Theorem other : refutes_delta (22119921 / 100000000) points.
Proof. apply (refuted_delta 60). vm_compute. reflexivity. Qed.
