(* A table that is not defined. *)
Definition scale : number := 1%number.
Definition epsilon : number := 1%number.
Definition pairs := [(never, always)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 []). vm_compute. reflexivity. Qed.
