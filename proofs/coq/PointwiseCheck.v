(* The checker for the pointwise form with a delta, p - e^epsilon q <= delta at every output: one
   inequality per atom (F4b).  What equals delta exactly at an atom is not certified. *)
From Coq Require Import Reals ZArith List Bool Lra Lia FMapPositive.
From Interval Require Import Float.Sig Interval.Interval.
From Pfverify Require Import Release Numbers Problems FiniteCheck Merge Enclosures Checker.
From Pfverify Require Import Pointwise Check.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ the two tables of a pair *)

(* The totals that the merged list is read with, and the factor of the excess besides 2 theta. *)
Definition totals (P Q : table) : positive * positive * positive :=
  if (whole P =? whole Q)%positive
  then (1, 1, whole P)%positive else (whole P, whole Q, whole P * whole Q)%positive.

Definition merged_of (P Q : table) : merged := merge (rows P) (rows Q).

Lemma totals_excess : forall theta E P Q a b f y, 0 < theta -> unit P = unit Q ->
  totals P Q = (a, b, f) ->
  excess theta E (unit P) a b (merged_of P Q) y =
    2 * theta * IZR (Zpos f) * (release theta (law P) y - E * release theta (law Q) y).
Proof.
  intros theta E P Q a b f y Ht U. unfold totals, merged_of.
  pose proof (merge_excess theta E P Q y Ht U) as X. pose proof (IZR_pos (whole P)) as WP.
  destruct (Pos.eqb_spec (whole P) (whole Q)) as [W|W]; intros [= <- <- <-].
  - rewrite <- W, <- (Pos.mul_1_r (whole P)), excess_factor in X. rewrite Pos.mul_1_r in X.
    apply Rmult_eq_reg_l with (IZR (Zpos (whole P))); lra.
  - rewrite X, Pos2Z.inj_mul, mult_IZR. ring.
Qed.

(* Two laws of one unit whose merged atoms increase. *)
Definition ready_pair (P Q : table) : bool :=
  (unit P =? unit Q)%positive && is_law P && is_law Q && increasing (merged_of P Q).

Module PointwiseChecker (I : IntervalOps).
Module Import C := Checker I.
Import C.E.

(* ------------------------------------------------------------ one order of a pair *)

Section Evaluation.
Variable prec : I.F.precision.
Variable limit : positive.
Variables theta E delta : R.
Hypothesis theta_positive : 0 < theta.
Hypothesis delta_nonnegative : 0 <= delta.
Variables thetaI EI deltaI : I.type.
Hypothesis theta_inside : has thetaI theta.
Hypothesis E_inside : has EI E.
Hypothesis delta_inside : has deltaI delta.

(* Of the excess at every atom, what it is and what delta allows. *)
Definition order_values (P Q : table) : list I.type * I.type :=
  let '(a, b, f) := totals P Q in
  let l := merged_of P Q in
  let gaps := add_all_gaps prec limit (rate prec thetaI (unit P)) (PositiveMap.empty I.type) l in
  (values prec limit thetaI EI (unit P) a b gaps l,
   I.mul prec (I.mul prec (integer prec (2 * Zpos f)) thetaI) deltaI).

Lemma order_values_sound : forall P Q, ready_pair P Q = true -> exists f : positive,
  probability (law P) /\ probability (law Q) /\
  Forall2 (fun i x => has i (2 * theta * IZR (Zpos f) *
      (release theta (law P) (atom_of (unit P) x) - E * release theta (law Q) (atom_of (unit P) x))))
    (fst (order_values P Q)) (map fst (merged_of P Q)) /\
  has (snd (order_values P Q)) (2 * theta * IZR (Zpos f) * delta) /\
  forall y, excess theta E (unit P) (fst (fst (totals P Q))) (snd (fst (totals P Q))) (merged_of P Q) y =
    2 * theta * IZR (Zpos f) * (release theta (law P) y - E * release theta (law Q) y).
Proof.
  intros P Q R. unfold ready_pair in R. rewrite !andb_true_iff in R.
  destruct R as [[[U LP] LQ] Hi]. apply Pos.eqb_eq in U.
  unfold order_values. destruct (totals P Q) as [[a b] f] eqn:T. exists f. simpl fst. simpl snd.
  pose proof (fun y => totals_excess theta E P Q a b f y theta_positive U T) as X.
  split; [now apply is_law_sound|]. split; [now apply is_law_sound|]. split; [|split; [|exact X]].
  - pose proof (values_sound prec limit theta E theta_positive thetaI EI theta_inside E_inside (unit P) a b
      (add_all_gaps prec limit (rate prec thetaI (unit P)) (PositiveMap.empty I.type) (merged_of P Q))
      (merged_of P Q)) as V.
    specialize (V (add_all_gaps_sound prec limit theta theta_positive thetaI theta_inside _ _ _ (no_gaps_sound theta _)) Hi).
    clear - V X. induction V as [|i x is xs H V IH]; constructor; [|assumption]. now rewrite <- X.
  - replace (2 * theta * IZR (Zpos f) * delta) with (IZR (2 * Zpos f) * theta * delta)
      by (rewrite mult_IZR; ring).
    apply mul_sound; [apply mul_sound; [apply integer_sound|assumption]|assumption].
