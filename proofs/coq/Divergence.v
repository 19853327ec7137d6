(* Approximate bounds: the hockey-stick divergence, what it says of events, its closed form. *)
From Coq Require Import Reals List Lra.
From Coquelicot Require Import Coquelicot.
From Pfverify Require Import Release FiniteCheck Integrals Events.
Import ListNotations.
Open Scope R_scope.

(* The integral of max(0, p - E q); E = e^epsilon. *)
Definition divergence (E : R) (p q : R -> R) : R := integral (fun y => Rmax 0 (p y - E * q y)).

(* The set of outputs where p is above E q. *)
Definition above (E : R) (p q : R -> R) (y : R) : bool :=
  if Rlt_dec (E * q y) (p y) then true else false.

(* ------------------------------------------------------------ any two densities *)

Lemma positive_part_continuous : forall (f : R -> R) y,
  continuous f y -> continuous (fun y => Rmax 0 (f y)) y.
Proof.
  intros f y H. apply continuous_ext with (fun y => / 2 * (f y + Rabs (f y))).
  - intros x. unfold Rmax, Rabs. destruct (Rle_dec 0 (f x)), (Rcase_abs (f x)); lra.
  - apply (@continuous_scal_r _ R_AbsRing R_NormedModule).
    apply (@continuous_plus _ R_AbsRing R_NormedModule _ (fun y => Rabs (f y))); [exact H|].
    apply continuous_comp; [exact H | apply continuous_Rabs].
Qed.

Theorem divergence_exists : forall E p q, 0 <= E -> density p -> density q ->
  integrates (fun y => Rmax 0 (p y - E * q y)) (divergence E p q).
Proof.
  intros E p q HE (Cp & Np & Ip) (Cq & Nq & Iq).
  destruct (dominated (fun y => Rmax 0 (p y - E * q y)) p 1) as [l Hl].
  - apply continuous_integrable. intros y. apply positive_part_continuous.
    apply (@continuous_minus _ R_AbsRing R_NormedModule); [apply Cp|].
    apply (@continuous_scal_r _ R_AbsRing R_NormedModule). apply Cq.
  - apply continuous_integrable, Cp.
  - intros y. specialize (Np y). specialize (Nq y). split; [apply Rmax_l|].
    apply Rmax_lub; [exact Np|]. assert (0 <= E * q y) by (apply Rmult_le_pos; assumption). lra.
  - exact Ip.
  - unfold divergence. rewrite (integral_of _ _ Hl). exact Hl.
Qed.

(* A divergence of at most delta bounds every event. *)
Theorem events_of_divergence : forall E p q delta, 0 <= E -> density p -> density q ->
  divergence E p q <= delta ->
  forall B, event B -> measure p B <= E * measure q B + delta.
Proof.
  intros E p q delta HE Hp Hq H B HB.
  assert (measure p B - E * measure q B <= divergence E p q); [|lra].
  apply integrates_le with (fun y => within B p y - E * within B q y)
    (fun y => Rmax 0 (p y - E * q y)).
  - intros y. unfold within. assert (L := Rmax_l 0 (p y - E * q y)).
    assert (K := Rmax_r 0 (p y - E * q y)). destruct (B y); lra.
  - apply integrates_minus; [|apply integrates_scaled]; apply measure_exists; assumption.
  - apply divergence_exists; assumption.
Qed.

(* The set where p is above E q attains the divergence, if that set is an event. *)
Theorem divergence_attained : forall E p q, density p -> density q -> event (above E p q) ->
  divergence E p q = measure p (above E p q) - E * measure q (above E p q).
Proof.
  intros E p q Hp Hq H. apply integral_of.
  apply integrates_ext with (fun y => within (above E p q) p y - E * within (above E p q) q y).
  - intros y. unfold within, above. destruct (Rlt_dec (E * q y) (p y)).
    + rewrite Rmax_right by lra. reflexivity.
    + rewrite Rmax_left by lra. ring.
  - apply integrates_minus; [|apply integrates_scaled]; apply measure_exists; assumption.
Qed.

(* ------------------------------------------------------------ A e^(y/theta) + B e^(-y/theta) *)

