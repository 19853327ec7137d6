(* Equality is no violation. *)
Definition scale : number := (3 / Log 3)%number.
Definition epsilon : number := (Log 3)%number.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(3, 1)]%Z)].
Theorem claim : refutes (Problem scale epsilon pairs).
Proof. apply (refuted 60). vm_compute. reflexivity. Qed.
