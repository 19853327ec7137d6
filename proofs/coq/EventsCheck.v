(* The checker for all events with a delta, p(B) <= e^epsilon q(B) + delta: the closed form of the
   divergence (F4), one term per gap, in intervals.  What equals delta exactly is not certified. *)
From Coquelicot Require Import Coquelicot.
From Coq Require Import Reals ZArith List Bool Lra Lia FMapPositive.
From Interval Require Import Float.Sig Interval.Interval.
From Pfverify Require Import Release Numbers Problems FiniteCheck Merge Enclosures Checker.
From Pfverify Require Import Integrals Events Divergence MonotoneEvents PointwiseCheck Check.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ what is certified *)

(* One order, for every event. *)
Definition approximate (theta epsilon delta : R) (P Q : prior) : Prop :=
  forall B, event B ->
    measure (release theta P) B <= exp epsilon * measure (release theta Q) B + delta.

Lemma approximate_monotone : forall theta theta' epsilon delta P Q, 0 < theta <= theta' ->
  approximate theta epsilon delta P Q -> approximate theta' epsilon delta P Q.
Proof. intros theta theta' epsilon delta P Q Ht H. exact (events_monotone _ _ _ _ _ _ Ht H). Qed.

(* What a certificate with a delta certifies: both are laws, and both orders hold for all events. *)
Definition certifies_events (delta : number) (d : problem) : Prop :=
  0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    approximate (value (scale d)) (value (epsilon d)) (value delta) (law P) (law Q) /\
    approximate (value (scale d)) (value (epsilon d)) (value delta) (law Q) (law P).

(* What it refutes: by an event, for one of the pairs, in one of the orders. *)
Definition refutes_events (delta : number) (d : problem) : Prop :=
  0 < value (scale d) /\
  exists P Q B,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\ event B /\
    exp (value (epsilon d)) * measure (release (value (scale d)) (law Q)) B + value delta <
      measure (release (value (scale d)) (law P)) B.

(* F2: what one certified and one refuted scale say about all the others. *)
Theorem bracket_events : forall lower upper epsilon delta pairs,
  refutes_events delta (Problem lower epsilon pairs) ->
  certifies_events delta (Problem upper epsilon pairs) ->
  (forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    approximate theta (value epsilon) (value delta) (law P) (law Q) /\
    approximate theta (value epsilon) (value delta) (law Q) (law P)) /\
  (forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    ~ (approximate theta (value epsilon) (value delta) (law P) (law Q) /\
       approximate theta (value epsilon) (value delta) (law Q) (law P))).
Proof.
  intros lower upper epsilon delta pairs (_ & P & Q & B & Hin & _ & _ & HB & Hv) (Hu & H).
  simpl in *. split.
  - intros theta Ht P' Q' HPQ. destruct (H P' Q' HPQ) as (_ & _ & F & G).
    split; apply (approximate_monotone (value upper) theta); (assumption || lra).
  - intros theta Ht.
    assert (Hno : ~ approximate theta (value epsilon) (value delta) (law P) (law Q)).
    { intro A. apply (approximate_monotone _ _ _ _ _ _ Ht) in A. specialize (A B HB). lra. }
    destruct Hin as [Hin | Hin]; [exists P, Q | exists Q, P]; tauto.
Qed.

(* ------------------------------------------------------------ a gap by the values at its ends *)

(* left: what the atoms up to the left end send to it; right: likewise at the right end; q: what is
   left of either at the other end. *)
Definition gap_of (left right q : R) : R :=
  let root := 2 * sqrt (- (left * right * q)) in
  if Rle_dec 0 (left + q * right)
  then if Rle_dec 0 (q * left + right)
       then (left + right) * (1 - q)
       else left - q * right - root
  else if Rle_dec 0 (q * left + right)
       then right - q * left - root
       else 0.

Lemma gap_by_ends : forall theta A B a b left right, 0 < theta ->
  A = right * exp (- b / theta) / (2 * theta) -> B = left * exp (a / theta) / (2 * theta) ->
  2 * gap theta A B a b = gap_of left right (exp (- (b - a) / theta)).
