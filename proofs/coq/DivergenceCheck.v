(* The checker for a delta: the closed form of the hockey-stick divergence (F4) in intervals, by the
   two recurrences.  Ties are decided for two point masses alone: delta = 1 - exp(r), r rational. *)
From Coq Require Import Reals ZArith QArith Qreals List Bool Lra Lia FMapPositive.
From Coquelicot Require Coquelicot.
From Interval Require Import Float.Sig Interval.Interval.
From Pfverify Require Import Release Numbers Problems FiniteCheck Merge Enclosures Checker.
From Pfverify Require Import PointwiseCheck Check Approximate.
From Pfverify Require Integrals Divergence Recurrence PointMasses.
Import ListNotations.
Open Scope R_scope.

Module DivergenceChecker (I : IntervalOps).
Module Import W := PointwiseChecker I.
Import W.C W.C.E.

Section Evaluation.
Variable prec : I.F.precision.
Variable limit : positive.
Variables theta E delta : R.
Hypothesis theta_positive : 0 < theta.
Variables thetaI EI deltaI : I.type.
Hypothesis theta_inside : has thetaI theta.
Hypothesis E_inside : has EI E.
Hypothesis delta_inside : has deltaI delta.

(* ------------------------------------------------------------ by the sign of a number *)

Definition branch (i yes no : I.type) : I.type :=
  if surely_nonnegative i then yes else if surely_negative i then no else I.join yes no.

Lemma branch_sound : forall i yes no x a b, has i x -> has yes a -> has no b ->
  has (branch i yes no) (if Rle_dec 0 x then a else b).
Proof.
  intros i yes no x a b Hi Ha Hb. unfold branch.
  destruct (surely_nonnegative i) eqn:P.
  - pose proof (surely_nonnegative_sound _ _ P Hi). destruct (Rle_dec 0 x); [exact Ha | lra].
  - destruct (surely_negative i) eqn:M.
    + pose proof (surely_negative_sound _ _ M Hi). destruct (Rle_dec 0 x); [lra | exact Hb].
    + apply I.join_correct. destruct (Rle_dec 0 x); [left; exact Ha | right; exact Hb].
Qed.

Definition zero : I.type := integer prec 0.

Definition positive_part (i : I.type) : I.type := branch i i zero.

Lemma positive_part_sound : forall i x, has i x -> has (positive_part i) (Rmax 0 x).
Proof.
  intros i x H. unfold Rmax. apply branch_sound; [exact H | exact H | apply integer_sound].
Qed.

(* ------------------------------------------------------------ one gap *)

Definition local_area (right left r : I.type) : I.type :=
  let near := I.mul prec right r in
  let far := I.mul prec left r in
  let root := I.mul prec (integer prec 2) (I.sqrt prec (I.neg (I.mul prec near left))) in
  let at_right := I.add prec right far in
  branch (I.add prec near left)
    (branch at_right
      (I.mul prec (I.add prec right left) (I.sub prec (integer prec 1) r))
      (I.sub prec (I.sub prec left near) root))
    (branch at_right (I.sub prec (I.sub prec right far) root) zero).

Lemma local_area_sound : forall right left r G L x, has right G -> has left L -> has r x ->
  has (local_area right left r) (Recurrence.local G L x).
Proof.
  intros right left r G L x HG HL Hr. unfold local_area, Recurrence.local.
  pose proof (mul_sound prec _ _ _ _ HG Hr) as Hn. pose proof (mul_sound prec _ _ _ _ HL Hr) as Hf.
  pose proof (mul_sound prec _ _ _ _ (integer_sound prec 2)
    (sqrt_sound prec _ _ (neg_sound _ _ (mul_sound prec _ _ _ _ Hn HL)))) as Hs.
  apply branch_sound; [now apply add_sound | |]; (apply branch_sound; [now apply add_sound | |]).
  - apply mul_sound; [now apply add_sound | apply sub_sound; [apply integer_sound | exact Hr]].
  - apply sub_sound; [now apply sub_sound | exact Hs].
  - apply sub_sound; [now apply sub_sound | exact Hs].
  - apply integer_sound.
Qed.

(* ------------------------------------------------------------ the walk over a merged list *)

Section Walk.
Variables u a b : positive.
Variable over : I.type.                   (* 1/(theta u) *)
Variable t : C.gaps.
Hypothesis over_rate : over = rate prec thetaI u.
Hypothesis t_sound : sound_gaps theta u t.

