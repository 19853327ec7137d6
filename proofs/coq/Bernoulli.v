(* Two laws on the same two points: the least private scale in closed form, whatever finite law the
   others have. *)
From Coq Require Import Reals List Lra Psatz.
From Pfverify Require Import Release Means Couplings Independent.
Import ListNotations.
Open Scope R_scope.

(* high with chance p, else low *)
Definition two_points (low high p : R) : prior := [(low, 1 - p); (high, p)].

Definition bernoulli (p : R) : prior := two_points 0 1 p.

(* d = |p - q| - (E - 1) min(p, q, 1 - p, 1 - q) *)
Definition gap (E p q : R) : R :=
  Rabs (p - q) - (E - 1) * Rmin (Rmin p q) (Rmin (1 - p) (1 - q)).

(* ------------------------------------------------------------ the gap is the largest of four *)

Lemma gap_is_one : forall E p q,
  gap E p q = q - p - (E - 1) * p \/ gap E p q = p - q - (E - 1) * q \/
  gap E p q = p - q - (E - 1) * (1 - p) \/ gap E p q = q - p - (E - 1) * (1 - q).
Proof.
  intros E p q. unfold gap, Rmin, Rabs.
  destruct (Rcase_abs (p - q)), (Rle_dec p q), (Rle_dec (1 - p) (1 - q));
    match goal with |- context [Rle_dec ?a ?b] => destruct (Rle_dec a b) end;
    try lra; try (left; lra); try (right; left; lra); try (right; right; left; lra);
    try (right; right; right; lra).
Qed.

Lemma gap_above : forall E p q, 1 <= E ->
  q - p - (E - 1) * p <= gap E p q /\ p - q - (E - 1) * q <= gap E p q /\
  p - q - (E - 1) * (1 - p) <= gap E p q /\ q - p - (E - 1) * (1 - q) <= gap E p q.
Proof.
  intros E p q HE. unfold gap. set (m := Rmin (Rmin p q) (Rmin (1 - p) (1 - q))).
  pose proof (Rle_abs (p - q)) as U. pose proof (Rle_abs (- (p - q))) as V. rewrite Rabs_Ropp in V.
  assert (m <= p /\ m <= q /\ m <= 1 - p /\ m <= 1 - q) as (M1 & M2 & M3 & M4).
  { unfold m. pose proof (Rmin_l (Rmin p q) (Rmin (1 - p) (1 - q))).
    pose proof (Rmin_r (Rmin p q) (Rmin (1 - p) (1 - q))).
    pose proof (Rmin_l p q). pose proof (Rmin_r p q).
    pose proof (Rmin_l (1 - p) (1 - q)). pose proof (Rmin_r (1 - p) (1 - q)). lra. }
  apply (Rmult_le_compat_l (E - 1)) in M1, M2, M3, M4; lra.
Qed.

(* ------------------------------------------------------------ both orders *)

Lemma probability_two_points : forall low high p, 0 <= p <= 1 ->
  probability (two_points low high p).
Proof.
  intros low high p H. split; [|unfold total; simpl; ring].
  repeat (constructor; simpl; [lra|]). constructor.
Qed.

Lemma moment_two_points : forall c low high p,
  moment c (two_points low high p) = (1 - p) * exp (c * low) + p * exp (c * high).
Proof. intros. unfold moment, mean, two_points. simpl. ring. Qed.

Section TwoPoints.
Variables (theta epsilon low high p q : R).
Hypothesis scale : 0 < theta.
Hypothesis apart : low < high.
Notation E := (exp epsilon).
Notation t := (exp ((high - low) / theta)).

Lemma t_above_1 : 1 < t.
Proof. rewrite <- exp_0. apply exp_increasing. apply Rdiv_lt_0_compat; lra. Qed.

(* The two tails: what one order says left of both points, and right of them. *)
Lemma bounded_from_tails :
  (1 - p) * t + p <= E * ((1 - q) * t + q) -> (1 - p) + p * t <= E * ((1 - q) + q * t) ->
  bounded theta epsilon (two_points low high p) (two_points low high q).
