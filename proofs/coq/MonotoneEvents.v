(* F2 for events and any delta: a bound p(B) <= e^epsilon q(B) + delta of the probabilities of all
   events holds at every larger scale of Laplace noise.

   As in Monotone.v, with the distribution function of the noise in place of its density: moved by
   w, an event's probability is a sum of shifts of the distribution function, at w. *)
From Coq Require Import Reals List Lra Psatz FunctionalExtensionality.
From Coquelicot Require Import Coquelicot.
From Pfverify Require Import Release FiniteCheck Monotone Integrals Events Divergence.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ the distribution function *)

Lemma cumulative_left : forall theta z, 0 < theta -> z <= 0 ->
  cumulative theta z = exp (/ theta * z) / 2.
Proof.
  intros theta z Ht Hz. unfold cumulative. destruct (Rle_dec z 0); [|lra].
  replace (z / theta) with (/ theta * z) by (field; lra). reflexivity.
Qed.

Lemma cumulative_right : forall theta z, 0 < theta -> 0 <= z ->
  cumulative theta z = 1 - exp (- / theta * z) / 2.
Proof.
  intros theta z Ht Hz. unfold cumulative.
  replace (- z / theta) with (- / theta * z) by (field; lra).
  destruct (Rle_dec z 0); [|reflexivity]. assert (z = 0) as -> by lra.
  replace (0 / theta) with 0 by (field; lra). rewrite Rmult_0_r, exp_0. lra.
Qed.

Section two_scales.
Variables s t : R.
Hypothesis scales : 0 < s <= t.
Let q := s / t.

