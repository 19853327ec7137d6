(* The weights of the first table sum to more than its whole. *)
Definition scale : number := 1%number.
Definition epsilon : number := 1%number.
Definition pairs := [(Table 1 2 [(0, 1); (1, 2)]%Z, Table 1 4 [(0, 1); (1, 3)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
