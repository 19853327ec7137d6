(* F4 by two recurrences, as it is computed: only sums of weights and the decay over each gap. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Pfverify Require Import Release FiniteCheck Integrals Events Divergence.
Import ListNotations.
Open Scope R_scope.

(* The area over a gap in units of theta: G arrives at its right end from the right, L at its left
   end from the left, r is the decay over the gap. *)
Definition local (G L r : R) : R :=
  let root := 2 * sqrt (- (G * r * L)) in
  if Rle_dec 0 (G * r + L)
  then if Rle_dec 0 (G + L * r) then (G + L) * (1 - r) else L - G * r - root
  else if Rle_dec 0 (G + L * r) then G - L * r - root else 0.

Lemma gap_local : forall theta G L a b,
  gap theta (G * exp (- b / theta)) (L * exp (a / theta)) a b =
    theta * local G L (exp (- (b - a) / theta)).
Proof.
  intros theta G L a b. set (r := exp (- (b - a) / theta)).
  assert (N : forall y, exp (- y / theta) * exp (y / theta) = 1).
  { intros y. rewrite <- exp_plus, <- exp_0. f_equal. unfold Rdiv. ring. }
  assert (V : exp (- b / theta) * exp (a / theta) = r).
  { unfold r. rewrite <- exp_plus. f_equal. unfold Rdiv. ring. }
  assert (Wa : wave theta (G * exp (- b / theta)) (L * exp (a / theta)) a = G * r + L).
  { unfold wave. replace (G * exp (- b / theta) * exp (a / theta)) with (G * r)
      by (rewrite <- V; ring).
    replace (L * exp (a / theta) * exp (- a / theta))
      with (L * (exp (- a / theta) * exp (a / theta))) by ring. rewrite N. ring. }
  assert (Wb : wave theta (G * exp (- b / theta)) (L * exp (a / theta)) b = G + L * r).
  { unfold wave. replace (G * exp (- b / theta) * exp (b / theta))
      with (G * (exp (- b / theta) * exp (b / theta))) by ring. rewrite N, <- V. ring. }
  assert (Aa : area theta (G * exp (- b / theta)) (L * exp (a / theta)) a = theta * (G * r - L)).
  { unfold area. replace (G * exp (- b / theta) * exp (a / theta)) with (G * r)
      by (rewrite <- V; ring).
    replace (L * exp (a / theta) * exp (- a / theta))
      with (L * (exp (- a / theta) * exp (a / theta))) by ring. rewrite N. ring. }
  assert (Ab : area theta (G * exp (- b / theta)) (L * exp (a / theta)) b = theta * (G - L * r)).
  { unfold area. replace (G * exp (- b / theta) * exp (b / theta))
      with (G * (exp (- b / theta) * exp (b / theta))) by ring. rewrite N, <- V. ring. }
  unfold gap, local. rewrite Wa, Wb, Aa, Ab.
  replace (G * exp (- b / theta) * (L * exp (a / theta))) with (G * r * L) by (rewrite <- V; ring).
  destruct (Rle_dec 0 (G * r + L)), (Rle_dec 0 (G + L * r)); ring.
Qed.

(* From the left: before is what arrives at the first atom from those before it.  Returned: what
   arrives at the first atom from itself and the later ones, and the area from there on. *)
Fixpoint walk (theta before : R) (S : prior) : R * R :=
  match S with
  | [] => (0, 0)
  | (x, m) :: rest =>
      match rest with
      | [] => (m, Rmax 0 (before + m))
      | (z, _) :: _ =>
          let r := exp (- (z - x) / theta) in
          let found := walk theta ((before + m) * r) rest in
          (m + fst found * r, local (fst found) (before + m) r + snd found)
      end
  end.

Lemma signal_before : forall theta S z y, 0 < theta -> y <= z ->
  (forall x, In x (atoms S) -> z <= x) ->
  signal theta S y = exp (- (z - y) / theta) * signal theta S z.
Proof.
  intros theta S z y Ht Hy H. rewrite (signal_left theta S z y) by (try apply Forall_forall; auto).
  unfold decay. rewrite Rabs_pos_eq by lra. reflexivity.
Qed.

Lemma walk_integral : forall theta rest x m before, 0 < theta -> increasing x (atoms rest) ->
  fst (walk theta before ((x, m) :: rest)) = signal theta ((x, m) :: rest) x /\
  is_RInt_gen
    (fun y => Rmax 0 (before * exp (- (y - x) / theta) + signal theta ((x, m) :: rest) y))
    (at_point x) (Rbar_locally p_infty) (theta * snd (walk theta before ((x, m) :: rest))).
Proof.
  intros theta rest. induction rest as [|[z w] rest IH]; intros x m before Ht Hi.
  - simpl. split; [unfold decay; rewrite Rminus_eq_0, Rabs_R0, Ropp_0; unfold Rdiv;
      rewrite Rmult_0_l, exp_0; ring|].
    assert (W : forall y, wave theta 0 ((before + m) * exp (x / theta)) y =
      (before + m) * exp (- (y - x) / theta)).
    { intros y. unfold wave. replace (- (y - x) / theta) with (x / theta + - y / theta)
        by (unfold Rdiv; ring). rewrite exp_plus. ring. }
    replace (before + m) with (wave theta 0 ((before + m) * exp (x / theta)) x).
    + apply (@is_RInt_gen_ext R_NormedModule _ _ _ _
        (fun y => Rmax 0 (wave theta 0 ((before + m) * exp (x / theta)) y)));
        [|apply tail_right, Ht].
      exists (fun u => u = x) (fun v => x < v); [reflexivity | exists x; auto |].
      intros u v -> Hv y Hy. simpl in Hy. rewrite Rmin_left in Hy by lra. rewrite W. f_equal.
      unfold decay. rewrite Rabs_pos_eq by lra. ring.
    + rewrite W, Rminus_eq_0, Ropp_0. unfold Rdiv. rewrite Rmult_0_l, exp_0. ring.
  - destruct Hi as [Hxz Hi]. change (increasing z (atoms rest)) in Hi. change (x < z) in Hxz.
    set (S := (z, w) :: rest) in *.
    set (r := exp (- (z - x) / theta)).
    destruct (IH z w ((before + m) * r) Ht Hi) as [IH1 IH2]. fold S in IH1, IH2.
    assert (HS : forall c, In c (atoms S) -> z <= c).
    { intros c [<- | Hc]; [simpl; lra|]. left. exact (increasing_above _ _ _ Hi Hc). }
    change (walk theta before ((x, m) :: S)) with
      (m + fst (walk theta ((before + m) * r) S) * r,
       local (fst (walk theta ((before + m) * r) S)) (before + m) r +
         snd (walk theta ((before + m) * r) S)).
    unfold fst at 1, snd at 1. set (G := fst (walk theta ((before + m) * r) S)) in *.
    split.
    + change (signal theta ((x, m) :: S) x) with (m * decay theta (x - x) + signal theta S x).
      rewrite (signal_before theta S z x) by (exact HS || lra). fold r. rewrite <- IH1.
      unfold decay. rewrite Rminus_eq_0, Rabs_R0, Ropp_0. unfold Rdiv.
      rewrite Rmult_0_l, exp_0. ring.
    + rewrite Rmult_plus_distr_l.
      apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ z (theta * local G (before + m) r)
        (theta * snd (walk theta ((before + m) * r) S))).
      * apply is_RInt_gen_at_point. unfold r. rewrite <- gap_local.
        apply is_RInt_ext with (f := fun y => Rmax 0
          (wave theta (G * exp (- z / theta)) ((before + m) * exp (x / theta)) y));
          [|apply gap_integral; lra].
        rewrite Rmin_left, Rmax_right by lra. intros y Hy. f_equal.
        change (signal theta ((x, m) :: S) y) with (m * decay theta (y - x) + signal theta S y).
        rewrite (signal_before theta S z y) by (exact HS || lra). rewrite <- IH1.
        unfold wave, decay. rewrite Rabs_pos_eq by lra.
        replace (- (y - x) / theta) with (x / theta + - y / theta) by (unfold Rdiv; ring).
        replace (- (z - y) / theta) with (- z / theta + y / theta) by (unfold Rdiv; ring).
        rewrite !exp_plus. ring.
      * refine (@is_RInt_gen_ext R_NormedModule _ _ _ _ _ _ _ _ IH2).
        exists (fun u => u = z) (fun v => z < v); [reflexivity | exists z; auto |].
        intros u v -> Hv y Hy. simpl in Hy. rewrite Rmin_left in Hy by lra. f_equal.
        change (signal theta ((x, m) :: S) y) with (m * decay theta (y - x) + signal theta S y).
        unfold decay. rewrite Rabs_pos_eq by lra. unfold r.
        replace (- (y - x) / theta) with (- (z - x) / theta + - (y - z) / theta)
          by (unfold Rdiv; ring).
        rewrite exp_plus. ring.
