(* A normal form of expressions: a linear form in 1, the logarithms of the bases and the logarithm
   of one quotient; or the inverse of one; or a quotient of exponential sums of linear forms.
   An expression without one has no normal form here; nothing is claimed about it. *)
From Coq Require Import Reals ZArith QArith Qreals Qround List Bool Lra Lia.
From Pfverify Require Import Numbers Cancellation.
Import ListNotations.
Open Scope R_scope.
Local Arguments Qred : simpl never.
Local Arguments Qplus : simpl never.
Local Arguments Qminus : simpl never.
Local Arguments Qmult : simpl never.
Local Arguments Qinv : simpl never.
Local Arguments Qdiv : simpl never.
Local Arguments Nat.iter : simpl never.

(* x <- a; b is b of the x that a found, if any. *)
Notation "x <- a ; b" := (match a with Some x => b | None => None end)
  (at level 100, a at next level, right associativity).

(* ------------------------------------------------------------ linear forms *)

Definition form := list Q.

Fixpoint along (g : list R) (f : form) : R :=
  match g, f with
  | x :: g, a :: f => Q2R a * x + along g f
  | _, _ => 0
  end.

Fixpoint add_forms (f g : form) : form :=
  match f, g with
  | [], _ => g
  | _, [] => f
  | a :: f, b :: g => Qred (a + b) :: add_forms f g
  end.

Definition scale_form (c : Q) (f : form) : form := map (fun a => Qred (c * a)) f.

Definition is_zero (f : form) : bool := forallb (fun a => Qeq_bool a 0) f.

Definition is_rational (f : form) : option Q :=
  match f with
  | [] => Some 0%Q
  | a :: f => if is_zero f then Some a else None
  end.

Fixpoint same_form (f g : form) : bool :=
  match f, g with
  | [], _ => is_zero g
  | _, [] => is_zero f
  | a :: f, b :: g => Qeq_bool a b && same_form f g
  end.

Lemma Q2R_red : forall a, Q2R (Qred a) = Q2R a.
Proof. intros. apply Qeq_eqR, Qred_correct. Qed.

