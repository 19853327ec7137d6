(* Point masses three apart at the scale 3/log(3): equal at every output. *)
Definition scale : number := (3 / Log 3)%number.
Definition epsilon : number := (Log 3)%number.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(3, 1)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 [3%positive]). vm_compute. reflexivity. Qed.
