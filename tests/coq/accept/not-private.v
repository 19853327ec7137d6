(* The same at an epsilon that is too small: log(17/16), where the scale is 2. *)
Definition scale : number := 2%number.
Definition epsilon : number := (Log (17 / 16))%number.
Definition pairs := [(Table 1 2 [(0, 1); (1, 1)]%Z, Table 1 4 [(0, 1); (1, 3)]%Z)].
Theorem claim : refutes (Problem scale epsilon pairs).
Proof. apply (refuted 60). vm_compute. reflexivity. Qed.
