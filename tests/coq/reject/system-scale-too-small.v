(* The mean over four users at a scale below the least one. *)
From Pfverify Require Import Systems.
Open Scope R_scope.
Definition others := System
  [(1, Table 1 10 [(1, 4); (2, 6)]%Z); (2, Table 2 3 [(0, 1); (3, 2)]%Z)]%positive 4.
Definition pairs := [(Table 1 10 [(1, 4); (2, 1); (4, 1); (5, 4)]%Z,
  Table 1 100 [(2, 5); (3, 90); (4, 5)]%Z)].
Theorem claim : certifies_system others (Problem (273 / 1000) 1 pairs).
Proof. apply (certified_system (certify 60 []) (certified 60 [])). vm_compute. reflexivity. Qed.