Proof.
  intros L R y. unfold two_points. simpl. pose proof t_above_1 as T.
  pose proof (laplace_move theta y low high scale) as A.
  pose proof (laplace_move theta y high low scale) as B.
  rewrite (Rabs_left (low - high)) in A by lra. rewrite (Rabs_right (high - low)) in B by lra.
  replace (- (low - high)) with (high - low) in A by ring.
  set (a := laplace theta (y - low)) in *. set (b := laplace theta (y - high)) in *.
  apply Rmult_le_reg_l with (t * t - 1); [nra|].
  set (s := t) in *. set (e := E) in *.
  assert (U : 0 <= (s * a - b) * (e * ((1 - q) * s + q) - ((1 - p) * s + p)))
    by (apply Rmult_le_pos; lra).
  assert (V : 0 <= (s * b - a) * (e * ((1 - q) + q * s) - ((1 - p) + p * s)))
    by (apply Rmult_le_pos; lra).
  nra.
Qed.

Lemma tails_from_bounded : forall S, probability S ->
  bounded theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S) ->
  (1 - p) * t + p <= E * ((1 - q) * t + q) /\ (1 - p) + p * t <= E * ((1 - q) + q * t).
Proof.
  intros S HS H. destruct (tails_with_others _ _ _ _ _ scale HS H) as [R L].
  rewrite !moment_two_points in R, L.
  replace (/ theta * high) with (/ theta * low + (high - low) / theta) in R by (field; lra).
  replace (- / theta * low) with (- / theta * high + (high - low) / theta) in L by (field; lra).
  rewrite exp_plus in R, L. split.
  - apply Rmult_le_reg_l with (exp (- / theta * high)); [apply exp_pos|]. lra.
  - apply Rmult_le_reg_l with (exp (/ theta * low)); [apply exp_pos|]. lra.
Qed.

End TwoPoints.

(* F34 and F34b: this inequality decides both orders, whatever finite law the others have. *)
Theorem two_points_private : forall theta epsilon low high p q S,
  0 < theta -> 0 <= epsilon -> low < high -> probability S ->
  private theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S)
  <-> (exp ((high - low) / theta) - 1) * gap (exp epsilon) p q <= exp epsilon - 1.
Proof.
  intros theta epsilon low high p q S Ht He L HS.
  pose proof (t_above_1 theta low high Ht L) as T.
  assert (HE : 1 <= exp epsilon)
    by (rewrite <- exp_0; apply exp_le; exact He).
  split.
  - intros [H1 H2]. apply tails_from_bounded in H1, H2; try assumption.
    destruct (gap_is_one (exp epsilon) p q) as [D|[D|[D|D]]]; rewrite D; nra.
  - intros H. destruct (gap_above (exp epsilon) p q HE) as (G1 & G2 & G3 & G4).
    assert (K : forall g, g <= gap (exp epsilon) p q ->
      (exp ((high - low) / theta) - 1) * g <= exp epsilon - 1)
      by (intros g G; eapply Rle_trans; [|exact H]; apply Rmult_le_compat_l; lra).
    apply K in G1, G2, G3, G4. apply private_with_others; [exact HS|].
    split; apply bounded_from_tails; lra.
Qed.

(* ------------------------------------------------------------ the closed form *)

(* No noise is needed. *)
Theorem no_noise_needed : forall theta epsilon low high p q S,
  0 < theta -> 0 <= epsilon -> low < high -> probability S -> gap (exp epsilon) p q <= 0 ->
  private theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S).
Proof.
  intros theta epsilon low high p q S Ht He L HS G.
  apply two_points_private; try assumption. pose proof (t_above_1 theta low high Ht L) as T.
  assert (1 <= exp epsilon)
    by (rewrite <- exp_0; apply exp_le; exact He).
  nra.
Qed.

Lemma log_scale : forall theta h c, 0 < theta -> 0 < h -> 1 < c ->
  exp (h / theta) <= c <-> h / ln c <= theta.
Proof.
  intros theta h c Ht Hh Hc.
  assert (P : 0 < ln c) by (rewrite <- ln_1; apply ln_increasing; lra).
  assert (X : exp (ln c) = c) by (apply exp_ln; lra).
  assert (Q : h / theta <= ln c <-> h / ln c <= theta).
  { split; intros H.
    - apply Rmult_le_reg_r with (ln c); [exact P|]. apply Rmult_le_compat_r with (r := theta) in H;
        [|lra]. replace (h / theta * theta) with h in H by (field; lra).
      replace (h / ln c * ln c) with h by (field; lra). lra.
    - apply Rmult_le_reg_r with theta; [exact Ht|]. apply Rmult_le_compat_r with (r := ln c) in H;
        [|lra]. replace (h / ln c * ln c) with h in H by (field; lra).
      replace (h / theta * theta) with h by (field; lra). lra. }
  rewrite <- Q. rewrite <- X at 1. apply exp_le.
Qed.

