(* The checker: a problem's integers evaluated in intervals, for any implementation of their
   operations; what it answers is proved here for all of them. *)
From Coq Require Import Reals ZArith List Bool Lra Lia FMapPositive.
From Interval Require Import Real.Xreal Float.Basic Float.Sig Interval.Interval Interval.Interval_compl.
From Pfverify Require Import Release Numbers Problems FiniteCheck Merge Enclosures.
From Pfverify Require Ties.
Import ListNotations.
Open Scope R_scope.

Module Checker (I : IntervalOps).
Module Import E := Enclosures I.

(* Tables of integers as signed priors: what atom x sends, up to one factor for all. *)
Definition coefficient (E : R) (a b : positive) (w : Z * Z) : R :=
  IZR (fst w) * IZR (Zpos b) - E * (IZR (snd w) * IZR (Zpos a)).

Definition signed (E : R) (u a b : positive) (l : merged) : prior :=
  map (fun row => (atom_of u (fst row), coefficient E a b (snd row))) l.

Lemma excess_signal : forall theta E u a b l y,
  excess theta E u a b l y = signal theta (signed E u a b l) y.
Proof.
  intros theta E u a b l y. induction l as [|[x [p q]] l IH]; simpl; [reflexivity|].
  rewrite IH. unfold coefficient, decay. simpl. ring.
Qed.

Lemma atoms_signed : forall E u a b l, atoms (signed E u a b l) = map (fun row => atom_of u (fst row)) l.
Proof. intros. unfold atoms, signed. now rewrite map_map. Qed.

Section Evaluation.
Variable prec : I.precision.
Variable limit : positive.                (* of the exponents that are evaluated *)
Variable theta : R.
Variable E : R.
Hypothesis theta_positive : 0 < theta.
Variable thetaI : I.type.
Variable EI : I.type.
Hypothesis theta_inside : has thetaI theta.
Hypothesis E_inside : has EI E.

(* ------------------------------------------------------------ one exponential for every gap *)

Definition rate (u : positive) : I.type := I.inv prec (I.mul prec thetaI (integer prec (Zpos u))).

Definition gap_decay (r : I.type) (k : Z) : I.type :=
  bounded_exp prec limit (I.neg (I.mul prec r (integer prec k))).

Definition decay_over (u : positive) (k : Z) : R := exp (- (IZR k / (theta * IZR (Zpos u)))).

Lemma gap_decay_sound : forall u k, has (gap_decay (rate u) k) (decay_over u k).
Proof.
  intros u k. unfold gap_decay, decay_over, rate.
  pose proof (IZR_pos u). assert (Hp : 0 < theta * IZR (Zpos u)) by now apply Rmult_lt_0_compat.
  apply bounded_exp_sound, neg_sound. unfold Rdiv. rewrite Rmult_comm.
  apply mul_sound; [|apply integer_sound].
  pose proof (I.inv_correct prec _ _ (mul_sound prec _ _ _ _ theta_inside (integer_sound prec (Zpos u)))) as V.
  simpl in V. unfold Xinv' in V. now rewrite is_zero_false in V by lra.
Qed.

Lemma gap_decay_eq : forall u a b, (a <= b)%Z ->
  decay_over u (b - a) = decay theta (atom_of u b - atom_of u a).
Proof.
  intros u a b L. unfold decay_over, decay. pose proof (IZR_pos u).
  assert (atom_of u a <= atom_of u b).
  { unfold atom_of. apply Rmult_le_compat_r; [left; now apply Rinv_0_lt_compat | now apply IZR_le]. }
  rewrite Rabs_pos_eq, minus_IZR by lra. f_equal. unfold atom_of. field. lra.
Qed.

Definition gaps := PositiveMap.t I.type.
Definition sound_gaps (u : positive) (t : gaps) : Prop :=
  forall k i, PositiveMap.find k t = Some i -> has i (decay_over u (Zpos k)).

