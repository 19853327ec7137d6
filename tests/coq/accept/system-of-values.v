(* The mean over 649 students, one of whom answers yes or no: a tie, whatever the others answer. *)
From Pfverify Require Import Systems.
Open Scope R_scope.
Definition others := System [(648, Table 1 649 [(0, 410); (1, 239)]%Z)]%positive 649.
Definition pairs := [(Table 1 1 [(1, 1)]%Z, Table 1 1 [(0, 1)]%Z)].
Theorem claim : certifies_system others (Problem (1 / 649) 1 pairs).
Proof. apply (certified_system (certify 60 []) (certified 60 [])). vm_compute. reflexivity. Qed.
Theorem below : refutes_system others (Problem (1 / 650) 1 pairs).
Proof. apply (refuted_system (refute 60) (refuted 60)). vm_compute. reflexivity. Qed.
