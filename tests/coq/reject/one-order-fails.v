(* The first order holds (epsilon is log 2), the second does not. *)
Definition scale : number := 1%number.
Definition epsilon : number := (Log 2)%number.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 100 [(0, 50); (9, 50)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