Proof.
  intros theta A B a b left right Ht HA HB.
  assert (inverse : forall z, exp (z / theta) * exp (- z / theta) = 1).
  { intro z. rewrite <- exp_plus. replace (z / theta + - z / theta) with 0 by (field; lra).
    apply exp_0. }
  assert (Hq : exp (- (b - a) / theta) = exp (a / theta) * exp (- b / theta)).
  { rewrite <- exp_plus. f_equal. field. lra. }
  pose proof (inverse a) as Ia. pose proof (inverse b) as Ib. clear inverse.
  assert (Hk : 0 < / (2 * theta)) by (apply Rinv_0_lt_compat; lra).
  assert (Hkt : theta * / (2 * theta) = / 2) by (field; lra).
  unfold gap, gap_of, wave, area. rewrite Hq.
  set (ea := exp (a / theta)) in *. set (na := exp (- a / theta)) in *.
  set (eb := exp (b / theta)) in *. set (nb := exp (- b / theta)) in *.
  unfold Rdiv in HA, HB. set (k := / (2 * theta)) in *.
  assert (Wa : A * ea + B * na = (left + ea * nb * right) * k).
  { transitivity (right * nb * ea * k + left * (ea * na) * k); [rewrite HA, HB; ring|].
    rewrite Ia. ring. }
  assert (Wb : A * eb + B * nb = (ea * nb * left + right) * k).
  { transitivity (right * (eb * nb) * k + left * ea * nb * k); [rewrite HA, HB; ring|].
    rewrite Ib. ring. }
  assert (Sa : theta * (A * ea - B * na) = (ea * nb * right - left) * / 2).
  { transitivity ((theta * k) * (right * nb * ea - left * (ea * na))); [rewrite HA, HB; ring|].
    rewrite Ia, Hkt. ring. }
  assert (Sb : theta * (A * eb - B * nb) = (right - ea * nb * left) * / 2).
  { transitivity ((theta * k) * (right * (eb * nb) - left * ea * nb)); [rewrite HA, HB; ring|].
    rewrite Ib, Hkt. ring. }
  assert (Hroot : 2 * theta * sqrt (- (A * B)) = sqrt (- (left * right * (ea * nb)))).
  { replace (- (A * B)) with (k * k * - (left * right * (ea * nb))) by (rewrite HA, HB; ring).
    rewrite sqrt_mult_alt by nra. rewrite sqrt_square by lra.
    transitivity (2 * (theta * k) * sqrt (- (left * right * (ea * nb)))); [ring|].
    rewrite Hkt. field. }
  rewrite Wa, Wb, Sa, Sb, Hroot.
  destruct (Rle_dec 0 ((left + ea * nb * right) * k)) as [H1 | H1],
    (Rle_dec 0 (left + ea * nb * right)) as [K1 | K1]; try (exfalso; nra);
    destruct (Rle_dec 0 ((ea * nb * left + right) * k)) as [H2 | H2],
      (Rle_dec 0 (ea * nb * left + right)) as [K2 | K2]; try (exfalso; nra); field.
Qed.

(* What reaches the left end a from the left, and the right end b from the right. *)
Lemma left_of_value : forall theta S T a, 0 < theta ->
  Forall (fun x => x <= a) (atoms S) -> Forall (fun x => a < x) (atoms T) ->
  left_of theta (S ++ T) a = signal theta S a * exp (a / theta) / (2 * theta).
Proof.
  intros theta S T a Ht HS HT. rewrite Forall_forall in *. induction S as [|[x m] S IH]; simpl.
  - rewrite left_of_none by auto. field. lra.
  - rewrite IH by (intros z Hz; apply HS; now right).
    pose proof (HS x (or_introl eq_refl)) as Hx. destruct (Rlt_dec a x); [lra|].
    unfold decay. rewrite Rabs_pos_eq by lra.
    replace (x / theta) with (- (a - x) / theta + a / theta) by (field; lra).
    rewrite exp_plus. field. lra.
Qed.

Lemma right_of_value : forall theta S T a b, 0 < theta -> a < b ->
  Forall (fun x => x <= a) (atoms S) -> Forall (fun x => b <= x) (atoms T) ->
  right_of theta (S ++ T) a = signal theta T b * exp (- b / theta) / (2 * theta).
