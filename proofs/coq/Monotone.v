(* F2: a bound that holds at a scale of Laplace noise holds at every larger scale.

   Nothing is integrated.  Let s <= t be the scales and g the release of some list of masses at s,
   of either sign.  The functions u, of the noise Laplace(t) - (s/t)^2 Laplace(s), and v = u + t u'
   are differentiable, v - t v' = (1 - (s/t)^2) g, and both are bounded: so each keeps the upper
   bound of the next (lemma `drawn_up`). *)
From Coq Require Import Reals List Lra Psatz.
From Pfverify Require Import Release FiniteCheck.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ two lemmas of calculus *)

(* If f - s f' is at most D, then so is f, unless it grows without bound. *)
Lemma drawn_up : forall s D C f f',
  0 < s -> (forall y, derivable_pt_lim f y (f' y)) -> (forall y, f y <= C) ->
  (forall y, f y - s * f' y <= D) -> forall y, f y <= D.
Proof.
  intros s D C f f' Hs Hd HC HD y0.
  set (w := fun y => exp (/ s * - y) * (f y - D)).
  assert (Hw : forall y, derivable_pt_lim w y (exp (/ s * - y) * (f' y - / s * (f y - D)))).
  { intro y. unfold w.
    replace (exp (/ s * - y) * (f' y - / s * (f y - D))) with
      (exp (/ s * - y) * (/ s * - (1)) * (f y - D) + exp (/ s * - y) * (f' y - 0)) by ring.
    apply (derivable_pt_lim_mult (fun y => exp (/ s * - y)) (fun y => f y - D)).
    - apply (derivable_pt_lim_comp (fun y => / s * - y) exp); [|apply derivable_pt_lim_exp].
      apply (derivable_pt_lim_scal (fun y => - y)).
      apply (derivable_pt_lim_opp (fun y => y)), derivable_pt_lim_id.
    - apply (derivable_pt_lim_minus f (fun _ => D)); [apply Hd | apply derivable_pt_lim_const]. }
  assert (Hr : forall y, y0 < y -> w y0 <= w y).
  { intros y Hy. destruct (MVT_cor2 w _ y0 y Hy (fun c _ => Hw c)) as (c & Hc & _).
    assert (0 <= f' c - / s * (f c - D)).
    { apply Rmult_le_reg_l with s; [assumption|].
      replace (s * (f' c - / s * (f c - D))) with (s * f' c - f c + D) by (field; lra).
      specialize (HD c). lra. }
    assert (0 < exp (/ s * - c)) by apply exp_pos.
    assert (0 <= exp (/ s * - c) * (f' c - / s * (f c - D))) by (apply Rmult_le_pos; lra).
    nra. }
  apply Rnot_lt_le. intro Habove.
  set (e := f y0 - D) in *. assert (He : 0 < e) by (unfold e; lra).
  assert (HCD : 0 < C - D) by (specialize (HC y0); unfold e in He; lra).
  set (k := (C - D) / e). assert (Hk : 0 < k) by (apply Rdiv_lt_0_compat; assumption).
  specialize (Hr (y0 + s * k)). unfold w in Hr. fold e in Hr.
  assert (Hks : 0 < s * k) by nra. specialize (Hr ltac:(lra)).
  replace (/ s * - (y0 + s * k)) with (/ s * - y0 + - k) in Hr by (field; lra).
  rewrite exp_plus, exp_Ropp, Rmult_assoc in Hr.
  apply Rmult_le_reg_l in Hr; [|apply exp_pos].
  assert (Hgrow : 1 + k < exp k) by (apply exp_ineq1; lra).
  assert (Hmul : exp k * e <= f (y0 + s * k) - D).
  { apply Rmult_le_reg_l with (/ exp k); [apply Rinv_0_lt_compat, exp_pos|].
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l; [assumption|]. pose proof (exp_pos k). lra. }
  assert (k * e = C - D) by (unfold k; field; lra).
  specialize (HC (y0 + s * k)). nra.
Qed.

(* Two pieces that meet at 0 with one derivative. *)
Lemma pasted : forall f left right d y,
  (forall z, z <= 0 -> f z = left z) -> (forall z, 0 <= z -> f z = right z) ->
  (y <= 0 -> derivable_pt_lim left y d) -> (0 <= y -> derivable_pt_lim right y d) ->
  derivable_pt_lim f y d.
Proof.
  intros f left right d y Hl Hr Dl Dr e He.
  assert (Hleft : y <= 0 -> exists r : posreal,
    forall h, h <> 0 -> Rabs h < r -> y + h <= 0 -> Rabs ((f (y + h) - f y) / h - d) < e).
  { intro Hy. destruct (Dl Hy e He) as [r Hrad]. exists r. intros h H0 Hh Hz.
    rewrite !Hl by lra. exact (Hrad h H0 Hh). }
  assert (Hright : 0 <= y -> exists r : posreal,
    forall h, h <> 0 -> Rabs h < r -> 0 <= y + h -> Rabs ((f (y + h) - f y) / h - d) < e).
  { intro Hy. destruct (Dr Hy e He) as [r Hrad]. exists r. intros h H0 Hh Hz.
    rewrite !Hr by lra. exact (Hrad h H0 Hh). }
  destruct (Rtotal_order y 0) as [Hy | [Hy | Hy]].
  - destruct (Hleft ltac:(lra)) as [r Hrad].
    assert (Hm : 0 < Rmin r (- y)) by (apply Rmin_glb_lt; [apply cond_pos | lra]).
    exists (mkposreal _ Hm). simpl. intros h H0 Hh.
    pose proof (Rmin_l r (- y)). pose proof (Rmin_r r (- y)). pose proof (Rle_abs h).
    apply Hrad; [assumption | lra | lra].
  - destruct (Hleft ltac:(lra)) as [r Hrad]. destruct (Hright ltac:(lra)) as [r' Hrad'].
    assert (Hm : 0 < Rmin r r') by (apply Rmin_glb_lt; apply cond_pos).
    exists (mkposreal _ Hm). simpl. intros h H0 Hh.
    pose proof (Rmin_l r r'). pose proof (Rmin_r r r').
    destruct (Rle_dec (y + h) 0); [apply Hrad | apply Hrad']; lra.
  - destruct (Hright ltac:(lra)) as [r Hrad].
    assert (Hm : 0 < Rmin r y) by (apply Rmin_glb_lt; [apply cond_pos | lra]).
    exists (mkposreal _ Hm). simpl. intros h H0 Hh.
    pose proof (Rmin_l r y). pose proof (Rmin_r r y). pose proof (Rle_abs (- h)).
    rewrite Rabs_Ropp in *. apply Hrad; [assumption | lra | lra].
Qed.

(* The pieces: e + a exp(b z) + c exp(d z). *)
Definition piece (e a b c d z : R) : R := e + a * exp (b * z) + c * exp (d * z).

Lemma piece_derivative : forall e a b c d z l,
  l = piece 0 (a * b) b (c * d) d z -> derivable_pt_lim (piece e a b c d) z l.
Proof.
  intros e a b c d z l ->. unfold piece.
  assert (H : forall m n, derivable_pt_lim (fun z => m * exp (n * z)) z (m * n * exp (n * z))).
  { intros m n. replace (m * n * exp (n * z)) with (m * (exp (n * z) * (n * 1))) by ring.
    apply (derivable_pt_lim_scal (fun z => exp (n * z))).
    apply (derivable_pt_lim_comp (fun z => n * z) exp); [|apply derivable_pt_lim_exp].
    apply (derivable_pt_lim_scal (fun z => z)), derivable_pt_lim_id. }
  apply (derivable_pt_lim_plus (fun z => e + a * exp (b * z)) (fun z => c * exp (d * z))); [|apply H].
  apply (derivable_pt_lim_plus (fun _ => e) (fun z => a * exp (b * z))); [|apply H].
  apply derivable_pt_lim_const.
Qed.

(* Where the exponents are at most 0 each exponential is at most 1. *)
Lemma piece_bounded : forall e a b c d z, b * z <= 0 -> d * z <= 0 ->
  Rabs (piece e a b c d z) <= Rabs e + Rabs a + Rabs c.
Proof.
  assert (H : forall w, w <= 0 -> Rabs (exp w) <= 1).
  { intros w Hw. rewrite Rabs_pos_eq by (left; apply exp_pos). rewrite <- exp_0.
    destruct Hw as [Hw | ->]; [left; apply exp_increasing; assumption | lra]. }
  intros e a b c d z Hb Hd. unfold piece.
  eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang e (a * exp (b * z))).
  rewrite !Rabs_mult in *. pose proof (Rabs_pos a). pose proof (Rabs_pos c).
  pose proof (H _ Hb). pose proof (H _ Hd). nra.
Qed.

Definition is_bounded (f : R -> R) : Prop := exists C, forall z, Rabs (f z) <= C.

Lemma bounded_by_pieces : forall f e a b c d e' a' b' c' d',
  (forall z, z <= 0 -> f z = piece e a b c d z) -> 0 <= b -> 0 <= d ->
  (forall z, 0 <= z -> f z = piece e' a' b' c' d' z) -> b' <= 0 -> d' <= 0 ->
  is_bounded f.
Proof.
  intros f e a b c d e' a' b' c' d' Hl Hb Hd Hr Hb' Hd'.
  exists (Rabs e + Rabs a + Rabs c + (Rabs e' + Rabs a' + Rabs c')). intro z.
  pose proof (Rabs_pos e). pose proof (Rabs_pos a). pose proof (Rabs_pos c).
  pose proof (Rabs_pos e'). pose proof (Rabs_pos a'). pose proof (Rabs_pos c').
  destruct (Rle_dec z 0) as [Hz | Hz].
  - rewrite (Hl z Hz). pose proof (piece_bounded e a b c d z ltac:(nra) ltac:(nra)). lra.
  - rewrite (Hr z ltac:(lra)).
    pose proof (piece_bounded e' a' b' c' d' z ltac:(nra) ltac:(nra)). lra.
Qed.

(* ------------------------------------------------------------ sums over the atoms *)

(* The release with another function in place of the density of the noise. *)
Fixpoint spread (k : R -> R) (P : prior) (y : R) : R :=
  match P with
  | [] => 0
  | (x, m) :: rest => m * k (y - x) + spread k rest y
  end.

Lemma spread_laplace : forall theta P y, release theta P y = spread (laplace theta) P y.
Proof. intros. induction P as [|[x m] P IH]; simpl; congruence. Qed.

Lemma spread_combined : forall a b k l n P y,
  (forall z, n z = a * k z + b * l z) ->
  spread n P y = a * spread k P y + b * spread l P y.
Proof.
  intros a b k l n P y H. induction P as [|[x m] P IH]; simpl; [ring|]. rewrite H, IH. ring.
Qed.

Lemma spread_derivative : forall k k' P y,
  (forall z, derivable_pt_lim k z (k' z)) -> derivable_pt_lim (spread k P) y (spread k' P y).
Proof.
  intros k k' P y H. induction P as [|[x m] P IH]; simpl; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (fun y => m * k (y - x)) (spread k P)); [|exact IH].
  apply (derivable_pt_lim_scal (fun y => k (y - x))).
  replace (k' (y - x)) with (k' (y - x) * (1 - 0)) by ring.
  apply (derivable_pt_lim_comp (fun y => y - x) k); [|apply H].
  apply (derivable_pt_lim_minus (fun y => y) (fun _ => x));
    [apply derivable_pt_lim_id | apply derivable_pt_lim_const].
Qed.

Lemma spread_upper : forall k P, is_bounded k -> exists D, forall y, spread k P y <= D.
Proof.
  intros k P [C H]. induction P as [|[x m] P [D IH]]; simpl; [exists 0; intro; lra|].
  exists (Rabs m * C + D). intro y. specialize (IH y). specialize (H (y - x)).
  assert (m * k (y - x) <= Rabs m * C); [|lra].
  eapply Rle_trans; [apply Rle_abs|]. rewrite Rabs_mult.
  apply Rmult_le_compat_l; [apply Rabs_pos | assumption].
Qed.

(* Two functions k and n, where n = u + c k for a u that solves u - t^2 u'' = (1 - c) k: an upper
   bound of a sum of shifts of k is one of the same sum of shifts of n. *)
Lemma smoothed : forall k n u v t c delta M, 0 < t -> 0 <= c <= 1 ->
  (forall z, n z = u z + c * k z) ->
  (forall z, derivable_pt_lim u z ((v z - u z) / t)) ->
  (forall z, derivable_pt_lim v z ((v z - (1 - c) * k z) / t)) ->
  is_bounded u -> is_bounded v ->
  (forall y, spread k M y <= delta) -> forall y, spread n M y <= delta.
Proof.
  intros k n u v t c delta M Ht Hc Hn Du Dv Bu Bv Hk.
  assert (Hv : forall y, spread v M y <= (1 - c) * delta).
  { destruct (spread_upper v M Bv) as [D HD].
    set (v' := fun z => (v z - (1 - c) * k z) / t).
    apply (drawn_up t _ D (spread v M) (spread v' M)); [exact Ht | | exact HD |].
    - intro y. apply spread_derivative. exact Dv.
    - intro y. specialize (Hk y). rewrite (spread_combined t (1 - c) v' k v M y); [nra|].
      intro z. unfold v'. field. lra. }
  assert (Hu : forall y, spread u M y <= (1 - c) * delta).
  { destruct (spread_upper u M Bu) as [D HD].
    set (u' := fun z => (v z - u z) / t). intro y. rewrite <- (Ropp_involutive y).
    apply (drawn_up t _ D (fun y => spread u M (- y)) (fun y => - spread u' M (- y))); [lra | | |].
    - intro z. replace (- spread u' M (- z)) with (spread u' M (- z) * - (1)) by ring.
      apply (derivable_pt_lim_comp (fun z => - z) (spread u M)).
      + apply (derivable_pt_lim_opp (fun z => z)), derivable_pt_lim_id.
      + apply spread_derivative. exact Du.
    - intro z. apply HD.
    - intro z. specialize (Hv (- z)). rewrite (spread_combined 1 t u u' v M (- z)) in Hv; [lra|].
      intro w. unfold u'. field. lra. }
  intro y. specialize (Hk y). specialize (Hu y). rewrite (spread_combined 1 c u k n M y); [nra|].
  intro z. rewrite Hn. ring.
Qed.

(* ------------------------------------------------------------ Laplace noise *)

Lemma laplace_right : forall theta z, 0 < theta -> 0 <= z ->
  laplace theta z = exp (- / theta * z) / (2 * theta).
Proof.
  intros theta z Ht Hz. unfold laplace. rewrite Rabs_pos_eq by assumption.
  replace (- z / theta) with (- / theta * z) by (field; lra). reflexivity.
Qed.

Lemma laplace_left : forall theta z, 0 < theta -> z <= 0 ->
  laplace theta z = exp (/ theta * z) / (2 * theta).
Proof.
  intros theta z Ht Hz. unfold laplace. rewrite Rabs_left1 by assumption.
  replace (- - z / theta) with (/ theta * z) by (field; lra). reflexivity.
Qed.

Lemma quotient_range : forall s t, 0 < s <= t -> 0 < s / t <= 1.
Proof.
  intros s t H. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_le_reg_r with t; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Section two_scales.
Variables s t : R.
Hypothesis scales : 0 < s <= t.
Let q := s / t.

(* u, and v = u + t u', on either side. *)
Definition u (z : R) : R := laplace t z - q ^ 2 * laplace s z.
Definition v (z : R) : R :=
  if Rle_dec z 0
  then piece 0 (/ t) (/ t) (- (1 + q) / (2 * t)) (/ s) z
  else piece 0 0 0 ((1 - q) / (2 * t)) (- / s) z.

Lemma v_left : forall z, z <= 0 ->
  v z = piece 0 (/ t) (/ t) (- (1 + q) / (2 * t)) (/ s) z.
Proof. intros z Hz. unfold v. destruct (Rle_dec z 0); [reflexivity | lra]. Qed.

Lemma v_right : forall z, 0 <= z -> v z = piece 0 0 0 ((1 - q) / (2 * t)) (- / s) z.
Proof.
  intros z Hz. unfold v. destruct (Rle_dec z 0); [|reflexivity].
  assert (z = 0) as -> by lra. unfold piece. rewrite !Rmult_0_r, exp_0. field. lra.
Qed.

Lemma u_left : forall z, z <= 0 ->
  u z = piece 0 (/ (2 * t)) (/ t) (- q ^ 2 / (2 * s)) (/ s) z.
Proof. intros z Hz. unfold u, piece. rewrite !laplace_left by lra. field. lra. Qed.

Lemma u_right : forall z, 0 <= z ->
  u z = piece 0 (/ (2 * t)) (- / t) (- q ^ 2 / (2 * s)) (- / s) z.
Proof. intros z Hz. unfold u, piece. rewrite !laplace_right by lra. field. lra. Qed.

Lemma u_derivative : forall z, derivable_pt_lim u z ((v z - u z) / t).
Proof.
  intro z. eapply pasted; [exact u_left | exact u_right | |]; intro Hz; apply piece_derivative.
  - rewrite (u_left z Hz), (v_left z Hz). unfold piece, q. field. lra.
  - rewrite (u_right z Hz), (v_right z Hz). unfold piece, q. field. lra.
Qed.

Lemma v_derivative : forall z, derivable_pt_lim v z ((v z - (1 - q ^ 2) * laplace s z) / t).
Proof.
  intro z. eapply pasted; [exact v_left | exact v_right | |]; intro Hz; apply piece_derivative.
  - rewrite (v_left z Hz), (laplace_left s z) by lra. unfold piece, q. field. lra.
  - rewrite (v_right z Hz), (laplace_right s z) by lra. unfold piece, q. field. lra.
Qed.

(* F2, for a list of masses of either sign: an upper bound of the release stays one. *)
Theorem smoother : forall delta M,
  (forall y, release s M y <= delta) -> forall y, release t M y <= delta.
Proof.
  intros delta M H y. rewrite spread_laplace.
  assert (0 < / s /\ 0 < / t) by (split; apply Rinv_0_lt_compat; lra).
  pose proof (quotient_range s t scales) as Hq. fold q in Hq.
  apply (smoothed (laplace s) (laplace t) u v t (q ^ 2)); [lra | nra | | | | | |].
  - intro z. unfold u. ring.
  - exact u_derivative.
  - exact v_derivative.
  - eapply bounded_by_pieces; [exact u_left | | | exact u_right | |]; lra.
  - eapply bounded_by_pieces; [exact v_left | | | exact v_right | |]; lra.
  - intro z. rewrite <- spread_laplace. apply H.
Qed.

End two_scales.

(* ------------------------------------------------------------ two priors *)

(* F2: one order of the pure bound, for any finite lists of masses. *)
Theorem bounded_monotone : forall theta theta' epsilon P Q,
  0 < theta <= theta' -> bounded theta epsilon P Q -> bounded theta' epsilon P Q.
Proof.
  intros theta theta' epsilon P Q Ht H y.
  assert (release theta' (difference (exp epsilon) P Q) y <= 0) as B;
    [|rewrite release_difference in B; lra].
  apply smoother with theta; [exact Ht|]. intro z. rewrite release_difference. specialize (H z). lra.
Qed.

(* F2: both orders. *)
Theorem private_monotone : forall theta theta' epsilon P Q,
  0 < theta <= theta' -> private theta epsilon P Q -> private theta' epsilon P Q.
Proof. intros theta theta' epsilon P Q Ht [H G]. split; eapply bounded_monotone; eassumption. Qed.
