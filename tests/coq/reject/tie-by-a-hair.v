(* The tie of point masses, with a scale smaller by 10^-30. *)
Definition scale : number := ((3 - 1 / 1000000000000000000000000000000) / Log 3)%number.
Definition epsilon : number := (Log 3)%number.
Definition pairs := [(Table 1 1 [(0, 1)]%Z, Table 1 1 [(3, 1)]%Z)].
Theorem claim : certifies (Problem scale epsilon pairs).
Proof. apply (certified 60 [3%positive]). vm_compute. reflexivity. Qed.