Lemma no_gaps_sound : forall u, sound_gaps u (PositiveMap.empty I.type).
Proof. intros u k i. rewrite PositiveMap.gempty. discriminate. Qed.

Fixpoint add_gaps (r : I.type) (t : gaps) (a : Z) (l : merged) : gaps :=
  match l with
  | [] => t
  | (x, _) :: rest =>
      let k := Z.to_pos (x - a) in
      add_gaps r
        (match PositiveMap.find k t with
         | Some _ => t
         | None => PositiveMap.add k (gap_decay r (Zpos k)) t
         end) x rest
  end.

Lemma add_gaps_sound : forall u l t a, sound_gaps u t -> sound_gaps u (add_gaps (rate u) t a l).
Proof.
  intros u. induction l as [|[x w] l IH]; intros t a H; simpl; [assumption|].
  apply IH. destruct (PositiveMap.find (Z.to_pos (x - a)) t); [assumption|].
  intros k i. destruct (Pos.eq_dec k (Z.to_pos (x - a))) as [->|Hk].
  - rewrite PositiveMap.gss. intros [= <-]. apply gap_decay_sound.
  - rewrite PositiveMap.gso by assumption. apply H.
Qed.

Definition add_all_gaps (r : I.type) (t : gaps) (l : merged) : gaps :=
  match l with [] => t | (x, _) :: rest => add_gaps r t x rest end.

Lemma add_all_gaps_sound : forall u l t, sound_gaps u t -> sound_gaps u (add_all_gaps (rate u) t l).
Proof. intros u [|[x w] l] t H; [assumption | now apply add_gaps_sound]. Qed.

(* The interval of a gap of the table; nothing is assumed of gaps that are not in it. *)
Definition look (r : I.type) (t : gaps) (k : Z) : I.type :=
  match k with
  | Zpos k' => match PositiveMap.find k' t with Some i => i | None => gap_decay r k end
  | _ => gap_decay r k
  end.

Lemma look_sound : forall u t k, sound_gaps u t -> has (look (rate u) t k) (decay_over u k).
Proof.
  intros u t k H. destruct k as [|k|k]; try apply gap_decay_sound. unfold look.
  destruct (PositiveMap.find k t) eqn:F; [now apply H | apply gap_decay_sound].
Qed.

(* ------------------------------------------------------------ the excess at every atom *)

Section Sums.
Variables u a b : positive.
Variable r : I.type.
Variable t : gaps.
Hypothesis r_rate : r = rate u.
Hypothesis t_sound : sound_gaps u t.

(* A total of 1 is not multiplied. *)
Definition times_total (i : I.type) (total : positive) : I.type :=
  match total with xH => i | _ => I.mul prec i (integer prec (Zpos total)) end.

Lemma times_total_sound : forall i x total, has i x -> has (times_total i total) (x * IZR (Zpos total)).
Proof.
  intros i x total H. unfold times_total. destruct total; try apply mul_sound, integer_sound; try assumption.
  now rewrite Rmult_1_r.
Qed.

Definition coefficientI (w : Z * Z) : I.type :=
  minus prec (times_total (integer prec (fst w)) b) (I.mul prec EI (times_total (integer prec (snd w)) a)).

Lemma coefficientI_sound : forall w, has (coefficientI w) (coefficient E a b w).
Proof.
  intros w. unfold coefficientI, coefficient.
  apply minus_sound; [apply times_total_sound, integer_sound|].
  apply mul_sound; [assumption|apply times_total_sound, integer_sound].
Qed.

(* before: what the atoms up to x, with x, send to x.  Returned: the excess at x and at every later
   atom; what the later atoms send to x. *)
Fixpoint sweep (before : I.type) (x : Z) (l : merged) : list I.type * I.type :=
  match l with
  | [] => ([before], integer prec 0)
  | (z, w) :: rest =>
      let g := look r t (z - x) in
      let c := coefficientI w in
      let '(values, after) := sweep (plus prec (I.mul prec g before) c) z rest in
      let sent := I.mul prec g (plus prec c after) in
      (plus prec before sent :: values, sent)
  end.

