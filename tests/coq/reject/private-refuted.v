(* Private, so there is no violation to show. *)
Definition scale : number := 1%number.
Definition epsilon : number := 1%number.
Definition pairs := [(Table 1 2 [(0, 1); (1, 1)]%Z, Table 1 4 [(0, 1); (1, 3)]%Z)].
Theorem claim : refutes (Problem scale epsilon pairs).
Proof. apply (refuted 60). vm_compute. reflexivity. Qed.
