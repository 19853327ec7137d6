(* Laws that are not private alone, and are so where the others are known. *)
From Pfverify Require Import Systems.
Open Scope R_scope.
Definition others := System
  [(1, Table 1 10 [(1, 4); (2, 6)]%Z); (2, Table 2 3 [(0, 1); (3, 2)]%Z)]%positive 4.
Definition pairs := [(Table 1 10 [(1, 4); (2, 1); (4, 1); (5, 4)]%Z,
  Table 1 100 [(2, 5); (3, 90); (4, 5)]%Z)].
Theorem claim : refutes_system others (Problem (274 / 1000) 1 pairs).
Proof. apply (refuted_system (refute 60) (refuted 60)). vm_compute. reflexivity. Qed.
