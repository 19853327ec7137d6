(* Nothing is certified of no pairs. *)
From Pfverify Require Import Pointwise PointwiseCheck.
Theorem claim : certifies_pointwise 1 (Problem 1 1 []).
Proof. apply (certified_pointwise 60). vm_compute. reflexivity. Qed.
