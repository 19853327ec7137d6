(* Integrals over the whole line, by their primitives: what the statements about events use. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* The integral of f over the line, and that it converges to l. *)
Definition integral (f : R -> R) : R := RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty).
Definition integrates (f : R -> R) (l : R) : Prop :=
  is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) l.

Definition primitive (F f : R -> R) : Prop := forall a b, is_RInt f a b (F b - F a).

(* ------------------------------------------------------------ the usual rules *)

Lemma integral_of : forall f l, integrates f l -> integral f = l.
Proof.
  intros f l. exact (@is_RInt_gen_unique R_CompleteNormedModule _ _
    (Proper_StrongProper _ (Rbar_locally_filter m_infty))
    (Proper_StrongProper _ (Rbar_locally_filter p_infty)) f l).
Qed.

Lemma integrates_plus : forall f g k l,
  integrates f k -> integrates g l -> integrates (fun y => f y + g y) (k + l).
Proof. intros f g k l H K. exact (is_RInt_gen_plus f g k l H K). Qed.

Lemma integrates_minus : forall f g k l,
  integrates f k -> integrates g l -> integrates (fun y => f y - g y) (k - l).
Proof. intros f g k l H K. exact (is_RInt_gen_minus f g k l H K). Qed.

Lemma integrates_scaled : forall c f l, integrates f l -> integrates (fun y => c * f y) (c * l).
Proof. intros c f l H. exact (is_RInt_gen_scal f c l H). Qed.

Lemma integrates_ext : forall f g l,
  (forall y, f y = g y) -> integrates f l -> integrates g l.
Proof.
  intros f g l H. apply (@is_RInt_gen_ext R_NormedModule _ _ _ _ f g).
  apply filter_forall. intros ab x _. apply H.
Qed.

(* ------------------------------------------------------------ from a primitive and its limits *)

Lemma integral_by_primitive : forall (Fa Fb : (R -> Prop) -> Prop) F f la lb,
  Filter Fa -> Filter Fb -> primitive F f ->
  filterlim F Fa (locally la) -> filterlim F Fb (locally lb) -> is_RInt_gen f Fa Fb (lb - la).
Proof.
  intros Fa Fb F f la lb HFa HFb HF Ha Hb P HP.
  assert (H : filter_prod Fa Fb (fun ab => P (F (snd ab) - F (fst ab)))).
  { unfold Rminus. eapply filterlim_comp_2.
    - eapply filterlim_comp; [apply filterlim_snd | exact Hb].
    - eapply filterlim_comp; [|apply (@filterlim_opp _ R_NormedModule)].
      eapply filterlim_comp; [apply filterlim_fst | exact Ha].
    - exact (filterlim_plus lb (- la)).
    - exact HP. }
  unfold filtermapi. refine (filter_imp _ _ _ H). intros [a b] K. simpl in *.
  exists (F b - F a). split; [apply HF | exact K].
Qed.

Lemma integrates_by_primitive : forall F f la lb,
  primitive F f -> filterlim F (Rbar_locally m_infty) (locally la) ->
  filterlim F (Rbar_locally p_infty) (locally lb) -> integrates f (lb - la).
Proof.
  intros F f la lb. apply integral_by_primitive; apply Rbar_locally_filter.
Qed.

Lemma segment_zero : forall (f : R -> R) a b,
  (forall x, Rmin a b < x < Rmax a b -> f x = 0) -> is_RInt f a b 0.
Proof.
  intros f a b H. apply is_RInt_ext with (f := fun _ => 0).
  - intros x Hx. symmetry. apply H, Hx.
  - assert (E : (b - a) * 0 = 0) by ring. rewrite <- E at 1.
    apply (@is_RInt_const R_NormedModule a b 0).
Qed.

Lemma integrates_zero : integrates (fun _ => 0) 0.
Proof.
  rewrite <- (Rminus_0_r 0) at 1. apply (integrates_by_primitive (fun _ => 0) (fun _ => 0) 0 0).
  - intros a b. rewrite Rminus_0_r. apply segment_zero. reflexivity.
  - apply filterlim_const.
  - apply filterlim_const.
Qed.

Lemma zero_right : forall (f : R -> R) a, (forall x, a < x -> f x = 0) ->
  is_RInt_gen f (at_point a) (Rbar_locally p_infty) 0.
Proof.
  intros f a H P HP. exists (fun u => u = a) (fun v => a < v); [reflexivity | exists a; auto |].
  intros u v -> Hv. exists 0. split; [|apply locally_singleton; exact HP].
  apply segment_zero. simpl. rewrite Rmin_left by lra. intros x Hx. apply H. lra.
Qed.

Lemma zero_left : forall (f : R -> R) b, (forall x, x < b -> f x = 0) ->
  is_RInt_gen f (Rbar_locally m_infty) (at_point b) 0.
Proof.
  intros f b H P HP. exists (fun u => u < b) (fun v => v = b); [exists b; auto | reflexivity |].
  intros u v Hu ->. exists 0. split; [|apply locally_singleton; exact HP].
  apply segment_zero. simpl. rewrite Rmax_right by lra. intros x Hx. apply H. lra.