Definition wave (theta A B y : R) : R := A * exp (y / theta) + B * exp (- y / theta).
Definition area (theta A B y : R) : R := theta * (A * exp (y / theta) - B * exp (- y / theta)).

(* The factor e^(y/theta) makes it A u + B, with u = e^(2 y/theta) growing in y. *)
Definition square (theta y : R) : R := exp (y / theta) * exp (y / theta).

Lemma wave_square : forall theta A B y,
  wave theta A B y * exp (y / theta) = A * square theta y + B.
Proof.
  intros theta A B y. unfold wave, square.
  assert (H : exp (- y / theta) * exp (y / theta) = 1).
  { rewrite <- exp_plus. replace (- y / theta + y / theta) with 0 by (unfold Rdiv; ring).
    apply exp_0. }
  replace ((A * exp (y / theta) + B * exp (- y / theta)) * exp (y / theta)) with
    (A * (exp (y / theta) * exp (y / theta)) + B * (exp (- y / theta) * exp (y / theta))) by ring.
  rewrite H. ring.
Qed.

Lemma wave_positive : forall theta A B y,
  0 < wave theta A B y <-> 0 < A * square theta y + B.
Proof.
  intros theta A B y. rewrite <- wave_square. assert (H := exp_pos (y / theta)). split; intros K.
  - apply Rmult_lt_0_compat; assumption.
  - apply Rmult_lt_reg_r with (exp (y / theta)); [exact H|]. rewrite Rmult_0_l. exact K.
Qed.

Lemma wave_negative : forall theta A B y,
  wave theta A B y < 0 <-> A * square theta y + B < 0.
Proof.
  intros theta A B y. assert (H := wave_positive theta (- A) (- B) y).
  unfold wave in *. lra.
Qed.

Lemma square_increasing : forall theta x y, 0 < theta -> x < y -> square theta x < square theta y.
Proof.
  intros theta x y Ht Hxy. assert (exp (x / theta) < exp (y / theta)).
  { apply exp_increasing. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, Ht | exact Hxy]. }
  assert (0 < exp (x / theta)) by apply exp_pos. unfold square. nra.
Qed.

(* Its one zero, if A and B have opposite signs. *)
Definition zero_of (theta A B : R) : R := theta / 2 * ln (- B / A).

Lemma square_zero : forall theta A B, 0 < theta -> 0 < - B / A ->
  square theta (zero_of theta A B) = - B / A.
Proof.
  intros theta A B Ht H. unfold square, zero_of. rewrite <- exp_plus.
  replace (theta / 2 * ln (- B / A) / theta + theta / 2 * ln (- B / A) / theta)
    with (ln (- B / A)) by (field; lra).
  apply exp_ln, H.
Qed.

(* Where its sign changes between x and y, the zero is between them. *)
Lemma sign_change : forall theta A B x y, 0 < theta -> x <= y ->
  (let u := wave theta A B x in let v := wave theta A B y in
   0 <= u /\ v < 0 \/ u < 0 /\ 0 <= v \/ 0 < u /\ v <= 0 \/ u <= 0 /\ 0 < v) ->
  A <> 0 /\ 0 < - B / A /\ x <= zero_of theta A B <= y.
Proof.
  intros theta A B x y Ht Hxy H.
  assert (Px := wave_positive theta A B x). assert (Py := wave_positive theta A B y).
  assert (Nx := wave_negative theta A B x). assert (Ny := wave_negative theta A B y).
  assert (0 < square theta x) by (apply Rmult_lt_0_compat; apply exp_pos).
  assert (x < y) as L by (destruct Hxy as [L | ->]; [exact L | lra]).
  assert (S := square_increasing theta x y Ht L).
  set (u := square theta x) in *. set (v := square theta y) in *.
  assert (HA : A <> 0) by (intros ->; lra).
  assert (HZ : A * (- B / A) = - B) by (field; exact HA).
  assert (HU : u <= - B / A <= v).
  { set (w := - B / A) in *. replace B with (- (A * w)) in * by lra.
    assert (K : (0 <= A * (u - w) /\ 0 <= A * (w - v)) \/
      (A * (u - w) <= 0 /\ A * (w - v) <= 0)) by lra.
    destruct (Rtotal_order A 0) as [N | [N | N]]; [| lra |]; destruct K; nra. }
  assert (HP : 0 < - B / A) by lra.
  split; [exact HA | split; [exact HP|]].
  assert (Z := square_zero theta A B Ht HP).
  split; apply Rnot_lt_le; intros N; apply (square_increasing theta) in N; auto;
    rewrite Z in N; unfold u, v in *; lra.