Fixpoint walk (before : I.type) (l : merged) : I.type * I.type :=
  match l with
  | [] => (zero, zero)
  | (x, w) :: rest =>
      let m := coefficientI prec EI a b w in
      let left := I.add prec before m in
      match rest with
      | [] => (m, positive_part left)
      | (z, _) :: _ =>
          let r := look prec limit over t (z - x) in
          let found := walk (I.mul prec left r) rest in
          (I.add prec m (I.mul prec (fst found) r),
           I.add prec (local_area (fst found) left r) (snd found))
      end
  end.

Lemma decay_atoms : forall x z, (x < z)%Z ->
  has (look prec limit over t (z - x))
    (exp (- (atom_of u z - atom_of u x) / theta)).
Proof.
  intros x z L. pose proof (atom_of_lt u x z L).
  replace (exp (- (atom_of u z - atom_of u x) / theta)) with (decay_over theta u (z - x)).
  - rewrite over_rate. now apply look_sound.
  - rewrite gap_decay_eq by (assumption || lia). unfold decay. now rewrite Rabs_pos_eq by lra.
Qed.

Lemma walk_sound : forall l x w before s, increasing_from x l = true -> has before s ->
  let found := Recurrence.walk theta s (signed E u a b ((x, w) :: l)) in
  has (fst (walk before ((x, w) :: l))) (fst found) /\
  has (snd (walk before ((x, w) :: l))) (snd found).
Proof.
  induction l as [|[z v] l IH]; intros x w before s Hi Hs.
  - simpl. pose proof (coefficientI_sound prec E EI E_inside a b w) as Hm.
    split; [exact Hm | apply positive_part_sound; now apply add_sound].
  - cbn [increasing_from] in Hi. destruct (Z.ltb_spec x z) as [L|]; [|discriminate].
    pose proof (coefficientI_sound prec E EI E_inside a b w) as Hm.
    pose proof (decay_atoms x z L) as Hr.
    pose proof (add_sound prec _ _ _ _ Hs Hm) as Hl.
    specialize (IH z v _ _ Hi (mul_sound prec _ _ _ _ Hl Hr)). cbv zeta in IH.
    destruct IH as [IH1 IH2].
    set (m := coefficientI prec EI a b w) in *.
    set (r := look prec limit over t (z - x)) in *.
    set (found := walk (I.mul prec (I.add prec before m) r) ((z, v) :: l)) in *.
    change (walk before ((x, w) :: (z, v) :: l)) with
      (I.add prec m (I.mul prec (fst found) r),
       I.add prec (local_area (fst found) (I.add prec before m) r) (snd found)).
    set (c := coefficient E a b w) in *.
    set (e := exp (- (atom_of u z - atom_of u x) / theta)) in *.
    set (real := Recurrence.walk theta ((s + c) * e) (signed E u a b ((z, v) :: l))) in *.
    change (Recurrence.walk theta s (signed E u a b ((x, w) :: (z, v) :: l))) with
      (c + fst real * e, Recurrence.local (fst real) (s + c) e + snd real).
    cbn [fst snd]. split.
    + apply add_sound; [exact Hm | now apply mul_sound].
    + apply add_sound; [now apply local_area_sound | exact IH2].
Qed.
End Walk.

(* The atoms of the signed list increase as the integers do. *)
Lemma signed_increasing : forall u a b l x, increasing_from x l = true ->
  Divergence.increasing (atom_of u x) (atoms (signed E u a b l)).
Proof.
  intros u a b. induction l as [|[z v] l IH]; intros x; simpl; [easy|].
  destruct (Z.ltb_spec x z) as [L|]; [|discriminate]. intros H.
  split; [now apply atom_of_lt | now apply IH].
Qed.

(* ------------------------------------------------------------ one order of a pair *)

(* 2 f D, with the factor f of the totals. *)
Definition area_of (P Q : table) : I.type :=
  let '(a, b, f) := totals P Q in
  let over := rate prec thetaI (unit P) in
  let t := add_all_gaps prec limit over (PositiveMap.empty I.type) (merged_of P Q) in
  let found := walk a b over t zero (merged_of P Q) in
  I.add prec (positive_part (fst found)) (snd found).
Definition factor_of (P Q : table) : positive := snd (totals P Q).

Lemma area_of_sound : forall P Q, ready_pair P Q = true ->
  probability (law P) /\ probability (law Q) /\
  has (area_of P Q) (2 * IZR (Zpos (factor_of P Q)) *
    Divergence.divergence E (release theta (law P)) (release theta (law Q))).