(* The least private scale h / log(1 + (E - 1)/d). *)
Theorem two_points_least : forall theta epsilon low high p q S,
  0 < theta -> 0 < epsilon -> low < high -> probability S -> 0 < gap (exp epsilon) p q ->
  private theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S)
  <-> (high - low) / ln (1 + (exp epsilon - 1) / gap (exp epsilon) p q) <= theta.
Proof.
  intros theta epsilon low high p q S Ht He L HS G.
  assert (HE : 1 < exp epsilon) by (rewrite <- exp_0; apply exp_increasing, He).
  assert (0 < (exp epsilon - 1) / gap (exp epsilon) p q) by (apply Rdiv_lt_0_compat; lra).
  rewrite two_points_private by (assumption || lra). rewrite <- log_scale by lra.
  set (g := gap (exp epsilon) p q) in *. split; intros I.
  - assert (exp ((high - low) / theta) - 1 <= (exp epsilon - 1) / g); [|lra].
    apply Rmult_le_reg_r with g; [exact G|].
    replace ((exp epsilon - 1) / g * g) with (exp epsilon - 1) by (field; lra). exact I.
  - assert (J : exp ((high - low) / theta) - 1 <= (exp epsilon - 1) / g) by lra.
    apply Rmult_le_compat_r with (r := g) in J; [|lra].
    replace ((exp epsilon - 1) / g * g) with (exp epsilon - 1) in J by (field; lra). exact J.
Qed.

(* The same with p < q as two quotients: which of them it is, p + q tells. *)
Lemma gap_as_quotient : forall E p q, 1 <= E -> 0 <= p -> p < q -> q <= 1 ->
  gap E p q = (if Rle_dec 1 (p + q) then (1 - p) - E * (1 - q) else q - E * p) /\
  (0 < gap E p q ->
   1 + (E - 1) / gap E p q =
     if Rle_dec 1 (p + q)
     then (E * q - p) / ((1 - p) - E * (1 - q))
     else (E * (1 - p) - (1 - q)) / (q - E * p)).
Proof.
  intros E p q HE Hp L Hq.
  assert (G : gap E p q = (if Rle_dec 1 (p + q) then (1 - p) - E * (1 - q) else q - E * p)).
  { unfold gap. rewrite Rabs_left by lra. rewrite (Rmin_left p q), (Rmin_right (1 - p)) by lra.
    destruct (Rle_dec 1 (p + q)).
    - rewrite Rmin_right by lra. ring.
    - rewrite Rmin_left by lra. ring. }
  split; [exact G|]. rewrite G. destruct (Rle_dec 1 (p + q)); intros; field; lra.
Qed.

(* ------------------------------------------------------------ what the papers print *)

(* (15) of the multi-user paper: a user who reports 1 with chance p, else 0, against absence. *)
Theorem bernoulli_against_absence : forall theta epsilon p S,
  0 < theta -> 0 < epsilon -> 0 < p <= 1 -> probability S ->
  private theta epsilon (convolve (bernoulli p) S) (convolve nobody S)
  <-> 1 / ln ((exp epsilon - (1 - p)) / p) <= theta.
Proof.
  intros theta epsilon p S Ht He Hp HS.
  assert (G : gap (exp epsilon) p 0 = p).
  { unfold gap. rewrite Rminus_0_r, Rabs_right, (Rmin_right p 0), Rmin_left by
      (try apply Rmin_glb; lra). ring. }
  pose proof (two_points_least theta epsilon 0 1 p 0 S Ht He Rlt_0_1 HS) as H. rewrite G in H.
  specialize (H ltac:(lra)).
  replace (1 + (exp epsilon - 1) / p) with ((exp epsilon - (1 - p)) / p) in H by (field; lra).
  rewrite Rminus_0_r in H. rewrite <- H.
  assert (same : forall y, release theta (convolve (two_points 0 1 0) S) y
                           = release theta (convolve nobody S) y).
  { intros y. rewrite !release_convolve. unfold nobody, point, two_points, mean.
    apply sum_equal. intros e _. simpl. ring. }
  unfold private, bounded, bernoulli. split; intros [H1 H2]; split; intros y; specialize (H1 y);
    specialize (H2 y); rewrite same in *; assumption.
Qed.

(* Lemma 5, (18): h / epsilon is private. *)
Theorem lemma_5 : forall theta epsilon low high p q S,
  0 < theta -> 0 <= epsilon -> low < high -> 0 <= p <= 1 -> 0 <= q <= 1 -> probability S ->
  high - low <= epsilon * theta ->
  private theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S).
