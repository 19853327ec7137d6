(* Ties: p - e^epsilon q is exactly 0 at an atom, which no enclosure can tell.
   Where epsilon and 1/scale are linear forms in 1 and logarithms of rationals, every term of the
   excess is an integer times a power of e and of the bases; 1/scale may also have one logarithm of
   a quotient of exponential sums, as the closed form for Bernoulli users has. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia Sorting.Mergesort Permutation
  Orders.
From Pfverify Require Import Release Numbers Problems Cancellation Normal.
Import ListNotations.
Open Scope R_scope.
Local Arguments Qred : simpl never.

(* ------------------------------------------------------------ rationals over a common divisor *)

Definition over (N : positive) (a : Q) : option Z :=
  let (d, r) := Z.div_eucl (Zpos N) (Zpos (Qden a)) in
  if (r =? 0)%Z then Some (Qnum a * d)%Z else None.

Lemma over_sound : forall N a n, over N a = Some n -> IZR n = IZR (Zpos N) * Q2R a.
Proof.
  intros N [m d] n H. unfold over in H. cbn [Qnum Qden] in H.
  pose proof (Z_div_mod (Zpos N) (Zpos d) eq_refl) as D.
  destruct (Z.div_eucl (Zpos N) (Zpos d)) as [k r]. destruct D as [D _].
  destruct (Z.eqb_spec r 0) as [Z|]; [|discriminate]. injection H as <-.
  rewrite D, Z, Z.add_0_r, !mult_IZR. unfold Q2R. cbn [Qnum Qden].
  pose proof (positive_IZR d). field. lra.
Qed.

(* A form as integers over N, one for each generator. *)
Fixpoint integers (N : positive) (size : nat) (f : form) : option (list Z) :=
  match size, f with
  | O, [] => Some []
  | O, _ :: _ => None
  | S size, [] => k <- integers N size []; Some (0%Z :: k)
  | S size, a :: f => n <- over N a; k <- integers N size f; Some (n :: k)
  end.

Lemma integers_sound : forall N size f k g, integers N size f = Some k ->
  dot g k / IZR (Zpos N) = along g f.
Proof.
  intros N. pose proof (positive_IZR N) as P.
  induction size as [|size IH]; intros [|a f] k g H; cbn [integers] in H; try discriminate.
  - injection H as <-. destruct g; cbn [dot along]; field; lra.
  - destruct (integers N size []) as [j|] eqn:J; [|discriminate]. injection H as <-.
    destruct g as [|x g]; cbn [dot along]; [field; lra|].
    specialize (IH _ _ g J). replace (along g []) with 0 in IH by (destruct g; reflexivity).
    rewrite Rmult_0_l, Rplus_0_l. assumption.
  - destruct (over N a) as [n|] eqn:A; [|discriminate]. apply over_sound in A.
    destruct (integers N size f) as [j|] eqn:J; [|discriminate]. injection H as <-.
    destruct g as [|x g]; cbn [dot along]; [field; lra|].
    rewrite <- (IH _ _ g J), A. field. lra.
Qed.

(* A sum times D, with integer coefficients. *)
Fixpoint terms (N D : positive) (size : nat) (s : sum) : option (list term) :=
  match s with
  | [] => Some []
  | (f, c) :: s =>
      k <- integers N size f; d <- over D c; t <- terms N D size s; Some ((k, d) :: t)
  end.

Lemma terms_sound : forall bases N D size s t, terms N D size s = Some t ->
  total bases N t = IZR (Zpos D) * sum_value bases s.
Proof.
  intros bases N D size. induction s as [|[f c] s IH]; intros t H; cbn [terms] in H.
  - injection H as <-. cbn [total sum_value]. ring.
  - destruct (integers N size f) as [k|] eqn:K; [|discriminate].
    apply (integers_sound _ _ _ _ (generators bases)) in K.
    destruct (over D c) as [d|] eqn:E; [|discriminate]. apply over_sound in E.
    destruct (terms N D size s) as [u|] eqn:U; [|discriminate]. injection H as <-.
    cbn [total sum_value]. rewrite (IH u), E by reflexivity. unfold power, exponent.
    rewrite K. ring.
Qed.

Definition common (l : list Q) (D : positive) : positive :=
  fold_right (fun a D => Z.to_pos (Z.lcm (Zpos (Qden a)) (Zpos D))) D l.
Definition coefficients (s : sum) (D : positive) : positive := common (map snd s) D.
Definition exponents (s : sum) (N : positive) : positive := fold_right common N (map fst s).

(* ------------------------------------------------------------ what scale and epsilon say *)

(* e^epsilon = above/below; an atom n units away counts as
   power(n rate) * (under/over)^(n step/period). *)
Record setting := Setting {
  divisor : positive;
  rate : list Z;
  above : list term;
  below : list term;
  period : positive;
  step : Z;
  upper : list term;
  under : list term
}.

Definition prepare (bases : list positive) (scale epsilon : number) (unit : positive) :
    option setting :=
  n <- normalise bases scale; m <- invert bases n; l <- to_linear m;
  k <- normalise bases epsilon; e <- to_linear k; E <- exponential bases e;
  let f := scale_form (- (1) # unit) (constant l) in
  let q := Qred (times l * (1 # unit)) in
  let r := if (0 <=? Qnum q)%Z then inside l else (snd (inside l), fst (inside l)) in
  let N := exponents (fst E) (exponents (snd E) (exponents (fst r) (exponents (snd r)
    (common f 1)))) in
  let D := coefficients (fst E) (coefficients (snd E) 1) in
  let C := coefficients (fst r) (coefficients (snd r) 1) in
  let size := S (length bases) in
  rate <- integers N size f;
  above <- terms N D size (fst E); below <- terms N D size (snd E);
  upper <- terms N C size (fst r); under <- terms N C size (snd r);
  Some (Setting N rate above below (Qden q) (Z.abs (Qnum q)) upper under).

(* What n units of distance count. *)
Definition logratio (bases : list positive) (d : setting) : R :=
  ln (total bases (divisor d) (upper d) / total bases (divisor d) (under d)).
Definition decay (bases : list positive) (d : setting) (n : Z) : R :=
  exp (IZR n * (dot (generators bases) (rate d) / IZR (Zpos (divisor d)))) *
  exp (- (IZR (n * step d) / IZR (Zpos (period d)) * logratio bases d)).

Lemma quotient_nonzero : forall a b : R, 0 < a / b -> a <> 0 /\ b <> 0.
Proof.
  intros a b H. split; intros Z; subst; unfold Rdiv in H.
  - rewrite Rmult_0_l in H. lra.
  - rewrite Rinv_0, Rmult_0_r in H. lra.
Qed.

Lemma prepare_sound : forall bases scale epsilon unit d,
  prepare bases scale epsilon unit = Some d ->
  let T := total bases (divisor d) in
  (T (below d) <> 0 /\ exp (value epsilon) = T (above d) / T (below d)) /\
  0 < T (upper d) / T (under d) /\ (0 <= step d)%Z /\
  forall n, exp (- (IZR n / IZR (Zpos unit)) / value scale) = decay bases d n.
Proof.
  intros bases scale epsilon unit d H. unfold prepare in H.
  destruct (normalise bases scale) as [n|] eqn:A; [|discriminate].
  apply normalise_sound in A.
  destruct (invert bases n) as [m|] eqn:B; [|discriminate].
  apply (invert_sound _ _ _ _ A) in B.
  destruct (to_linear m) as [l|] eqn:C; [|discriminate].
  destruct (to_linear_sound _ _ _ _ B C) as [L V]. clear n m A B C.
  destruct (normalise bases epsilon) as [k|] eqn:A; [|discriminate].
  apply normalise_sound in A.
  destruct (to_linear k) as [e|] eqn:B; [|discriminate].
  destruct (to_linear_sound _ _ _ _ A B) as [M W].
  destruct (exponential bases e) as [E|] eqn:F; [|discriminate].
  apply (exponential_sound _ _ _ M) in F. clear k A B.
  cbv zeta in H. set (r := if (0 <=? _)%Z then _ else _) in H.
  set (N := exponents (fst E) _) in H.
  set (D := coefficients (fst E) _) in H. set (U := coefficients (fst r) _) in H.
  set (q := Qred _) in *.
  destruct (integers N _ _) as [v|] eqn:I in H; [|discriminate].
  destruct (terms N D _ (fst E)) as [a|] eqn:A in H; [|discriminate].
  destruct (terms N D _ (snd E)) as [b|] eqn:B in H; [|discriminate].
  destruct (terms N U _ (fst r)) as [o|] eqn:O in H; [|discriminate].
  destruct (terms N U _ (snd r)) as [u|] eqn:P in H; [|discriminate].
  injection H as <-. unfold decay, logratio. cbn [divisor rate above below period step upper under].
  apply (terms_sound bases) in A, B, O, P. apply (integers_sound _ _ _ _ (generators bases)) in I.
  cbv zeta. rewrite I, A, B, O, P, W, <- F. rewrite scale_form_sound.
  pose proof (positive_IZR D) as PD. pose proof (positive_IZR U) as PU.
  assert (Q : Q2R (times l) / IZR (Zpos unit) * ln (ratio_value bases (inside l)) =
      IZR (Z.abs (Qnum q)) / IZR (Zpos (Qden q)) * ln (ratio_value bases r) /\
      0 < ratio_value bases r).
  { assert (S : Q2R (times l) / IZR (Zpos unit) = IZR (Qnum q) / IZR (Zpos (Qden q))).
    { change (IZR (Qnum q) / IZR (Zpos (Qden q))) with (Q2R q). unfold q.
      rewrite Q2R_red, Q2R_mult. unfold Q2R at 3. cbn [Qnum Qden]. unfold Rdiv. ring. }
    unfold defined in L. rewrite S. unfold r. destruct (Z.leb_spec 0 (Qnum q)) as [K|K].
    - rewrite Z.abs_eq by assumption. split; [reflexivity|assumption].
    - rewrite Z.abs_neq, opp_IZR by lia. unfold ratio_value in *. cbn [fst snd].
      set (x := sum_value bases (fst (inside l))) in *.
      set (y := sum_value bases (snd (inside l))) in *.
      replace (y / x) with (/ (x / y)) by (unfold Rdiv; rewrite Rinv_mult, Rinv_inv; ring).
      rewrite ln_Rinv by assumption. split; [unfold Rdiv; ring|now apply Rinv_0_lt_compat]. }
  destruct Q as [Q R0].
  assert (Z0 : sum_value bases (snd E) <> 0).
  { apply (quotient_nonzero (sum_value bases (fst E))). fold (ratio_value bases E). rewrite F.
    apply exp_pos. }
  destruct (quotient_nonzero _ _ R0) as [Z1 Z2].
  assert (X : IZR (Zpos U) * sum_value bases (fst r) / (IZR (Zpos U) * sum_value bases (snd r)) =
    ratio_value bases r) by (unfold ratio_value; field; lra).
  rewrite X. split; [|split; [assumption|split; [apply Z.abs_nonneg|]]].
  - split; [apply Rmult_integral_contrapositive_currified; lra|]. unfold ratio_value. field. lra.
  - intros n. rewrite <- exp_plus. f_equal. rewrite mult_IZR. unfold Rdiv at 1. rewrite V.
    unfold linear_value, exponent.
    replace (Q2R (- (1) # unit)) with (- / IZR (Zpos unit)).
    + pose proof (positive_IZR unit). transitivity
        (IZR n * (- / IZR (Zpos unit) * along (generators bases) (constant l)) -
         IZR n * (Q2R (times l) / IZR (Zpos unit) * ln (ratio_value bases (inside l)))).
      * field. lra.
      * rewrite Q. unfold Rdiv. ring.
    + unfold Q2R. cbn [Qnum Qden]. rewrite opp_IZR. ring.
Qed.

(* ------------------------------------------------------------ sums of integer terms *)

Fixpoint add_exponents (j k : list Z) : list Z :=
  match j, k with
  | [], _ => k
  | _, [] => j
  | m :: j, n :: k => (m + n)%Z :: add_exponents j k
  end.

Definition multiple (n : Z) (k : list Z) : list Z := map (Z.mul n) k.

(* c times the power of k times s; the short factor first, over whose bits a product runs *)
Definition shifted (k : list Z) (c : Z) (s : list term) : list term :=
  map (fun u => (add_exponents k (fst u), snd u * c)%Z) s.

(* ------------------------------------------------------------ products of such sums *)

Fixpoint equal (j k : list Z) : bool :=
  match j, k with
  | [], [] => true
  | m :: j, n :: k => (m =? n)%Z && equal j k
  | _, _ => false
  end.

(* c times the power of k, and s: neighbours with the same exponents become one term *)
Fixpoint gathered (k : list Z) (c : Z) (s : list term) : list term :=
  match s with
  | [] => if (c =? 0)%Z then [] else [(k, c)]
  | (j, b) :: s =>
      if equal j k then gathered k (b + c) s
      else if (c =? 0)%Z then gathered j b s
      else (k, c) :: gathered j b s
  end.

Definition collected (s : list term) : list term :=
  gathered [] 0 (map snd (TermSort.sort (map (fun u => (fst u, u)) s))).

Definition product (s t : list term) : list term :=
  collected (flat_map (fun u => shifted (fst u) (snd u) t) s).

Fixpoint raised (n : nat) (s t : list term) : list term :=
  match n with
  | O => t
  | S n => product s (raised n s t)
  end.

Definition unity (size : nat) : term := (repeat 0%Z size, 1%Z).

Section Terms.
Variable bases : list positive.
Variable N : positive.

Lemma power_add : forall j k, power bases N (add_exponents j k) = power bases N j * power bases N k.
Proof.
  assert (A : forall j k g, dot g (add_exponents j k) = dot g j + dot g k).
  { induction j as [|m j IH]; intros [|n k] [|x g]; cbn [add_exponents dot]; try ring.
    rewrite IH, plus_IZR. ring. }
  intros. unfold power. rewrite A, Rdiv_plus_distr. apply exp_plus.
Qed.

Lemma power_multiple : forall n k,
  power bases N (multiple n k) = exp (IZR n * (dot (generators bases) k / IZR (Zpos N))).
Proof.
  assert (A : forall n k g, dot g (multiple n k) = IZR n * dot g k).
  { intros n. induction k as [|m k IH]; intros [|x g]; cbn [multiple map dot]; try ring.
    fold (multiple n k). rewrite IH, mult_IZR. ring. }
  intros. unfold power. rewrite A. f_equal. unfold Rdiv. ring.
Qed.

Lemma shifted_sound : forall k c s,
  total bases N (shifted k c s) = IZR c * power bases N k * total bases N s.
Proof.
  intros k c. induction s as [|[j d] s IH]; cbn [shifted map fst snd total]; [ring|].
  fold (shifted k c s). rewrite IH, mult_IZR, power_add. ring.
Qed.

Lemma equal_sound : forall j k, equal j k = true -> j = k.
Proof.
  induction j as [|m j IH]; intros [|n k] H; try discriminate; [reflexivity|].
  apply andb_prop in H. destruct H as [M H]. apply Z.eqb_eq in M. now rewrite M, (IH k).
Qed.

Lemma gathered_sound : forall s k c,
  total bases N (gathered k c s) = IZR c * power bases N k + total bases N s.
Proof.
  induction s as [|[j b] s IH]; intros k c; cbn [gathered total].
  - destruct (Z.eqb_spec c 0) as [->|_]; cbn [total]; ring.
  - destruct (equal j k) eqn:E.
    + apply equal_sound in E. rewrite IH, E, plus_IZR. ring.
    + destruct (Z.eqb_spec c 0) as [->|_]; cbn [total]; rewrite IH; ring.
Qed.

Lemma collected_sound : forall s, total bases N (collected s) = total bases N s.
Proof.
  intros. unfold collected. rewrite gathered_sound, Rmult_0_l, Rplus_0_l. apply total_permuted.
  rewrite (Permutation_map snd (Permutation_sym (TermSort.Permuted_sort _))), map_map.
  cbn [snd]. now rewrite map_id.
Qed.

Lemma product_sound : forall s t,
  total bases N (product s t) = total bases N s * total bases N t.
Proof.
  intros s t. unfold product. rewrite collected_sound.
  induction s as [|[k c] s IH]; cbn [flat_map fst snd total]; [ring|].
  rewrite total_app, shifted_sound, IH. ring.
Qed.

Lemma raised_sound : forall n s t,
  total bases N (raised n s t) = total bases N s ^ n * total bases N t.
Proof.
  induction n as [|n IH]; intros; cbn [raised pow]; [ring|]. rewrite product_sound, IH. ring.
Qed.

Lemma unity_sound : forall size, total bases N [unity size] = 1.
Proof.
  assert (A : forall size g, dot g (repeat 0%Z size) = 0).
  { induction size as [|size IH]; intros [|x g]; cbn [repeat dot]; try reflexivity.
    rewrite IH. ring. }
  intros. unfold unity, power. cbn [total]. unfold power. rewrite A.
  unfold Rdiv. rewrite Rmult_0_l, exp_0. ring.
Qed.

(* ------------------------------------------------------------ one row of the tables *)

(* p wq below - q wp above, times the power of n rate *)
Definition row (d : setting) (wp wq : positive) (n : Z) (p q : Z) : list term :=
  let k := multiple n (rate d) in
  (if (p =? 0)%Z then [] else shifted k (Zpos wq * p) (below d)) ++
  (if (q =? 0)%Z then [] else shifted k (- (Zpos wp * q)) (above d)).

Lemma row_sound : forall d wp wq n p q,
  total bases N (row d wp wq n p q) =
  exp (IZR n * (dot (generators bases) (rate d) / IZR (Zpos N))) *
  (IZR p * IZR (Zpos wq) * total bases N (below d) -
   IZR q * IZR (Zpos wp) * total bases N (above d)).
Proof.
  intros. unfold row. cbv zeta. rewrite total_app, <- power_multiple.
  destruct (Z.eqb_spec p 0) as [->|_], (Z.eqb_spec q 0) as [->|_]; cbn [total];
    rewrite ?shifted_sound, ?opp_IZR, ?mult_IZR; ring.
Qed.

End Terms.

(* ------------------------------------------------------------ without a further logarithm *)

Definition rows (d : setting) (wp wq : positive) (l : merged) (x : Z) : list (Z * term) :=
  flat_map (fun u => let n := Z.abs (x - fst u) in
    map (fun t => (n, t)) (row d wp wq n (fst (snd u)) (snd (snd u)))) l.

(* The excess in the terms of a setting. *)
Fixpoint sides (bases : list positive) (d : setting) (wp wq : positive) (l : merged) (x : Z) : R :=
  match l with
  | [] => 0
  | (z, (p, q)) :: l =>
      decay bases d (Z.abs (x - z)) *
      (IZR p * IZR (Zpos wq) * total bases (divisor d) (below d) -
       IZR q * IZR (Zpos wp) * total bases (divisor d) (above d)) + sides bases d wp wq l x
  end.

Lemma rows_sound : forall bases d wp wq l x, step d = 0%Z ->
  total bases (divisor d) (map snd (rows d wp wq l x)) = sides bases d wp wq l x.
Proof.
  intros bases d wp wq l x S. induction l as [|[z [p q]] l IH]; [reflexivity|].
  cbn [rows flat_map fst snd sides]. fold (rows d wp wq l x).
  rewrite map_app, total_app, IH, map_map, map_id, row_sound. f_equal.
  unfold decay. rewrite S, Z.mul_0_r. unfold Rdiv at 3. rewrite !Rmult_0_l, Ropp_0, exp_0. ring.
Qed.

Lemma sides_sound : forall bases scale epsilon unit d wp wq l x, 0 < value scale ->
  prepare bases scale epsilon unit = Some d ->
  sides bases d wp wq l x = total bases (divisor d) (below d) *
    excess (value scale) (exp (value epsilon)) unit wp wq l (atom_of unit x).
Proof.
  intros bases scale epsilon unit d wp wq l x T H.
  destruct (prepare_sound _ _ _ _ _ H) as [[B E] [_ [_ K]]].
  induction l as [|[z [p q]] l IH]; cbn [sides excess]; [ring|].
  rewrite IH, <- K, E. unfold atom_of. pose proof (positive_IZR unit) as U.
  replace (IZR x / IZR (Zpos unit) - IZR z / IZR (Zpos unit)) with
    (IZR (x - z) * / IZR (Zpos unit)) by (rewrite minus_IZR; unfold Rdiv; ring).
  rewrite Rabs_mult, (Rabs_pos_eq (/ _)), <- abs_IZR
    by (left; apply Rinv_0_lt_compat; assumption).
  fold (IZR (Z.abs (x - z)) / IZR (Zpos unit)). field. assumption.
Qed.

(* ------------------------------------------------------------ with one logarithm more *)

(* Whole powers of upper/under, with a remainder over the period, and the terms that have them. *)
Definition powers := (Z * Z * list term)%type.

Module PowersOrder <: TotalLeBool.
  Definition t := powers.
  Definition leb (a b : t) :=
    no_later [fst (fst a); snd (fst a)] [fst (fst b); snd (fst b)].
  Definition leb_total (a b : t) :=
    no_later_total [fst (fst a); snd (fst a)] [fst (fst b); snd (fst b)].
End PowersOrder.
Module PowersSort := Sort PowersOrder.

Section Powers.
Variable bases : list positive.
Variable d : setting.
Notation T := (total bases (divisor d)).

(* (r, w, terms) with n step = w period + r *)
Definition graded (wp wq : positive) (l : merged) (x : Z) : list powers :=
  map (fun u => let n := Z.abs (x - fst u) in
    let (w, r) := Z.div_eucl (n * step d) (Zpos (period d)) in
    (r, w, row d wp wq n (fst (snd u)) (snd (snd u)))) l.

Definition weight (r w : Z) : R :=
  exp (- ((IZR w + IZR r / IZR (Zpos (period d))) * logratio bases d)).

Fixpoint graded_total (l : list powers) : R :=
  match l with
  | [] => 0
  | (r, w, s) :: l => weight r w * T s + graded_total l
  end.

Lemma graded_sound : forall wp wq l x,
  graded_total (graded wp wq l x) = sides bases d wp wq l x.
Proof.
  intros wp wq l x. induction l as [|[z [p q]] l IH]; [reflexivity|].
  cbn [graded map fst snd sides]. fold (graded wp wq l x). cbv zeta.
  pose proof (Z_div_mod (Z.abs (x - z) * step d) (Zpos (period d)) eq_refl) as D.
  destruct (Z.div_eucl _ _) as [w r]. destruct D as [D _].
  cbn [graded_total]. rewrite IH, row_sound. f_equal. unfold decay. rewrite D.
  unfold weight. rewrite plus_IZR, mult_IZR. pose proof (positive_IZR (period d)).
  replace ((IZR (Zpos (period d)) * IZR w + IZR r) / IZR (Zpos (period d))) with
    (IZR w + IZR r / IZR (Zpos (period d))) by (field; lra).
  ring.
Qed.

Lemma graded_permuted : forall l m, Permutation l m -> graded_total l = graded_total m.
Proof.
  intros l m H.
  induction H as [|[[r w] s] l m H IH|[[r w] s] [[r' w'] s'] l|l m n H1 IH1 H2 IH2];
    cbn [graded_total]; lra.
Qed.

Lemma weight_step : forall r w w', (w <= w')%Z -> 0 < T (upper d) / T (under d) ->
  weight r w * T (under d) ^ Z.to_nat (w' - w) = weight r w' * T (upper d) ^ Z.to_nat (w' - w).
Proof.
  intros r w w' H P. destruct (quotient_nonzero _ _ P) as [_ U].
  unfold weight. set (L := logratio bases d).
  replace (- ((IZR w + IZR r / IZR (Zpos (period d))) * L)) with
    (- ((IZR w' + IZR r / IZR (Zpos (period d))) * L) + INR (Z.to_nat (w' - w)) * L).
  - rewrite exp_plus. unfold L at 2, logratio. rewrite exp_times_ln by assumption.
    unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. field. now apply pow_nonzero.
  - rewrite INR_IZR_INZ, Z2Nat.id, minus_IZR by lia. ring.
Qed.

(* Longer products are not written out: the test then just fails. *)
Definition most : Z := 4096.

Fixpoint horner (r w : Z) (acc X : list term) (l : list powers) : bool :=
  match l with
  | [] => vanishes bases (divisor d) (map (fun t => (0%Z, t)) acc)
  | (r', w', s) :: l =>
      if (r =? r')%Z then
        if (w <=? w')%Z && (w' * Z.of_nat (length (upper d) + length (under d)) <=? most)%Z then
          let gap := Z.to_nat (w' - w) in
          let X' := raised gap (under d) X in
          horner r w' (collected (product s X' ++ raised gap (upper d) acc)) X' l
        else false
      else if vanishes bases (divisor d) (map (fun t => (0%Z, t)) acc) then
        horner r' w' s [unity (length (rate d))] l
      else false
  end.

Lemma zero_sound : forall acc,
  vanishes bases (divisor d) (map (fun t => (0%Z, t)) acc) = true -> T acc = 0.
Proof.
  intros acc H. apply vanishes_sound in H. rewrite map_map, map_id in H. assumption.
Qed.

(* acc stands for acc/X times the weight of (r, w) *)
Lemma horner_sound : 0 < T (upper d) / T (under d) -> forall l r w acc X, T X <> 0 ->
  horner r w acc X l = true -> weight r w * (T acc / T X) + graded_total l = 0.
Proof.
  intros P. destruct (quotient_nonzero _ _ P) as [_ U].
  induction l as [|[[r' w'] s] l IH]; intros r w acc X HX H; cbn [horner graded_total] in *.
  - apply zero_sound in H. rewrite H. unfold Rdiv. ring.
  - destruct (Z.eqb_spec r r') as [<-|_].
    + destruct (Z.leb_spec w w') as [L|]; [|discriminate]. cbn [andb] in H.
      destruct (_ <=? most)%Z; [|discriminate]. cbv zeta in H.
      pose proof (weight_step r w w' L P) as W. set (g := Z.to_nat (w' - w)) in *.
      assert (G : T (under d) ^ g <> 0) by now apply pow_nonzero.
      apply IH in H.
      * rewrite collected_sound, total_app, product_sound, !raised_sound in H.
        rewrite <- H. replace (weight r w) with (weight r w' * T (upper d) ^ g / T (under d) ^ g)
          by (rewrite <- W; field; assumption). field. split; assumption.
      * rewrite raised_sound. apply Rmult_integral_contrapositive_currified; assumption.
    + destruct (vanishes _ _ _) eqn:V in H; [|discriminate]. apply zero_sound in V.
      apply IH in H; rewrite unity_sound in *; [|lra].
      unfold Rdiv in *. rewrite V, Rmult_0_l, Rmult_0_r, Rplus_0_l.
      rewrite Rinv_1, Rmult_1_r in H. exact H.
Qed.

Definition graded_tie (wp wq : positive) (l : merged) (x : Z) : bool :=
  horner 0 0 [] [unity (length (rate d))] (PowersSort.sort (graded wp wq l x)).

Lemma graded_tie_sound : forall wp wq l x, 0 < T (upper d) / T (under d) ->
  graded_tie wp wq l x = true -> sides bases d wp wq l x = 0.
Proof.
  intros wp wq l x P H. apply horner_sound in H; [|assumption|rewrite unity_sound; lra].
  rewrite <- graded_sound, (graded_permuted _ _ (PowersSort.Permuted_sort _)), <- H.
  cbn [total]. unfold Rdiv. ring.
Qed.

End Powers.

(* ------------------------------------------------------------ the test *)

(* The weights of two laws of one whole need not be multiplied by it. *)
Definition tie (bases : list positive) (scale epsilon : number) (unit wp wq : positive)
    (l : merged) : Z -> bool :=
  let d := prepare bases scale epsilon unit in
  let (vp, vq) := if (wp =? wq)%positive then (1, 1)%positive else (wp, wq) in
  fun x =>
    match d with
    | Some d =>
        if (step d =? 0)%Z then vanishes bases (divisor d) (rows d vp vq l x)
        else graded_tie bases d vp vq l x
    | None => false
    end.

Lemma excess_alike : forall theta E unit w l y,
  excess theta E unit w w l y = IZR (Zpos w) * excess theta E unit 1 1 l y.
Proof.
  intros. induction l as [|[x [p q]] l IH]; cbn [excess]; [ring|]. rewrite IH. ring.
Qed.

(* Fact F3, the direction that a certificate needs: what the test calls a tie is one.
   Not proved: that it misses none.  Where epsilon and 1/scale are linear forms in 1 and logarithms
   of rationals, the bases are coprime and no perfect powers, and no whole power is longer than
   [longest], that is the theorem of Lindemann and Weierstrass with Besicovitch's: distinct classes
   are linearly independent.  With the logarithm of a quotient no such claim is made. *)
Theorem tie_sound : forall bases scale epsilon unit wp wq l x, 0 < value scale ->
  tie bases scale epsilon unit wp wq l x = true ->
  excess (value scale) (exp (value epsilon)) unit wp wq l (atom_of unit x) = 0.
Proof.
  intros bases scale epsilon unit wp wq l x T H. unfold tie in H. cbv zeta in H.
  assert (G : forall vp vq, match prepare bases scale epsilon unit with
    | Some d =>
        if (step d =? 0)%Z then vanishes bases (divisor d) (rows d vp vq l x)
        else graded_tie bases d vp vq l x
    | None => false
    end = true -> excess (value scale) (exp (value epsilon)) unit vp vq l (atom_of unit x) = 0).
  { clear H. intros vp vq H.
    destruct (prepare bases scale epsilon unit) as [d|] eqn:P; [|discriminate].
    destruct (prepare_sound _ _ _ _ _ P) as [[B _] [R _]].
    assert (S : sides bases d vp vq l x = 0).
    { destruct (Z.eqb_spec (step d) 0) as [S|_]; [|now apply graded_tie_sound].
      rewrite <- rows_sound by assumption. now apply vanishes_sound. }
    rewrite (sides_sound _ _ _ _ _ _ _ _ _ T P) in S.
    apply Rmult_integral in S. destruct S as [S|S]; [contradiction|assumption]. }
  destruct (Pos.eqb_spec wp wq) as [->|_]; apply G in H; [|assumption].
  rewrite excess_alike, H. ring.
Qed.
