(* Adding Laplace noise loses nothing of the law, so epsilon = 0 is attained at no scale by two
   different laws.

   Nothing is integrated.  On finitely many points every function is a combination of the densities
   of Laplace noise around these points (`interpolation`), and the constant 1 is one with positive
   coefficients (`partition`); sums over two lists commute (`mean_release`). *)
From Coq Require Import Reals List Sorted Lra Psatz.
From Pfverify Require Import Release Means.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ increasing lists of points *)

Lemma insertion : forall x l, StronglySorted Rlt l ->
  exists l', StronglySorted Rlt l' /\ forall y, In y l' <-> y = x \/ In y l.
Proof.
  intros x l S. induction S as [|a l S (l' & S' & E) H].
  - exists [x]. split; [repeat constructor|]. simpl. intuition.
  - destruct (total_order_T x a) as [[L|L]|L].
    + exists (x :: a :: l). split; [|intros y; simpl; intuition].
      constructor; [now constructor|]. constructor; [exact L|].
      eapply Forall_impl; [|exact H]. intros b Hb. simpl in Hb. lra.
    + subst x. exists (a :: l). split; [now constructor|]. intros y. simpl. intuition.
    + exists (a :: l'). split.
      * constructor; [exact S'|]. apply Forall_forall. intros b Hb. apply E in Hb.
        destruct Hb as [->|Hb]; [exact L|]. now apply (proj1 (Forall_forall _ _) H).
      * intros y. simpl. rewrite E. intuition.
Qed.

Lemma sorted_points : forall l, exists l', StronglySorted Rlt l' /\ forall y, In y l' <-> In y l.
Proof.
  induction l as [|x l (l' & S & E)].
  - exists []. split; [constructor|reflexivity].
  - destruct (insertion x l' S) as (m & S' & E'). exists m. split; [exact S'|].
    intros y. rewrite E', E. simpl. intuition.
Qed.

(* ------------------------------------------------------------ Laplace noise around points *)

Lemma laplace_beyond : forall theta x a b, a <= b <= x ->
  laplace theta (x - a) = exp (- (b - a) / theta) * laplace theta (x - b).
Proof.
  intros theta x a b H. unfold laplace. rewrite !Rabs_pos_eq by lra.
  replace (- (x - a) / theta) with (- (b - a) / theta + - (x - b) / theta)
    by (unfold Rdiv; ring).
  rewrite exp_plus. unfold Rdiv. ring.
Qed.

Lemma laplace_even : forall theta x y, laplace theta (x - y) = laplace theta (y - x).
Proof. intros theta x y. unfold laplace. now rewrite Rabs_minus_sym. Qed.

Lemma laplace_zero : forall theta a, laplace theta (a - a) = / (2 * theta).
Proof.
  intros theta a. unfold laplace. replace (a - a) with 0 by ring.
  rewrite Rabs_R0, Ropp_0. unfold Rdiv. rewrite Rmult_0_l, exp_0. ring.
Qed.

Lemma between_0_1 : forall theta a b, 0 < theta -> a < b -> 0 < exp (- (b - a) / theta) < 1.
Proof.
  intros theta a b Ht H. split; [apply exp_pos|]. rewrite <- exp_0. apply exp_increasing.
  assert (0 < (b - a) / theta) by (apply Rdiv_lt_0_compat; lra). unfold Rdiv in *. lra.
Qed.

(* Every function on finitely many points is a release of masses, of either sign, at these. *)
Lemma interpolation : forall theta v l, 0 < theta -> StronglySorted Rlt l ->
  exists C, incl (atoms C) l /\ forall x, In x l -> release theta C x = v x.
Proof.
  intros theta v l Ht S. induction S as [|a l S (C & I & E) H].
  - exists []. split; [intros x []|intros x []].
  - destruct l as [|b l].
    + exists [(a, v a * (2 * theta))]. split; [intros x [<-|[]]; now left|].
      intros x [<-|[]]. simpl. rewrite laplace_zero. field. lra.
    + inversion H as [|? ? L Hl]; subst. inversion S as [|? ? S' Hb]; subst.
      pose proof (between_0_1 theta a b Ht L) as Hq. set (q := exp (- (b - a) / theta)) in Hq.
      set (c := (v a - release theta C a) * (2 * theta) / (1 - q * q)).
      exists ((a, c) :: (b, - (c * q)) :: C). split.
      * intros x [<-|[<-|Hx]]; [now left|right; now left|right; now apply I].
      * intros x [<-|Hx]; simpl.
        -- rewrite laplace_zero, (laplace_even theta a b).
           replace (laplace theta (b - a)) with (q * / (2 * theta)).
           ++ unfold c. field. split; [|nra]. lra.
           ++ rewrite (laplace_beyond theta b a b) by lra. now rewrite laplace_zero.
        -- rewrite (E x Hx). assert (b <= x).
           { destruct Hx as [<-|Hx]; [lra|]. left. now apply (proj1 (Forall_forall _ _) Hb). }
           rewrite (laplace_beyond theta x a b) by lra. fold q. ring.
Qed.

(* The constant 1 on finitely many points is a release of positive masses at these. *)
Lemma partition : forall theta a l, 0 < theta -> StronglySorted Rlt (a :: l) ->
  exists c C, theta <= c /\ atoms C = l /\ Forall (fun m => 0 < m) (masses C) /\
    (forall x, In x (a :: l) -> release theta ((a, c) :: C) x = 1) /\
    (forall x, x <= a -> release theta ((a, c) :: C) x = exp (- (a - x) / theta)).
Proof.
  intros theta a l Ht. revert a. induction l as [|b l IH]; intros a S.
  - exists (2 * theta), []. repeat split; try constructor; try lra.
    + intros x [<-|[]]. simpl. rewrite laplace_zero. field. lra.
    + intros x Hx. simpl. unfold laplace. rewrite Rabs_left1 by lra.
      replace (- - (x - a) / theta) with (- (a - x) / theta) by (unfold Rdiv; ring). field. lra.
  - inversion S as [|? ? S' H]; subst. inversion H as [|? ? L Hl]; subst.
    inversion S' as [|? ? _ Hb]; subst.
    destruct (IH b S') as (c & C & Hc & A & P & E & B).
    pose proof (between_0_1 theta a b Ht L) as Hq. set (q := exp (- (b - a) / theta)) in *.
    set (e := 2 * theta / (1 + q)). assert (He : e * (1 + q) = 2 * theta) by (unfold e; field; lra).
    assert (theta <= e) by nra. assert (e * q < theta) by nra.
    exists e, ((b, c - e * q) :: C).
    assert (R : forall x, release theta ((a, e) :: (b, c - e * q) :: C) x =
      release theta ((b, c) :: C) x + e * (laplace theta (x - a) - q * laplace theta (x - b))).
    { intros x. simpl. ring. }
    assert (Left : forall x, x <= a ->
      release theta ((a, e) :: (b, c - e * q) :: C) x = exp (- (a - x) / theta)).
    { intros x Hx. rewrite R, B by lra.
      rewrite (laplace_even theta x a), (laplace_even theta x b).
      unfold laplace. rewrite !Rabs_pos_eq by lra.
      replace (- (b - x) / theta) with (- (b - a) / theta + - (a - x) / theta)
        by (unfold Rdiv; ring).
      rewrite exp_plus. fold q. unfold e. field. lra. }
    split; [assumption|]. split; [simpl; now rewrite A|].
    split; [constructor; [simpl; lra|exact P]|]. split; [|exact Left]. intros x [<-|Hx].
    + rewrite Left by lra. replace (- (a - a) / theta) with 0 by (unfold Rdiv; ring). apply exp_0.
    + rewrite R, (E x Hx). assert (b <= x).
      { destruct Hx as [<-|Hx]; [lra|]. left. now apply (proj1 (Forall_forall _ _) Hb). }
      rewrite (laplace_beyond theta x a b) by lra. fold q. ring.
Qed.

(* ------------------------------------------------------------ two lists *)

Lemma mean_release : forall theta P C, mean (release theta C) P = mean (release theta P) C.
Proof.
  intros theta P C. unfold mean. induction P as [|[x m] P IH]; simpl.
  - symmetry. apply sum_zero. intros a _. ring.
  - rewrite IH. clear IH. rewrite release_mean. unfold mean.
    rewrite <- sum_times, <- sum_plus. apply sum_equal. intros [a c] _. simpl.
    rewrite (laplace_even theta x a). ring.
Qed.

Lemma mean_equal : forall f g P, (forall x, In x (atoms P) -> f x = g x) -> mean f P = mean g P.
Proof.
  intros f g P H. unfold mean. apply sum_equal. intros a Ha. rewrite H; [reflexivity|].
  now apply in_map.
Qed.

Lemma mass_at_mean : forall P x, mass_at P x = mean (fun a => if Req_EM_T a x then 1 else 0) P.
Proof.
  intros P x. unfold mass_at, mean, keyed. induction P as [|[a m] P IH]; simpl; [reflexivity|].
  destruct (Req_EM_T a x); simpl; rewrite IH; ring.
Qed.

Lemma mass_at_none : forall P x, ~ In x (atoms P) -> mass_at P x = 0.
Proof.
  intros P x H. rewrite mass_at_mean. unfold mean. apply sum_zero. intros [a m] Ha. simpl.
  destruct (Req_EM_T a x) as [->|_]; [|ring]. elim H. now apply (in_map fst) in Ha.
Qed.

(* INJ: if two releases agree at the atoms of both, the laws are the same. *)
Theorem injective : forall theta P Q, 0 < theta ->
  (forall a, In a (atoms (P ++ Q)) -> release theta P a = release theta Q a) -> same_law P Q.
Proof.
  intros theta P Q Ht H x. destruct (sorted_points (atoms (P ++ Q))) as (l & S & E).
  assert (A : forall a, In a l <-> In a (atoms P) \/ In a (atoms Q)).
  { intros a. rewrite E. unfold atoms. rewrite map_app. apply in_app_iff. }
  destruct (interpolation theta (fun a => if Req_EM_T a x then 1 else 0) l Ht S) as (C & I & V).
  rewrite !mass_at_mean.
  rewrite (mean_equal _ (release theta C) P) by (intros a Ha; symmetry; apply V, A; now left).
  rewrite (mean_equal _ (release theta C) Q) by (intros a Ha; symmetry; apply V, A; now right).
  rewrite (mean_release theta P C), (mean_release theta Q C).
  apply mean_equal. intros a Ha. apply H, E, I, Ha.
Qed.

(* INJ: one order of epsilon = 0, at one scale, and the laws are the same. *)
Theorem bounded_by_itself : forall theta P Q, 0 < theta -> total P = total Q ->
  bounded theta 0 P Q -> same_law P Q.
Proof.
  intros theta P Q Ht T B. apply (injective theta); [exact Ht|]. intros a Ha.
  destruct (sorted_points (atoms (P ++ Q))) as (l & S & E).
  assert (A : forall a, In a l <-> In a (atoms P) \/ In a (atoms Q)).
  { intros b. rewrite E. unfold atoms. rewrite map_app. apply in_app_iff. }
  apply E in Ha. destruct l as [|b l]; [destruct Ha|].
  destruct (partition theta b l Ht S) as (c & C & Hc & At & Pos & One & _).
  set (D := (b, c) :: C) in *.
  assert (same : mean (fun _ => 1) P = mean (fun _ => 1) Q).
  { assert (U : forall S, mean (fun _ => 1) S = total S).
    { intros U. unfold mean. rewrite total_sum. apply sum_equal. intros z _. ring. }
    now rewrite !U. }
  rewrite (mean_equal _ (release theta D) P) in same
    by (intros z Hz; symmetry; apply One, A; now left).
  rewrite (mean_equal _ (release theta D) Q) in same
    by (intros z Hz; symmetry; apply One, A; now right).
  rewrite (mean_release theta P D), (mean_release theta Q D) in same.
  assert (In a (atoms D)) by (simpl; rewrite At; exact Ha).
  assert (F : Forall (fun m => 0 < m) (masses D)) by (constructor; [simpl; lra|exact Pos]).
  clearbody D. clear - B same H F. rewrite <- (Rmult_1_l (release theta Q a)).
  assert (L : forall y, release theta P y <= release theta Q y).
  { intros y. specialize (B y). rewrite exp_0 in B. lra. }
  assert (Le : forall D, Forall (fun m => 0 < m) (masses D) ->
    mean (release theta P) D <= mean (release theta Q) D).
  { clear - L. intros D F. unfold mean. apply sum_le. intros [z m] I. simpl.
    apply Rmult_le_compat_l; [|apply L]. left. apply (proj1 (Forall_forall _ _) F).
    now apply (in_map snd) in I. }
  revert same H F. induction D as [|[z m] D IH]; intros same I F; [destruct I|].
  inversion F as [|? ? Hm F']; subst. simpl in Hm. unfold mean in same. simpl in same.
  fold (mean (release theta P) D) (mean (release theta Q) D) in same.
  pose proof (Le D F'). pose proof (L z).
  assert (m * (release theta Q z - release theta P z) = 0) by nra.
  assert (release theta Q z - release theta P z = 0) by nra.
  destruct I as [<-|I]; [simpl; lra|]. apply IH; [nra|exact I|exact F'].
Qed.

(* INJ: two different laws are private with epsilon = 0 at no scale, in neither order. *)
Theorem no_scale : forall P Q, probability P -> probability Q -> ~ same_law P Q ->
  forall theta, 0 < theta -> ~ bounded theta 0 P Q.
Proof.
  intros P Q [_ HP] [_ HQ] N theta Ht B. apply N. apply (bounded_by_itself theta); try assumption.
  now rewrite HP.
Qed.
