(* The excess of densities at 0 is (1 - e^-1)/2, above 3/10. *)
From Pfverify Require Import Pointwise PointwiseCheck.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : certifies_pointwise (3 / 10) (Problem 1 0 pairs).
Proof. apply (certified_pointwise 60). vm_compute. reflexivity. Qed.
