(* No event refutes what holds: the divergence is 1 - e^(-1/4) = 0.22119922 (F4). *)
From Pfverify Require Import EventsCheck.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(1, 1)]%Z)].
Theorem claim : refutes_events (22119922 / 100000000) (Problem 1 (1 / 2) pairs).
Proof. apply (refuted_events 60). vm_compute. reflexivity. Qed.