Proof.
  intros theta S T a b Ht Hab HS HT. rewrite Forall_forall in *.
  induction S as [|[x m] S IH]; simpl.
  - clear HS. induction T as [|[x m] T IH]; simpl; [field; lra|].
    rewrite IH by (intros z Hz; apply HT; now right).
    pose proof (HT x (or_introl eq_refl)) as Hx. destruct (Rlt_dec a x); [|lra].
    unfold decay. rewrite Rabs_left1 by lra.
    replace (- x / theta) with (- - (b - x) / theta + - b / theta) by (field; lra).
    rewrite exp_plus. field. lra.
  - rewrite IH by (intros z Hz; apply HS; now right).
    pose proof (HS x (or_introl eq_refl)) as Hx. destruct (Rlt_dec a x); [lra|]. ring.
Qed.

Lemma tail_value : forall theta S a, 0 < theta ->
  2 * (theta * Rmax 0 (release theta S a)) = Rmax 0 (signal theta S a).
Proof.
  intros theta S a Ht. rewrite <- Rmult_assoc, <- RmaxRmult by lra. rewrite release_signal, Rmult_0_r.
  f_equal. field. lra.
Qed.

Module EventsChecker (I : IntervalOps).
Module Import Points := PointwiseChecker I.
Import Points.C Points.C.E.

(* ------------------------------------------------------------ the sum over gaps, in intervals *)

(* y where c is not negative and n where it is, or both where its sign is open. *)
Definition pick (c y n : I.type) : I.type :=
  if surely_nonnegative c then y else if surely_negative c then n else I.join y n.

Lemma pick_sound : forall c y n x v w, has c x -> (0 <= x -> has y v) -> (~ 0 <= x -> has n w) ->
  has (pick c y n) (if Rle_dec 0 x then v else w).
Proof.
  intros c y n x v w Hc Hy Hn. unfold pick.
  destruct (surely_nonnegative c) eqn:S1; [|destruct (surely_negative c) eqn:S2].
  - pose proof (surely_nonnegative_sound _ _ S1 Hc). destruct (Rle_dec 0 x); [auto | lra].
  - pose proof (surely_negative_sound _ _ S2 Hc). destruct (Rle_dec 0 x); [lra | auto].
  - destruct (Rle_dec 0 x) as [H | H]; apply I.join_correct; [left; exact (Hy H) | right; exact (Hn H)].
Qed.

Section Evaluation.
Variable prec : I.F.precision.
Variable limit : positive.

Definition positive_part (i : I.type) : I.type := pick i i (integer prec 0).

Lemma positive_part_sound : forall i x, has i x -> has (positive_part i) (Rmax 0 x).
Proof.
  intros i x H. replace (Rmax 0 x) with (if Rle_dec 0 x then x else 0).
  - apply pick_sound; auto. intros _. apply integer_sound.
  - unfold Rmax. destruct (Rle_dec 0 x); [reflexivity|]. reflexivity.
Qed.

Definition gap_interval (left right q : I.type) : I.type :=
  let qr := I.mul prec q right in
  let ql := I.mul prec q left in
  let root := I.mul prec (integer prec 2)
    (I.sqrt prec (I.neg (I.mul prec (I.mul prec left right) q))) in
  let at_right := I.add prec ql right in
  pick (I.add prec left qr)
    (pick at_right
      (I.mul prec (I.add prec left right) (I.sub prec (integer prec 1) q))
      (I.sub prec (I.sub prec left qr) root))
    (pick at_right (I.sub prec (I.sub prec right ql) root) (integer prec 0)).

Lemma gap_interval_sound : forall i j k left right q, has i left -> has j right -> has k q ->
  has (gap_interval i j k) (gap_of left right q).
Proof.
  intros i j k left right q Hi Hj Hk. unfold gap_interval, gap_of.
  pose proof (mul_sound prec _ _ _ _ Hk Hj) as Hqr. pose proof (mul_sound prec _ _ _ _ Hk Hi) as Hql.
  pose proof (add_sound prec _ _ _ _ Hql Hj) as Hr. pose proof (add_sound prec _ _ _ _ Hi Hqr) as Hl.
  pose proof (mul_sound prec _ _ _ _ (integer_sound prec 2)
    (sqrt_sound prec _ _ (neg_sound _ _ (mul_sound prec _ _ _ _
      (mul_sound prec _ _ _ _ Hi Hj) Hk)))) as Hroot.
  apply pick_sound; [exact Hl | |]; intros _; (apply pick_sound; [exact Hr | |]; intros _).
  - apply mul_sound; [apply add_sound; assumption | apply sub_sound; [apply integer_sound | exact Hk]].
  - apply sub_sound; [apply sub_sound; assumption | exact Hroot].
  - apply sub_sound; [apply sub_sound; assumption | exact Hroot].
  - apply integer_sound.
