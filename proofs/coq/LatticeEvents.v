(* The release with discrete Laplace noise is a law, and the bound at every output is the bound for
   every set of outputs, finite or not. *)
From Coq Require Import Reals ZArith List Lra Lia.
From Pfverify Require Import Release Lattice.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ sums over -n, ..., n *)

Lemma symmetric_sum_S : forall f n, symmetric_sum f (S n) =
  f (- Z.of_nat (S n))%Z + symmetric_sum f n + f (Z.of_nat (S n)).
Proof. reflexivity. Qed.

Lemma symmetric_sum_equal : forall f g n, (forall k, f k = g k) ->
  symmetric_sum f n = symmetric_sum g n.
Proof.
  intros f g n H. induction n as [|n IH]; [apply H|]. now rewrite !symmetric_sum_S, IH, !H.
Qed.

Lemma symmetric_sum_le : forall f g n, (forall k, f k <= g k) ->
  symmetric_sum f n <= symmetric_sum g n.
Proof.
  intros f g n H. induction n as [|n IH]; [apply H|]. rewrite !symmetric_sum_S.
  pose proof (H (- Z.of_nat (S n))%Z). pose proof (H (Z.of_nat (S n))). lra.
Qed.

Lemma symmetric_sum_linear : forall a f g n,
  symmetric_sum (fun k => a * f k + g k) n = a * symmetric_sum f n + symmetric_sum g n.
Proof.
  intros a f g n. induction n as [|n IH]; [reflexivity|]. rewrite !symmetric_sum_S, IH. ring.
Qed.

Lemma symmetric_sum_zero : forall n, symmetric_sum (fun _ => 0) n = 0.
Proof. intros n. induction n as [|n IH]; [reflexivity|]. rewrite symmetric_sum_S, IH. ring. Qed.

Lemma sum_of_previous : forall f n, symmetric_sum (fun k => f (k - 1)%Z) n =
  symmetric_sum f n + f (- Z.of_nat (S n))%Z - f (Z.of_nat n).
Proof.
  intros f n. induction n as [|n IH].
  - simpl. ring.
  - rewrite !symmetric_sum_S, IH.
    replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) by lia.
    replace (- Z.of_nat (S n) - 1)%Z with (- Z.of_nat (S (S n)))%Z by lia. ring.
Qed.

(* Of a convergent sum over all integers the terms may be numbered from another one. *)
Lemma previous_converges : forall f l, (forall k, 0 <= f k) ->
  Un_cv (symmetric_sum f) l -> Un_cv (symmetric_sum (fun k => f (k - 1)%Z)) l.
Proof.
  intros f l H C e He. destruct (C (e / 4) ltac:(lra)) as [N HN]. exists (S N). intros n Hn.
  unfold R_dist in *. rewrite sum_of_previous.
  destruct n as [|n]; [lia|].
  pose proof (HN n ltac:(lia)) as A. pose proof (HN (S n) ltac:(lia)) as B.
  pose proof (HN (S (S n)) ltac:(lia)) as D.
  rewrite symmetric_sum_S in D. rewrite symmetric_sum_S in B, D. rewrite symmetric_sum_S.
  pose proof (H (- Z.of_nat (S n))%Z). pose proof (H (Z.of_nat (S n))).
  pose proof (H (- Z.of_nat (S (S n)))%Z). pose proof (H (Z.of_nat (S (S n)))).
  apply Rabs_def2 in A, B, D. apply Rabs_def1; lra.
Qed.

Lemma next_converges : forall f l, (forall k, 0 <= f k) ->
  Un_cv (symmetric_sum f) l -> Un_cv (symmetric_sum (fun k => f (k + 1)%Z)) l.
Proof.
  intros f l H C. set (g := fun k => f (- k)%Z).
  assert (mirror : forall h n, symmetric_sum (fun k => h (- k)%Z) n = symmetric_sum h n).
  { intros h n. induction n as [|n IH]; [reflexivity|].
    rewrite !symmetric_sum_S, IH, Z.opp_involutive. ring. }
  assert (Cg : Un_cv (symmetric_sum g) l).
  { intros e He. destruct (C e He) as [N HN]. exists N. intros n Hn. unfold g. rewrite mirror.
    now apply HN. }
  assert (Hg : forall k, 0 <= g k) by (intros k; apply H).
  intros e He. destruct (previous_converges g l Hg Cg e He) as [N HN]. exists N. intros n Hn.
  specialize (HN n Hn). rewrite <- mirror.
  rewrite (symmetric_sum_equal _ (fun k => g (k - 1)%Z)); [exact HN|].
  intros k. unfold g. f_equal. lia.
Qed.

Lemma shifted_converges : forall f l j, (forall k, 0 <= f k) ->
  Un_cv (symmetric_sum f) l -> Un_cv (symmetric_sum (fun k => f (k - j)%Z)) l.
Proof.
  intros f l j H C.
  assert (same : forall g h, (forall k, g k = h k) ->
    Un_cv (symmetric_sum g) l -> Un_cv (symmetric_sum h) l).
  { intros g h E G e He. destruct (G e He) as [N HN]. exists N. intros n Hn.
    rewrite (symmetric_sum_equal h g) by (intros k; now rewrite E). now apply HN. }
  assert (right : forall i, Un_cv (symmetric_sum (fun k => f (k - Z.of_nat i)%Z)) l).
  { induction i as [|i IH].
    - apply (same f); [|exact C]. intros k. f_equal. simpl. lia.
    - apply (same (fun k => f (k - 1 - Z.of_nat i)%Z)); [intros k; f_equal; lia|].
      exact (previous_converges (fun k => f (k - Z.of_nat i)%Z) l (fun k => H _) IH). }
  assert (left : forall i, Un_cv (symmetric_sum (fun k => f (k + Z.of_nat i)%Z)) l).
  { induction i as [|i IH].
    - apply (same f); [|exact C]. intros k. f_equal. simpl. lia.
    - apply (same (fun k => f (k + 1 + Z.of_nat i)%Z)); [intros k; f_equal; lia|].
      exact (next_converges (fun k => f (k + Z.of_nat i)%Z) l (fun k => H _) IH). }
  destruct (Z_le_gt_dec 0 j) as [Hj|Hj].
  - apply (same (fun k => f (k - Z.of_nat (Z.to_nat j))%Z)); [intros k; f_equal; lia|]. apply right.
  - apply (same (fun k => f (k + Z.of_nat (Z.to_nat (- j)))%Z)); [intros k; f_equal; lia|].
    apply left.
