(* The divergence of two point masses under Laplace noise, in one line. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Pfverify Require Import Release FiniteCheck Integrals Events Divergence.
Import ListNotations.
Open Scope R_scope.

(* Both orders, for the distance b - a. *)
Lemma two_points : forall theta epsilon a b, 0 < theta -> 0 <= epsilon -> a < b ->
  divergence (exp epsilon) (release theta [(a, 1)]) (release theta [(b, 1)]) =
    Rmax 0 (1 - exp ((epsilon - (b - a) / theta) / 2)) /\
  divergence (exp epsilon) (release theta [(b, 1)]) (release theta [(a, 1)]) =
    Rmax 0 (1 - exp ((epsilon - (b - a) / theta) / 2)).
Proof.
  intros theta epsilon a b Ht He Hab.
  assert (HD : 0 < (b - a) / theta) by (apply Rdiv_lt_0_compat; lra).
  set (D := (b - a) / theta) in *. set (E := exp epsilon).
  assert (HE : 1 <= E) by (rewrite <- exp_0; destruct He as [He | <-];
    [left; apply exp_increasing, He | right; reflexivity]).
  assert (H1 : exp (- D) < 1) by (rewrite <- exp_0; apply exp_increasing; lra).
  assert (H0 : 0 < exp (- D)) by apply exp_pos.
  assert (HM : E * exp (- D) = exp (epsilon - D)) by (unfold E; rewrite <- exp_plus; reflexivity).
  assert (T : 0 < / (2 * theta)) by (apply Rinv_0_lt_compat; lra).
  assert (L0 : laplace theta (a - a) = / (2 * theta) /\ laplace theta (b - b) = / (2 * theta)).
  { unfold laplace. rewrite !Rminus_eq_0, Rabs_R0, Ropp_0. unfold Rdiv. rewrite Rmult_0_l, exp_0.
    split; ring. }
  assert (L1 : laplace theta (a - b) = exp (- D) * / (2 * theta) /\
    laplace theta (b - a) = exp (- D) * / (2 * theta)).
  { unfold laplace. rewrite Rabs_left1, Rabs_pos_eq by lra. unfold D.
    split; unfold Rdiv; do 2 f_equal; ring. }
  assert (X : exp (- a / theta) * exp (a / theta) = 1).
  { rewrite <- exp_plus, <- exp_0. f_equal. unfold Rdiv. ring. }
  assert (Y : exp (- b / theta) * exp (a / theta) = exp (- D)).
  { rewrite <- exp_plus. f_equal. unfold D, Rdiv. ring. }
  assert (Z : exp (- b / theta) * exp (b / theta) = 1).
  { rewrite <- exp_plus, <- exp_0. f_equal. unfold Rdiv. ring. }
  destruct L0 as [La Lb], L1 as [Lab Lba].
  assert (G : E * exp (- D) <= 1 -> exp ((epsilon - D) / 2) <= 1).
  { rewrite HM, <- exp_0. intros H. apply Rnot_lt_le. intros N. apply exp_lt_inv in N.
    assert (exp 0 < exp (epsilon - D)) by (apply exp_increasing; lra). lra. }
  assert (G' : 1 < E * exp (- D) -> 1 < exp ((epsilon - D) / 2)).
  { rewrite HM, <- exp_0. intros N. apply exp_lt_inv in N. apply exp_increasing. lra. }
  assert (Low : (exp (- D) - E) * / (2 * theta) < 0) by nra.
  assert (RL : Rmax 0 ((exp (- D) - E) * / (2 * theta)) = 0) by (apply Rmax_left; lra).
  assert (Root : sqrt (E * exp (- D) * / (2 * theta) * / (2 * theta)) =
    exp ((epsilon - D) / 2) * / (2 * theta)).
  { rewrite HM.
    replace (exp (epsilon - D)) with (exp ((epsilon - D) / 2) * exp ((epsilon - D) / 2))
      by (rewrite <- exp_plus; f_equal; field).
    assert (K := exp_pos ((epsilon - D) / 2)). set (r := exp ((epsilon - D) / 2)) in *.
    replace (r * r * / (2 * theta) * / (2 * theta)) with (r * / (2 * theta) * (r * / (2 * theta)))
      by ring.
    apply sqrt_square. left. apply Rmult_lt_0_compat; assumption. }
  split; (rewrite (divergence_closed_form theta E _ _ a [b] Ht); [| split; easy | simpl; tauto]).
  - set (S1 := difference E [(a, 1)] [(b, 1)]).
    assert (Ra : release theta S1 a = (1 - E * exp (- D)) * / (2 * theta))
      by (simpl; rewrite La, Lab; ring).
    assert (Rb : release theta S1 b = (exp (- D) - E) * / (2 * theta))
      by (simpl; rewrite Lba, Lb; ring).
    assert (W : forall y, a <= y <= b ->
      wave theta (right_of theta S1 a) (left_of theta S1 a) y = release theta S1 y).
    { intros y Hy. symmetry. apply release_wave; [exact Ht | lra |]. simpl. intuition lra. }
    assert (A1 : right_of theta S1 a = - E * exp (- b / theta) * / (2 * theta)).
    { simpl. destruct (Rlt_dec a a), (Rlt_dec a b); lra || (unfold Rdiv; ring). }
    assert (B1 : left_of theta S1 a = exp (a / theta) * / (2 * theta)).
    { simpl. destruct (Rlt_dec a a), (Rlt_dec a b); lra || (unfold Rdiv; ring). }
    change (gaps theta S1 a [b]) with
      (gap theta (right_of theta S1 a) (left_of theta S1 a) a b +
       theta * Rmax 0 (release theta S1 b)).
    unfold gap. rewrite !W by lra. rewrite Ra, Rb.
    rewrite RL.
    destruct (Rle_dec 0 ((exp (- D) - E) * / (2 * theta)))
      as [N | _]; [exfalso; exact (Rlt_not_le _ _ Low N)|].
    destruct (Rle_dec 0 ((1 - E * exp (- D)) * / (2 * theta))) as [P | P].
    + assert (M : E * exp (- D) <= 1) by nra. specialize (G M).
      rewrite (Rmax_right 0 (1 - exp ((epsilon - D) / 2))) by lra. rewrite Rmax_right by exact P.
      unfold area. rewrite A1, B1.
      replace (- (- E * exp (- b / theta) * / (2 * theta) * (exp (a / theta) * / (2 * theta))))
        with (E * (exp (- b / theta) * exp (a / theta)) * / (2 * theta) * / (2 * theta)) by ring.
      rewrite Y, Root.
      replace (- E * exp (- b / theta) * / (2 * theta) * exp (a / theta))
        with (- (E * (exp (- b / theta) * exp (a / theta)) * / (2 * theta))) by ring.
      replace (exp (a / theta) * / (2 * theta) * exp (- a / theta))
        with (exp (- a / theta) * exp (a / theta) * / (2 * theta)) by ring.
      rewrite X, Y. field. lra.
    + assert (M : 1 < E * exp (- D)) by nra. specialize (G' M). rewrite !Rmax_left by lra. ring.
  - set (S2 := difference E [(b, 1)] [(a, 1)]).
    assert (Ra : release theta S2 a = (exp (- D) - E) * / (2 * theta))
      by (simpl; rewrite La, Lab; ring).
    assert (Rb : release theta S2 b = (1 - E * exp (- D)) * / (2 * theta))
      by (simpl; rewrite Lba, Lb; ring).
    assert (W : forall y, a <= y <= b ->
      wave theta (right_of theta S2 a) (left_of theta S2 a) y = release theta S2 y).
    { intros y Hy. symmetry. apply release_wave; [exact Ht | lra |]. simpl. intuition lra. }
    assert (A1 : right_of theta S2 a = exp (- b / theta) * / (2 * theta)).
    { simpl. destruct (Rlt_dec a a), (Rlt_dec a b); lra || (unfold Rdiv; ring). }
    assert (B1 : left_of theta S2 a = - E * exp (a / theta) * / (2 * theta)).
    { simpl. destruct (Rlt_dec a a), (Rlt_dec a b); lra || (unfold Rdiv; ring). }
    change (gaps theta S2 a [b]) with
      (gap theta (right_of theta S2 a) (left_of theta S2 a) a b +
       theta * Rmax 0 (release theta S2 b)).
    unfold gap. rewrite !W by lra. rewrite Ra, Rb.
    rewrite RL.
    destruct (Rle_dec 0 ((exp (- D) - E) * / (2 * theta)))
      as [N | _]; [exfalso; exact (Rlt_not_le _ _ Low N)|].
    destruct (Rle_dec 0 ((1 - E * exp (- D)) * / (2 * theta))) as [P | P].
    + assert (M : E * exp (- D) <= 1) by nra. specialize (G M).
      rewrite (Rmax_right 0 (1 - exp ((epsilon - D) / 2))) by lra. rewrite Rmax_right by exact P.
      unfold area. rewrite A1, B1.
      replace (- (exp (- b / theta) * / (2 * theta) * (- E * exp (a / theta) * / (2 * theta))))
        with (E * (exp (- b / theta) * exp (a / theta)) * / (2 * theta) * / (2 * theta)) by ring.
      rewrite Y, Root.
      replace (exp (- b / theta) * / (2 * theta) * exp (b / theta))
        with (exp (- b / theta) * exp (b / theta) * / (2 * theta)) by ring.
      replace (- E * exp (a / theta) * / (2 * theta) * exp (- b / theta))
        with (- (E * (exp (- b / theta) * exp (a / theta)) * / (2 * theta))) by ring.
      rewrite Y, Z. field. lra.
    + assert (M : 1 < E * exp (- D)) by nra. specialize (G' M). rewrite !Rmax_left by lra. ring.
Qed.

(* Two point masses at the distance d: max(0, 1 - e^((epsilon - d/theta)/2)). *)
Theorem point_masses : forall theta epsilon a b, 0 < theta -> 0 <= epsilon ->
  divergence (exp epsilon) (release theta [(a, 1)]) (release theta [(b, 1)]) =
    Rmax 0 (1 - exp ((epsilon - Rabs (a - b) / theta) / 2)).
Proof.
  intros theta epsilon a b Ht He. destruct (Rtotal_order a b) as [L | [<- | L]].
  - rewrite Rabs_left1, Ropp_minus_distr by lra. apply two_points; assumption.
  - assert (K : forall x y, x <= y -> exp x <= exp y).
    { intros x y [H | ->]; [left; apply exp_increasing, H | right; reflexivity]. }
    rewrite Rminus_eq_0, Rabs_R0, Rmax_left.
    + apply integral_of. apply integrates_ext with (fun _ => 0); [|apply integrates_zero].
      intros y. symmetry. apply Rmax_left. specialize (K 0 epsilon He). rewrite exp_0 in K.
      assert (0 <= release theta [(a, 1)] y); [|nra].
      apply release_nonnegative; [exact Ht|]. constructor; [simpl; lra | constructor].
    + assert (H : 0 <= (epsilon - 0 / theta) / 2) by (unfold Rdiv; rewrite Rmult_0_l; lra).
      apply K in H. rewrite exp_0 in H. lra.
  - rewrite Rabs_pos_eq by lra. apply two_points; assumption.
Qed.