Qed.

Definition order_holds (P Q : table) : bool :=
  if ready_pair P Q then
    let '(at_atoms, allowed) := order_values P Q in
    forallb (fun i => surely_nonpositive (I.sub prec i allowed)) at_atoms
  else false.

Definition order_fails (P Q : table) : bool :=
  if ready_pair P Q then
    let '(at_atoms, allowed) := order_values P Q in
    existsb (fun i => surely_positive (I.sub prec i allowed)) at_atoms
  else false.

Lemma order_holds_sound : forall P Q, order_holds P Q = true ->
  probability (law P) /\ probability (law Q) /\
  forall y, release theta (law P) y - E * release theta (law Q) y <= delta.
Proof.
  intros P Q. unfold order_holds. destruct (ready_pair P Q) eqn:R; [|discriminate].
  destruct (order_values_sound P Q R) as (f & LP & LQ & V & A & X).
  destruct (order_values P Q) as [at_atoms allowed]. simpl in V, A.
  intro H. rewrite forallb_forall in H. split; [exact LP|]. split; [exact LQ|]. intro y.
  set (k := 2 * theta * IZR (Zpos f)) in *.
  assert (Hk : 0 < k) by (pose proof (IZR_pos f); unfold k; apply Rmult_lt_0_compat; lra).
  apply Rmult_le_reg_l with k; [exact Hk|]. rewrite <- X, excess_signal.
  apply signal_at_most; [assumption | apply Rmult_le_pos; lra |].
  rewrite atoms_signed, <- (map_map fst (atom_of (unit P))). apply Forall_map.
  clear LP LQ R. revert H. induction V as [|i x is xs Hi V IH]; intro H; constructor.
  - rewrite <- excess_signal, X. pose proof (H i (or_introl eq_refl)) as Hs.
    pose proof (surely_nonpositive_sound _ _ Hs (sub_sound prec _ _ _ _ Hi A)). lra.
  - apply IH. intros j Hj. apply H. now right.
Qed.

Lemma order_fails_sound : forall P Q, order_fails P Q = true ->
  probability (law P) /\ probability (law Q) /\
  exists y, In y (atoms (law P ++ law Q)) /\
    delta < release theta (law P) y - E * release theta (law Q) y.
Proof.
  intros P Q. unfold order_fails. destruct (ready_pair P Q) eqn:R; [|discriminate].
  destruct (order_values_sound P Q R) as (f & LP & LQ & V & A & _).
  destruct (order_values P Q) as [at_atoms allowed]. simpl in V, A.
  intro H. apply existsb_exists in H. destruct H as (i & Hi & Hs).
  split; [exact LP|]. split; [exact LQ|].
  assert (K : exists x, In x (map fst (merged_of P Q)) /\ has i (2 * theta * IZR (Zpos f) *
      (release theta (law P) (atom_of (unit P) x) - E * release theta (law Q) (atom_of (unit P) x)))).
  { clear - V Hi. induction V as [|j x is xs Hj V IH]; [destruct Hi|]. destruct Hi as [-> | Hi].
    - exists x. split; [now left | exact Hj].
    - destruct (IH Hi) as (z & Hz & K). exists z. split; [now right | exact K]. }
  destruct K as (x & Hx & Hv). exists (atom_of (unit P) x). split.
  - unfold ready_pair in R. rewrite !andb_true_iff in R. destruct R as [[[U _] _] _].
    apply Pos.eqb_eq in U. apply merge_atoms in Hx. rewrite atoms_app. apply in_or_app.
    destruct Hx as [Hx | Hx]; apply in_law in Hx; [now left | right; now rewrite U].
  - pose proof (surely_positive_sound _ _ Hs (sub_sound prec _ _ _ _ Hv A)) as Hp.
    assert (Hk : 0 < 2 * theta * IZR (Zpos f)) by (pose proof (IZR_pos f); apply Rmult_lt_0_compat; lra).
    apply Rmult_lt_reg_l with (2 * theta * IZR (Zpos f)); [exact Hk|]. lra.
Qed.
End Evaluation.

(* ------------------------------------------------------------ a problem *)

(* One precision: whether the judgement of these intervals of scale, e^epsilon and delta is true. *)
Definition attempt (precision : positive -> I.F.precision)
    (judge : I.F.precision -> positive -> I.type -> I.type -> I.type -> bool)
    (delta : number) (d : problem) (level : positive * positive) : bool :=
  let prec := precision (fst level) in
  let limit := snd level in
  match enclose prec limit (scale d), enclose prec limit (epsilon d), enclose prec limit delta with
  | Some thetaI, Some epsilonI, Some deltaI =>
      if surely_positive thetaI
      then if surely_nonnegative deltaI
           then judge prec limit thetaI (bounded_exp prec limit epsilonI) deltaI else false
      else false
  | _, _, _ => false
  end.