Lemma signal_single : forall x c, signal theta [(x, c)] x = c.
Proof.
  intros x c. simpl. unfold decay. replace (x - x) with 0 by ring. rewrite Rabs_R0.
  replace (- 0 / theta) with 0 by (field; lra). rewrite exp_0. ring.
Qed.

Lemma sweep_sound : forall l done before x, increasing_from x l = true ->
  Forall (fun z => z <= atom_of u x) (atoms done) -> has before (signal theta done (atom_of u x)) ->
  Forall2 (fun i z => has i (signal theta (done ++ signed E u a b l) (atom_of u z)))
    (fst (sweep before x l)) (x :: map fst l) /\
  has (snd (sweep before x l)) (signal theta (signed E u a b l) (atom_of u x)).
Proof.
  induction l as [|[z w] l IH]; intros done before x Hi Hd Hb.
  - simpl. rewrite app_nil_r. split; [constructor; [exact Hb|constructor]|]. apply integer_sound.
  - simpl in Hi. destruct (Z.ltb_spec x z) as [Lz | Lz]; [|discriminate].
    pose proof (atom_of_lt u x z Lz) as La.
    cbn [sweep]. set (g := look r t (z - x)). set (c := coefficientI w).
    assert (Hg : has g (decay theta (atom_of u z - atom_of u x))).
    { unfold g. rewrite r_rate, <- gap_decay_eq by lia. now apply look_sound. }
    assert (Hc : has c (coefficient E a b w)) by apply coefficientI_sound.
    set (done' := done ++ [(atom_of u z, coefficient E a b w)]).
    specialize (IH done' (plus prec (I.mul prec g before) c) z Hi).
    destruct (sweep (plus prec (I.mul prec g before) c) z l) as [values after].
    destruct IH as [IH1 IH2].
    + unfold done'. rewrite atoms_app. apply Forall_app. split.
      * eapply Forall_impl; [|exact Hd]. simpl. intros; lra.
      * constructor; [simpl; lra|constructor].
    + unfold done'. rewrite signal_app, signal_single.
      rewrite (signal_right theta done (atom_of u x) (atom_of u z)) by (try assumption; lra).
      apply plus_sound; [apply mul_sound; assumption|assumption].
    + simpl in IH1, IH2.
      assert (Hs : has (I.mul prec g (plus prec c after)) (signal theta (signed E u a b ((z, w) :: l)) (atom_of u x))).
      { rewrite (signal_left theta _ (atom_of u z) (atom_of u x)); try lra.
        - apply mul_sound; [exact Hg|].
          change (signed E u a b ((z, w) :: l)) with ([(atom_of u z, coefficient E a b w)] ++ signed E u a b l).
          rewrite signal_app, signal_single. now apply plus_sound.
        - rewrite atoms_signed. simpl. constructor; [lra|]. now apply increasing_above. }
      split; [|exact Hs].
      simpl fst. simpl map. constructor.
      * rewrite signal_app. now apply plus_sound.
      * replace (done ++ signed E u a b ((z, w) :: l)) with (done' ++ signed E u a b l)
          by (unfold done'; rewrite <- app_assoc; reflexivity).
        exact IH1.
Qed.
End Sums.

(* The excess at every atom, nothing where there is no atom. *)
Definition values (u a b : positive) (t : gaps) (l : merged) : list I.type :=
  match l with
  | [] => []
  | (x, w) :: rest => fst (sweep a b (rate u) t (coefficientI a b w) x rest)
  end.

Lemma values_sound : forall u a b t l, sound_gaps u t -> increasing l = true ->
  Forall2 (fun i x => has i (excess theta E u a b l (atom_of u x))) (values u a b t l) (map fst l).
Proof.
  intros u a b t l Ht Hi. destruct l as [|[x w] l]; [discriminate|].
  pose proof (sweep_sound u a b (rate u) t eq_refl Ht l [(atom_of u x, coefficient E a b w)]
    (coefficientI a b w) x Hi) as [S _].
  - constructor; [simpl; lra|constructor].
  - rewrite signal_single. apply coefficientI_sound.
  - change (map fst ((x, w) :: l)) with (x :: map fst l). unfold values. clear - S.
    induction S as [|i z is zs H S IH]; constructor; [|assumption].
    rewrite excess_signal. exact H.
Qed.

(* ------------------------------------------------------------ judging *)

Inductive answer := Holds | Violated | Open.

(* What the signs say, with exact ties where a sign is open; open: whether one stayed open before. *)
Fixpoint judge (tied : Z -> bool) (open : bool) (values : list I.type) (xs : list Z) : answer :=
  match values, xs with
  | [], [] => if open then Open else Holds
  | i :: values', x :: xs' =>
      if surely_nonpositive i then judge tied open values' xs'
      else if surely_positive i then Violated
      else if open then judge tied true values' xs'
      else if tied x then judge tied false values' xs' else judge tied true values' xs'
  | _, _ => Open
  end.

Lemma judge_sound : forall (f : Z -> R) tied, (forall x, tied x = true -> f x = 0) ->
  forall values xs, Forall2 (fun i x => has i (f x)) values xs -> forall open,
  match judge tied open values xs with
  | Holds => open = false /\ Forall (fun x => f x <= 0) xs
  | Violated => exists x, In x xs /\ 0 < f x
  | Open => True
  end.
Proof.
  intros f tied Ht values xs F. induction F as [|i x values xs Hi F IH]; intros open; simpl.
  - destruct open; [exact Logic.I|]. split; [reflexivity|constructor].
  - assert (K : forall o, f x <= 0 -> match judge tied o values xs with
        | Holds => o = false /\ Forall (fun x => f x <= 0) (x :: xs)
        | Violated => exists z, In z (x :: xs) /\ 0 < f z
        | Open => True
        end).
    { intros o Hx. specialize (IH o). destruct (judge tied o values xs); [|destruct IH as (z & Hz & P)|trivial].
      - split; [tauto|]. now constructor.
      - exists z. split; [now right|assumption]. }
    assert (O : match judge tied true values xs with
        | Holds => open = false /\ Forall (fun x => f x <= 0) (x :: xs)
        | Violated => exists z, In z (x :: xs) /\ 0 < f z
        | Open => True
        end).
    { specialize (IH true). destruct (judge tied true values xs); [destruct IH; discriminate| |trivial].
      destruct IH as (z & Hz & P). exists z. split; [now right|assumption]. }
    destruct (surely_nonpositive i) eqn:Hn; [apply K; now apply (surely_nonpositive_sound i)|].
    destruct (surely_positive i) eqn:Hp; [exists x; split; [now left | now apply (surely_positive_sound i)]|].
    destruct open; [exact O|]. destruct (tied x) eqn:T; [|exact O].
    apply K. rewrite (Ht x T). lra.
Qed.

(* Both orders of a pair, from one table of gaps. *)
Definition both (tied : positive -> positive -> positive -> merged -> Z -> bool) (open : bool) (t : gaps) (m : ready) : answer :=
  let u := ready_unit m in let a := first_total m in let b := second_total m in
  let l := list_of m in let xs := map fst l in
  let other := swap l in
  match judge (tied u a b l) open (values u a b t l) xs with
  | Violated => Violated
  | Holds => judge (tied u b a other) false (values u b a t other) xs
  | Open => judge (tied u b a other) true (values u b a t other) xs
  end.

Lemma both_sound : forall P Q m t tied open, says m P Q -> sound_gaps (ready_unit m) t ->
  (forall u a b l x, tied u a b l x = true -> excess theta E u a b l (atom_of u x) = 0) ->
  match both tied open t m with
  | Holds => open = false /\
      forall y, release theta (law P) y <= E * release theta (law Q) y /\
                release theta (law Q) y <= E * release theta (law P) y
  | Violated => exists y, In y (atoms (law P ++ law Q)) /\
      (E * release theta (law Q) y < release theta (law P) y \/
       E * release theta (law P) y < release theta (law Q) y)
  | Open => True
  end.
Proof.
  intros P Q [u a b l] t tied open (_ & _ & Hi & X & In_atoms) Ht Htie. simpl in *.
  assert (Hs : increasing (swap l) = true).
  { clear - Hi. unfold increasing in *. destruct l as [|[x w] l]; [discriminate|]. simpl.
    revert x Hi. clear w. induction l as [|[z w] l IH]; intros x H; simpl in *; [reflexivity|].
    destruct (x <? z)%Z; [now apply IH|discriminate]. }
  unfold both. simpl.
  assert (F : forall a' b' l', increasing l' = true ->
      forall open', match judge (tied u a' b' l') open' (values u a' b' t l') (map fst l') with
        | Holds => open' = false /\ forall y, excess theta E u a' b' l' y <= 0
        | Violated => exists x, In x (map fst l') /\ 0 < excess theta E u a' b' l' (atom_of u x)
        | Open => True
        end).
  { intros a' b' l' Hl open'.
    pose proof (judge_sound (fun x => excess theta E u a' b' l' (atom_of u x)) (tied u a' b' l')
      (fun x => Htie u a' b' l' x) _ _ (values_sound u a' b' t l' Ht Hl) open') as J.
    destruct (judge _ _ _ _); try assumption. destruct J as [J1 J2]. split; [assumption|].
    intros y. rewrite excess_signal. apply signal_at_most; [assumption | lra |].
    rewrite atoms_signed, <- (map_map fst (atom_of u)). apply Forall_map.
    eapply Forall_impl; [|exact J2]. simpl. intros x Hx. now rewrite <- excess_signal. }
  pose proof (F a b l Hi open) as F1.
  pose proof (fun o => F b a (swap l) Hs o) as F2. clear F.
  assert (V1 : forall x, In x (map fst l) -> 0 < excess theta E u a b l (atom_of u x) ->
     exists y, In y (atoms (law P ++ law Q)) /\
      (E * release theta (law Q) y < release theta (law P) y \/
       E * release theta (law P) y < release theta (law Q) y)).
  { intros x Hx Hp. exists (atom_of u x). split; [now apply In_atoms|]. left.
    destruct (X theta E (atom_of u x) theta_positive) as (c & Hc & Xc & _). rewrite Xc in Hp. nra. }
  assert (V2 : forall x, In x (map fst (swap l)) -> 0 < excess theta E u b a (swap l) (atom_of u x) ->
     exists y, In y (atoms (law P ++ law Q)) /\
      (E * release theta (law Q) y < release theta (law P) y \/
       E * release theta (law P) y < release theta (law Q) y)).
  { intros x Hx Hp. rewrite atoms_swap in Hx. exists (atom_of u x). split; [now apply In_atoms|]. right.
    destruct (X theta E (atom_of u x) theta_positive) as (c & Hc & _ & Xc). rewrite Xc in Hp. nra. }
  rewrite atoms_swap in F2.
  destruct (judge (tied u a b l) open (values u a b t l) (map fst l)).
  - specialize (F2 false). destruct F1 as [-> F1].
    destruct (judge (tied u b a (swap l)) false (values u b a t (swap l)) (map fst l)).
    + destruct F2 as [_ F2]. split; [reflexivity|]. intros y.
      destruct (X theta E y theta_positive) as (c & Hc & X1 & X2).
      specialize (F1 y). specialize (F2 y). rewrite X1 in F1. rewrite X2 in F2. split; nra.
    + destruct F2 as (x & Hx & Hp). apply (V2 x); [now rewrite atoms_swap|assumption].
    + exact Logic.I.
  - destruct F1 as (x & Hx & Hp). now apply (V1 x).
  - specialize (F2 true).
    destruct (judge (tied u b a (swap l)) true (values u b a t (swap l)) (map fst l)).
    + destruct F2; discriminate.
    + destruct F2 as (x & Hx & Hp). apply (V2 x); [now rewrite atoms_swap|assumption].
    + exact Logic.I.
Qed.

(* All pairs; the table of gaps is kept from one pair to the next of the same unit. *)
Fixpoint judge_all (tied : positive -> positive -> positive -> merged -> Z -> bool) (open : bool)
    (u : positive) (t : gaps) (ms : list ready) : answer :=
  match ms with
  | [] => if open then Open else Holds
  | m :: rest =>
      let kept := if (ready_unit m =? u)%positive then t else PositiveMap.empty I.type in
      let t' := add_all_gaps (rate (ready_unit m)) kept (list_of m) in
      match both tied open t' m with
      | Violated => Violated
      | Holds => judge_all tied false (ready_unit m) t' rest
      | Open => judge_all tied true (ready_unit m) t' rest
      end
  end.

Lemma judge_all_sound : forall tied,
  (forall u a b l x, tied u a b l x = true -> excess theta E u a b l (atom_of u x) = 0) ->
  forall ms pairs, Forall2 (fun m pair => says m (fst pair) (snd pair)) ms pairs ->
  forall open u t, sound_gaps u t ->
  match judge_all tied open u t ms with
  | Holds => open = false /\ forall P Q, In (P, Q) pairs ->
      forall y, release theta (law P) y <= E * release theta (law Q) y /\
                release theta (law Q) y <= E * release theta (law P) y
  | Violated => exists P Q y, In (P, Q) pairs /\ In y (atoms (law P ++ law Q)) /\
      (E * release theta (law Q) y < release theta (law P) y \/
       E * release theta (law P) y < release theta (law Q) y)
  | Open => True
  end.
Proof.
  intros tied Htie ms pairs F. induction F as [|m [P Q] ms pairs S F IH]; intros open u t Ht; simpl.
  - destruct open; [exact Logic.I|]. split; [reflexivity|]. intros P Q [].
  - set (kept := if (ready_unit m =? u)%positive then t else PositiveMap.empty I.type).
    set (t' := add_all_gaps _ kept _). simpl in S.
    assert (Hk : sound_gaps (ready_unit m) kept).
    { unfold kept. destruct (Pos.eqb_spec (ready_unit m) u) as [->|]; [assumption|apply no_gaps_sound]. }
    assert (Ht' : sound_gaps (ready_unit m) t') by now apply add_all_gaps_sound.
    pose proof (both_sound P Q m t' tied open S Ht' Htie) as B.
    assert (K : forall o, match judge_all tied o (ready_unit m) t' ms with
      | Holds => o = false /\ forall P0 Q0, In (P0, Q0) pairs ->
          forall y, release theta (law P0) y <= E * release theta (law Q0) y /\
                    release theta (law Q0) y <= E * release theta (law P0) y
      | Violated => exists P0 Q0 y, ((P, Q) = (P0, Q0) \/ In (P0, Q0) pairs) /\ In y (atoms (law P0 ++ law Q0)) /\
          (E * release theta (law Q0) y < release theta (law P0) y \/
           E * release theta (law P0) y < release theta (law Q0) y)
      | Open => True
      end).
    { intros o. specialize (IH o (ready_unit m) t' Ht'). destruct (judge_all _ _ _ _ _); try assumption.
      destruct IH as (P0 & Q0 & y & H1 & H2). exists P0, Q0, y. tauto. }
    destruct (both tied open t' m).
    + destruct B as [-> B]. specialize (K false). destruct (judge_all _ _ _ _ _); try assumption.
      destruct K as [_ K]. split; [reflexivity|]. intros P0 Q0 [[= <- <-] | H]; [exact B | now apply K].
    + destruct B as (y & H1 & H2). exists P, Q, y. split; [now left|]. tauto.
    + specialize (K true). destruct (judge_all _ _ _ _ _); try assumption. destruct K; discriminate.
Qed.
End Evaluation.

(* ------------------------------------------------------------ a problem *)

(* Every pair made ready, of at least one. *)
Fixpoint make_all_ready (pairs : list (table * table)) : option (list ready) :=
  match pairs with
  | [] => Some []
  | PQ :: rest =>
      match make_ready PQ with
      | Some m => match make_all_ready rest with Some ms => Some (m :: ms) | None => None end
      | None => None
      end
  end.

Lemma make_all_ready_sound : forall pairs ms, make_all_ready pairs = Some ms ->
  Forall2 (fun m pair => says m (fst pair) (snd pair)) ms pairs.
Proof.
  induction pairs as [|[P Q] pairs IH]; intros ms; cbn [make_all_ready].
  - intros [= <-]. constructor.
  - destruct (make_ready (P, Q)) as [m|] eqn:M; [|discriminate].
    destruct (make_all_ready pairs) as [l|]; [|discriminate]. intros [= <-].
    constructor; [now apply make_ready_sound | now apply IH].
Qed.

Section Precisions.
Variable precision : positive -> I.precision.      (* of so many bits; any function is sound *)

(* One precision. *)
Definition attempt (bits limit : positive) (tied : positive -> positive -> positive -> merged -> Z -> bool)
    (scale epsilon : number) (ms : list ready) : answer :=
  let prec := precision bits in
  match enclose prec limit scale, enclose prec limit epsilon with
  | Some thetaI, Some epsilonI =>
      if surely_positive thetaI
      then judge_all prec limit thetaI (bounded_exp prec limit epsilonI) tied false 1 (PositiveMap.empty I.type) ms
      else Open
  | _, _ => Open
  end.

(* More bits, and larger exponents, while something is open. *)
Fixpoint decide (levels : list (positive * positive)) (tied : positive -> positive -> positive -> merged -> Z -> bool)
    (scale epsilon : number) (ms : list ready) : answer :=
  match levels with
  | [] => Open
  | (bits, limit) :: rest =>
      match attempt bits limit tied scale epsilon ms with
      | Open => decide rest tied scale epsilon ms
      | answer => answer
      end
  end.

Definition levels (bits : positive) : list (positive * positive) :=
  [(bits, 400); (2 * bits, 4000); (4 * bits, 40000)]%positive.

Definition answer_of (bits : positive) (tied : positive -> positive -> positive -> merged -> Z -> bool) (d : problem) : answer :=
  match pairs d with
  | [] => Open
  | _ =>
      match make_all_ready (pairs d) with
      | Some ms => decide (levels bits) tied (scale d) (epsilon d) ms
      | None => Open
      end
  end.

Lemma answer_of_sound : forall bits tied d,
  (0 < value (scale d) -> forall u a b l x, tied u a b l x = true ->
     excess (value (scale d)) (exp (value (epsilon d))) u a b l (atom_of u x) = 0) ->
  match answer_of bits tied d with
  | Holds => (defined (scale d) /\ defined (epsilon d)) /\ certifies d
  | Violated => (defined (scale d) /\ defined (epsilon d)) /\ refutes d
  | Open => True
  end.
Proof.
  intros bits tied [s e pairs]. unfold answer_of. cbn [scale epsilon Problems.pairs]. intros Htie.
  destruct pairs as [|pair0 pairs0] eqn:Ep; [exact Logic.I|]. rewrite <- Ep. clear pair0 pairs0 Ep.
  destruct (make_all_ready pairs) as [ms|] eqn:M; [|exact Logic.I].
  apply make_all_ready_sound in M.
  assert (L : forall P Q, In (P, Q) pairs -> probability (law P) /\ probability (law Q)).
  { intros P Q H. clear - M H. induction M as [|m pair ms pairs S M IH]; [destruct H|].
    destruct H as [-> | H]; [|now apply IH]. destruct S as (A & B & _). now split. }
  generalize (levels bits). intros more. induction more as [|[p limit] more IH]; simpl; [exact Logic.I|].
  assert (A : match attempt p limit tied s e ms with
    | Holds => (defined s /\ defined e) /\ certifies (Problem s e pairs)
    | Violated => (defined s /\ defined e) /\ refutes (Problem s e pairs)
    | Open => True
    end).
  { unfold attempt.
    destruct (enclose (precision p) limit s) as [si|] eqn:Es; [|exact Logic.I].
    destruct (enclose (precision p) limit e) as [ei|] eqn:Ee; [|exact Logic.I].
    destruct (surely_positive si) eqn:Hp; [|exact Logic.I].
    apply enclose_sound in Es, Ee. destruct Es as [Ds Hs]. destruct Ee as [De He].
    pose proof (surely_positive_sound _ _ Hp Hs) as Ht. specialize (Htie Ht).
    pose proof (judge_all_sound (precision p) limit (value s) (exp (value e)) Ht si
      (bounded_exp (precision p) limit ei) Hs (bounded_exp_sound _ _ _ _ He) tied Htie ms pairs M
      false 1%positive _ (no_gaps_sound _ _)) as J.
    destruct (judge_all _ _ _ _ _ _ _ _ _).
    - destruct J as [_ J]. split; [now split|]. split; [exact Ds|]. split; [exact De|]. split; [exact Ht|].
      intros P Q H.
      destruct (L P Q H) as [LP LQ]. split; [assumption|]. split; [assumption|].
      split; intros y; apply (J P Q H y).
    - destruct J as (P & Q & y & H & Hy & V). split; [now split|]. split; [exact Ds|]. split; [exact De|]. split; [exact Ht|].
      destruct (L P Q H) as [LP LQ]. destruct V as [V | V].
      + exists P, Q, y. tauto.
      + exists Q, P, y. cbn [Problems.pairs]. rewrite atoms_app in *. 
        split; [now right|]. split; [assumption|]. split; [assumption|]. split; [|exact V].
        apply in_app_iff in Hy. apply in_app_iff. tauto.
    - exact Logic.I. }
  destruct (attempt p limit tied s e ms); [exact A | exact A | exact IH].
Qed.

Definition certify (bits : positive) (bases : list positive) (d : problem) : bool :=
  match answer_of bits (Ties.tie bases (scale d) (epsilon d)) d with Holds => true | _ => false end.

(* Exact ties cannot show a violation, so none is looked for. *)
Definition refute (bits : positive) (d : problem) : bool :=
  match answer_of bits (fun _ _ _ _ _ => false) d with Violated => true | _ => false end.

Lemma certify_sound : forall bits bases d, certify bits bases d = true ->
  (defined (scale d) /\ defined (epsilon d)) /\ certifies d.
Proof.
  intros bits bases d. unfold certify.
  pose proof (answer_of_sound bits (Ties.tie bases (scale d) (epsilon d)) d) as A.
  destruct (answer_of _ _ _); try discriminate. intros _. apply A.
  intros Ht u a b l x. now apply Ties.tie_sound.
Qed.

Lemma refute_sound : forall bits d, refute bits d = true ->
  (defined (scale d) /\ defined (epsilon d)) /\ refutes d.
Proof.
  intros bits d. unfold refute.
  pose proof (answer_of_sound bits (fun _ _ _ _ _ => false) d) as A.
  destruct (answer_of _ _ _); try discriminate. intros _. apply A. discriminate.
Qed.
End Precisions.
End Checker.