Qed.

Variables theta E delta : R.
Hypothesis theta_positive : 0 < theta.
Hypothesis E_nonnegative : 0 <= E.
Variables thetaI EI deltaI : I.type.
Hypothesis theta_inside : has thetaI theta.
Hypothesis E_inside : has EI E.
Hypothesis delta_inside : has deltaI delta.

Section Sums.
Variables u a b : positive.
Variable t : C.gaps.
Hypothesis t_sound : sound_gaps theta u t.

(* before: what the atoms up to x, with x, send to x.  Returned: the sum over the gaps from x on and
   the tail after them; what the later atoms send to x. *)
Fixpoint sweep_gaps (before : I.type) (x : Z) (l : merged) : I.type * I.type :=
  match l with
  | [] => (positive_part before, integer prec 0)
  | (z, w) :: rest =>
      let q := look prec limit (rate prec thetaI u) t (z - x) in
      let c := coefficientI prec EI a b w in
      let '(sum, after) := sweep_gaps (I.add prec (I.mul prec q before) c) z rest in
      let right := I.add prec c after in
      (I.add prec (gap_interval before right q) sum, I.mul prec q right)
  end.

Lemma sweep_gaps_sound : forall l done before x, increasing_from x l = true ->
  Forall (fun z => z <= atom_of u x) (atoms done) -> has before (signal theta done (atom_of u x)) ->
  has (fst (sweep_gaps before x l))
    (2 * Divergence.gaps theta (done ++ signed E u a b l) (atom_of u x)
      (map (fun row => atom_of u (fst row)) l)) /\
  has (snd (sweep_gaps before x l)) (signal theta (signed E u a b l) (atom_of u x)).
Proof.
  induction l as [|[z w] l IH]; intros done before x Hi Hd Hb.
  - simpl. rewrite app_nil_r, tail_value by assumption.
    split; [now apply positive_part_sound | apply integer_sound].
  - simpl in Hi. destruct (Z.ltb_spec x z) as [Lz | Lz]; [|discriminate].
    pose proof (atom_of_lt u x z Lz) as La.
    cbn [sweep_gaps]. set (q := look prec limit (rate prec thetaI u) t (z - x)).
    set (c := coefficientI prec EI a b w).
    assert (Hq : has q (decay theta (atom_of u z - atom_of u x))).
    { unfold q. rewrite <- (gap_decay_eq theta theta_positive) by lia. now apply look_sound. }
    assert (Hc : has c (coefficient E a b w)) by now apply coefficientI_sound.
    set (here := [(atom_of u z, coefficient E a b w)]).
    change (signed E u a b ((z, w) :: l)) with (here ++ signed E u a b l).
    specialize (IH (done ++ here) (I.add prec (I.mul prec q before) c) z Hi).
    destruct (sweep_gaps (I.add prec (I.mul prec q before) c) z l) as [sum after].
    assert (Hone : signal theta here (atom_of u z) = coefficient E a b w) by now apply signal_single.
    destruct IH as [IH1 IH2].
    + rewrite atoms_app. apply Forall_app. split.
      * eapply Forall_impl; [|exact Hd]. simpl. intros; lra.
      * constructor; [simpl; lra|constructor].
    + rewrite signal_app, Hone.
      rewrite (signal_right theta done (atom_of u x) (atom_of u z)) by (try assumption; lra).
      apply add_sound; [apply mul_sound; assumption|assumption].
    + simpl in IH1, IH2.
      assert (Habove : Forall (fun y => atom_of u z <= y) (atoms (here ++ signed E u a b l))).
      { rewrite atoms_app, atoms_signed. apply Forall_app. split; [constructor; [simpl; lra|constructor]|].
        now apply Merge.increasing_above. }
      assert (Hright : has (I.add prec c after) (signal theta (here ++ signed E u a b l) (atom_of u z))).
      { rewrite signal_app, Hone. now apply add_sound. }
      split.
      * simpl fst. simpl map. cbn [Divergence.gaps]. rewrite Rmult_plus_distr_l.
        rewrite app_assoc. apply add_sound; [|exact IH1]. rewrite <- app_assoc.
        rewrite (gap_by_ends theta _ _ _ _ (signal theta done (atom_of u x))
          (signal theta (here ++ signed E u a b l) (atom_of u z)) theta_positive).
        -- apply gap_interval_sound; [assumption | assumption |].
           unfold decay in Hq. rewrite Rabs_pos_eq in Hq by lra. exact Hq.
        -- apply right_of_value; assumption.
        -- apply left_of_value; [assumption | assumption |].
           eapply Forall_impl; [|exact Habove]. simpl. intros; lra.
      * simpl snd. rewrite (signal_left theta _ (atom_of u z) (atom_of u x)) by (try assumption; lra).
        now apply mul_sound.