Proof.
  intros P Q H. unfold ready_pair in H. rewrite !andb_true_iff in H.
  destruct H as [[[U LP] LQ] Hi]. apply Pos.eqb_eq in U.
  split; [now apply is_law_sound|]. split; [now apply is_law_sound|].
  unfold area_of, factor_of. destruct (totals P Q) as [[a b] f] eqn:T. cbn [snd].
  pose proof (fun y => totals_excess theta E P Q a b f y theta_positive U T) as X.
  set (over := rate prec thetaI (unit P)).
  set (t := add_all_gaps prec limit over (PositiveMap.empty I.type) (merged_of P Q)).
  assert (Ht : sound_gaps theta (unit P) t).
  { apply add_all_gaps_sound; [assumption | assumption | apply no_gaps_sound]. }
  clearbody t. destruct (merged_of P Q) as [|[x w] l]; [discriminate|]. simpl in Hi.
  destruct (walk_sound (unit P) a b over t eq_refl Ht l x w zero 0 Hi (integer_sound prec 0))
    as [H1 H2].
  pose proof (Recurrence.walk_whole theta (atom_of (unit P) x) (coefficient E a b w)
    (signed E (unit P) a b l) theta_positive (signed_increasing _ _ _ _ _ Hi)) as D.
  change ((atom_of (unit P) x, coefficient E a b w) :: signed E (unit P) a b l)
    with (signed E (unit P) a b ((x, w) :: l)) in D. cbv zeta in D.
  set (found := Recurrence.walk theta 0 (signed E (unit P) a b ((x, w) :: l))) in *.
  set (k := 2 * theta * IZR (Zpos f)).
  assert (Hk : 0 < k) by (pose proof (IZR_pos f); unfold k; apply Rmult_lt_0_compat; lra).
  apply (Integrals.integrates_scaled (/ k)) in D.
  set (D1 := Divergence.divergence E (release theta (law P)) (release theta (law Q))).
  replace (2 * IZR (Zpos f) * D1) with (Rmax 0 (fst found) + snd found).
  - apply add_sound; [now apply positive_part_sound | exact H2].
  - replace D1 with (/ k * (theta * (Rmax 0 (fst found) + snd found))).
    + unfold k. pose proof (IZR_pos f). field. split; lra.
    + symmetry. apply Integrals.integral_of. revert D. apply Integrals.integrates_ext. intros y.
      rewrite <- excess_signal, X. fold k.
      rewrite <- RmaxRmult by (left; apply Rinv_0_lt_compat, Hk).
      f_equal; field; lra.
Qed.

Definition order_holds (P Q : table) : bool :=
  ready_pair P Q &&
  surely_nonpositive (I.sub prec (area_of P Q)
    (I.mul prec (integer prec (2 * Zpos (factor_of P Q))) deltaI)).

Definition order_fails (P Q : table) : bool :=
  ready_pair P Q &&
  surely_positive (I.sub prec (area_of P Q)
    (I.mul prec (integer prec (2 * Zpos (factor_of P Q))) deltaI)).

Lemma order_difference : forall P Q, ready_pair P Q = true ->
  has (I.sub prec (area_of P Q) (I.mul prec (integer prec (2 * Zpos (factor_of P Q))) deltaI))
    (2 * IZR (Zpos (factor_of P Q)) *
      (Divergence.divergence E (release theta (law P)) (release theta (law Q)) - delta)).
Proof.
  intros P Q H. destruct (area_of_sound P Q H) as (_ & _ & HA). rewrite Rmult_minus_distr_l.
  apply sub_sound; [exact HA|].
  rewrite <- (mult_IZR 2). apply mul_sound; [apply integer_sound | exact delta_inside].
Qed.

Lemma order_holds_sound : forall P Q, order_holds P Q = true ->
  probability (law P) /\ probability (law Q) /\
  Divergence.divergence E (release theta (law P)) (release theta (law Q)) <= delta.
Proof.
  intros P Q H. apply andb_true_iff in H. destruct H as [H S].
  destruct (area_of_sound P Q H) as (LP & LQ & _). split; [exact LP|]. split; [exact LQ|].
  pose proof (surely_nonpositive_sound _ _ S (order_difference P Q H)).
  pose proof (IZR_pos (factor_of P Q)). nra.
Qed.