Proof.
  intros theta epsilon low high p q S Ht He L Hp Hq HS H.
  apply two_points_private; try assumption. pose proof (t_above_1 theta low high Ht L) as T.
  pose proof (exp_way theta epsilon _ Ht H) as W.
  assert (gap (exp epsilon) p q <= 1); [|nra].
  destruct (gap_is_one (exp epsilon) p q) as [D|[D|[D|D]]]; rewrite D; nra.
Qed.

(* Lemma 6, (21), as it comes out: h / log((E max(p, q) - min(p, q))/|p - q|) is private. *)
Theorem lemma_6 : forall theta epsilon low high p q S,
  0 < theta -> 0 < epsilon -> low < high -> 0 <= p <= 1 -> 0 <= q <= 1 -> p <> q ->
  probability S ->
  (high - low) / ln ((exp epsilon * Rmax p q - Rmin p q) / Rabs (p - q)) <= theta ->
  private theta epsilon (convolve (two_points low high p) S) (convolve (two_points low high q) S).
Proof.
  intros theta epsilon low high p q S Ht He L Hp Hq N HS H.
  assert (HE : 1 < exp epsilon) by (rewrite <- exp_0; apply exp_increasing, He).
  assert (W : 0 < Rabs (p - q)) by (apply Rabs_pos_lt; lra).
  assert (M : Rmax p q - Rmin p q = Rabs (p - q)).
  { unfold Rmax, Rmin, Rabs. destruct (Rle_dec p q), (Rcase_abs (p - q)); lra. }
  assert (B : 0 < Rmax p q <= 1).
  { split; [|apply Rmax_lub; lra].
    assert (0 <= Rmin p q) by (apply Rmin_glb; lra). lra. }
  replace ((exp epsilon * Rmax p q - Rmin p q) / Rabs (p - q))
    with (1 + (exp epsilon - 1) * Rmax p q / Rabs (p - q)) in H
    by (replace (Rmin p q) with (Rmax p q - Rabs (p - q)) by lra; field; lra).
  assert (P : 0 < (exp epsilon - 1) * Rmax p q / Rabs (p - q))
    by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra).
  apply log_scale in H; try lra. apply two_points_private; try assumption; try lra.
  pose proof (t_above_1 theta low high Ht L) as T. set (s := exp ((high - low) / theta)) in *.
  assert (A : (s - 1) * Rabs (p - q) <= (exp epsilon - 1) * Rmax p q).
  { assert (J : s - 1 <= (exp epsilon - 1) * Rmax p q / Rabs (p - q)) by lra.
    apply Rmult_le_compat_r with (r := Rabs (p - q)) in J; [|lra].
    replace ((exp epsilon - 1) * Rmax p q / Rabs (p - q) * Rabs (p - q))
      with ((exp epsilon - 1) * Rmax p q) in J by (field; lra). exact J. }
  assert (D : gap (exp epsilon) p q <= Rabs (p - q)).
  { unfold gap. assert (0 <= Rmin (Rmin p q) (Rmin (1 - p) (1 - q)))
      by (repeat apply Rmin_glb; lra). nra. }
  nra.
Qed.

(* The packaged example tie-bernoulli: 1 with chance 1/2, or always; two others added to both. *)
Theorem tie_bernoulli : forall theta, 0 < theta ->
  private theta 1 (sum_of [bernoulli (1/2); bernoulli (1/3); bernoulli (1/4)])
                  (sum_of [bernoulli 1; bernoulli (1/3); bernoulli (1/4)])
  <-> 1 / ln ((exp 1 - 1/2) / (1/2)) <= theta.
Proof.
  intros theta Ht.
  assert (G : gap (exp 1) (1/2) 1 = 1/2).
  { unfold gap. rewrite Rabs_left, (Rmin_left (1/2)), (Rmin_right (1 - 1/2)), Rmin_right by lra.
    lra. }
  assert (HS : probability (sum_of [bernoulli (1/3); bernoulli (1/4)]))
    by (apply probability_sum; repeat (apply Forall_cons; [apply probability_two_points; lra|]);
        constructor).
  pose proof (two_points_least theta 1 0 1 (1/2) 1 _ Ht Rlt_0_1 Rlt_0_1 HS) as H. rewrite G in H.
  replace ((exp 1 - 1/2) / (1/2)) with (1 + (exp 1 - 1) / (1/2)) by field.
  rewrite Rminus_0_r in H. apply H. lra.
Qed.