Qed.

(* ------------------------------------------------------------ the release between its atoms *)

(* The coefficient of e^(y/theta) from the atoms to the right of t, and that of e^(-y/theta) from t
   and the atoms to its left. *)
Fixpoint right_of (theta : R) (S : prior) (t : R) : R :=
  match S with
  | [] => 0
  | (x, m) :: rest =>
      (if Rlt_dec t x then m * exp (- x / theta) / (2 * theta) else 0) + right_of theta rest t
  end.
Fixpoint left_of (theta : R) (S : prior) (t : R) : R :=
  match S with
  | [] => 0
  | (x, m) :: rest =>
      (if Rlt_dec t x then 0 else m * exp (x / theta) / (2 * theta)) + left_of theta rest t
  end.

Lemma release_wave : forall theta S t y, 0 < theta -> t <= y ->
  (forall x, In x (atoms S) -> x <= t \/ y <= x) ->
  release theta S y = wave theta (right_of theta S t) (left_of theta S t) y.
Proof.
  intros theta S t y Ht Hy. induction S as [|[x m] S IH]; simpl; intros H.
  - unfold wave. ring.
  - rewrite IH by auto. specialize (H x (or_introl eq_refl)). unfold wave, laplace.
    destruct (Rlt_dec t x) as [L | L].
    + rewrite Rabs_left1 by lra.
      replace (- - (y - x) / theta) with (- x / theta + y / theta) by (unfold Rdiv; ring).
      rewrite exp_plus. field. lra.
    + rewrite Rabs_pos_eq by lra.
      replace (- (y - x) / theta) with (x / theta + - y / theta) by (unfold Rdiv; ring).
      rewrite exp_plus. field. lra.
Qed.

Lemma right_of_none : forall theta S t, (forall x, In x (atoms S) -> x <= t) ->
  right_of theta S t = 0.
Proof.
  intros theta S t. induction S as [|[x m] S IH]; simpl; intros H; [reflexivity|].
  rewrite IH by auto. specialize (H x (or_introl eq_refl)). destruct (Rlt_dec t x); lra.
Qed.

Lemma left_of_none : forall theta S t, (forall x, In x (atoms S) -> t < x) ->
  left_of theta S t = 0.
Proof.
  intros theta S t. induction S as [|[x m] S IH]; simpl; intros H; [reflexivity|].
  rewrite IH by auto. specialize (H x (or_introl eq_refl)). destruct (Rlt_dec t x); lra.
Qed.

Lemma right_of_all : forall theta S s t, (forall x, In x (atoms S) -> s < x /\ t < x) ->
  right_of theta S s = right_of theta S t.
Proof.
  intros theta S s t. induction S as [|[x m] S IH]; simpl; intros H; [reflexivity|].
  rewrite IH by auto. specialize (H x (or_introl eq_refl)).
  destruct (Rlt_dec s x), (Rlt_dec t x); lra.
Qed.

Lemma nearest_left : forall (l : list R) x,
  (exists t, In t l /\ t < x /\ forall c, In c l -> c <= t \/ x <= c) \/
  (forall c, In c l -> x <= c).
Proof.
  intros l x. induction l as [|a l [(t & Ht & Hx & H) | H]].
  - right. intros c [].
  - left. destruct (Rlt_dec a x) as [La | La]; [destruct (Rle_dec a t) as [Lt | Lt]|].
    + exists t. split; [right; exact Ht | split; [exact Hx|]]. intros c [<- | Hc]; auto.
    + exists a. split; [left; reflexivity | split; [exact La|]]. intros c [<- | Hc]; [lra|].
      destruct (H c Hc); lra.
    + exists t. split; [right; exact Ht | split; [exact Hx|]]. intros c [<- | Hc]; [lra | auto].
  - destruct (Rlt_dec a x) as [La | La].
    + left. exists a. split; [left; reflexivity | split; [exact La|]].
      intros c [<- | Hc]; [lra | auto].
    + right. intros c [<- | Hc]; [lra | auto].