Qed.

Lemma mirrored : forall (f : R -> R) a l,
  is_RInt_gen f (at_point (- a)) (Rbar_locally p_infty) l ->
  is_RInt_gen (fun y => f (- y)) (Rbar_locally m_infty) (at_point a) l.
Proof.
  intros f a l H P HP. destruct (H P HP) as [A B HA [M HB] K].
  exists (fun u => u < - M) (fun v => v = a); [exists (- M); auto | reflexivity |].
  intros u v Hu ->. destruct (K (- a) (- u) HA) as (k & Hk & Pk); [apply HB; lra|].
  exists k. split; [|exact Pk]. simpl in *.
  apply (@is_RInt_swap R_NormedModule f (- u) (- a) k) in Hk.
  apply (@is_RInt_comp_opp R_NormedModule f u a (- k)) in Hk.
  apply (@is_RInt_opp R_NormedModule _ u a (- k)) in Hk.
  assert (E : - - k = k) by ring. rewrite <- E. revert Hk.
  apply (@is_RInt_ext R_NormedModule). intros x _. apply Ropp_involutive.
Qed.

Lemma ordered_ends :
  filter_prod (Rbar_locally m_infty) (Rbar_locally p_infty) (fun ab => fst ab <= snd ab).
Proof.
  exists (fun a => a < 0) (fun b => 0 < b); [exists 0 | exists 0 | simpl; intros; lra]; auto.
Qed.

Lemma integrates_nonnegative : forall f l, (forall y, 0 <= f y) -> integrates f l -> 0 <= l.
Proof.
  intros f l H K. rewrite <- Rabs_R0.
  apply (@RInt_gen_norm R_CompleteNormedModule _ _ _ _ (fun _ => 0) f 0 l).
  - exact ordered_ends.
  - apply filter_forall. intros ab x _. apply Rle_trans with 0; [|apply H].
    right. apply Rabs_R0.
  - exact integrates_zero.
  - exact K.
Qed.

Lemma integrates_le : forall f g k l,
  (forall y, f y <= g y) -> integrates f k -> integrates g l -> k <= l.
Proof.
  intros f g k l H K L. assert (0 <= l - k); [|lra].
  apply integrates_nonnegative with (fun y => g y - f y).
  - intros y. specialize (H y). lra.
  - apply integrates_minus; assumption.
Qed.

(* One end may be fixed. *)
Lemma primitive_from : forall (F f : R -> R) c,
  (forall b, is_RInt f c b (F b - F c)) -> primitive F f.
Proof.
  intros F f c H a b. replace (F b - F a) with (- (F a - F c) + (F b - F c)) by ring.
  apply (@is_RInt_Chasles R_NormedModule _ a c b (- (F a - F c)) (F b - F c)); [|apply H].
  apply (@is_RInt_swap R_NormedModule _ a c (F a - F c)), H.
Qed.

Lemma exp_small : forall theta eps z, 0 < theta -> 0 < eps -> z < theta * ln eps ->
  0 < exp (z / theta) < eps.
