(* Intervals that hold the value of a number expression, or nothing where the expression is not
   shown to be defined; any implementation of coq-interval's operations. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Interval Require Import Real.Xreal Float.Basic Float.Sig Interval.Interval Interval.Interval_compl.
From Pfverify Require Import Numbers.
Open Scope R_scope.

Module Enclosures (I : IntervalOps).

Definition has (i : I.type) (x : R) : Prop := contains (I.convert i) (Xreal x).

Definition surely_nonpositive (i : I.type) : bool :=
  match I.sign_large i with Xlt | Xeq => true | _ => false end.
Definition surely_nonnegative (i : I.type) : bool :=
  match I.sign_large i with Xgt | Xeq => true | _ => false end.
Definition surely_positive (i : I.type) : bool :=
  match I.sign_strict i with Xgt => true | _ => false end.
Definition surely_negative (i : I.type) : bool :=
  match I.sign_strict i with Xlt => true | _ => false end.

Lemma surely_nonpositive_sound : forall i x, surely_nonpositive i = true -> has i x -> x <= 0.
Proof.
  intros i x H Hi. unfold surely_nonpositive in H. pose proof (I.sign_large_correct i) as S.
  destruct (I.sign_large i); try discriminate; specialize (S _ Hi).
  - injection S as ->. lra.
  - exact (proj2 S).
Qed.

Lemma surely_nonnegative_sound : forall i x, surely_nonnegative i = true -> has i x -> 0 <= x.
Proof.
  intros i x H Hi. unfold surely_nonnegative in H. pose proof (I.sign_large_correct i) as S.
  destruct (I.sign_large i); try discriminate; specialize (S _ Hi).
  - injection S as ->. lra.
  - exact (proj2 S).
Qed.

Lemma surely_positive_sound : forall i x, surely_positive i = true -> has i x -> 0 < x.
Proof.
  intros i x H Hi. unfold surely_positive in H. pose proof (I.sign_strict_correct i) as S.
  destruct (I.sign_strict i); try discriminate. exact (proj2 (S _ Hi)).
Qed.

Lemma surely_negative_sound : forall i x, surely_negative i = true -> has i x -> x < 0.
Proof.
  intros i x H Hi. unfold surely_negative in H. pose proof (I.sign_strict_correct i) as S.
  destruct (I.sign_strict i); try discriminate. exact (proj2 (S _ Hi)).
Qed.

(* Longer integers are cut to so many bits first: the library's conversion is cubic in the bits. *)
Definition width : positive := 256.

Section Precision.
Variable prec : I.precision.
(* Outside [-limit, limit] an exponential is only bounded: e^(-10^9) + 1 has a billion bits. *)
Variable limit : positive.

Lemma add_sound : forall a b x y, has a x -> has b y -> has (I.add prec a b) (x + y).
Proof. intros a b x y H K. exact (I.add_correct prec _ _ _ _ H K). Qed.

Lemma sub_sound : forall a b x y, has a x -> has b y -> has (I.sub prec a b) (x - y).
Proof. intros a b x y H K. exact (I.sub_correct prec _ _ _ _ H K). Qed.

(* Beside a, what is smaller than this times a counts as so much: a rounding error, squared. *)
Definition tiny : I.type :=
  let third := I.div prec (I.fromZ prec 1) (I.fromZ prec 3) in
  let error := I.sub prec third third in I.mul prec error error.

(* a + b, where the one may be of another order of magnitude than the other: the sum is exact before
   it is rounded, and e^(-10^4) + 1 has 14,000 bits. *)
Definition plus (a b : I.type) : I.type :=
  let beside_a := I.mul prec tiny a in
  if I.bounded beside_a then
    if I.subset b beside_a then I.add prec a beside_a
    else
      let beside_b := I.mul prec tiny b in
      if I.bounded beside_b then
        if I.subset a beside_b then I.add prec beside_b b else I.add prec a b
      else I.add prec a b
  else I.add prec a b.

Definition minus (a b : I.type) : I.type := plus a (I.neg b).

Lemma plus_sound : forall a b x y, has a x -> has b y -> has (plus a b) (x + y).
Proof.
  intros a b x y H K. pose proof (add_sound a b x y H K) as S. unfold plus.
  destruct (I.bounded _); [|exact S]. destruct (I.subset b _) eqn:B.
  - apply add_sound; [exact H | exact (I.subset_correct _ _ _ K B)].
  - destruct (I.bounded _); [|exact S]. destruct (I.subset a _) eqn:A; [|exact S].
    apply add_sound; [exact (I.subset_correct _ _ _ H A) | exact K].
Qed.

Lemma minus_sound : forall a b x y, has a x -> has b y -> has (minus a b) (x - y).
Proof. intros a b x y H K. apply plus_sound; [exact H | exact (I.neg_correct _ _ K)]. Qed.

Lemma mul_sound : forall a b x y, has a x -> has b y -> has (I.mul prec a b) (x * y).
Proof. intros a b x y H K. exact (I.mul_correct prec _ _ _ _ H K). Qed.

Lemma neg_sound : forall a x, has a x -> has (I.neg a) (- x).
Proof. intros a x H. exact (I.neg_correct _ _ H). Qed.

Lemma div_sound : forall a b x y, y <> 0 -> has a x -> has b y -> has (I.div prec a b) (x / y).
Proof.
  intros a b x y Hy H K. pose proof (I.div_correct prec _ _ _ _ H K) as D.
  unfold Xdiv' in D. simpl in D. unfold Xdiv' in D. now rewrite is_zero_false in D.
Qed.

Lemma ln_sound : forall a x, 0 < x -> has a x -> has (I.ln prec a) (ln x).
Proof.
  intros a x Hx H. pose proof (I.ln_correct prec _ _ H) as D.
  simpl in D. unfold Xln' in D. now rewrite is_positive_true in D.
Qed.

Lemma sqrt_sound : forall a x, has a x -> has (I.sqrt prec a) (sqrt x).
Proof. intros a x H. exact (I.sqrt_correct prec _ _ H). Qed.

Definition integer (n : Z) : I.type :=
  match (Z.log2 (Z.abs n) - Zpos width)%Z with
  | Zpos k =>
      let m := Z.shiftr n (Zpos k) in
      I.mul prec (I.join (I.fromZ prec m) (I.fromZ prec (m + 1)))
                 (I.power_int prec (I.fromZ prec 2) (Zpos k))
  | _ => I.fromZ prec n
  end.

Lemma integer_sound : forall n, has (integer n) (IZR n).
Proof.
  intros n. unfold integer. destruct (Z.log2 (Z.abs n) - Zpos width)%Z as [|k|k]; try apply I.fromZ_correct.
  set (m := Z.shiftr n (Zpos k)). set (power := IZR (2 ^ Zpos k)).
  assert (Hp : 0 < power) by (apply IZR_lt; lia).
  replace (IZR n) with (IZR n / power * power) by (field; lra).
  apply mul_sound.
  - pose proof (Z.div_mod n (2 ^ Zpos k)) as D. pose proof (Z.mod_pos_bound n (2 ^ Zpos k)) as B.
    assert (M : (m * 2 ^ Zpos k <= n <= (m + 1) * 2 ^ Zpos k)%Z).
    { unfold m. rewrite Z.shiftr_div_pow2 by lia. lia. }
    destruct M as [M1 M2]. apply IZR_le in M1, M2. rewrite mult_IZR in M1, M2. fold power in M1, M2.
    apply (contains_connected (I.convert (I.join (I.fromZ prec m) (I.fromZ prec (m + 1))))) with (IZR m) (IZR (m + 1)).
    + apply I.join_correct. left. apply I.fromZ_correct.
    + apply I.join_correct. right. apply I.fromZ_correct.
    + split; apply Rmult_le_reg_r with power; try assumption;
        replace (IZR n / power * power) with (IZR n) by (field; lra); assumption.
  - pose proof (I.power_int_correct prec (Zpos k) _ _ (I.fromZ_correct prec 2)) as P.
    replace power with (2 ^ Pos.to_nat k); [exact P|].
    unfold power. now rewrite <- (positive_nat_Z k), <- pow_IZR.
Qed.

Definition at_least_zero : I.type := I.upper_extent (integer 0).

Definition bounded_exp (i : I.type) : I.type :=
  if surely_negative (plus i (integer (Zpos limit)))
  then I.join (integer 0) (I.exp prec (integer (Zneg limit)))
  else if surely_positive (minus i (integer (Zpos limit)))
  then I.upper_extent (I.exp prec (integer (Zpos (Pos.min limit 400))))
  else if surely_nonnegative (plus i (integer (Zpos limit)))
  then if surely_nonpositive (minus i (integer (Zpos limit))) then I.exp prec i else at_least_zero
  else at_least_zero.

Lemma exp_sound : forall i x, has i x -> has (I.exp prec i) (exp x).
Proof. intros i x H. exact (I.exp_correct prec _ _ H). Qed.

Lemma at_least_zero_sound : forall x, 0 <= x -> has at_least_zero x.
Proof. intros x H. apply (I.upper_extent_correct _ x 0); [apply integer_sound | assumption]. Qed.

Lemma exp_le : forall x y, x <= y -> exp x <= exp y.
Proof. intros x y [H | ->]; [left; now apply exp_increasing | right; reflexivity]. Qed.

Lemma bounded_exp_sound : forall i x, has i x -> has (bounded_exp i) (exp x).
Proof.
  intros i x H. unfold bounded_exp. set (n := IZR (Zpos limit)).
  pose proof (integer_sound (Zpos limit)) as Hl. fold n in Hl.
  destruct (surely_negative _) eqn:E1.
  - pose proof (surely_negative_sound _ _ E1 (plus_sound _ _ _ _ H Hl)) as L.
    apply (contains_connected (I.convert (I.join (integer 0) (I.exp prec (integer (Zneg limit)))))) with 0 (exp (- n)).
    + apply I.join_correct. left. apply integer_sound.
    + apply I.join_correct. right. unfold n. rewrite <- opp_IZR. exact (exp_sound _ _ (integer_sound (Zneg limit))).
    + split; [left; apply exp_pos|]. apply exp_le. lra.
  - destruct (surely_positive _) eqn:E2.
    + pose proof (surely_positive_sound _ _ E2 (minus_sound _ _ _ _ H Hl)) as L.
      assert (M : IZR (Zpos (Pos.min limit 400)) <= n) by (apply IZR_le; lia).
      apply (I.upper_extent_correct _ _ (exp (IZR (Zpos (Pos.min limit 400))))).
      * apply exp_sound, integer_sound.
      * apply exp_le. lra.
    + assert (Z0 : has at_least_zero (exp x)) by (apply at_least_zero_sound; left; apply exp_pos).
      destruct (surely_nonnegative _); [|assumption]. destruct (surely_nonpositive _); [now apply exp_sound | assumption].
Qed.

(* ------------------------------------------------------------ expressions *)

(* The interval of an expression of which every step is shown to be defined. *)
Fixpoint enclose (a : number) : option I.type :=
  let binary f a b :=
    match enclose a, enclose b with Some i, Some j => f i j | _, _ => None end in
  match a with
  | Whole n => Some (integer n)
  | Plus a b => binary (fun i j => Some (plus i j)) a b
  | Minus a b => binary (fun i j => Some (minus i j)) a b
  | Times a b => binary (fun i j => Some (I.mul prec i j)) a b
  | Over a b => binary (fun i j =>
      if surely_positive j then Some (I.div prec i j)
      else if surely_negative j then Some (I.div prec i j) else None) a b
  | Opposite a => match enclose a with Some i => Some (I.neg i) | None => None end
  | Exp a => match enclose a with Some i => Some (bounded_exp i) | None => None end
  | Log a =>
      match enclose a with Some i => if surely_positive i then Some (I.ln prec i) else None | None => None end
  | Sqrt a =>
      match enclose a with Some i => if surely_nonnegative i then Some (I.sqrt prec i) else None | None => None end
  end.

Theorem enclose_sound : forall a i, enclose a = Some i -> defined a /\ has i (value a).
Proof.
  induction a as [n|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|a IHa|a IHa];
    intros i; simpl;
    try (destruct (enclose a) as [ia|]; [|discriminate]; destruct (IHa _ eq_refl) as [Da Ha]);
    try (destruct (enclose b) as [ib|]; [|discriminate]; destruct (IHb _ eq_refl) as [Db Hb]).
  - intros [= <-]. split; [exact Logic.I | apply integer_sound].
  - intros [= <-]. split; [tauto | now apply plus_sound].
  - intros [= <-]. split; [tauto | now apply minus_sound].
  - intros [= <-]. split; [tauto | now apply mul_sound].
  - destruct (surely_positive ib) eqn:E1.
    + pose proof (surely_positive_sound _ _ E1 Hb). intros [= <-].
      assert (value b <> 0) by lra. split; [tauto | now apply div_sound].
    + destruct (surely_negative ib) eqn:E2; [|discriminate].
      pose proof (surely_negative_sound _ _ E2 Hb). intros [= <-].
      assert (value b <> 0) by lra. split; [tauto | now apply div_sound].
  - intros [= <-]. split; [tauto | now apply neg_sound].
  - intros [= <-]. split; [tauto | now apply bounded_exp_sound].
  - destruct (surely_positive ia) eqn:E; [|discriminate]. pose proof (surely_positive_sound _ _ E Ha).
    intros [= <-]. split; [tauto | now apply ln_sound].
  - destruct (surely_nonnegative ia) eqn:E; [|discriminate]. pose proof (surely_nonnegative_sound _ _ E Ha).
    intros [= <-]. split; [tauto | now apply sqrt_sound].
Qed.
End Precision.
End Enclosures.