Qed.

(* ------------------------------------------------------------ the release is a law *)

(* The masses at base + k * step, over all k, sum to the total of the prior. *)
Theorem discrete_release_total : forall theta step base P, 0 < theta -> 0 < step ->
  Forall (fun x => exists k, x = base + IZR k * step) (atoms P) ->
  Un_cv (symmetric_sum (fun k => discrete_release theta step P (base + IZR k * step))) (total P).
Proof.
  intros theta step base P Ht Hs. induction P as [|[x m] P IH]; intros H.
  - intros e He. exists 0%nat. intros n _. simpl. rewrite symmetric_sum_zero.
    unfold total, R_dist. simpl. rewrite Rminus_0_r, Rabs_R0. exact He.
  - inversion H as [|? ? [j E] H']; simpl in *; subst. specialize (IH H').
    set (g := fun k => discrete theta step (IZR (k - j) * step)).
    assert (G : Un_cv (symmetric_sum g) 1).
    { apply (shifted_converges (fun k => discrete theta step (IZR k * step))).
      - intros k. now apply discrete_nonnegative.
      - now apply discrete_total. }
    change (total ((base + IZR j * step, m) :: P)) with (m + total P).
    set (f := fun k => discrete_release theta step P (base + IZR k * step)) in *.
    assert (C : Un_cv (fun n => m * symmetric_sum g n + symmetric_sum f n) (m * 1 + total P)).
    { apply CV_plus; [|exact IH]. apply CV_mult; [|exact G].
      intros e He. exists 0%nat. intros n _. unfold R_dist. rewrite Rminus_diag_eq, Rabs_R0; auto. }
    intros e He. destruct (C e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn).
    rewrite <- symmetric_sum_linear, Rmult_1_r in HN.
    rewrite (symmetric_sum_equal _ (fun k => m * g k + f k)); [exact HN|].
    intros k. simpl. unfold g, f. f_equal. f_equal. f_equal. rewrite minus_IZR. ring.
Qed.

(* ------------------------------------------------------------ every set of outputs *)

(* The release's probability of the outputs base + k * step with k in the event. *)
Definition probability_is (theta step base : R) (P : prior) (event : Z -> bool) (p : R) : Prop :=
  Un_cv (symmetric_sum (fun k =>
    if event k then discrete_release theta step P (base + IZR k * step) else 0)) p.

(* Every event has a probability ... *)
Theorem probability_exists : forall theta step base P event, 0 < theta -> 0 < step ->
  Forall (fun m => 0 <= m) (masses P) ->
  Forall (fun x => exists k, x = base + IZR k * step) (atoms P) ->
  exists p, probability_is theta step base P event p.
Proof.
  intros theta step base P event Ht Hs HP HA. unfold probability_is.
  set (f := fun k => discrete_release theta step P (base + IZR k * step)).
  assert (F : forall k, 0 <= f k) by (intros k; now apply discrete_release_nonnegative).
  set (g := fun k => if event k then f k else 0).
  assert (G : forall k, 0 <= g k <= f k)
    by (intros k; specialize (F k); unfold g; destruct (event k); lra).
  assert (C : Un_cv (symmetric_sum f) (total P)) by now apply discrete_release_total.
  assert (grows : forall h, (forall k, 0 <= h k) -> Un_growing (symmetric_sum h)).
  { intros h H n. rewrite symmetric_sum_S.
    pose proof (H (- Z.of_nat (S n))%Z). pose proof (H (Z.of_nat (S n))). lra. }
  destruct (growing_cv (symmetric_sum g)) as [p Hp].
  - apply grows. intros k. apply G.
  - exists (total P). intros s [n ->].
    apply Rle_trans with (symmetric_sum f n); [apply symmetric_sum_le; intros k; apply G|].
    exact (growing_ineq (symmetric_sum f) (total P) (grows f F) C n).
  - now exists p.
Qed.

(* ... and where every output is bounded, every event is. *)
Theorem discrete_every_event : forall theta step epsilon base P Q event p q,
  discrete_bounded theta step epsilon P Q ->
  probability_is theta step base P event p -> probability_is theta step base Q event q ->
  p <= exp epsilon * q.
Proof.
  intros theta step epsilon base P Q event p q B HP HQ.
  apply Rle_cv_lim with (2 := HP) (Vn := fun n => exp epsilon * symmetric_sum (fun k =>
    if event k then discrete_release theta step Q (base + IZR k * step) else 0) n).
  - intros n. rewrite <- (Rplus_0_r (exp epsilon * _)), <- (symmetric_sum_zero n) at 1.
    rewrite <- symmetric_sum_linear. apply symmetric_sum_le. intros k.
    destruct (event k); [|lra]. specialize (B (base + IZR k * step)). lra.
  - apply CV_mult; [|exact HQ]. intros e He. exists 0%nat. intros n _. unfold R_dist.
    rewrite Rminus_diag_eq, Rabs_R0; auto.
Qed.