Definition certify_pointwise (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  existsb (attempt precision (fun prec limit thetaI EI deltaI =>
    match pairs d with
    | [] => false
    | _ => forallb (fun pair =>
        order_holds prec limit thetaI EI deltaI (fst pair) (snd pair) &&
        order_holds prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)
    end) delta d) (levels bits).

Definition refute_pointwise (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  existsb (attempt precision (fun prec limit thetaI EI deltaI =>
    existsb (fun pair =>
      order_fails prec limit thetaI EI deltaI (fst pair) (snd pair) ||
      order_fails prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)) delta d) (levels bits).

Lemma attempt_sound : forall precision judge delta d level, attempt precision judge delta d level = true ->
  (defined (scale d) /\ defined (epsilon d) /\ defined delta) /\
  0 < value (scale d) /\ 0 <= value delta /\
  exists prec limit thetaI EI deltaI,
    has thetaI (value (scale d)) /\ has EI (exp (value (epsilon d))) /\ has deltaI (value delta) /\
    judge prec limit thetaI EI deltaI = true.
Proof.
  intros precision judge delta d [bits limit]. unfold attempt. simpl fst. simpl snd.
  set (prec := precision bits).
  destruct (enclose prec limit (scale d)) as [thetaI|] eqn:Et; [|discriminate].
  destruct (enclose prec limit (epsilon d)) as [epsilonI|] eqn:Ee; [|discriminate].
  destruct (enclose prec limit delta) as [deltaI|] eqn:Ed; [|discriminate].
  destruct (surely_positive thetaI) eqn:Ht; [|discriminate].
  destruct (surely_nonnegative deltaI) eqn:Hd; [|discriminate]. intro J.
  apply enclose_sound in Et. apply enclose_sound in Ee. apply enclose_sound in Ed.
  destruct Et as [Dt Et]. destruct Ee as [De Ee]. destruct Ed as [Dd Ed].
  split; [repeat (split; [assumption|]); assumption|].
  split; [exact (surely_positive_sound _ _ Ht Et)|].
  split; [exact (surely_nonnegative_sound _ _ Hd Ed)|].
  exists prec, limit, thetaI, (bounded_exp prec limit epsilonI), deltaI.
  split; [exact Et|]. split; [now apply bounded_exp_sound|]. now split.
Qed.

Lemma certify_pointwise_sound : forall precision bits delta d,
  certify_pointwise precision bits delta d = true -> certifies_pointwise delta d.
Proof.
  intros precision bits delta d H. unfold certify_pointwise in H. apply existsb_exists in H.
  destruct H as (level & _ & H). apply attempt_sound in H.
  destruct H as ((Ds & De & Dd) & Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  repeat (split; [assumption|]). intros P Q HPQ.
  destruct (pairs d) as [|pair rest] eqn:E; [discriminate|]. rewrite <- E in *.
  rewrite forallb_forall in H.
  specialize (H (P, Q) HPQ). simpl in H. apply andb_true_iff in H. destruct H as [H K].
  destruct (order_holds_sound _ _ _ _ _ Ht Hd _ _ _ It IE Id _ _ H) as (LP & LQ & F).
  destruct (order_holds_sound _ _ _ _ _ Ht Hd _ _ _ It IE Id _ _ K) as (_ & _ & G).
  split; [exact LP|]. split; [exact LQ|]. split; [exact F | exact G].
Qed.

Lemma refute_pointwise_sound : forall precision bits delta d,
  refute_pointwise precision bits delta d = true -> refutes_pointwise delta d.
Proof.
  intros precision bits delta d H. unfold refute_pointwise in H. apply existsb_exists in H.
  destruct H as (level & _ & H). apply attempt_sound in H.
  destruct H as ((Ds & De & Dd) & Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  apply existsb_exists in H. destruct H as ([P Q] & HPQ & H). simpl in H.
  repeat (split; [assumption|]). apply orb_true_iff in H. destruct H as [H | H].
  - destruct (order_fails_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ H) as (LP & LQ & y & Hy & V).
    exists P, Q, y. tauto.
  - destruct (order_fails_sound _ _ _ _ _ Ht _ _ _ It IE Id _ _ H) as (LQ & LP & y & Hy & V).
    exists Q, P, y. tauto.
Qed.
End PointwiseChecker.

(* ------------------------------------------------------------ on Coq's own integers *)

Module PointwiseChecks := PointwiseChecker Intervals.

(* bits: the first precision. *)
Definition certify_pointwise (bits : positive) (delta : number) (d : problem) : bool :=
  PointwiseChecks.certify_pointwise Floats.PtoP bits delta d.
Definition refute_pointwise (bits : positive) (delta : number) (d : problem) : bool :=
  PointwiseChecks.refute_pointwise Floats.PtoP bits delta d.

(* F4b: what is accepted holds at every output. *)
Theorem certified_pointwise : forall bits delta d,
  certify_pointwise bits delta d = true -> certifies_pointwise delta d.
Proof. exact (PointwiseChecks.certify_pointwise_sound Floats.PtoP). Qed.

(* F4b: what is refuted is violated at an atom. *)
Theorem refuted_pointwise : forall bits delta d,
  refute_pointwise bits delta d = true -> refutes_pointwise delta d.
Proof. exact (PointwiseChecks.refute_pointwise_sound Floats.PtoP). Qed.
