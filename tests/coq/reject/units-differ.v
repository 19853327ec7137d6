(* The atoms 0, 1 against 0, 1/2: tables of a pair share their unit. *)
Definition scale : number := 9%number.
Definition epsilon : number := 1%number.
Definition pairs := [(Table 1 2 [(0, 1); (1, 1)]%Z, Table 2 2 [(0, 1); (1, 1)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