(* As in Monotone.v, for the distribution functions: u, and v = u + t u', on either side. *)
Definition u (z : R) : R := cumulative t z - q ^ 2 * cumulative s z.
Definition v (z : R) : R :=
  if Rle_dec z 0
  then piece 0 1 (/ t) (- (q + q ^ 2) / 2) (/ s) z
  else piece (1 - q ^ 2) 0 0 (- (q - q ^ 2) / 2) (- / s) z.

Lemma v_left : forall z, z <= 0 -> v z = piece 0 1 (/ t) (- (q + q ^ 2) / 2) (/ s) z.
Proof. intros z Hz. unfold v. destruct (Rle_dec z 0); [reflexivity | lra]. Qed.

Lemma v_right : forall z, 0 <= z ->
  v z = piece (1 - q ^ 2) 0 0 (- (q - q ^ 2) / 2) (- / s) z.
Proof.
  intros z Hz. unfold v. destruct (Rle_dec z 0); [|reflexivity].
  assert (z = 0) as -> by lra. unfold piece. rewrite !Rmult_0_r, exp_0. field.
Qed.

Lemma u_left : forall z, z <= 0 -> u z = piece 0 (/ 2) (/ t) (- q ^ 2 / 2) (/ s) z.
Proof. intros z Hz. unfold u, piece. rewrite !cumulative_left by lra. field. Qed.

Lemma u_right : forall z, 0 <= z ->
  u z = piece (1 - q ^ 2) (- / 2) (- / t) (q ^ 2 / 2) (- / s) z.
Proof. intros z Hz. unfold u, piece. rewrite !cumulative_right by lra. field. Qed.

Lemma u_derivative : forall z, derivable_pt_lim u z ((v z - u z) / t).
Proof.
  intro z. eapply pasted; [exact u_left | exact u_right | |]; intro Hz; apply piece_derivative.
  - rewrite (u_left z Hz), (v_left z Hz). unfold piece, q. field. lra.
  - rewrite (u_right z Hz), (v_right z Hz). unfold piece, q. field. lra.
Qed.

Lemma v_derivative : forall z, derivable_pt_lim v z ((v z - (1 - q ^ 2) * cumulative s z) / t).
Proof.
  intro z. eapply pasted; [exact v_left | exact v_right | |]; intro Hz; apply piece_derivative.
  - rewrite (v_left z Hz), (cumulative_left s z) by lra. unfold piece, q. field. lra.
  - rewrite (v_right z Hz), (cumulative_right s z) by lra. unfold piece, q. field. lra.
Qed.

Lemma smoother_cumulative : forall delta M,
  (forall y, spread (cumulative s) M y <= delta) -> forall y, spread (cumulative t) M y <= delta.
Proof.
  intros delta M H.
  assert (0 < / s /\ 0 < / t) by (split; apply Rinv_0_lt_compat; lra).
  pose proof (quotient_range s t scales) as Hq. fold q in Hq.
  apply (smoothed (cumulative s) (cumulative t) u v t (q ^ 2)); [lra | nra | | | | | |exact H].
  - intro z. unfold u. ring.
  - exact u_derivative.
  - exact v_derivative.
  - eapply bounded_by_pieces; [exact u_left | | | exact u_right | |]; lra.
  - eapply bounded_by_pieces; [exact v_left | | | exact v_right | |]; lra.
Qed.

End two_scales.

(* ------------------------------------------------------------ an event as a sum of jumps *)

(* At c: 0 before it, s after it, and t at c itself. *)
Definition jump (c s t y : R) : R := if Rlt_dec c y then s else if Rlt_dec y c then 0 else t.

Fixpoint jumps (l : list (R * (R * R))) (y : R) : R :=
  match l with
  | [] => 0
  | (c, (s, t)) :: rest => jump c s t y + jumps rest y
  end.

Lemma others_away : forall (c : R) l, exists e, 0 < e /\ forall x, In x l -> x <> c -> e < Rabs (x - c).
Proof.
  intros c l. induction l as [|x l (e & He & H)]; [exists 1; simpl; split; [lra | tauto]|].
  destruct (Req_dec x c) as [Hx | Hx].
  - exists e. split; [exact He|]. intros z [<- | Hz] Hne; [lra | auto].
  - pose proof (Rabs_pos_lt (x - c) ltac:(lra)) as Hd. pose proof (Rmin_l e (Rabs (x - c) / 2)).
    pose proof (Rmin_r e (Rabs (x - c) / 2)). exists (Rmin e (Rabs (x - c) / 2)).
    split; [apply Rmin_glb_lt; lra|].
    intros z [<- | Hz] Hne; [lra|]. specialize (H z Hz Hne). lra.
Qed.

Lemma sum_of_jumps : forall points (f : R -> R),
  (forall x y, x < y -> (forall c, In c points -> ~ x <= c <= y) -> f x = f y) ->
  exists s l, forall y, f y = s + jumps l y.
Proof.
  induction points as [|c points IH]; intros f H.
  - exists (f 0), []. intro y. simpl. rewrite Rplus_0_r.
    destruct (Rtotal_order y 0) as [L | [-> | L]]; [|reflexivity|symmetry]; apply H; auto.
  - destruct (others_away c points) as (e & He & Haway).
    set (s := f (c + e) - f (c - e)). set (t := f c - f (c - e)).
    destruct (IH (fun y => f y - jump c s t y)) as (s0 & l & Hl).
    + intros x y Hxy N. destruct (Rlt_dec c x) as [Hx | Hx]; [|destruct (Rlt_dec y c) as [Hy | Hy]].
      * rewrite (H x y Hxy). { unfold jump. destruct (Rlt_dec c x), (Rlt_dec c y); lra. }
        intros d [<- | Hd]; [lra | auto].
      * rewrite (H x y Hxy).
        { unfold jump. destruct (Rlt_dec c x), (Rlt_dec c y), (Rlt_dec x c), (Rlt_dec y c); lra. }
        intros d [<- | Hd]; [lra | auto].
      * assert (Hnone : forall d, In d points -> d <> c).
        { intros d Hd ->. apply (N c Hd). lra. }
        assert (Hfar : forall d, In d points -> e < Rabs (d - c)) by auto.
        assert (Hleft : x < c -> f x = f (c - e)).
        { intro Hc. destruct (Rtotal_order x (c - e)) as [L | [-> | L]]; [|reflexivity|symmetry];
            (apply H; [exact L|]); intros d [<- | Hd] K; try lra.
          - apply (N d Hd). lra.
          - specialize (Hfar d Hd). rewrite Rabs_left in Hfar by lra. lra. }
        assert (Hright : c < y -> f y = f (c + e)).
        { intro Hc. destruct (Rtotal_order y (c + e)) as [L | [-> | L]]; [|reflexivity|symmetry];
            (apply H; [exact L|]); intros d [<- | Hd] K; try lra.
          - specialize (Hfar d Hd). rewrite Rabs_right in Hfar by lra. lra.
          - apply (N d Hd). lra. }
        unfold jump, s, t. destruct (Rlt_dec c x), (Rlt_dec c y), (Rlt_dec x c), (Rlt_dec y c);
          try lra; try (rewrite Hleft by assumption); try (rewrite Hright by assumption); try lra;
          try (replace x with c by lra); try (replace y with c by lra); lra.
    + exists s0, ((c, (s, t)) :: l). intro y. specialize (Hl y). simpl. lra.
Qed.

Definition moved (w : R) (l : list (R * (R * R))) : list (R * (R * R)) :=
  map (fun j => (fst j + w, snd j)) l.

Lemma jumps_moved : forall w l y, jumps (moved w l) y = jumps l (y - w).
Proof.
  intros w l y. induction l as [|[c [s t]] l IH]; simpl; [reflexivity|]. rewrite IH.
  unfold jump. destruct (Rlt_dec (c + w) y), (Rlt_dec c (y - w)), (Rlt_dec y (c + w)),
    (Rlt_dec (y - w) c); lra.
Qed.

(* ------------------------------------------------------------ the probability of an event *)

Lemma cumulative_far : forall theta x, 0 < theta ->
  filterlim (fun y => cumulative theta (y - x)) (Rbar_locally p_infty) (locally 1).
Proof.
  intros theta x Ht. apply filterlim_locally. intros eps. pose proof (cond_pos eps) as He.
  exists (x + Rmax 0 (- theta * ln eps)). intros y Hy.
  assert (L := Rmax_l 0 (- theta * ln eps)). assert (K := Rmax_r 0 (- theta * ln eps)).
  rewrite cumulative_right by lra. set (e := exp (- / theta * (y - x))).
  assert (0 < e) by apply exp_pos.
  assert (e < eps); [|apply Rabs_def1; unfold minus, plus, opp; simpl; lra].
  rewrite <- (exp_ln eps He). apply exp_increasing.
  apply Rmult_lt_reg_r with theta; [exact Ht|].
  replace (- / theta * (y - x) * theta) with (- (y - x)) by (field; lra). lra.
Qed.

Lemma above_integrates : forall theta x c s t, 0 < theta ->
  integrates (fun y => jump c s t y * laplace theta (y - x)) (s * (1 - cumulative theta (c - x))).
Proof.
  intros theta x c s t Ht. set (f := fun y => jump c s t y * laplace theta (y - x)).
  set (F := fun y => if Rle_dec y c then 0 else s * (cumulative theta (y - x) - cumulative theta (c - x))).
  assert (H : forall b, is_RInt f c b (F b)).
  { intro b. unfold F. destruct (Rle_dec b c) as [Hb | Hb].
    - apply segment_zero. rewrite Rmin_right, Rmax_left by assumption. intros z Hz.
      unfold f, jump. destruct (Rlt_dec c z), (Rlt_dec z c); lra.
    - apply is_RInt_ext with (f := fun y => s * laplace theta (y - x)).
      + rewrite Rmin_left, Rmax_right by lra. intros z Hz.
        unfold f, jump. destruct (Rlt_dec c z); [reflexivity | lra].
      + apply (@is_RInt_scal R_NormedModule), (cumulative_primitive theta x Ht c b). }
  assert (Hp : primitive F f).
  { intros a b. replace (F b - F a) with (- F a + F b) by ring.
    apply (@is_RInt_Chasles R_NormedModule _ a c b (- F a) (F b)); [|apply H].
    apply (@is_RInt_swap R_NormedModule _ a c (F a)), H. }
  rewrite <- (Rminus_0_r (s * _)). apply integrates_by_primitive with F; [exact Hp | |].
  - apply filterlim_ext_loc with (fun _ => 0); [|apply filterlim_const].
    exists c. intros y Hy. unfold F. destruct (Rle_dec y c); [reflexivity | lra].
  - apply filterlim_ext_loc with (fun y => s * (cumulative theta (y - x) - cumulative theta (c - x))).
    { exists c. intros y Hy. unfold F. destruct (Rle_dec y c); [lra | reflexivity]. }
    apply (filterlim_comp _ _ _ (fun y => cumulative theta (y - x)) (fun z => s * (z - cumulative theta (c - x)))
      _ (locally 1)); [apply cumulative_far, Ht|].
    apply (continuous_scal_r s (fun z => z - cumulative theta (c - x))).
    apply (@continuous_minus _ R_AbsRing R_NormedModule); [apply continuous_id | apply continuous_const].
Qed.

(* Jumps at which the sizes are s; the values at the points themselves do not count. *)
Fixpoint jump_total (F : R -> R) (l : list (R * (R * R))) : R :=
  match l with
  | [] => 0
  | (c, (s, _)) :: rest => s * F c + jump_total F rest
  end.

Lemma jump_integrates : forall theta c s t P, 0 < theta ->
  integrates (fun y => jump c s t y * release theta P y)
    (s * (total P - spread (cumulative theta) P c)).
Proof.
  intros theta c s t P Ht. induction P as [|[x m] P IH].
  - replace (s * _) with 0 by (unfold total; simpl; ring).
    apply integrates_ext with (fun _ => 0); [intro; simpl; ring | exact integrates_zero].
  - replace (s * _) with (m * (s * (1 - cumulative theta (c - x))) +
      s * (total P - spread (cumulative theta) P c)) by (unfold total; simpl; ring).
    eapply integrates_ext; [|apply integrates_plus; [|exact IH]; apply integrates_scaled;
      exact (above_integrates theta x c s t Ht)].
    intro y. simpl. ring.
Qed.

Lemma jumps_integrate : forall theta l P, 0 < theta ->
  integrates (fun y => jumps l y * release theta P y)
    (jump_total (fun c => total P - spread (cumulative theta) P c) l).
Proof.
  intros theta l P Ht. induction l as [|[c [s t]] l IH]; simpl.
  - apply integrates_ext with (fun _ => 0); [intro; ring | exact integrates_zero].
  - eapply integrates_ext; [|apply integrates_plus; [|exact IH];
      exact (jump_integrates theta c s t P Ht)].
    intro y. simpl. ring.
Qed.

(* An event, moved by w. *)
Definition shifted (w : R) (B : R -> bool) (y : R) : bool := B (y - w).

Lemma event_shifted : forall w B, event B -> event (shifted w B).
Proof.
  intros w B [points H]. exists (map (fun c => c + w) points). intros x y Hxy N.
  apply H; [lra|]. intros c Hc K. apply (N (c + w)); [|lra].
  apply (in_map (fun c => c + w)). exact Hc.
Qed.

(* Its probability, at every scale: a constant, and a sum of shifts of the distribution function. *)
Lemma measure_shifted : forall B, event B -> exists s l, forall theta w P, 0 < theta ->
  measure (release theta P) (shifted w B) =
    s * total P + jump_total (fun c => total P - spread (cumulative theta) P (c + w)) l.
Proof.
  intros B [points H].
  destruct (sum_of_jumps points (fun y => if B y then 1 else 0)) as (s & l & Hl).
  { intros x y Hxy N. rewrite (H x y Hxy N). reflexivity. }
  exists s, l. intros theta w P Ht. apply integral_of.
  eapply integrates_ext; [|apply integrates_plus;
    [exact (integrates_scaled s _ _ (release_integrates theta P Ht))|]].
  2: { replace (jump_total _ l) with
         (jump_total (fun c => total P - spread (cumulative theta) P c) (moved w l)).
       - exact (jumps_integrate theta (moved w l) P Ht).
       - clear. induction l as [|[c [a b]] l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. }
  intro y. simpl. rewrite jumps_moved. specialize (Hl (y - w)). unfold within, shifted.
  destruct (B (y - w)); nra.
Qed.

(* That sum as one list of masses, seen from w. *)
Definition crossed (l : list (R * (R * R))) (P : prior) : prior :=
  flat_map (fun j => map (fun row => (fst row - fst j, - fst (snd j) * snd row)) P) l.

Lemma spread_app : forall k P Q y, spread k (P ++ Q) y = spread k P y + spread k Q y.
Proof. intros k P Q y. induction P as [|[x m] P IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma crossed_spread : forall k l P w,
  jump_total (fun c => total P - spread k P (c + w)) l =
  jump_total (fun _ => total P) l + spread k (crossed l P) w.
Proof.
  intros k l P w. induction l as [|[c [s t]] l IH]; simpl; [ring|]. rewrite IH, spread_app.
  assert (E : forall S, spread k (map (fun row => (fst row - c, - s * snd row)) S) w =
    - s * spread k S (c + w)).
  { induction S as [|[x m] S IHS]; simpl; [ring|]. rewrite IHS.
    replace (w - (x - c)) with (c + w - x) by ring. ring. }
  rewrite E. ring.
Qed.

Lemma scaled_spread : forall k c P y, spread k (scaled c P) y = c * spread k P y.
Proof. intros k c P y. induction P as [|[x m] P IH]; simpl; [ring|]. rewrite IH. ring. Qed.

(* ------------------------------------------------------------ two priors *)

(* F2 for events: an approximate bound of every event, in one order, holds at every larger scale.
   For any finite lists of masses and any delta. *)
Theorem events_monotone : forall theta theta' E delta P Q, 0 < theta <= theta' ->
  (forall B, event B -> measure (release theta P) B <= E * measure (release theta Q) B + delta) ->
  forall B, event B -> measure (release theta' P) B <= E * measure (release theta' Q) B + delta.
Proof.
  intros theta theta' E delta P Q Ht H B HB.
  destruct (measure_shifted B HB) as (s & l & Hm).
  set (T := fun S => s * total S + jump_total (fun _ => total S) l).
  set (M := crossed l P ++ scaled (- E) (crossed l Q)).
  assert (Hsum : forall r w, 0 < r ->
    measure (release r P) (shifted w B) - E * measure (release r Q) (shifted w B) =
    T P - E * T Q + spread (cumulative r) M w).
  { intros r w Hr. rewrite !Hm, !crossed_spread by exact Hr. unfold M, T.
    rewrite spread_app, scaled_spread. ring. }
  assert (Hall : forall w, spread (cumulative theta') M w <= delta - (T P - E * T Q)).
  { apply (smoother_cumulative theta theta' Ht). intro w.
    specialize (H (shifted w B) (event_shifted w B HB)).
    specialize (Hsum theta w ltac:(lra)). lra. }
  specialize (Hall 0). specialize (Hsum theta' 0 ltac:(lra)).
  replace (shifted 0 B) with B in Hsum; [lra|].
  apply functional_extensionality. intro y. unfold shifted. now rewrite Rminus_0_r.
Qed.

(* F2 for the divergence of two releases: it does not grow with the scale. *)
Theorem divergence_monotone : forall theta theta' epsilon P Q, 0 < theta <= theta' ->
  probability P -> probability Q ->
  divergence (exp epsilon) (release theta' P) (release theta' Q) <=
  divergence (exp epsilon) (release theta P) (release theta Q).
Proof.
  intros theta theta' epsilon P Q Ht HP HQ.
  apply divergence_events; [lra | exact HP | exact HQ |].
  apply (events_monotone theta theta' (exp epsilon) _ P Q Ht).
  apply divergence_events; [lra | exact HP | exact HQ | lra].
Qed.