Qed.

(* The integral over the line, of atoms in increasing order with weights of any sign. *)
Theorem walk_whole : forall theta x m rest, 0 < theta -> increasing x (atoms rest) ->
  let found := walk theta 0 ((x, m) :: rest) in
  integrates (fun y => Rmax 0 (signal theta ((x, m) :: rest) y))
    (theta * (Rmax 0 (fst found) + snd found)).
Proof.
  intros theta x m rest Ht Hi found. set (S := (x, m) :: rest) in *.
  destruct (walk_integral theta rest x m 0 Ht Hi) as [H1 H2]. fold S in H1, H2.
  fold found in H1, H2.
  rewrite Rmult_plus_distr_l.
  apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ x (theta * Rmax 0 (fst found))
    (theta * snd found)).
  - assert (HS : forall c, In c (atoms S) -> x <= c).
    { intros c [<- | Hc]; [simpl; lra|]. left. exact (increasing_above _ _ _ Hi Hc). }
    assert (W : forall y, wave theta (signal theta S x * exp (- x / theta)) 0 y =
      exp (- (x - y) / theta) * signal theta S x).
    { intros y. unfold wave. replace (- (x - y) / theta) with (- x / theta + y / theta)
        by (unfold Rdiv; ring). rewrite exp_plus. ring. }
    replace (fst found) with (wave theta (signal theta S x * exp (- x / theta)) 0 x).
    + apply (@is_RInt_gen_ext R_NormedModule _ _ _ _
        (fun y => Rmax 0 (wave theta (signal theta S x * exp (- x / theta)) 0 y)));
        [|apply tail_left, Ht].
      exists (fun u => u < x) (fun v => v = x); [exists x; auto | reflexivity |].
      intros u v Hu -> y Hy. simpl in Hy. rewrite Rmax_right in Hy by lra.
      rewrite W, (signal_before theta S x y); [reflexivity | exact Ht | lra | exact HS].
    + rewrite W, H1, Rminus_eq_0, Ropp_0. unfold Rdiv. rewrite Rmult_0_l, exp_0. ring.
  - refine (@is_RInt_gen_ext R_NormedModule _ _ _ _ _ _ _ _ H2).
    apply filter_forall. intros ab y _. f_equal. ring.
Qed.
