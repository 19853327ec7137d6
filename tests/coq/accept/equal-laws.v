(* Equal laws are private at epsilon 0: a tie at every output. *)
Definition scale : number := 1%number.
Definition epsilon : number := 0%number.
Definition pairs := [(Table 2 2 [(0, 1); (1, 1)]%Z, Table 2 4 [(0, 2); (1, 2)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