Proof.
  intros theta eps z Ht He Hz. split; [apply exp_pos|].
  apply Rlt_le_trans with (exp (ln eps)); [|right; apply exp_ln, He].
  apply exp_increasing. apply Rmult_lt_reg_r with theta; [exact Ht|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

(* A function that grows and stays below a bound has a limit on the right, and on the left. *)
Lemma limit_right : forall F M, (forall x y, x <= y -> F x <= F y) -> (forall x, F x <= M) ->
  exists l, filterlim F (Rbar_locally p_infty) (locally l).
Proof.
  intros F M Hup HM.
  destruct (completeness (fun v => exists x, v = F x)) as [l [Hl Hleast]].
  - exists M. intros v [x ->]. apply HM.
  - exists (F 0), 0. reflexivity.
  - exists l. apply filterlim_locally. intros eps.
    assert (exists x, l - eps < F x) as [x Hx].
    { apply Classical_Prop.NNPP. intros N. assert (l <= l - eps); [|destruct eps; simpl in *; lra].
      apply Hleast. intros v [x ->]. apply Rnot_lt_le. intros Hx. apply N. exists x. exact Hx. }
    exists x. intros y Hy. assert (F y <= l) by (apply Hl; exists y; reflexivity).
    assert (F x <= F y) by (apply Hup; lra).
    apply Rabs_def1; destruct eps; unfold minus, plus, opp; simpl in *; lra.
Qed.

Lemma limit_left : forall F M, (forall x y, x <= y -> F x <= F y) -> (forall x, M <= F x) ->
  exists l, filterlim F (Rbar_locally m_infty) (locally l).
Proof.
  intros F M Hup HM.
  destruct (limit_right (fun x => - F (- x)) (- M)) as [l Hl].
  - intros x y H. apply Ropp_le_contravar, Hup. lra.
  - intros x. specialize (HM (- x)). lra.
  - exists (- l). apply filterlim_locally. intros eps.
    apply filterlim_locally with (eps := eps) in Hl. destruct Hl as [N HN].
    exists (- N). intros x Hx. specialize (HN (- x)). rewrite Ropp_involutive in HN.
    assert (K : ball l eps (- F x)) by (apply HN; lra). revert K.
    unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl. intros K.
    rewrite <- Rabs_Ropp. replace (- (F x + - - l)) with (- F x + - l) by ring. exact K.
Qed.

(* ------------------------------------------------------------ domination *)

Definition locally_integrable (f : R -> R) : Prop := forall a b, ex_RInt f a b.

Lemma continuous_integrable : forall f : R -> R, (forall y, continuous f y) -> locally_integrable f.
Proof. intros f H a b. apply (@ex_RInt_continuous R_CompleteNormedModule). intros z _. apply H. Qed.

Lemma segment_is : forall f a b, locally_integrable f -> is_RInt f a b (RInt f a b).
Proof. intros f a b H. exact (@RInt_correct R_CompleteNormedModule f a b (H a b)). Qed.

Lemma segment_of : forall (f : R -> R) a b l, is_RInt f a b l -> RInt f a b = l.
Proof. intros f a b l. exact (@is_RInt_unique R_CompleteNormedModule f a b l). Qed.

Lemma segment_sum : forall f a b c, locally_integrable f ->
  RInt f a b + RInt f b c = RInt f a c.
Proof. intros f a b c H. exact (@RInt_Chasles R_CompleteNormedModule f a b c (H a b) (H b c)). Qed.

Lemma primitive_RInt : forall f, locally_integrable f -> primitive (fun x => RInt f 0 x) f.
Proof.
  intros f H a b. replace (RInt f 0 b - RInt f 0 a) with (RInt f a b).
  - apply segment_is, H.
  - assert (C := segment_sum f 0 a b H). lra.
Qed.

(* No segment holds more than the whole, where f is not negative. *)
Lemma segment_le : forall f l a b,
  locally_integrable f -> (forall y, 0 <= f y) -> integrates f l -> a <= b -> RInt f a b <= l.
Proof.
  intros f l a b Hf H0 HL Hab. apply le_epsilon. intros eps Heps.
  specialize (HL (ball l (mkposreal eps Heps)) (locally_ball l (mkposreal eps Heps))).
  destruct HL as [A B [M HM] [N HN] K].
  set (u := Rmin a (M - 1)). set (v := Rmax b (N + 1)).
  assert (u <= a) by apply Rmin_l. assert (u <= M - 1) by apply Rmin_r.
  assert (b <= v) by apply Rmax_l. assert (N + 1 <= v) by apply Rmax_r.
  destruct (K u v) as [r [Hr Hball]]; [apply HM; lra | apply HN; lra |]. simpl in Hr.
  apply segment_of in Hr. subst r.
  assert (0 <= RInt f u a) by (apply RInt_ge_0; auto; lra).
  assert (0 <= RInt f b v) by (apply RInt_ge_0; auto; lra).
  assert (C := segment_sum f u a v Hf). assert (D := segment_sum f a b v Hf).
  apply Rabs_def2 in Hball. unfold minus, plus, opp in Hball. simpl in Hball. lra.
Qed.

(* Between 0 and a function with a finite integral there is a finite integral. *)
Lemma dominated : forall f g l,
  locally_integrable f -> locally_integrable g -> (forall y, 0 <= f y <= g y) ->
  integrates g l -> exists k, integrates f k.
Proof.
  intros f g l Hf Hg H HL.
  assert (Hup : forall x y, x <= y -> RInt f 0 x <= RInt f 0 y).
  { intros x y Hxy. assert (C := segment_sum f 0 x y Hf).
    assert (0 <= RInt f x y) by (apply RInt_ge_0; auto; intros; apply H). lra. }
  assert (Hseg : forall a b, a <= b -> RInt f a b <= l).
  { intros a b Hab. apply Rle_trans with (RInt g a b).
    - apply RInt_le; auto. intros; apply H.
    - apply segment_le; auto. intros y. specialize (H y). lra. }
  assert (H0 : RInt f 0 0 = 0) by exact (@RInt_point R_CompleteNormedModule 0 f).
  destruct (limit_right (fun x => RInt f 0 x) l) as [lb Hb].
  - exact Hup.
  - intros x. destruct (Rle_lt_dec 0 x) as [Hx | Hx]; [apply Hseg; exact Hx|].
    apply Rle_trans with (RInt f 0 0); [apply Hup; lra | apply Hseg; lra].
  - destruct (limit_left (fun x => RInt f 0 x) (- l)) as [la Ha].
    + exact Hup.
    + intros x. destruct (Rle_lt_dec 0 x) as [Hx | Hx].
      * assert (RInt f 0 0 <= RInt f 0 x) by (apply Hup; lra).
        assert (RInt f 0 0 <= l) by (apply Hseg; lra). lra.
      * assert (C := segment_sum f 0 x 0 Hf).
        assert (RInt f x 0 <= l) by (apply Hseg; lra). lra.
    + exists (lb - la). apply integrates_by_primitive with (fun x => RInt f 0 x); auto.
      apply primitive_RInt. exact Hf.
Qed.
