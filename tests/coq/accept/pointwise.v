(* At 1 the second density is 0.0913 above e^(1/2) times the first; elsewhere there is less. *)
From Pfverify Require Import Pointwise PointwiseCheck.
Definition far := Problem 1 (1 / 2) [(Table 1 1 [(0, 1)]%Z, Table 1 3 [(0, 1); (1, 2)]%Z)].
Theorem claim : certifies_pointwise (1 / 5) far.
Proof. apply (certified_pointwise 60). vm_compute. reflexivity. Qed.
Theorem other : refutes_pointwise (1 / 20) far.
Proof. apply (refuted_pointwise 60). vm_compute. reflexivity. Qed.