Lemma order_fails_sound : forall P Q, order_fails P Q = true ->
  probability (law P) /\ probability (law Q) /\
  delta < Divergence.divergence E (release theta (law P)) (release theta (law Q)).
Proof.
  intros P Q H. apply andb_true_iff in H. destruct H as [H S].
  destruct (area_of_sound P Q H) as (LP & LQ & _). split; [exact LP|]. split; [exact LQ|].
  pose proof (surely_positive_sound _ _ S (order_difference P Q H)).
  pose proof (IZR_pos (factor_of P Q)). nra.
Qed.
End Evaluation.

(* ------------------------------------------------------------ a problem *)

(* The next precision is only tried where the last one decided nothing. *)
Fixpoint at_some_level (f : positive * positive -> bool) (more : list (positive * positive)) :
    bool :=
  match more with [] => false | level :: rest => if f level then true else at_some_level f rest end.

Lemma at_some_level_sound : forall f more, at_some_level f more = true ->
  exists level, f level = true.
Proof.
  intros f more. induction more as [|level more IH]; simpl; [discriminate|].
  destruct (f level) eqn:F; [intros _; now exists level | exact IH].
Qed.

Definition certify_delta (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  at_some_level (W.attempt precision (fun prec limit thetaI EI deltaI =>
    match pairs d with
    | [] => false
    | _ => forallb (fun pair =>
        order_holds prec limit thetaI EI deltaI (fst pair) (snd pair) &&
        order_holds prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)
    end) delta d) (levels bits).

Definition refute_delta (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  at_some_level (W.attempt precision (fun prec limit thetaI EI deltaI =>
    existsb (fun pair =>
      order_fails prec limit thetaI EI deltaI (fst pair) (snd pair) ||
      order_fails prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)) delta d)
    (levels bits).

Lemma certify_delta_sound : forall precision bits delta d,
  certify_delta precision bits delta d = true -> certifies_delta delta d.
Proof.
  intros precision bits delta d H. apply at_some_level_sound in H.
  destruct H as (level & H). apply W.attempt_sound in H.
  destruct H as ((Ds & De & Dd) & Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  repeat (split; [assumption|]). intros P Q HPQ.
  destruct (pairs d) as [|pair rest] eqn:E; [discriminate|]. rewrite <- E in *.
  rewrite forallb_forall in H.
  specialize (H (P, Q) HPQ). simpl in H. apply andb_true_iff in H. destruct H as [H K].
  destruct (order_holds_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ H) as (LP & LQ & F).
  destruct (order_holds_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ K) as (_ & _ & G).
  cbv zeta. tauto.
Qed.

Lemma refute_delta_sound : forall precision bits delta d,
  refute_delta precision bits delta d = true -> refutes_delta delta d.
Proof.
  intros precision bits delta d H. apply at_some_level_sound in H.
  destruct H as (level & H). apply W.attempt_sound in H.
  destruct H as ((Ds & De & Dd) & Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  apply existsb_exists in H. destruct H as ([P Q] & HPQ & H). simpl in H.
  repeat (split; [assumption|]). apply orb_true_iff in H. destruct H as [H | H].
  - destruct (order_fails_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ H) as (LP & LQ & V).
    exists P, Q. tauto.
  - destruct (order_fails_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ H) as (LQ & LP & V).
    exists Q, P. tauto.
Qed.
End DivergenceChecker.

(* ------------------------------------------------------------ ties of two point masses *)

(* The value of an expression of rationals alone. *)
Fixpoint rational (a : number) : option Q :=
  let binary f a b :=
    match rational a, rational b with Some x, Some y => f x y | _, _ => None end in
  match a with
  | Whole n => Some (inject_Z n)
  | Plus a b => binary (fun x y => Some (x + y)%Q) a b
  | Minus a b => binary (fun x y => Some (x - y)%Q) a b
  | Times a b => binary (fun x y => Some (x * y)%Q) a b
  | Over a b => binary (fun x y => if Qeq_bool y 0 then None else Some (x / y)%Q) a b
  | Opposite a => match rational a with Some x => Some (- x)%Q | None => None end
  | Exp _ | Log _ | Sqrt _ => None
  end.

Lemma rational_sound : forall a q, rational a = Some q -> value a = Q2R q.
Proof.
  induction a as [n|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|a IHa|a IHa];
    intros q; simpl; try discriminate;
    try (destruct (rational a) as [x|]; [|discriminate]; rewrite (IHa _ eq_refl));
    try (destruct (rational b) as [y|]; [|discriminate]; rewrite (IHb _ eq_refl)).
  - intros [= <-]. unfold Q2R. simpl. field.
  - intros [= <-]. now rewrite Q2R_plus.
  - intros [= <-]. now rewrite Q2R_minus.
  - intros [= <-]. now rewrite Q2R_mult.
  - destruct (Qeq_bool y 0) eqn:Z; [discriminate|]. intros [= <-].
    rewrite Q2R_div; [reflexivity|]. now apply Qeq_bool_neq.
  - intros [= <-]. now rewrite Q2R_opp.
Qed.

Lemma rational_defined : forall a q, rational a = Some q -> defined a.
Proof.
  induction a as [n|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|a IHa|a IHa];
    intros q; simpl; try discriminate; [trivial|..];
    (destruct (rational a) as [x|]; [|discriminate]; specialize (IHa _ eq_refl));
    try (destruct (rational b) as [y|] eqn:B; [|discriminate]; specialize (IHb _ eq_refl)); auto.
  destruct (Qeq_bool y 0) eqn:Z; [discriminate|]. intros _. split; [now split|].
  rewrite (rational_sound _ _ B), <- RMicromega.Q2R_0. intros H. apply eqR_Qeq in H.
  now apply Qeq_bool_neq in Z.
Qed.

(* The one atom of a table. *)
Definition point_of (t : table) : option Q :=
  match rows t with
  | [(x, w)] => if (w =? Zpos (whole t))%Z then Some (x # unit t) else None
  | _ => None
  end.

Lemma point_of_sound : forall t q, point_of t = Some q -> law t = [(Q2R q, 1)].
Proof.
  intros [u w l] q. unfold point_of, law. simpl. destruct l as [|[x v] [|]]; try discriminate.
  destruct (Z.eqb_spec v (Zpos w)) as [-> |]; [|discriminate]. intros [= <-]. simpl.
  unfold atom_of, mass_of, Q2R. simpl. pose proof (IZR_pos w). do 2 f_equal. unfold Rdiv.
  f_equal. field. lra.
Qed.

(* delta = 1 - exp(r) with 2 r theta <= epsilon theta - |a - b| and r <= 0, epsilon >= 0. *)
Definition points_within (delta : number) (d : problem) (pair : table * table) : bool :=
  match delta, rational (scale d), rational (epsilon d),
    point_of (fst pair), point_of (snd pair) with
  | Minus (Whole 1) (Exp r), Some theta, Some epsilon, Some a, Some b =>
      match rational r with
      | Some r =>
          Qle_bool 0 epsilon && negb (Qle_bool theta 0) && Qle_bool r 0 &&
          Qle_bool ((2 # 1) * r * theta) (epsilon * theta - (a - b)) &&
          Qle_bool ((2 # 1) * r * theta) (epsilon * theta - (b - a))
      | None => false
      end
  | _, _, _, _, _ => false
  end.

Lemma points_within_sound : forall delta d P Q, points_within delta d (P, Q) = true ->
  (defined (scale d) /\ defined (epsilon d) /\ defined delta) /\
  0 < value (scale d) /\ probability (law P) /\ probability (law Q) /\
  Divergence.divergence (exp (value (epsilon d)))
    (release (value (scale d)) (law P)) (release (value (scale d)) (law Q)) <= value delta /\
  Divergence.divergence (exp (value (epsilon d)))
    (release (value (scale d)) (law Q)) (release (value (scale d)) (law P)) <= value delta.
Proof.
  intros delta d P Q. unfold points_within. cbn [fst snd].
  destruct delta as [| |one e| | | | | |]; try discriminate.
  destruct one as [one| | | | | | | |]; try discriminate.
  destruct (Z.eq_dec one 1) as [->|N];
    [|destruct one as [|[]|]; try discriminate; now destruct N].
  destruct e as [| | | | | |e| |]; try discriminate.
  destruct (rational (scale d)) as [theta|] eqn:Ht; [|discriminate].
  destruct (rational (epsilon d)) as [epsilon|] eqn:He; [|discriminate].
  destruct (point_of P) as [a|] eqn:Ha; [|discriminate].
  destruct (point_of Q) as [b|] eqn:Hb; [|discriminate].
  destruct (rational e) as [r|] eqn:Hr; [|discriminate].
  rewrite !andb_true_iff, negb_true_iff. intros [[[[K1 K2] K3] K4] K5].
  split; [exact (conj (rational_defined _ _ Ht)
    (conj (rational_defined _ _ He) (conj Logic.I (rational_defined _ _ Hr))))|].
  apply rational_sound in Ht, He, Hr. apply point_of_sound in Ha, Hb.
  apply Qle_bool_iff, Qle_Rle in K1, K3, K4, K5. rewrite RMicromega.Q2R_0 in K1, K3.
  assert (T : 0 < Q2R theta).
  { apply Rnot_le_lt. intros L. rewrite <- RMicromega.Q2R_0 in L. apply Rle_Qle, Qle_bool_iff in L.
    congruence. }
  rewrite Q2R_minus, !Q2R_mult in K4, K5. rewrite Q2R_minus in K4, K5.
  assert (Two : Q2R (2 # 1) = 2) by (unfold Q2R; simpl; field). rewrite Two in K4, K5.
  rewrite Ht, He, Ha, Hb. split; [exact T|].
  assert (Pr : forall x, probability [(x, 1)]).
  { intros x. split; [constructor; [simpl; lra | constructor] | unfold total; simpl; ring]. }
  split; [apply Pr|]. split; [apply Pr|].
  rewrite !PointMasses.point_masses, (Rabs_minus_sym (Q2R b)) by assumption.
  assert (B : Rmax 0 (1 - exp ((Q2R epsilon - Rabs (Q2R a - Q2R b) / Q2R theta) / 2)) <=
    value (1 - Exp e)%number); [|split; exact B].
  simpl. rewrite Hr.
  assert (M : forall x y, x <= y -> exp x <= exp y).
  { intros x y [L | ->]; [left; apply exp_increasing, L | right; reflexivity]. }
  apply Rmax_lub.
  - pose proof (M _ _ K3) as L. rewrite exp_0 in L. lra.
  - assert (L : Q2R r <= (Q2R epsilon - Rabs (Q2R a - Q2R b) / Q2R theta) / 2).
    { apply Rmult_le_reg_r with (2 * Q2R theta); [lra|].
      replace ((Q2R epsilon - Rabs (Q2R a - Q2R b) / Q2R theta) / 2 * (2 * Q2R theta))
        with (Q2R epsilon * Q2R theta - Rabs (Q2R a - Q2R b)) by (field; lra).
      unfold Rabs. destruct (Rcase_abs (Q2R a - Q2R b)); lra. }
    apply M in L. lra.
Qed.

(* ------------------------------------------------------------ on Coq's own integers *)

Module DivergenceChecks := DivergenceChecker Intervals.

(* bits: the first precision. *)
Definition certify_delta (bits : positive) (delta : number) (d : problem) : bool :=
  if match pairs d with [] => false | _ => forallb (points_within delta d) (pairs d) end
  then true else DivergenceChecks.certify_delta Floats.PtoP bits delta d.
Definition refute_delta (bits : positive) (delta : number) (d : problem) : bool :=
  DivergenceChecks.refute_delta Floats.PtoP bits delta d.

(* F4: what is accepted has divergences of at most delta, both orders.  A file of data proves it by
     exact (certified_delta 64 delta (Problem scale epsilon pairs)
              ltac:(vm_cast_no_check (eq_refl true))),
   also where `certifies_delta` is written out. *)
Theorem certified_delta : forall bits delta d,
  certify_delta bits delta d = true -> certifies_delta delta d.
Proof.
  intros bits delta d. unfold certify_delta.
  destruct (match pairs d with [] => false | _ => forallb (points_within delta d) (pairs d) end)
    eqn:H; [intros _ | exact (DivergenceChecks.certify_delta_sound Floats.PtoP bits delta d)].
  destruct (pairs d) as [|[P0 Q0] rest] eqn:E; [discriminate|]. rewrite <- E in H.
  rewrite forallb_forall in H.
  assert (H0 : In (P0, Q0) (pairs d)) by (rewrite E; left; reflexivity).
  destruct (points_within_sound delta d P0 Q0 (H _ H0)) as ((Ds & De & Dd) & Ht & _).
  repeat (split; [assumption|]). intros P Q HPQ.
  exact (proj2 (proj2 (points_within_sound delta d P Q (H _ HPQ)))).
Qed.

(* F4: what is refuted has a pair with a divergence above delta. *)
Theorem refuted_delta : forall bits delta d,
  refute_delta bits delta d = true -> refutes_delta delta d.
Proof. exact (DivergenceChecks.refute_delta_sound Floats.PtoP). Qed.