Lemma Q2R_whole : forall n, Q2R (n # 1) = IZR n.
Proof. intros. unfold Q2R. simpl. field. Qed.

Lemma Q2R_bool : forall a b, Qeq_bool a b = true -> Q2R a = Q2R b.
Proof. intros a b H. apply Qeq_eqR, Qeq_bool_iff, H. Qed.

Lemma add_forms_sound : forall f h g, along g (add_forms f h) = along g f + along g h.
Proof.
  induction f as [|a f IH]; intros [|b h] [|x g]; cbn [add_forms along]; try ring.
  rewrite IH, Q2R_red, Q2R_plus. ring.
Qed.

Lemma scale_form_sound : forall c f g, along g (scale_form c f) = Q2R c * along g f.
Proof.
  intros c. induction f as [|a f IH]; intros [|x g]; cbn [scale_form map along]; try ring.
  fold (scale_form c f). rewrite IH, Q2R_red, Q2R_mult. ring.
Qed.

Lemma is_zero_sound : forall f g, is_zero f = true -> along g f = 0.
Proof.
  induction f as [|a f IH]; intros [|x g] H; cbn [along]; try reflexivity.
  apply andb_prop in H. destruct H as [Ha Hf]. apply Q2R_bool in Ha.
  rewrite IH, Ha by assumption. rewrite Q2R_whole. ring.
Qed.

Lemma is_rational_sound : forall f c g, is_rational f = Some c -> along (1 :: g) f = Q2R c.
Proof.
  intros [|a f] c g H; cbn [is_rational along] in *.
  - injection H as <-. rewrite Q2R_whole. reflexivity.
  - destruct (is_zero f) eqn:Z; [|discriminate]. injection H as <-.
    rewrite is_zero_sound by assumption. ring.
Qed.

Lemma same_form_sound : forall f h g, same_form f h = true -> along g f = along g h.
Proof.
  induction f as [|a f IH]; intros [|b h] g H; cbn [same_form] in H.
  - reflexivity.
  - symmetry. rewrite is_zero_sound by assumption. destruct g; reflexivity.
  - rewrite is_zero_sound by assumption. destruct g; reflexivity.
  - apply andb_prop in H. destruct H as [Ha Hf]. apply Q2R_bool in Ha.
    destruct g as [|x g]; cbn [along]; [reflexivity|]. rewrite (IH h), Ha by assumption. ring.
Qed.

(* ------------------------------------------------------------ whole numbers over the bases *)

(* (k, m) with n = b^k m *)
Fixpoint strip (fuel : nat) (b n : Z) : Z * Z :=
  match fuel with
  | O => (0, n)%Z
  | S fuel =>
      let (q, r) := Z.div_eucl n b in
      if (r =? 0)%Z then let (k, m) := strip fuel b q in (k + 1, m)%Z else (0, n)%Z
  end.

Fixpoint factor (bases : list positive) (n : Z) : option (list Z) :=
  match bases with
  | [] => if (n =? 1)%Z then Some [] else None
  | b :: bases =>
      let (k, m) := strip (Z.to_nat (Z.log2 n) + 1) (Zpos b) n in
      v <- factor bases m; Some (k :: v)
  end.

Lemma strip_sound : forall fuel (b : positive) n k m, (0 < n)%Z -> strip fuel (Zpos b) n = (k, m) ->
  (0 < m)%Z /\ ln (IZR n) = IZR k * ln (IZR (Zpos b)) + ln (IZR m).
Proof.
  induction fuel as [|fuel IH]; intros b n k m Hn H; cbn [strip] in H.
  - injection H as <- <-. split; [assumption|ring].
  - pose proof (Z_div_mod n (Zpos b) eq_refl) as D.
    destruct (Z.div_eucl n (Zpos b)) as [q r]. destruct D as [D Hr].
    destruct (Z.eqb_spec r 0) as [Z|_]; [|injection H as <- <-; split; [assumption|ring]].
    destruct (strip fuel (Zpos b) q) as [k' m'] eqn:E. injection H as <- <-.
    assert (Hq : (0 < q)%Z) by nia.
    destruct (IH _ _ _ _ Hq E) as [Hm I]. split; [assumption|].
    replace n with (Zpos b * q)%Z by lia. rewrite mult_IZR, ln_mult, I, plus_IZR.
    + ring.
    + apply positive_IZR.
    + apply IZR_lt. assumption.
Qed.

Lemma factor_sound : forall bases n v, (0 < n)%Z -> factor bases n = Some v ->
  ln (IZR n) = dot (logarithms bases) v.
Proof.
  induction bases as [|b bases IH]; intros n v Hn H; cbn [factor] in H.
  - destruct (Z.eqb_spec n 1) as [->|]; [|discriminate]. apply ln_1.
  - destruct (strip _ (Zpos b) n) as [k m] eqn:E. destruct (strip_sound _ _ _ _ _ Hn E) as [Hm I].
    destruct (factor bases m) as [w|] eqn:F; [|discriminate]. injection H as <-.
    rewrite I, (IH m w) by assumption. reflexivity.
Qed.

Lemma along_dot : forall v g, along g (map (fun n => n # 1) v) = dot g v.
Proof.
  induction v as [|n v IH]; intros [|x g]; cbn [map along dot]; try reflexivity.
  rewrite IH, Q2R_whole. reflexivity.
Qed.

Section Normal.
Variable bases : list positive.

Definition exponent (f : form) : R := along (generators bases) f.

(* log of a positive rational, as a form *)
Definition log_rational (q : Q) : option form :=
  v <- factor bases (Qnum q); w <- factor bases (Zpos (Qden q));
  Some (0%Q :: add_forms (map (fun n => n # 1) v) (map (fun n => - n # 1) w)).

Lemma dot_opposite : forall v g, along g (map (fun n => - n # 1) v) = - dot g v.
Proof.
  induction v as [|n v IH]; intros [|x g]; cbn [map along dot]; try ring.
  rewrite IH, Q2R_whole, opp_IZR. ring.
Qed.

Lemma log_rational_sound : forall q f, (0 < Qnum q)%Z -> log_rational q = Some f ->
  exponent f = ln (Q2R q).
Proof.
  intros q f Hq H. unfold log_rational in H.
  destruct (factor bases (Qnum q)) as [v|] eqn:V; [|discriminate].
  destruct (factor bases (Zpos (Qden q))) as [w|] eqn:W; [|discriminate]. injection H as <-.
  apply factor_sound in V; [|assumption]. apply factor_sound in W; [|lia].
  assert (0 < IZR (Qnum q)) by (apply IZR_lt; assumption).
  pose proof (positive_IZR (Qden q)).
  unfold Q2R. rewrite ln_mult, ln_Rinv, V, W by (try apply Rinv_0_lt_compat; assumption).
  unfold exponent, generators. cbn [along]. rewrite add_forms_sound, along_dot, dot_opposite.
  rewrite Q2R_whole. ring.
Qed.

(* ------------------------------------------------------------ exponential sums *)

(* The sum of c * exp(f); and the quotient of two. *)
Definition sum := list (form * Q).
Definition ratio := (sum * sum)%type.

Fixpoint sum_value (s : sum) : R :=
  match s with
  | [] => 0
  | (f, c) :: s => Q2R c * exp (exponent f) + sum_value s
  end.

Definition ratio_value (r : ratio) : R := sum_value (fst r) / sum_value (snd r).

Definition one : sum := [([], 1%Q)].

Lemma one_value : sum_value one = 1.
Proof. cbn. unfold exponent. cbn. rewrite exp_0, Q2R_whole. ring. Qed.

Fixpoint insert (f : form) (c : Q) (s : sum) : sum :=
  match s with
  | [] => if Qeq_bool c 0 then [] else [(f, c)]
  | (g, d) :: s =>
      if same_form f g then
        let e := Qred (c + d) in if Qeq_bool e 0 then s else (g, e) :: s
      else (g, d) :: insert f c s
  end.

Lemma insert_sound : forall f c s,
  sum_value (insert f c s) = Q2R c * exp (exponent f) + sum_value s.
Proof.
  intros f c. induction s as [|[g d] s IH]; cbn [insert sum_value].
  - destruct (Qeq_bool c 0) eqn:Z; cbn [sum_value]; [|reflexivity].
    apply Q2R_bool in Z. rewrite Z, Q2R_whole. ring.
  - destruct (same_form f g) eqn:S.
    + apply (same_form_sound _ _ (generators bases)) in S. fold (exponent f) (exponent g) in S.
      rewrite S. cbv zeta. destruct (Qeq_bool (Qred (c + d)) 0) eqn:Z; cbn [sum_value].
      * apply Q2R_bool in Z. rewrite Q2R_red, Q2R_plus, Q2R_whole in Z.
        replace (Q2R c) with (- Q2R d) by lra. ring.
      * rewrite Q2R_red, Q2R_plus. ring.
    + cbn [sum_value]. rewrite IH. ring.
Qed.

Local Arguments insert : simpl never.

(* b^n for any n *)
Definition whole_power (b : positive) (n : Z) : Q :=
  if (0 <=? n)%Z then inject_Z (Zpos b ^ n) else / inject_Z (Zpos b ^ (- n)).

Lemma whole_power_sound : forall b n, Q2R (whole_power b n) = exp (IZR n * ln (IZR (Zpos b))).
Proof.
  intros b n. unfold whole_power. destruct (Z.leb_spec 0 n) as [H|H].
  - unfold inject_Z. rewrite Q2R_whole, exp_whole by assumption. reflexivity.
  - rewrite Q2R_inv.
    + unfold inject_Z. rewrite Q2R_whole, <- exp_whole, <- exp_Ropp by lia. f_equal.
      rewrite opp_IZR. ring.
    + intros E. assert (0 < Zpos b ^ (- n))%Z by (apply Z.pow_pos_nonneg; lia).
      unfold Qeq, inject_Z in E. simpl in E. lia.
Qed.

(* (c, g) with exp(f) = c exp(g): the whole powers of the bases, where they are not long. *)
Fixpoint whole_powers (bases : list positive) (f : form) : Q * form :=
  match bases, f with
  | b :: bases, a :: f =>
      let (c, g) := whole_powers bases f in
      let n := Qfloor a in
      if (n =? 0)%Z then (c, a :: g)
      else if (Z.abs n * Zpos (Pos.size b) <=? longest)%Z then
        (c * whole_power b n, Qred (a - inject_Z n) :: g)%Q
      else (c, a :: g)
  | _, _ => (1%Q, f)
  end.

Lemma whole_powers_sound : forall bs f c g, whole_powers bs f = (c, g) ->
  exp (along (logarithms bs) f) = Q2R c * exp (along (logarithms bs) g).
Proof.
  induction bs as [|b bs IH]; intros f c g H; [|destruct f as [|a f]];
    try (injection H as <- <-; rewrite Q2R_whole; ring).
  cbn [whole_powers] in H. destruct (whole_powers bs f) as [d h] eqn:E. apply IH in E.
  cbv zeta in H.
  cbn [logarithms map along]. fold (logarithms bs). rewrite exp_plus, E.
  destruct (Qfloor a =? 0)%Z; [|destruct (_ <=? _)%Z]; injection H as <- <-;
    cbn [along]; rewrite exp_plus; try ring.
  rewrite Q2R_mult, whole_power_sound, Q2R_red, Q2R_minus. unfold inject_Z. rewrite Q2R_whole.
  replace (Q2R a * _) with (IZR (Qfloor a) * ln (IZR (Zpos b)) +
    (Q2R a - IZR (Qfloor a)) * ln (IZR (Zpos b))) by ring.
  rewrite exp_plus. ring.
Qed.

(* c exp(f) as one term of a sum, and added to it *)
Definition put (f : form) (c : Q) (s : sum) : sum :=
  match f with
  | [] => insert f c s
  | a :: f => let (d, g) := whole_powers bases f in insert (a :: g) (Qred (c * d)) s
  end.

Lemma put_sound : forall f c s, sum_value (put f c s) = Q2R c * exp (exponent f) + sum_value s.
Proof.
  intros [|a f] c s; cbn [put]; [apply insert_sound|].
  destruct (whole_powers bases f) as [d g] eqn:E. apply whole_powers_sound in E.
  rewrite insert_sound, Q2R_red, Q2R_mult. unfold exponent, generators. cbn [along].
  rewrite !exp_plus, E. ring.
Qed.

Definition times_term (f : form) (c : Q) (s t : sum) : sum :=
  fold_right (fun u t => put (add_forms f (fst u)) (Qred (c * snd u)) t) t s.

Lemma times_term_sound : forall f c s t,
  sum_value (times_term f c s t) = Q2R c * exp (exponent f) * sum_value s + sum_value t.
Proof.
  intros f c s t. induction s as [|[g d] s IH]; cbn [times_term fold_right fst snd sum_value].
  - ring.
  - fold (times_term f c s t). rewrite put_sound, IH, Q2R_red, Q2R_mult. unfold exponent.
    rewrite add_forms_sound, exp_plus. ring.
Qed.

Definition add_sums (s t : sum) : sum := times_term [] 1 s t.

Lemma add_sums_sound : forall s t, sum_value (add_sums s t) = sum_value s + sum_value t.
Proof.
  intros. unfold add_sums. rewrite times_term_sound, Q2R_whole. unfold exponent. cbn.
  rewrite exp_0. ring.
Qed.

(* The product of two sums of bounded size. *)
Definition times_sums (s t : sum) : option sum :=
  if Nat.leb (length s * length t) 4096
  then Some (fold_right (fun u acc => times_term (fst u) (snd u) t acc) [] s) else None.

Lemma times_sums_sound : forall s t u, times_sums s t = Some u ->
  sum_value u = sum_value s * sum_value t.
Proof.
  intros s t u H. unfold times_sums in H. destruct (Nat.leb _ _); [|discriminate].
  injection H as <-. induction s as [|[f c] s IH]; cbn [fold_right fst snd sum_value]; [ring|].
  rewrite times_term_sound, IH. ring.
Qed.

Fixpoint power_sum (n : nat) (s : sum) : option sum :=
  match n with
  | O => Some one
  | S n => t <- power_sum n s; times_sums s t
  end.

Lemma power_sum_sound : forall n s t, power_sum n s = Some t -> sum_value t = sum_value s ^ n.
Proof.
  induction n as [|n IH]; intros s t H; cbn [power_sum] in H.
  - injection H as <-. apply one_value.
  - destruct (power_sum n s) as [u|] eqn:E; [|discriminate]. apply times_sums_sound in H.
    rewrite H, (IH _ _ E). reflexivity.
Qed.

(* ------------------------------------------------------------ sums that are plainly positive *)

(* A lower bound of exp(x), -256 <= x <= 256: (1 + x/4096)^4096, rounded down to 64 bits after the
   point at every squaring. *)
Definition unit_64 : positive := 18446744073709551616.
Definition square (n : Z) : Z := n * n / Zpos unit_64.
Definition below_exp (x : Q) : option Q :=
  if Qle_bool (-256) x && Qle_bool x 256 then
    let y := (1 + x / 4096)%Q in
    Some (Nat.iter 12 square (Qnum y * Zpos unit_64 / Zpos (Qden y))%Z # unit_64)
  else None.

(* A lower bound of c exp(f). *)
Definition lower_term (f : form) (c : Q) : option Q :=
  let x := hd 0%Q f in
  if Qle_bool 0 c then
    if forallb (Qle_bool 0) (tl f) then
      match below_exp x with Some b => Some (c * b)%Q | None => Some 0%Q end
    else Some 0%Q
  else if forallb (fun a => Qle_bool a 0) (tl f) then
    b <- below_exp (- x); if Qle_bool b 0 then None else Some (c / b)%Q
  else None.

Fixpoint lower (s : sum) : option Q :=
  match s with
  | [] => Some 0%Q
  | (f, c) :: s => a <- lower_term f c; b <- lower s; Some (a + b)%Q
  end.

Definition is_positive (s : sum) : bool :=
  match s with
  | [] => false
  | _ =>
      forallb (fun u => negb (Qle_bool (snd u) 0)) s
      || match lower s with Some a => negb (Qle_bool a 0) | None => false end
  end.

Lemma Q2R_nonnegative : forall a, Qle_bool 0 a = true -> 0 <= Q2R a.
Proof. intros a H. rewrite <- (Q2R_whole 0). apply Qle_Rle, Qle_bool_iff, H. Qed.

Lemma Q2R_nonpositive : forall a, Qle_bool a 0 = true -> Q2R a <= 0.
Proof. intros a H. rewrite <- (Q2R_whole 0). apply Qle_Rle, Qle_bool_iff, H. Qed.

Lemma Q2R_positive : forall a, negb (Qle_bool a 0) = true -> 0 < Q2R a.
Proof.
  intros a H. apply negb_true_iff in H. rewrite <- (Q2R_whole 0). apply Qlt_Rlt, Qnot_le_lt.
  intros L. apply Qle_bool_iff in L. congruence.
Qed.

Lemma logarithms_nonnegative : forall bs, Forall (fun x => 0 <= x) (logarithms bs).
Proof.
  induction bs as [|b bs IH]; constructor; [|assumption].
  rewrite <- ln_1. destruct (Req_dec 1 (IZR (Zpos b))) as [<-|N]; [lra|].
  left. apply ln_increasing; [lra|]. assert (1 <= IZR (Zpos b)) by (apply IZR_le; lia). lra.
Qed.

Lemma along_nonnegative : forall f g, Forall (fun x => 0 <= x) g ->
  forallb (Qle_bool 0) f = true -> 0 <= along g f.
Proof.
  induction f as [|a f IH]; intros [|x g] G H; cbn [along]; try lra.
  apply andb_prop in H. destruct H as [Ha Hf]. inversion G; subst.
  apply Q2R_nonnegative in Ha. specialize (IH g). assert (0 <= Q2R a * x) by nra.
  specialize (IH ltac:(assumption) Hf). lra.
Qed.

Lemma along_nonpositive : forall f g, Forall (fun x => 0 <= x) g ->
  forallb (fun a => Qle_bool a 0) f = true -> along g f <= 0.
Proof.
  induction f as [|a f IH]; intros [|x g] G H; cbn [along]; try lra.
  apply andb_prop in H. destruct H as [Ha Hf]. inversion G; subst.
  apply Q2R_nonpositive in Ha. specialize (IH g). assert (Q2R a * x <= 0) by nra.
  specialize (IH ltac:(assumption) Hf). lra.
Qed.

Lemma square_sound : forall n x, 0 <= IZR n / IZR (Zpos unit_64) <= exp x ->
  0 <= IZR (square n) / IZR (Zpos unit_64) <= exp (2 * x).
Proof.
  intros n x H. pose proof (positive_IZR unit_64) as U. unfold square.
  set (u := Zpos unit_64) in *.
  assert (N : (0 <= n * n)%Z) by apply Z.square_nonneg.
  assert (P : (0 < u)%Z) by reflexivity.
  pose proof (Z.div_pos _ _ N P) as D. apply IZR_le in D.
  pose proof (Z.mul_div_le (n * n) u P) as L. apply IZR_le in L. rewrite !mult_IZR in L.
  assert (I : 0 < / IZR u) by now apply Rinv_0_lt_compat.
  unfold Rdiv in *. split; [apply Rmult_le_pos; lra|].
  apply Rle_trans with ((IZR n * / IZR u) * (IZR n * / IZR u)).
  - apply (Rmult_le_reg_l (IZR u * IZR u)); [now apply Rmult_lt_0_compat|].
    replace (IZR u * IZR u * (IZR (n * n / u) * / IZR u)) with (IZR u * IZR (n * n / u))
      by (field; lra).
    replace (IZR u * IZR u * (IZR n * / IZR u * (IZR n * / IZR u))) with (IZR n * IZR n)
      by (field; lra).
    assumption.
  - replace (2 * x) with (x + x) by ring. rewrite exp_plus. apply Rmult_le_compat; lra.
Qed.

Lemma below_exp_sound : forall x b, below_exp x = Some b -> Q2R b <= exp (Q2R x).
Proof.
  intros x b H. unfold below_exp in H. destruct (_ && _) eqn:C in H; [|discriminate].
  apply andb_prop in C. destruct C as [C _]. apply Qle_bool_iff, Qle_Rle in C.
  rewrite Q2R_whole in C. cbv zeta in H. set (y := (1 + x / 4096)%Q) in *.
  assert (Y : Q2R y = 1 + Q2R x / 4096).
  { unfold y, Qdiv. rewrite Q2R_plus, Q2R_mult, Q2R_inv, !Q2R_whole by discriminate. reflexivity. }
  clearbody y. injection H as <-.
  assert (G : forall k n z, 0 <= IZR n / IZR (Zpos unit_64) <= exp z ->
    0 <= IZR (Nat.iter k square n) / IZR (Zpos unit_64) <= exp (2 ^ k * z)).
  { induction k as [|k IH]; intros n z N.
    - replace (2 ^ 0 * z) with z by (simpl; ring). exact N.
    - replace (2 ^ S k * z) with (2 * (2 ^ k * z)) by (simpl; ring).
      apply square_sound, IH, N. }
  unfold Q2R at 1. cbn [Qnum Qden].
  replace (Q2R x) with (2 ^ 12 * (Q2R x / 4096)) by (simpl; lra).
  refine (proj2 (G 12%nat _ _ _)). clear G.
  pose proof (positive_IZR unit_64) as U. pose proof (positive_IZR (Qden y)) as V.
  pose proof (exp_ineq1_le (Q2R x / 4096)) as E. rewrite <- Y in E.
  assert (Y0 : 0 <= Q2R y) by lra.
  change (Q2R y) with (IZR (Qnum y) * / IZR (Zpos (Qden y))) in Y0, E.
  set (n := (Qnum y * Zpos unit_64)%Z). set (d := Zpos (Qden y)) in *.
  assert (Q0 : (0 <= Qnum y)%Z).
  { apply le_IZR. apply (Rmult_le_reg_r (/ IZR d)); [now apply Rinv_0_lt_compat|].
    rewrite Rmult_0_l. assumption. }
  assert (N : (0 <= n)%Z) by (unfold n; lia).
  assert (P : (0 < d)%Z) by reflexivity.
  pose proof (Z.div_pos _ _ N P) as D. apply IZR_le in D.
  pose proof (Z.mul_div_le n d P) as L. apply IZR_le in L. unfold n at 2 in L.
  rewrite !mult_IZR in L. pose proof (Rinv_0_lt_compat _ U).
  split; [apply Rmult_le_pos; lra|]. apply Rle_trans with (IZR (Qnum y) * / IZR d); [|lra].
  apply (Rmult_le_reg_l (IZR d * IZR (Zpos unit_64))); [now apply Rmult_lt_0_compat|].
  replace (IZR d * IZR (Zpos unit_64) * (IZR (n / d) / IZR (Zpos unit_64))) with
    (IZR d * IZR (n / d)) by (field; lra).
  replace (IZR d * IZR (Zpos unit_64) * (IZR (Qnum y) * / IZR d)) with
    (IZR (Qnum y) * IZR (Zpos unit_64)) by (field; lra).
  assumption.
Qed.

Lemma exponent_split : forall f,
  exponent f = Q2R (hd 0%Q f) + along (logarithms bases) (tl f).
Proof.
  intros [|a f]; unfold exponent, generators; cbn [along hd tl].
  - rewrite Q2R_whole. destruct (logarithms bases); cbn [along]; ring.
  - ring.
Qed.

Lemma lower_term_sound : forall f c b, lower_term f c = Some b ->
  Q2R b <= Q2R c * exp (exponent f).
Proof.
  intros f c b H. unfold lower_term in H. cbv zeta in H.
  pose proof (logarithms_nonnegative bases) as G. pose proof (exp_pos (exponent f)) as P.
  rewrite exponent_split, exp_plus in *.
  set (x := hd 0%Q f) in *. set (y := along (logarithms bases) (tl f)) in *.
  pose proof (exp_pos (Q2R x)) as X. pose proof (exp_pos y) as Y.
  destruct (Qle_bool 0 c) eqn:C.
  - apply Q2R_nonnegative in C.
    assert (Z : Q2R 0 <= Q2R c * (exp (Q2R x) * exp y))
      by (rewrite Q2R_whole; apply Rmult_le_pos; lra).
    destruct (forallb _ _) eqn:L in H; [|injection H as <-; exact Z].
    destruct (below_exp x) as [e|] eqn:B; injection H as <-; [|exact Z].
    apply (along_nonnegative _ _ G) in L. fold y in L. apply below_exp_sound in B.
    pose proof (exp_ineq1_le y). rewrite Q2R_mult. apply Rmult_le_compat_l; nra.
  - destruct (forallb _ _) eqn:L in H; [|discriminate].
    destruct (below_exp (- x)) as [e|] eqn:B; [|discriminate].
    destruct (Qle_bool e 0) eqn:E; [discriminate|]. injection H as <-.
    apply (along_nonpositive _ _ G) in L. fold y in L.
    apply below_exp_sound in B. rewrite Q2R_opp, exp_Ropp in B.
    apply negb_true_iff, Q2R_positive in E.
    assert (N : Q2R c < 0).
    { apply Rnot_le_lt. intros K. rewrite <- (Q2R_whole 0) in K. apply Rle_Qle, Qle_bool_iff in K.
      congruence. }
    assert (I : exp (Q2R x) * exp y <= / Q2R e).
    { apply Rle_trans with (exp (Q2R x)).
      - assert (exp y <= 1).
        { rewrite <- exp_0. destruct L as [L|L]; [left; now apply exp_increasing|].
          rewrite L. lra. }
        nra.
      - rewrite <- (Rinv_inv (exp (Q2R x))). now apply Rinv_le_contravar. }
    unfold Qdiv. rewrite Q2R_mult, Q2R_inv; [nra|].
    intros K. apply Qeq_eqR in K. rewrite K, Q2R_whole in E. lra.
Qed.

Lemma lower_sound : forall s b, lower s = Some b -> Q2R b <= sum_value s.
Proof.
  induction s as [|[f c] s IH]; intros b H; cbn [lower sum_value] in *.
  - injection H as <-. rewrite Q2R_whole. lra.
  - destruct (lower_term f c) as [x|] eqn:X; [|discriminate]. apply lower_term_sound in X.
    destruct (lower s) as [y|]; [|discriminate]. injection H as <-.
    specialize (IH y eq_refl). rewrite Q2R_plus. lra.
Qed.

Lemma is_positive_sound : forall s, is_positive s = true -> 0 < sum_value s.
Proof.
  intros s H. unfold is_positive in H. destruct s as [|u s]; [discriminate|].
  apply orb_prop in H. destruct H as [H|H].
  - revert u H. induction s as [|v s IH]; intros [f c] H; cbn [forallb fst snd] in H;
      apply andb_prop in H; destruct H as [Hc H]; apply Q2R_positive in Hc;
      cbn [sum_value] in *; pose proof (exp_pos (exponent f)).
    + nra.
    + specialize (IH v H). destruct v as [g d]. cbn [sum_value] in IH. nra.
  - destruct (lower (u :: s)) as [b|] eqn:L; [|discriminate].
    apply lower_sound in L. apply Q2R_positive in H. lra.
Qed.

(* ------------------------------------------------------------ quotients of sums *)

Definition times_ratios (r s : ratio) : option ratio :=
  a <- times_sums (fst r) (fst s); b <- times_sums (snd r) (snd s); Some (a, b).

Lemma times_ratios_sound : forall r s t, times_ratios r s = Some t ->
  ratio_value t = ratio_value r * ratio_value s.
Proof.
  intros [a b] [c d] t H. unfold times_ratios in H. cbn [fst snd] in H.
  destruct (times_sums a c) as [x|] eqn:X; [|discriminate]. apply times_sums_sound in X.
  destruct (times_sums b d) as [y|] eqn:Y; [|discriminate]. apply times_sums_sound in Y.
  injection H as <-. unfold ratio_value, Rdiv. cbn [fst snd]. rewrite X, Y, Rinv_mult. ring.
Qed.

(* 1/r, with the divisor 1 where r has one term above *)
Definition invert_ratio (r : ratio) : option ratio :=
  match fst r with
  | [(f, c)] =>
      if Qeq_bool c 0 then None
      else Some (times_term (scale_form (-1) f) (/ c) (snd r) [], one)
  | _ => Some (snd r, fst r)
  end.

Lemma invert_ratio_sound : forall r s, invert_ratio r = Some s ->
  ratio_value s = / ratio_value r.
Proof.
  assert (D : forall a b : sum, ratio_value (b, a) = / ratio_value (a, b)).
  { intros a b. unfold ratio_value, Rdiv. cbn [fst snd]. rewrite Rinv_mult, Rinv_inv. ring. }
  intros [a b] s H. unfold invert_ratio in H. cbn [fst snd] in H.
  destruct a as [|[f c] [|v a]]; try (injection H as <-; apply D).
  destruct (Qeq_bool c 0) eqn:C; [discriminate|]. injection H as <-.
  unfold ratio_value, Rdiv. cbn [fst snd sum_value].
  rewrite times_term_sound, one_value. cbn [sum_value].
  rewrite Q2R_inv by (intros E; apply Qeq_bool_iff in E; congruence).
  unfold exponent. rewrite scale_form_sound.
  replace (Q2R (-1) * along (generators bases) f) with (- along (generators bases) f)
    by (rewrite (Q2R_whole (-1)); ring).
  rewrite exp_Ropp, !Rplus_0_r, !Rinv_mult, Rinv_inv, Rinv_1. ring.
Qed.

Definition add_ratios (r s : ratio) : option ratio :=
  if is_positive (snd r) && is_positive (snd s) then
    a <- times_sums (fst r) (snd s); b <- times_sums (fst s) (snd r);
    c <- times_sums (snd r) (snd s); Some (add_sums a b, c)
  else None.

Lemma add_ratios_sound : forall r s t, add_ratios r s = Some t ->
  ratio_value t = ratio_value r + ratio_value s.
Proof.
  intros [a b] [c d] t H. unfold add_ratios in H. cbn [fst snd] in H.
  destruct (is_positive b && is_positive d) eqn:P; [|discriminate].
  apply andb_prop in P. destruct P as [B D]. apply is_positive_sound in B, D.
  destruct (times_sums a d) as [x|] eqn:X; [|discriminate]. apply times_sums_sound in X.
  destruct (times_sums c b) as [y|] eqn:Y; [|discriminate]. apply times_sums_sound in Y.
  destruct (times_sums b d) as [z|] eqn:Z; [|discriminate]. apply times_sums_sound in Z.
  injection H as <-. unfold ratio_value. cbn [fst snd]. rewrite add_sums_sound, X, Y, Z.
  field. lra.
Qed.

Definition rational_ratio (r : ratio) : option Q :=
  match r with
  | (a, [(g, d)]) =>
      if is_zero g && negb (Qeq_bool d 0) then
        match a with
        | [] => Some 0%Q
        | [(f, c)] => if is_zero f then Some (Qred (c / d)) else None
        | _ => None
        end
      else None
  | _ => None
  end.

Lemma nonzero : forall d, negb (Qeq_bool d 0) = true -> ~ (d == 0)%Q.
Proof. intros d H E. apply negb_true_iff in H. apply Qeq_bool_iff in E. congruence. Qed.

Lemma Q2R_nonzero : forall d, ~ (d == 0)%Q -> Q2R d <> 0.
Proof. intros d H E. apply H, eqR_Qeq. rewrite E, (Q2R_whole 0). reflexivity. Qed.

Lemma rational_ratio_sound : forall r c, rational_ratio r = Some c -> ratio_value r = Q2R c.
Proof.
  intros [a b] q H. unfold rational_ratio in H.
  destruct b as [|[g d] [|v b]]; try discriminate.
  destruct (is_zero g && negb (Qeq_bool d 0)) eqn:E; [|discriminate].
  apply andb_prop in E. destruct E as [G D]. apply nonzero in D.
  apply (is_zero_sound _ (generators bases)) in G. fold (exponent g) in G.
  destruct a as [|[f c] [|w a]]; try discriminate.
  - injection H as <-. unfold ratio_value. cbn [fst snd sum_value]. rewrite Q2R_whole.
    unfold Rdiv. ring.
  - destruct (is_zero f) eqn:F; [|discriminate]. injection H as <-.
    apply (is_zero_sound _ (generators bases)) in F. fold (exponent f) in F.
    unfold ratio_value. cbn [fst snd sum_value].
    rewrite F, G, exp_0, Q2R_red. unfold Qdiv. rewrite Q2R_mult, Q2R_inv by assumption.
    apply Q2R_nonzero in D. field. assumption.
Qed.

(* ------------------------------------------------------------ forms with one logarithm more *)

(* form + times * log(inside), where what is inside is positive *)
Record linear := Form { constant : form; times : Q; inside : ratio }.

Definition linear_value (l : linear) : R :=
  exponent (constant l) + Q2R (times l) * ln (ratio_value (inside l)).
Definition defined (l : linear) : Prop := 0 < ratio_value (inside l).

Definition plain (f : form) : linear := Form f 0 (one, one).

Lemma ratio_one : ratio_value (one, one) = 1.
Proof. unfold ratio_value. cbn [fst snd]. rewrite one_value. field. Qed.

Lemma plain_sound : forall f, defined (plain f) /\ linear_value (plain f) = exponent f.
Proof.
  intros. unfold defined, linear_value, plain. cbn [inside constant times].
  rewrite ratio_one, ln_1, Q2R_whole. split; [lra|ring].
Qed.

Definition scale_linear (c : Q) (l : linear) : linear :=
  Form (scale_form c (constant l)) (Qred (c * times l)) (inside l).

Lemma scale_linear_sound : forall c l, linear_value (scale_linear c l) = Q2R c * linear_value l.
Proof.
  intros. unfold linear_value, scale_linear. cbn [constant times inside].
  unfold exponent. rewrite scale_form_sound, Q2R_red, Q2R_mult. ring.
Qed.

Definition add_linear (l m : linear) : option linear :=
  let f := add_forms (constant l) (constant m) in
  if Qeq_bool (times m) 0 then Some (Form f (times l) (inside l))
  else if Qeq_bool (times l) 0 then Some (Form f (times m) (inside m))
  else if Qeq_bool (times l) (times m) then
    r <- times_ratios (inside l) (inside m); Some (Form f (times l) r)
  else if Qeq_bool (times l) (- times m) then
    s <- invert_ratio (inside m); r <- times_ratios (inside l) s; Some (Form f (times l) r)
  else None.

Lemma add_linear_sound : forall l m n, defined l -> defined m -> add_linear l m = Some n ->
  defined n /\ linear_value n = linear_value l + linear_value m.
Proof.
  intros [f a r] [g b s] n. unfold defined, linear_value, add_linear.
  cbn [constant times inside]. intros L M H. unfold exponent.
  destruct (Qeq_bool b 0) eqn:B.
  { injection H as <-. apply Q2R_bool in B. rewrite Q2R_whole in B. cbn [constant times inside].
    rewrite add_forms_sound, B. split; [assumption|ring]. }
  destruct (Qeq_bool a 0) eqn:A.
  { injection H as <-. apply Q2R_bool in A. rewrite Q2R_whole in A. cbn [constant times inside].
    rewrite add_forms_sound, A. split; [assumption|ring]. }
  destruct (Qeq_bool a b) eqn:E; [|destruct (Qeq_bool a (- b)) eqn:E']; [| |discriminate].
  - destruct (times_ratios r s) as [t|] eqn:T; [|discriminate]. apply times_ratios_sound in T.
    injection H as <-. apply Q2R_bool in E. cbn [constant times inside].
    rewrite add_forms_sound, T, ln_mult, E by assumption. split; [nra|ring].
  - destruct (invert_ratio s) as [i|] eqn:I; [|discriminate]. apply invert_ratio_sound in I.
    destruct (times_ratios r i) as [t|] eqn:T; [|discriminate]. apply times_ratios_sound in T.
    injection H as <-. apply Q2R_bool in E'. rewrite Q2R_opp in E'. cbn [constant times inside].
    pose proof (Rinv_0_lt_compat _ M).
    rewrite add_forms_sound, T, I, ln_mult, ln_Rinv, E' by assumption. split; [nra|ring].
Qed.

(* exp of a form, where the logarithm's factor is a whole number *)
Definition exponential (l : linear) : option ratio :=
  match Qred (times l) with
  | k # 1 =>
      if (Z.abs k <=? 16)%Z then
        r <- (if (0 <=? k)%Z then Some (inside l) else invert_ratio (inside l));
        a <- power_sum (Z.abs_nat k) (fst r); b <- power_sum (Z.abs_nat k) (snd r);
        Some (times_term (constant l) 1 a [], b)
      else None
  | _ => None
  end.

Lemma exp_times_ln : forall n x, 0 < x -> exp (INR n * ln x) = x ^ n.
Proof. intros n x H. rewrite <- Rpower_pow by assumption. reflexivity. Qed.

Lemma exponential_sound : forall l r, defined l -> exponential l = Some r ->
  ratio_value r = exp (linear_value l).
Proof.
  intros [f a s] r. unfold defined, linear_value, exponential. cbn [constant times inside].
  intros D H. rewrite <- (Q2R_red a). destruct (Qred a) as [k [p|p|]]; try discriminate.
  destruct (Z.abs k <=? 16)%Z; [|discriminate]. rewrite Q2R_whole.
  destruct (if (0 <=? k)%Z then _ else _) as [t|] eqn:T; [|discriminate].
  destruct (power_sum _ (fst t)) as [x|] eqn:X; [|discriminate]. apply power_sum_sound in X.
  destruct (power_sum _ (snd t)) as [y|] eqn:Y; [|discriminate]. apply power_sum_sound in Y.
  injection H as <-.
  assert (V : 0 < ratio_value t /\
    IZR k * ln (ratio_value s) = INR (Z.abs_nat k) * ln (ratio_value t)).
  { rewrite INR_IZR_INZ, Zabs2Nat.id_abs. destruct (Z.leb_spec 0 k) as [K|K].
    - injection T as <-. rewrite Z.abs_eq by assumption. split; [assumption|reflexivity].
    - apply invert_ratio_sound in T. rewrite T, ln_Rinv, Z.abs_neq, opp_IZR by (lia || assumption).
      split; [now apply Rinv_0_lt_compat|ring]. }
  destruct V as [V ->]. rewrite exp_plus, exp_times_ln by assumption.
  unfold ratio_value in *. cbn [fst snd]. rewrite times_term_sound, X, Y, Q2R_whole.
  cbn [sum_value]. unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. ring.
Qed.

(* log of a quotient of single terms with a rational factor over the bases *)
Definition log_term (r : ratio) : option linear :=
  match r with
  | ([(f, c)], [(g, d)]) =>
      let q := Qred (c / d) in
      if (0 <? Qnum q)%Z then
        h <- log_rational q; Some (plain (add_forms (add_forms f (scale_form (-1) g)) h))
      else None
  | _ => None
  end.

(* log of a quotient that is plainly positive *)
Definition logarithm (r : ratio) : option linear :=
  match log_term r with
  | Some l => Some l
  | None =>
      if is_positive (fst r) && is_positive (snd r) then Some (Form [] 1 r) else None
  end.

Lemma log_term_sound : forall r l, log_term r = Some l ->
  0 < ratio_value r /\ defined l /\ linear_value l = ln (ratio_value r).
Proof.
  intros [a b] l H. unfold log_term in H.
  destruct a as [|[f c] [|v a]]; try discriminate.
  destruct b as [|[g d] [|w b]]; try discriminate.
  cbv zeta in H. destruct (Z.ltb_spec 0 (Qnum (Qred (c / d)))) as [P|]; [|discriminate].
  destruct (log_rational (Qred (c / d))) as [h|] eqn:L; [|discriminate].
  apply log_rational_sound in L; [|assumption]. injection H as <-.
  assert (D : ~ (d == 0)%Q).
  { intros E. assert (Z : (c / d == 0)%Q).
    { unfold Qdiv. rewrite E. destruct c; unfold Qeq; simpl; lia. }
    apply Qred_complete in Z. rewrite Z in P. simpl in P. lia. }
  assert (Q : 0 < Q2R (Qred (c / d))).
  { unfold Q2R. apply Rmult_lt_0_compat; [now apply IZR_lt|].
    apply Rinv_0_lt_compat, positive_IZR. }
  set (x := ratio_value _). assert (V : x = Q2R (Qred (c / d)) * exp (exponent f - exponent g)).
  { unfold x. unfold ratio_value. cbn [fst snd sum_value]. rewrite Q2R_red. unfold Qdiv.
    rewrite Q2R_mult, Q2R_inv by assumption. unfold Rminus. rewrite exp_plus, exp_Ropp.
    pose proof (exp_pos (exponent g)). apply Q2R_nonzero in D. field. split; [lra|assumption]. }
  rewrite V. pose proof (exp_pos (exponent f - exponent g)).
  destruct (plain_sound (add_forms (add_forms f (scale_form (-1) g)) h)) as [P1 P2].
  split; [nra|split; [assumption|]]. rewrite P2, ln_mult, ln_exp, <- L by assumption.
  unfold exponent. rewrite !add_forms_sound, scale_form_sound.
  rewrite (Q2R_whole (-1)). ring.
Qed.

Lemma logarithm_sound : forall r l, logarithm r = Some l ->
  0 < ratio_value r /\ defined l /\ linear_value l = ln (ratio_value r).
Proof.
  intros r l H. unfold logarithm in H. destruct (log_term r) as [k|] eqn:K.
  - injection H as <-. now apply log_term_sound.
  - destruct (_ && _) eqn:P in H; [|discriminate]. injection H as <-.
    apply andb_prop in P. destruct P as [A B]. apply is_positive_sound in A, B.
    assert (0 < ratio_value r) by (apply Rdiv_lt_0_compat; assumption).
    split; [assumption|split; [assumption|]]. unfold linear_value. cbn [constant times inside].
    rewrite Q2R_whole. unfold exponent. cbn. ring.
Qed.

(* ------------------------------------------------------------ normal forms *)

Inductive normal := Linear (l : linear) | Inverse (l : linear) | Ratio (r : ratio).

Definition means (n : normal) (x : R) : Prop :=
  match n with
  | Linear l => defined l /\ x = linear_value l
  | Inverse l => defined l /\ x = / linear_value l
  | Ratio r => x = ratio_value r
  end.

Definition rational (n : normal) : option Q :=
  match n with
  | Linear l => if Qeq_bool (times l) 0 then is_rational (constant l) else None
  | Inverse _ => None
  | Ratio r => rational_ratio r
  end.

Lemma rational_sound : forall n x c, means n x -> rational n = Some c -> x = Q2R c.
Proof.
  intros [l|l|r] x c M H; cbn [rational means] in *; [|discriminate|].
  - destruct (Qeq_bool (times l) 0) eqn:T; [|discriminate]. apply Q2R_bool in T.
    destruct M as [_ ->]. unfold linear_value. rewrite T, Q2R_whole.
    apply (is_rational_sound _ _ (logarithms bases)) in H.
    fold (generators bases) in H. fold (exponent (constant l)) in H. rewrite H. ring.
  - rewrite M. now apply rational_ratio_sound.
Qed.

Definition of_rational (c : Q) : normal := Linear (plain [c]).

Lemma of_rational_sound : forall c, means (of_rational c) (Q2R c).
Proof.
  intros. destruct (plain_sound [c]) as [D V]. split; [assumption|]. rewrite V.
  unfold exponent, generators. cbn [along]. destruct (logarithms bases); cbn [along]; ring.
Qed.

Definition to_linear (n : normal) : option linear :=
  match n with
  | Linear l => Some l
  | _ => c <- rational n; Some (plain [c])
  end.

Lemma to_linear_sound : forall n x l, means n x -> to_linear n = Some l ->
  defined l /\ x = linear_value l.
Proof.
  intros n x l M H. assert (G : (c <- rational n; Some (plain [c])) = Some l ->
    defined l /\ x = linear_value l).
  { intros K. destruct (rational n) as [c|] eqn:E; [|discriminate]. injection K as <-.
    rewrite (rational_sound _ _ _ M E). apply of_rational_sound. }
  destruct n; [|now apply G|now apply G]. injection H as <-. exact M.
Qed.

Definition to_ratio (n : normal) : option ratio :=
  match n with
  | Ratio r => Some r
  | _ => c <- rational n; Some (insert [] c [], one)
  end.

Lemma to_ratio_sound : forall n x r, means n x -> to_ratio n = Some r -> x = ratio_value r.
Proof.
  intros n x r M H. assert (G : (c <- rational n; Some (insert [] c [], one)) = Some r ->
    x = ratio_value r).
  { intros K. destruct (rational n) as [c|] eqn:E; [|discriminate]. injection K as <-.
    rewrite (rational_sound _ _ _ M E). unfold ratio_value. cbn [fst snd].
    rewrite insert_sound, one_value. unfold exponent. cbn [generators along sum_value].
    rewrite exp_0. field. }
  destruct n; [now apply G|now apply G|]. injection H as <-. exact M.
Qed.

Definition add (n m : normal) : option normal :=
  match to_linear n, to_linear m with
  | Some l, Some k => j <- add_linear l k; Some (Linear j)
  | _, _ => r <- to_ratio n; s <- to_ratio m; t <- add_ratios r s; Some (Ratio t)
  end.

Lemma add_sound : forall n m x y k, means n x -> means m y -> add n m = Some k -> means k (x + y).
Proof.
  intros n m x y k N M H.
  assert (G : (r <- to_ratio n; s <- to_ratio m; t <- add_ratios r s; Some (Ratio t)) = Some k ->
    means k (x + y)).
  { intros K. destruct (to_ratio n) as [r|] eqn:R; [|discriminate].
    destruct (to_ratio m) as [s|] eqn:S; [|discriminate].
    destruct (add_ratios r s) as [t|] eqn:T; [|discriminate]. injection K as <-.
    apply add_ratios_sound in T. cbn [means].
    rewrite (to_ratio_sound _ _ _ N R), (to_ratio_sound _ _ _ M S). now symmetry. }
  unfold add in H. destruct (to_linear n) as [l|] eqn:L; [|now apply G].
  destruct (to_linear m) as [j|] eqn:J; [|now apply G].
  destruct (add_linear l j) as [i|] eqn:I; [|discriminate]. injection H as <-.
  destruct (to_linear_sound _ _ _ N L) as [DL ->]. destruct (to_linear_sound _ _ _ M J) as [DJ ->].
  destruct (add_linear_sound _ _ _ DL DJ I) as [D V]. split; [assumption|now symmetry].
Qed.

Definition scale_normal (c : Q) (n : normal) : option normal :=
  match n with
  | Linear l => Some (Linear (scale_linear c l))
  | Inverse l => if Qeq_bool c 0 then None else Some (Inverse (scale_linear (/ c) l))
  | Ratio (a, b) => Some (Ratio (times_term [] c a [], b))
  end.

Lemma scale_normal_sound : forall c n x m, means n x -> scale_normal c n = Some m ->
  means m (Q2R c * x).
Proof.
  intros c [l|l|[a b]] x m M H; cbn [scale_normal] in H.
  - injection H as <-. destruct M as [D ->]. split; [assumption|]. now rewrite scale_linear_sound.
  - destruct (Qeq_bool c 0) eqn:C; [discriminate|]. injection H as <-. destruct M as [D ->].
    split; [assumption|]. rewrite scale_linear_sound, Rinv_mult, Q2R_inv, Rinv_inv; [reflexivity|].
    intros E. apply Qeq_bool_iff in E. congruence.
  - injection H as <-. cbn [means] in *. rewrite M. unfold ratio_value. cbn [fst snd].
    rewrite times_term_sound. unfold exponent. cbn [along generators sum_value]. rewrite exp_0.
    unfold Rdiv. ring.
Qed.

Definition multiply (n m : normal) : option normal :=
  match rational n, rational m with
  | Some c, _ => scale_normal c m
  | _, Some c => scale_normal c n
  | _, _ => r <- to_ratio n; s <- to_ratio m; t <- times_ratios r s; Some (Ratio t)
  end.

Lemma multiply_sound : forall n m x y k, means n x -> means m y -> multiply n m = Some k ->
  means k (x * y).
Proof.
  intros n m x y k N M H. unfold multiply in H. destruct (rational n) as [c|] eqn:C.
  - rewrite (rational_sound _ _ _ N C). now apply (scale_normal_sound _ m).
  - destruct (rational m) as [d|] eqn:D.
    + rewrite (rational_sound _ _ _ M D), Rmult_comm. now apply (scale_normal_sound _ n).
    + destruct (to_ratio n) as [r|] eqn:R; [|discriminate].
      destruct (to_ratio m) as [s|] eqn:S; [|discriminate].
      destruct (times_ratios r s) as [t|] eqn:T; [|discriminate]. injection H as <-.
      apply times_ratios_sound in T. cbn [means].
      rewrite (to_ratio_sound _ _ _ N R), (to_ratio_sound _ _ _ M S). now symmetry.
Qed.

Definition invert (n : normal) : option normal :=
  match rational n with
  | Some c => if Qeq_bool c 0 then None else Some (of_rational (Qred (/ c)))
  | None =>
      match n with
      | Linear l => Some (Inverse l)
      | Inverse l => Some (Linear l)
      | Ratio r => s <- invert_ratio r; Some (Ratio s)
      end
  end.

Lemma invert_sound : forall n x m, means n x -> invert n = Some m -> means m (/ x).
Proof.
  intros n x m M H. unfold invert in H. destruct (rational n) as [c|] eqn:C.
  - destruct (Qeq_bool c 0) eqn:Z; [discriminate|]. injection H as <-.
    rewrite (rational_sound _ _ _ M C), <- Q2R_inv, <- Q2R_red; [apply of_rational_sound|].
    intros E. apply Qeq_bool_iff in E. congruence.
  - destruct n as [l|l|r].
    + injection H as <-. destruct M as [D ->]. split; [assumption|reflexivity].
    + injection H as <-. destruct M as [D ->]. split; [assumption|]. apply Rinv_inv.
    + destruct (invert_ratio r) as [s|] eqn:S; [|discriminate]. injection H as <-.
      apply invert_ratio_sound in S. cbn [means] in *. rewrite M. now symmetry.
Qed.

Fixpoint normalise (a : number) : option normal :=
  match a with
  | Whole n => Some (of_rational (n # 1))
  | Plus a b => n <- normalise a; m <- normalise b; add n m
  | Minus a b => n <- normalise a; m <- normalise b; k <- scale_normal (-1) m; add n k
  | Times a b => n <- normalise a; m <- normalise b; multiply n m
  | Over a b => n <- normalise a; m <- normalise b; k <- invert m; multiply n k
  | Opposite a => n <- normalise a; scale_normal (-1) n
  | Exp a => n <- normalise a; l <- to_linear n; r <- exponential l; Some (Ratio r)
  | Log a => n <- normalise a; r <- to_ratio n; l <- logarithm r; Some (Linear l)
  | Sqrt a =>
      n <- normalise a; r <- to_ratio n; l <- logarithm r;
      s <- exponential (scale_linear (1 # 2) l); Some (Ratio s)
  end.

Theorem normalise_sound : forall a n, normalise a = Some n -> means n (value a).
Proof.
  induction a as [n|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|a IHa|a IHa];
    intros k H; cbn [normalise value] in *;
    try (destruct (normalise a) as [x|]; [specialize (IHa x eq_refl)|discriminate]);
    try (destruct (normalise b) as [y|]; [specialize (IHb y eq_refl)|discriminate]).
  - injection H as <-. rewrite <- Q2R_whole. apply of_rational_sound.
  - now apply (add_sound x y).
  - destruct (scale_normal (-1) y) as [z|] eqn:Z; [|discriminate].
    apply (scale_normal_sound _ _ _ _ IHb) in Z. rewrite (Q2R_whole (-1)) in Z.
    replace (value a - value b) with (value a + -1 * value b) by ring. now apply (add_sound x z).
  - now apply (multiply_sound x y).
  - destruct (invert y) as [z|] eqn:Z; [|discriminate].
    apply (invert_sound _ _ _ IHb) in Z. now apply (multiply_sound x z).
  - apply (scale_normal_sound _ _ _ _ IHa) in H. rewrite (Q2R_whole (-1)) in H.
    now replace (- value a) with (-1 * value a) by ring.
  - destruct (to_linear x) as [l|] eqn:L; [|discriminate].
    destruct (to_linear_sound _ _ _ IHa L) as [D ->].
    destruct (exponential l) as [r|] eqn:E; [|discriminate]. injection H as <-.
    symmetry. now apply exponential_sound.
  - destruct (to_ratio x) as [r|] eqn:E; [|discriminate].
    rewrite (to_ratio_sound _ _ _ IHa E).
    destruct (logarithm r) as [l|] eqn:L; [|discriminate]. injection H as <-.
    destruct (logarithm_sound _ _ L) as [_ [D V]]. split; [assumption|now symmetry].
  - destruct (to_ratio x) as [r|] eqn:E; [|discriminate].
    rewrite (to_ratio_sound _ _ _ IHa E).
    destruct (logarithm r) as [l|] eqn:L; [|discriminate].
    destruct (logarithm_sound _ _ L) as [P [D V]].
    destruct (exponential (scale_linear (1 # 2) l)) as [s|] eqn:S; [|discriminate].
    injection H as <-. apply exponential_sound in S; [|assumption].
    cbn [means]. rewrite S, scale_linear_sound, V. rewrite <- Rpower_sqrt by assumption.
    unfold Rpower. f_equal. unfold Q2R. simpl. field.
Qed.

End Normal.