Qed.
End Sums.

Lemma increasing_points : forall u l x, increasing_from x l = true ->
  Divergence.increasing (atom_of u x) (map (fun row => atom_of u (fst row)) l).
Proof.
  intros u. induction l as [|[z w] l IH]; intros x H; simpl; [exact Logic.I|].
  simpl in H. destruct (Z.ltb_spec x z) as [L | L]; [|discriminate].
  split; [now apply atom_of_lt | now apply IH].
Qed.

(* ------------------------------------------------------------ one order of a pair *)

(* The divergence, and what delta allows; both up to one factor. *)
Definition order_divergence (P Q : table) : I.type * I.type :=
  let '(a, b, f) := totals P Q in
  let l := merged_of P Q in
  let t := add_all_gaps prec limit (rate prec thetaI (unit P)) (PositiveMap.empty I.type) l in
  (match l with
   | [] => integer prec 0
   | (x, w) :: rest =>
       let c := coefficientI prec EI a b w in
       let '(sum, after) := sweep_gaps (unit P) a b t c x rest in
       I.add prec (positive_part (I.add prec c after)) sum
   end,
   I.mul prec (integer prec (2 * Zpos f)) deltaI).

Lemma order_divergence_sound : forall P Q, ready_pair P Q = true -> exists k, 0 < k /\
  probability (law P) /\ probability (law Q) /\
  has (fst (order_divergence P Q))
    (k * divergence E (release theta (law P)) (release theta (law Q))) /\
  has (snd (order_divergence P Q)) (k * delta).
Proof.
  intros P Q R. unfold ready_pair in R. rewrite !andb_true_iff in R.
  destruct R as [[[U LP] LQ] Hi]. apply Pos.eqb_eq in U. apply is_law_sound in LP, LQ.
  unfold order_divergence. destruct (totals P Q) as [[a b] f] eqn:T. simpl fst. simpl snd.
  pose proof (IZR_pos f) as Hf. exists (2 * IZR (Zpos f)). split; [lra|].
  split; [exact LP|]. split; [exact LQ|]. split.
  2: { rewrite <- mult_IZR. apply mul_sound; [apply integer_sound | assumption]. }
  pose proof (fun y => totals_excess theta E P Q a b f y theta_positive U T) as X.
  set (t := add_all_gaps prec limit (rate prec thetaI (unit P)) (PositiveMap.empty I.type) (merged_of P Q)).
  assert (Ht : sound_gaps theta (unit P) t).
  { apply add_all_gaps_sound; [assumption | assumption | apply no_gaps_sound]. }
  clearbody t. destruct (merged_of P Q) as [|[x w] l]; [discriminate|]. simpl in Hi.
  set (S := signed E (unit P) a b ((x, w) :: l)).
  assert (Hone : signal theta [(atom_of (unit P) x, coefficient E a b w)] (atom_of (unit P) x) =
    coefficient E a b w) by now apply signal_single.
  assert (Hc : has (coefficientI prec EI a b w) (coefficient E a b w)) by now apply coefficientI_sound.
  pose proof (sweep_gaps_sound (unit P) a b t Ht l [(atom_of (unit P) x, coefficient E a b w)]
    (coefficientI prec EI a b w) x Hi) as W.
  destruct (sweep_gaps (unit P) a b t (coefficientI prec EI a b w) x l) as [sum after].
  destruct W as [W1 W2]; [constructor; [simpl; lra | constructor] | now rewrite Hone |].
  simpl in W1, W2.
  assert (D : IZR (Zpos f) * divergence E (release theta (law P)) (release theta (law Q)) =
    theta * Rmax 0 (release theta S (atom_of (unit P) x)) +
    Divergence.gaps theta S (atom_of (unit P) x) (map (fun row => atom_of (unit P) (fst row)) l)).
  { rewrite <- (integral_of _ _ (closed_form theta S (atom_of (unit P) x)
      (map (fun row => atom_of (unit P) (fst row)) l) theta_positive (increasing_points _ l x Hi)
      (fun z (Hz : In z (atoms S)) => eq_ind _ (fun m => In z m) Hz _ (atoms_signed E (unit P) a b _)))).
    symmetry. apply integral_of.
    apply integrates_ext with (fun y => IZR (Zpos f) *
      Rmax 0 (release theta (law P) y - E * release theta (law Q) y)).
    - intro y. rewrite <- RmaxRmult, Rmult_0_r by lra. f_equal. specialize (X y).
      rewrite excess_signal in X. fold S in X. rewrite (release_signal theta S), X. field. lra.
    - apply integrates_scaled, divergence_exists; [assumption | |]; apply release_density; assumption. }
  replace (2 * IZR (Zpos f) * _) with
    (Rmax 0 (signal theta S (atom_of (unit P) x)) +
     2 * Divergence.gaps theta S (atom_of (unit P) x) (map (fun row => atom_of (unit P) (fst row)) l))
    by (rewrite <- tail_value by assumption; lra).
  apply add_sound; [|exact W1]. apply positive_part_sound.
  change S with ([(atom_of (unit P) x, coefficient E a b w)] ++ signed E (unit P) a b l).
  rewrite signal_app, Hone. now apply add_sound.
