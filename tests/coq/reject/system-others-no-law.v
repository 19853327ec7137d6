(* One of the others has masses that do not sum to 1. *)
From Pfverify Require Import Systems.
Open Scope R_scope.
Definition others := System [(648, Table 1 649 [(0, 411); (1, 239)]%Z)]%positive 649.
Definition pairs := [(Table 1 1 [(1, 1)]%Z, Table 1 1 [(0, 1)]%Z)].
Theorem claim : certifies_system others (Problem (1 / 649) 1 pairs).
Proof. apply (certified_system (certify 60 []) (certified 60 [])). vm_compute. reflexivity. Qed.