Qed.

(* Where a sum of Laplace densities with weights of any sign is positive is an event. *)
Theorem event_positive : forall theta S, 0 < theta ->
  event (fun y => if Rlt_dec 0 (release theta S y) then true else false).
Proof.
  intros theta S Ht.
  set (zero := fun t => zero_of theta (right_of theta S t) (left_of theta S t)).
  exists (atoms S ++ map zero (atoms S)).
  intros x y Hxy N.
  assert (Na : forall c, In c (atoms S) -> ~ x <= c <= y) by (intros; apply N, in_or_app; auto).
  assert (K : exists A B, (0 < - B / A -> ~ x <= zero_of theta A B <= y) /\
    forall z, x <= z <= y -> release theta S z = wave theta A B z).
  { destruct (nearest_left (atoms S) x) as [(t & Hin & Htx & H) | H].
    - exists (right_of theta S t), (left_of theta S t). split.
      + intros _. apply N, in_or_app. right. apply in_map_iff. exists t. auto.
      + intros z Hz. apply release_wave; [exact Ht | lra |]. intros c Hc.
        specialize (Na c Hc). destruct (H c Hc); lra.
    - assert (H' : forall c, In c (atoms S) -> y < c).
      { intros c Hc. specialize (Na c Hc). specialize (H c Hc). lra. }
      exists (right_of theta S x), 0. split.
      + unfold Rdiv. rewrite Ropp_0, Rmult_0_l. lra.
      + intros z Hz. rewrite <- (left_of_none theta S x).
        * apply release_wave; [exact Ht | lra |]. intros c Hc. specialize (H' c Hc). lra.
        * intros c Hc. specialize (H' c Hc). lra. }
  destruct K as (A & B & Hz & H). rewrite (H x), (H y) by lra.
  destruct (Rlt_dec 0 (wave theta A B x)), (Rlt_dec 0 (wave theta A B y)); try reflexivity;
    exfalso; (destruct (sign_change theta A B x y) as (_ & HP & HI); [exact Ht | lra | lra |]);
    exact (Hz HP HI).
Qed.

Lemma event_above : forall theta E P Q, 0 < theta ->
  event (above E (release theta P) (release theta Q)).
Proof.
  intros theta E P Q Ht. destruct (event_positive theta (difference E P Q) Ht) as [l H].
  exists l. intros x y Hxy N. specialize (H x y Hxy N). unfold above.
  rewrite !release_difference in H.
  repeat destruct (Rlt_dec _ _); try reflexivity; try discriminate; lra.
Qed.

(* Definition of approximate privacy, one order: the divergence is at most delta exactly if every
   event keeps the bound. *)
Theorem divergence_events : forall theta epsilon P Q delta,
  0 < theta -> probability P -> probability Q ->
  (divergence (exp epsilon) (release theta P) (release theta Q) <= delta <->
   forall B, event B ->
     measure (release theta P) B <= exp epsilon * measure (release theta Q) B + delta).
Proof.
  intros theta epsilon P Q delta Ht HP HQ.
  assert (Dp := release_density theta P Ht HP). assert (Dq := release_density theta Q Ht HQ).
  assert (He := exp_pos epsilon). split.
  - apply events_of_divergence; try assumption. lra.
  - intros H. assert (Ha := event_above theta (exp epsilon) P Q Ht).
    rewrite divergence_attained by assumption. specialize (H _ Ha). lra.
Qed.

(* ------------------------------------------------------------ F4: the closed form *)

Lemma wave_continuous : forall theta A B y, continuous (wave theta A B) y.
Proof. intros theta A B y. apply continuity_pt_filterlim. unfold wave, Rdiv. reg. Qed.

Lemma wave_integral : forall theta A B a b, 0 < theta ->
  is_RInt (wave theta A B) a b (area theta A B b - area theta A B a).
Proof.
  intros theta A B a b Ht. apply (is_RInt_derive (area theta A B) (wave theta A B)).
  - intros y _. unfold area, wave. auto_derive; [easy|]. unfold Rdiv. field. lra.
  - intros y _. apply wave_continuous.
Qed.

(* Its area at the zero; the sign of A tells whether it grows or falls there. *)
Lemma area_zero : forall theta A B, 0 < theta -> A <> 0 -> 0 < - B / A ->
  area theta A B (zero_of theta A B) = (if Rlt_dec 0 A then 2 else - 2) * theta * sqrt (- (A * B)).
Proof.
  intros theta A B Ht HA H.
  set (s := exp (zero_of theta A B / theta)).
  assert (Hs : 0 < s) by apply exp_pos. assert (HS : s * s = - B / A) by (apply square_zero; auto).
  assert (HB : B = - (A * (s * s))) by (rewrite HS; field; exact HA).
  unfold area. fold s.
  replace (exp (- zero_of theta A B / theta)) with (/ s)
    by (unfold s; rewrite <- exp_Ropp; f_equal; unfold Rdiv; ring).
  replace (- (A * B)) with ((A * s) * (A * s)) by (rewrite HB; ring).
  rewrite HB. destruct (Rlt_dec 0 A) as [L | L].
  - rewrite sqrt_square by nra. field. lra.
  - replace (A * s * (A * s)) with (- (A * s) * - (A * s)) by ring.
    rewrite sqrt_square by nra. field. lra.
Qed.

(* The area of the positive part between a and b. *)
Definition gap (theta A B a b : R) : R :=
  let root := 2 * theta * sqrt (- (A * B)) in
  if Rle_dec 0 (wave theta A B a)
  then if Rle_dec 0 (wave theta A B b)
       then area theta A B b - area theta A B a
       else - root - area theta A B a
  else if Rle_dec 0 (wave theta A B b)
       then area theta A B b - root
       else 0.

Lemma positive_between : forall theta A B a b y, 0 < theta -> a <= y <= b ->
  0 <= wave theta A B a -> 0 <= wave theta A B b -> 0 <= wave theta A B y.
Proof.
  intros theta A B a b y Ht Hy Ha Hb. apply Rnot_lt_le. intros N.
  destruct (sign_change theta A B a y) as (HA & HP & HI); [exact Ht | lra | lra |].
  destruct (sign_change theta A B y b) as (_ & _ & HJ); [exact Ht | lra | lra |].
  assert (y = zero_of theta A B) by lra. subst y.
  apply wave_negative in N. rewrite square_zero in N by assumption.
  assert (A * (- B / A) = - B) by (field; exact HA). lra.
Qed.

Lemma negative_between : forall theta A B a b y, 0 < theta -> a <= y <= b ->
  wave theta A B a <= 0 -> wave theta A B b <= 0 -> wave theta A B y <= 0.
Proof.
  intros theta A B a b y Ht Hy Ha Hb.
  assert (H := positive_between theta (- A) (- B) a b y Ht Hy). unfold wave in *. lra.
Qed.

Lemma wave_zero : forall theta A B, 0 < theta -> A <> 0 -> 0 < - B / A ->
  wave theta A B (zero_of theta A B) = 0.
Proof.
  intros theta A B Ht HA HP. assert (H := wave_square theta A B (zero_of theta A B)).
  rewrite square_zero in H by assumption.
  replace (A * (- B / A) + B) with 0 in H by (field; exact HA).
  apply Rmult_integral in H. destruct H as [H | H]; [exact H|].
  assert (K := exp_pos (zero_of theta A B / theta)). lra.
Qed.

(* What is of one sign on [a, b] integrates to the difference of the areas, or to 0. *)
Lemma gap_positive : forall theta A B a b, 0 < theta -> a <= b ->
  0 <= wave theta A B a -> 0 <= wave theta A B b ->
  is_RInt (fun y => Rmax 0 (wave theta A B y)) a b (area theta A B b - area theta A B a).
Proof.
  intros theta A B a b Ht Hab Ha Hb. apply is_RInt_ext with (f := wave theta A B).
  - rewrite Rmin_left, Rmax_right by exact Hab. intros y Hy. symmetry. apply Rmax_right.
    apply positive_between with a b; auto; lra.
  - apply wave_integral, Ht.
Qed.

Lemma gap_negative : forall theta A B a b, 0 < theta -> a <= b ->
  wave theta A B a <= 0 -> wave theta A B b <= 0 ->
  is_RInt (fun y => Rmax 0 (wave theta A B y)) a b 0.
Proof.
  intros theta A B a b Ht Hab Ha Hb. apply segment_zero.
  rewrite Rmin_left, Rmax_right by exact Hab. intros y Hy. apply Rmax_left.
  apply negative_between with a b; auto; lra.
Qed.

(* F4 on a gap: one zero at most, and the square root of - A B where there is one. *)
Theorem gap_integral : forall theta A B a b, 0 < theta -> a <= b ->
  is_RInt (fun y => Rmax 0 (wave theta A B y)) a b (gap theta A B a b).
Proof.
  intros theta A B a b Ht Hab. unfold gap.
  assert (U : forall z, a <= z <= b -> square theta a <= square theta z <= square theta b).
  { intros z [[L | ->] [K | ->]]; split;
      try (left; apply square_increasing; [exact Ht | lra]); right; reflexivity. }
  destruct (Rle_dec 0 (wave theta A B a)) as [Ha | Ha], (Rle_dec 0 (wave theta A B b)) as [Hb | Hb].
  - apply gap_positive; assumption.
  - destruct (sign_change theta A B a b) as (HA & HP & HI); [exact Ht | exact Hab | lra |].
    assert (Z := wave_zero theta A B Ht HA HP). assert (Y := area_zero theta A B Ht HA HP).
    assert (~ 0 < A).
    { intros P. apply Rnot_le_lt, wave_negative in Hb. specialize (U _ HI).
      rewrite square_zero in U by assumption.
      assert (A * (- B / A) = - B) by (field; exact HA). nra. }
    destruct (Rlt_dec 0 A) as [P|_]; [contradiction|].
    replace (- (2 * theta * sqrt (- (A * B))) - area theta A B a)
      with (area theta A B (zero_of theta A B) - area theta A B a + 0) by lra.
    apply (@is_RInt_Chasles R_NormedModule _ a (zero_of theta A B) b
      (area theta A B (zero_of theta A B) - area theta A B a) 0).
    + apply gap_positive; lra.
    + apply gap_negative; lra.
  - destruct (sign_change theta A B a b) as (HA & HP & HI); [exact Ht | exact Hab | lra |].
    assert (Z := wave_zero theta A B Ht HA HP). assert (Y := area_zero theta A B Ht HA HP).
    assert (0 < A).
    { apply Rnot_le_lt. intros P. apply Rnot_le_lt, wave_negative in Ha. specialize (U _ HI).
      rewrite square_zero in U by assumption.
      assert (A * (- B / A) = - B) by (field; exact HA). nra. }
    destruct (Rlt_dec 0 A) as [_|P]; [|contradiction].
    replace (area theta A B b - 2 * theta * sqrt (- (A * B)))
      with (0 + (area theta A B b - area theta A B (zero_of theta A B))) by lra.
    apply (@is_RInt_Chasles R_NormedModule _ a (zero_of theta A B) b
      0 (area theta A B b - area theta A B (zero_of theta A B))).
    + apply gap_negative; lra.
    + apply gap_positive; lra.
  - apply gap_negative; lra.
Qed.

(* F4 on the two tails, where one of the coefficients is 0. *)
Theorem tail_right : forall theta B a, 0 < theta ->
  is_RInt_gen (fun y => Rmax 0 (wave theta 0 B y)) (at_point a) (Rbar_locally p_infty)
    (theta * Rmax 0 (wave theta 0 B a)).
Proof.
  intros theta B a Ht. assert (W : forall y, wave theta 0 B y = B * exp (- y / theta))
    by (intros; unfold wave; ring).
  assert (X : forall y, 0 < exp (- y / theta)) by (intros; apply exp_pos).
  destruct (Rle_lt_dec B 0) as [HB | HB].
  - rewrite Rmax_left by (rewrite W; specialize (X a); nra). rewrite Rmult_0_r. apply zero_right.
    intros y _. apply Rmax_left. rewrite W. specialize (X y). nra.
  - rewrite Rmax_right by (rewrite W; specialize (X a); nra).
    apply (@is_RInt_gen_ext R_NormedModule _ _ _ _ (wave theta 0 B)).
    { apply filter_forall. intros ab y _. symmetry. apply Rmax_right. rewrite W.
      specialize (X y). nra. }
    replace (theta * wave theta 0 B a) with (0 - area theta 0 B a) by (unfold area, wave; ring).
    apply integral_by_primitive with (area theta 0 B).
    + apply at_point_filter.
    + apply Rbar_locally_filter.
    + intros x y. apply wave_integral, Ht.
    + intros P HP. exact (locally_singleton _ P HP).
    + apply filterlim_locally. intros eps. assert (He := cond_pos eps).
      assert (HT : 0 < theta * B) by (apply Rmult_lt_0_compat; assumption).
      assert (HE : 0 < eps / (theta * B)) by (apply Rdiv_lt_0_compat; assumption).
      exists (- (theta * ln (eps / (theta * B)))). intros y Hy.
      destruct (exp_small theta _ (- y) Ht HE) as [H0 H1]; [lra|].
      apply Rmult_lt_compat_l with (r := theta * B) in H1; [|exact HT].
      replace (theta * B * (eps / (theta * B))) with (pos eps) in H1 by (field; lra).
      apply Rabs_def1; unfold area, minus, plus, opp; simpl; nra.
Qed.

Theorem tail_left : forall theta A a, 0 < theta ->
  is_RInt_gen (fun y => Rmax 0 (wave theta A 0 y)) (Rbar_locally m_infty) (at_point a)
    (theta * Rmax 0 (wave theta A 0 a)).
Proof.
  intros theta A a Ht.
  assert (W : forall y, wave theta A 0 y = wave theta 0 A (- y)).
  { intros y. unfold wave. rewrite Ropp_involutive. ring. }
  rewrite W.
  apply (@is_RInt_gen_ext R_NormedModule _ _ _ _ (fun y => Rmax 0 (wave theta 0 A (- y)))).
  { apply filter_forall. intros ab y _. rewrite W. reflexivity. }
  apply (mirrored (fun y => Rmax 0 (wave theta 0 A y))), tail_right, Ht.
Qed.

(* ------------------------------------------------------------ F4: the sum over gaps and tails *)

(* a, then the rest: increasing points. *)
Fixpoint increasing (a : R) (rest : list R) : Prop :=
  match rest with [] => True | b :: more => a < b /\ increasing b more end.

(* The gaps from a on, and the tail after the last point. *)
Fixpoint gaps (theta : R) (S : prior) (a : R) (rest : list R) : R :=
  match rest with
  | [] => theta * Rmax 0 (release theta S a)
  | b :: more => gap theta (right_of theta S a) (left_of theta S a) a b + gaps theta S b more
  end.

Lemma increasing_above : forall rest a x, increasing a rest -> In x rest -> a < x.
Proof.
  induction rest as [|b more IH]; simpl; [easy|]. intros a x [H K] [<- | Hx]; [exact H|].
  specialize (IH b x K Hx). lra.
Qed.

Lemma gaps_integral : forall theta S rest a, 0 < theta -> increasing a rest ->
  (forall x, In x (atoms S) -> x <= a \/ In x rest) ->
  is_RInt_gen (fun y => Rmax 0 (release theta S y)) (at_point a) (Rbar_locally p_infty)
    (gaps theta S a rest).
Proof.
  intros theta S rest. induction rest as [|b more IH]; simpl; intros a Ht Hi HS.
  - assert (HL : forall x, In x (atoms S) -> x <= a) by (intros x Hx; destruct (HS x Hx); easy).
    assert (W : forall y, a <= y -> release theta S y = wave theta 0 (left_of theta S a) y).
    { intros y Hy. rewrite <- (right_of_none theta S a HL). apply release_wave; auto. }
    rewrite W by lra.
    apply (@is_RInt_gen_ext R_NormedModule _ _ _ _
      (fun y => Rmax 0 (wave theta 0 (left_of theta S a) y))); [|apply tail_right, Ht].
    exists (fun u => u = a) (fun v => a < v); [reflexivity | exists a; auto |].
    intros u v -> Hv y Hy. simpl in Hy. rewrite Rmin_left in Hy by lra.
    rewrite W by lra. reflexivity.
  - destruct Hi as [Hab Hi].
    apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ b
      (gap theta (right_of theta S a) (left_of theta S a) a b) (gaps theta S b more)).
    + apply is_RInt_gen_at_point.
      apply is_RInt_ext with
        (f := fun y => Rmax 0 (wave theta (right_of theta S a) (left_of theta S a) y));
        [|apply gap_integral; lra].
      rewrite Rmin_left, Rmax_right by lra. intros y Hy.
      rewrite release_wave with (t := a); try lra.
      intros x Hx. destruct (HS x Hx) as [L | [<- | L]]; [lra | lra |].
      apply (increasing_above _ _ _ Hi) in L. lra.
    + apply IH; auto. intros x Hx. destruct (HS x Hx) as [L | [<- | L]]; [lra | lra | auto].
Qed.

(* F4: the integral of the positive part of a sum of Laplace densities, with weights of any sign. *)
Theorem closed_form : forall theta S a rest, 0 < theta -> increasing a rest ->
  (forall x, In x (atoms S) -> In x (a :: rest)) ->
  integrates (fun y => Rmax 0 (release theta S y))
    (theta * Rmax 0 (release theta S a) + gaps theta S a rest).
Proof.
  intros theta S a rest Ht Hi HS.
  assert (HL : forall x, In x (atoms S) -> a <= x).
  { intros x Hx. destruct (HS x Hx) as [<- | L]; [lra|].
    left. exact (increasing_above _ _ _ Hi L). }
  apply (@is_RInt_gen_Chasles R_NormedModule _ _ _ _ _ a
    (theta * Rmax 0 (release theta S a)) (gaps theta S a rest)).
  - assert (W : forall y, y <= a -> release theta S y = wave theta (right_of theta S (a - 1)) 0 y).
    { intros y Hy. rewrite (right_of_all theta S (a - 1) (y - 1)).
      - rewrite <- (left_of_none theta S (y - 1)).
        + apply release_wave; [exact Ht | lra |]. intros x Hx. specialize (HL x Hx). lra.
        + intros x Hx. specialize (HL x Hx). lra.
      - intros x Hx. specialize (HL x Hx). lra. }
    rewrite W by lra.
    apply (@is_RInt_gen_ext R_NormedModule _ _ _ _
      (fun y => Rmax 0 (wave theta (right_of theta S (a - 1)) 0 y))); [|apply tail_left, Ht].
    exists (fun u => u < a) (fun v => v = a); [exists a; auto | reflexivity |].
    intros u v Hu -> y Hy. simpl in Hy. rewrite Rmax_right in Hy by lra.
    rewrite W by lra. reflexivity.
  - apply gaps_integral; auto. intros x Hx. destruct (HS x Hx) as [<- | L]; [lra | auto].
Qed.

(* The divergence of two releases: points holds every atom of both, in increasing order. *)
Theorem divergence_closed_form : forall theta E P Q a rest, 0 < theta -> increasing a rest ->
  (forall x, In x (atoms P ++ atoms Q) -> In x (a :: rest)) ->
  let S := difference E P Q in
  divergence E (release theta P) (release theta Q) =
    theta * Rmax 0 (release theta S a) + gaps theta S a rest.
Proof.
  intros theta E P Q a rest Ht Hi H S. apply integral_of.
  apply integrates_ext with (fun y => Rmax 0 (release theta S y)).
  - intros y. unfold S. rewrite release_difference. reflexivity.
  - apply closed_form; [exact Ht | exact Hi |]. intros x Hx. apply H.
    unfold S, difference, scaled, atoms in *. rewrite map_app, map_map in Hx. exact Hx.
Qed.