Qed.

Definition order_holds (P Q : table) : bool :=
  if ready_pair P Q then
    let '(found, allowed) := order_divergence P Q in surely_nonpositive (I.sub prec found allowed)
  else false.

Definition order_fails (P Q : table) : bool :=
  if ready_pair P Q then
    let '(found, allowed) := order_divergence P Q in surely_positive (I.sub prec found allowed)
  else false.

Lemma order_holds_sound : forall P Q, order_holds P Q = true ->
  probability (law P) /\ probability (law Q) /\
  divergence E (release theta (law P)) (release theta (law Q)) <= delta.
Proof.
  intros P Q. unfold order_holds. destruct (ready_pair P Q) eqn:R; [|discriminate].
  destruct (order_divergence_sound P Q R) as (k & Hk & LP & LQ & V & A).
  destruct (order_divergence P Q) as [found allowed]. simpl in V, A. intro H.
  pose proof (surely_nonpositive_sound _ _ H (sub_sound prec _ _ _ _ V A)).
  split; [exact LP|]. split; [exact LQ|]. apply Rmult_le_reg_l with k; lra.
Qed.

Lemma order_fails_sound : forall P Q, order_fails P Q = true ->
  probability (law P) /\ probability (law Q) /\
  delta < divergence E (release theta (law P)) (release theta (law Q)).
Proof.
  intros P Q. unfold order_fails. destruct (ready_pair P Q) eqn:R; [|discriminate].
  destruct (order_divergence_sound P Q R) as (k & Hk & LP & LQ & V & A).
  destruct (order_divergence P Q) as [found allowed]. simpl in V, A. intro H.
  pose proof (surely_positive_sound _ _ H (sub_sound prec _ _ _ _ V A)).
  split; [exact LP|]. split; [exact LQ|]. apply Rmult_lt_reg_l with k; lra.
Qed.
End Evaluation.

(* ------------------------------------------------------------ a problem *)

