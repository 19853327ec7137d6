(* Only + - * / Exp Log Sqrt. *)
Definition scale : number := (Sin 1)%number.
Definition epsilon : number := 1%number.
Definition pairs := [(Table 1 2 [(0, 1); (1, 1)]%Z, Table 1 4 [(0, 1); (1, 3)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