Definition certify_events (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  existsb (Points.attempt precision (fun prec limit thetaI EI deltaI =>
    match pairs d with
    | [] => false
    | _ => forallb (fun pair =>
        order_holds prec limit thetaI EI deltaI (fst pair) (snd pair) &&
        order_holds prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)
    end) delta d) (levels bits).

Definition refute_events (precision : positive -> I.F.precision) (bits : positive)
    (delta : number) (d : problem) : bool :=
  existsb (Points.attempt precision (fun prec limit thetaI EI deltaI =>
    existsb (fun pair =>
      order_fails prec limit thetaI EI deltaI (fst pair) (snd pair) ||
      order_fails prec limit thetaI EI deltaI (snd pair) (fst pair)) (pairs d)) delta d) (levels bits).

Lemma certify_events_sound : forall precision bits delta d,
  certify_events precision bits delta d = true -> certifies_events delta d.
Proof.
  intros precision bits delta d H. unfold certify_events in H. apply existsb_exists in H.
  destruct H as (level & _ & H). apply Points.attempt_sound in H.
  destruct H as (Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  split; [exact Ht|]. intros P Q HPQ.
  destruct (pairs d) as [|pair rest] eqn:Ep; [discriminate|]. rewrite <- Ep in *.
  rewrite forallb_forall in H. specialize (H (P, Q) HPQ). simpl in H.
  apply andb_true_iff in H. destruct H as [H K].
  assert (HE : 0 <= exp (value (epsilon d))) by (left; apply exp_pos).
  destruct (order_holds_sound _ _ _ _ _ Ht HE _ _ _ It IE Id _ _ H) as (LP & LQ & F).
  destruct (order_holds_sound _ _ _ _ _ Ht HE _ _ _ It IE Id _ _ K) as (_ & _ & G).
  split; [exact LP|]. split; [exact LQ|].
  split; [exact (proj1 (divergence_events _ _ _ _ _ Ht LP LQ) F) |
    exact (proj1 (divergence_events _ _ _ _ _ Ht LQ LP) G)].
Qed.

Lemma exceeded : forall theta epsilon delta P Q, 0 < theta -> probability P -> probability Q ->
  delta < divergence (exp epsilon) (release theta P) (release theta Q) ->
  exists B, event B /\
    exp epsilon * measure (release theta Q) B + delta < measure (release theta P) B.
Proof.
  intros theta epsilon delta P Q Ht HP HQ H.
  pose proof (event_above theta (exp epsilon) P Q Ht) as HB.
  rewrite (divergence_attained (exp epsilon) (release theta P) (release theta Q)) in H;
    [|apply release_density; assumption|apply release_density; assumption|exact HB].
  exists (above (exp epsilon) (release theta P) (release theta Q)). split; [exact HB | lra].
Qed.

Lemma refute_events_sound : forall precision bits delta d,
  refute_events precision bits delta d = true -> refutes_events delta d.
Proof.
  intros precision bits delta d H. unfold refute_events in H. apply existsb_exists in H.
  destruct H as (level & _ & H). apply Points.attempt_sound in H.
  destruct H as (Ht & Hd & prec & limit & thetaI & EI & deltaI & It & IE & Id & H).
  apply existsb_exists in H. destruct H as ([P Q] & HPQ & H). simpl in H.
  assert (HE : 0 <= exp (value (epsilon d))) by (left; apply exp_pos).
  split; [exact Ht|]. apply orb_true_iff in H. destruct H as [H | H].
  - destruct (order_fails_sound _ _ _ _ _ Ht HE _ _ _ It IE Id _ _ H) as (LP & LQ & V).
    destruct (exceeded _ _ _ _ _ Ht LP LQ V) as (B & HB & K). exists P, Q, B. tauto.
  - destruct (order_fails_sound _ _ _ _ _ Ht HE _ _ _ It IE Id _ _ H) as (LQ & LP & V).
    destruct (exceeded _ _ _ _ _ Ht LQ LP V) as (B & HB & K). exists Q, P, B. tauto.
Qed.
End EventsChecker.

(* ------------------------------------------------------------ on Coq's own integers *)

Module EventsChecks := EventsChecker Intervals.

(* bits: the first precision. *)
Definition certify_events (bits : positive) (delta : number) (d : problem) : bool :=
  EventsChecks.certify_events Floats.PtoP bits delta d.
Definition refute_events (bits : positive) (delta : number) (d : problem) : bool :=
  EventsChecks.refute_events Floats.PtoP bits delta d.

(* F4: what is accepted holds for every event. *)
Theorem certified_events : forall bits delta d,
  certify_events bits delta d = true -> certifies_events delta d.
Proof. exact (EventsChecks.certify_events_sound Floats.PtoP). Qed.

(* F4: what is refuted is violated by an event. *)
Theorem refuted_events : forall bits delta d,
  refute_events bits delta d = true -> refutes_events delta d.
Proof. exact (EventsChecks.refute_events_sound Floats.PtoP). Qed.
