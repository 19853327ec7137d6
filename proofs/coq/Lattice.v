(* Discrete Laplace noise on the multiples of a step, and F12: at lattice points it has the ratios
   of Laplace noise.  For exported files:

   certifies_discrete, refutes_discrete : number -> problem -> Prop      (the step, the problem)
   on_lattice : number -> problem -> bool
   certified_discrete : forall step d, on_lattice step d = true -> certifies d ->
     certifies_discrete step d
   refuted_discrete : forall step d, on_lattice step d = true -> refutes d ->
     refutes_discrete step d
   bracket_discrete : forall step lower upper epsilon pairs,
     on_lattice step (Problem upper epsilon pairs) = true ->
     refutes (Problem lower epsilon pairs) -> certifies (Problem upper epsilon pairs) ->
     (forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
       discrete_private theta (value step) (value epsilon) (law P) (law Q)) /\
     (forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
       ~ discrete_private theta (value step) (value epsilon) (law P) (law Q))
   discrete_private_above: the first half alone, from certifies alone

   The step is written n or n / m, with positive integers n and m. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Psatz Classical_Prop.
From Pfverify Require Import Release Numbers Problems FiniteCheck Merge Monotone Bracket.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ the noise *)

(* t = e^(-step/theta) *)
Definition geometric (theta step : R) : R := exp (- step / theta).

(* Discrete Laplace noise: the mass at k * step is (1 - t)/(1 + t) t^|k|; elsewhere it is 0. *)
Definition discrete (theta step z : R) : R :=
  let k := Int_part (z / step) in
  let t := geometric theta step in
  if Req_EM_T z (IZR k * step) then (1 - t) / (1 + t) * t ^ Z.abs_nat k else 0.

(* The mass of the release X + noise at y. *)
Fixpoint discrete_release (theta step : R) (P : prior) (y : R) : R :=
  match P with
  | [] => 0
  | (x, m) :: rest => m * discrete theta step (y - x) + discrete_release theta step rest y
  end.

(* One order of the pure bound, at every output; both orders; a strict violation at an output. *)
Definition discrete_bounded (theta step epsilon : R) (P Q : prior) : Prop :=
  forall y, discrete_release theta step P y <= exp epsilon * discrete_release theta step Q y.

Definition discrete_private (theta step epsilon : R) (P Q : prior) : Prop :=
  discrete_bounded theta step epsilon P Q /\ discrete_bounded theta step epsilon Q P.

Definition discrete_violated (theta step epsilon : R) (P Q : prior) (y : R) : Prop :=
  exp epsilon * discrete_release theta step Q y < discrete_release theta step P y.

(* All atoms lie in one coset of the multiples of the step. *)
Definition lattice (step : R) (P : prior) : Prop :=
  exists base, Forall (fun x => exists k, x = base + IZR k * step) (atoms P).

(* ------------------------------------------------------------ it is a law *)

Lemma geometric_between : forall theta step, 0 < theta -> 0 < step -> 0 < geometric theta step < 1.
Proof.
  intros theta step Ht Hs. unfold geometric. split; [apply exp_pos|].
  rewrite <- exp_0. apply exp_increasing.
  assert (0 < step / theta) by (apply Rdiv_lt_0_compat; lra). unfold Rdiv in *. lra.
Qed.

Lemma geometric_power : forall theta step n,
  geometric theta step ^ n = exp (- (INR n * step) / theta).
Proof.
  intros theta step n. induction n as [|n IH].
  - simpl. replace (- (0 * step) / theta) with 0 by (unfold Rdiv; ring). now rewrite exp_0.
  - rewrite S_INR. simpl. rewrite IH. unfold geometric. rewrite <- exp_plus. f_equal.
    unfold Rdiv. ring.
Qed.

Lemma Int_part_IZR : forall k, Int_part (IZR k) = k.
Proof.
  intros k. destruct (base_Int_part (IZR k)) as [H1 H2].
  apply le_IZR in H1. assert (IZR k < IZR (Int_part (IZR k) + 1)) by (rewrite plus_IZR; lra).
  apply lt_IZR in H. lia.
Qed.

Lemma multiple_part : forall step k, 0 < step -> Int_part (IZR k * step / step) = k.
Proof.
  intros step k H. replace (IZR k * step / step) with (IZR k) by (field; lra). apply Int_part_IZR.
Qed.

(* At the multiples of the step ... *)
Theorem discrete_at : forall theta step k, 0 < step ->
  discrete theta step (IZR k * step) =
  (1 - geometric theta step) / (1 + geometric theta step) * geometric theta step ^ Z.abs_nat k.
Proof.
  intros theta step k H. unfold discrete. rewrite multiple_part by assumption.
  destruct (Req_EM_T (IZR k * step) (IZR k * step)) as [_|N]; [reflexivity|now elim N].
Qed.

(* ... and elsewhere. *)
Theorem discrete_off : forall theta step z,
  (forall k, z <> IZR k * step) -> discrete theta step z = 0.
Proof.
  intros theta step z H. unfold discrete.
  destruct (Req_EM_T z (IZR (Int_part (z / step)) * step)) as [E|_]; [|reflexivity].
  now elim (H (Int_part (z / step))).
Qed.

(* The masses are not negative ... *)
Theorem discrete_nonnegative : forall theta step z,
  0 < theta -> 0 < step -> 0 <= discrete theta step z.
Proof.
  intros theta step z Ht Hs. destruct (geometric_between theta step Ht Hs) as [H0 H1].
  unfold discrete. destruct (Req_EM_T _ _) as [_|_]; [|lra].
  apply Rmult_le_pos; [|apply pow_le; lra].
  left. apply Rdiv_lt_0_compat; lra.
Qed.

(* f(-n) + ... + f(n) *)
Fixpoint symmetric_sum (f : Z -> R) (n : nat) : R :=
  match n with
  | O => f 0%Z
  | S m => f (- Z.of_nat n)%Z + symmetric_sum f m + f (Z.of_nat n)
  end.

Lemma discrete_sum : forall theta step n, 0 < theta -> 0 < step ->
  symmetric_sum (fun k => discrete theta step (IZR k * step)) n =
  1 - 2 * geometric theta step ^ S n / (1 + geometric theta step).
Proof.
  intros theta step n Ht Hs. destruct (geometric_between theta step Ht Hs) as [H0 H1].
  induction n as [|n IH].
  - simpl symmetric_sum. rewrite discrete_at by assumption. simpl. field. lra.
  - assert (Hn : Z.abs_nat (- Z.of_nat (S n)) = S n) by lia.
    assert (Hp : Z.abs_nat (Z.of_nat (S n)) = S n) by lia.
    change (symmetric_sum (fun k => discrete theta step (IZR k * step)) (S n)) with
      (discrete theta step (IZR (- Z.of_nat (S n)) * step)
       + symmetric_sum (fun k => discrete theta step (IZR k * step)) n
       + discrete theta step (IZR (Z.of_nat (S n)) * step)).
    rewrite IH, !discrete_at, Hn, Hp by assumption. simpl. field. lra.
Qed.

(* ... and sum to 1. *)
Theorem discrete_total : forall theta step, 0 < theta -> 0 < step ->
  Un_cv (symmetric_sum (fun k => discrete theta step (IZR k * step))) 1.
Proof.
  intros theta step Ht Hs e He. destruct (geometric_between theta step Ht Hs) as [H0 H1].
  destruct (pow_lt_1_zero (geometric theta step)) with (y := e / 2) as [N HN];
    [rewrite Rabs_pos_eq; lra | lra |].
  exists N. intros n Hn. unfold R_dist. rewrite discrete_sum by assumption.
  specialize (HN (S n) ltac:(lia)).
  assert (0 < geometric theta step ^ S n) by (apply pow_lt; lra).
  rewrite Rabs_pos_eq in HN by lra.
  assert (0 <= geometric theta step ^ S n / (1 + geometric theta step)
    <= geometric theta step ^ S n).
  { split; [left; apply Rdiv_lt_0_compat; lra|].
    apply Rmult_le_reg_r with (1 + geometric theta step); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra. }
  rewrite Rabs_left1; unfold Rdiv in *; lra.
Qed.

(* ------------------------------------------------------------ F12 *)

(* 2 theta (1 - t)/(1 + t) *)
Definition lattice_factor (theta step : R) : R :=
  2 * theta * ((1 - geometric theta step) / (1 + geometric theta step)).

Lemma lattice_factor_positive : forall theta step,
  0 < theta -> 0 < step -> 0 < lattice_factor theta step.
Proof.
  intros theta step Ht Hs. destruct (geometric_between theta step Ht Hs) as [H0 H1].
  unfold lattice_factor. apply Rmult_lt_0_compat; [lra|]. apply Rdiv_lt_0_compat; lra.
Qed.

Lemma discrete_laplace : forall theta step k, 0 < theta -> 0 < step ->
  discrete theta step (IZR k * step) = lattice_factor theta step * laplace theta (IZR k * step).
Proof.
  intros theta step k Ht Hs. destruct (geometric_between theta step Ht Hs) as [H0 H1].
  rewrite discrete_at by assumption. rewrite geometric_power. unfold lattice_factor, laplace.
  rewrite INR_IZR_INZ, Zabs2Nat.id_abs, abs_IZR, Rabs_mult, (Rabs_pos_eq step) by lra.
  field. lra.
Qed.

Definition reaches (step y : R) (P : prior) : Prop :=
  Forall (fun x => exists k, y - x = IZR k * step) (atoms P).

(* F12: at a lattice point the discrete release is a fixed multiple of the continuous one. *)
Theorem discrete_release_at : forall theta step P y, 0 < theta -> 0 < step -> reaches step y P ->
  discrete_release theta step P y = lattice_factor theta step * release theta P y.
Proof.
  intros theta step P y Ht Hs. induction P as [|[x m] P IH]; simpl; intros H; [ring|].
  inversion H as [|? ? [k E] H2]; subst. simpl in E.
  rewrite (IH H2), E, discrete_laplace by assumption. ring.
Qed.

Lemma discrete_release_off : forall theta step P y,
  Forall (fun x => forall k, y - x <> IZR k * step) (atoms P) ->
  discrete_release theta step P y = 0.
Proof.
  intros theta step P y. induction P as [|[x m] P IH]; simpl; intros H; [reflexivity|].
  inversion H as [|? ? E H2]; subst. rewrite (IH H2), discrete_off by exact E. ring.
Qed.

Lemma discrete_release_nonnegative : forall theta step P y,
  0 < theta -> 0 < step -> Forall (fun m => 0 <= m) (masses P) ->
  0 <= discrete_release theta step P y.
Proof.
  intros theta step P y Ht Hs. induction P as [|[x m] P IH]; simpl; intros H; [lra|].
  inversion H as [|? ? H1 H2]; subst. pose proof (discrete_nonnegative theta step (y - x) Ht Hs).
  specialize (IH H2). nra.
Qed.

Lemma coset : forall base step x y, (exists k, y = base + IZR k * step) ->
  (exists k, x = base + IZR k * step) -> exists k, y - x = IZR k * step.
Proof.
  intros base step x y [j ->] [k ->]. exists (j - k)%Z. rewrite minus_IZR. ring.
Qed.

(* An output reaches all atoms, or none. *)
Lemma reach_all_or_none : forall step P y, lattice step P ->
  reaches step y P \/ Forall (fun x => forall k, y - x <> IZR k * step) (atoms P).
Proof.
  intros step P y [base H].
  destruct (classic (exists k, y = base + IZR k * step)) as [E|N].
  - left. eapply Forall_impl; [|exact H]. intros x Hx. now apply (coset base).
  - right. eapply Forall_impl; [|exact H]. intros x [j ->] k E. apply N. exists (j + k)%Z.
    rewrite plus_IZR. lra.
Qed.

Lemma reaches_app : forall step y P Q,
  reaches step y (P ++ Q) -> reaches step y P /\ reaches step y Q.
Proof.
  intros step y P Q H. unfold reaches, atoms in *. rewrite map_app in H. now apply Forall_app.
Qed.

Lemma atoms_reach : forall step P y, lattice step P -> In y (atoms P) -> reaches step y P.
Proof.
  intros step P y [base H] I. assert (Hy := proj1 (Forall_forall _ _) H y I).
  eapply Forall_impl; [|exact H]. intros x Hx. now apply (coset base).
Qed.

(* F12: what Laplace noise bounds, discrete Laplace noise bounds. *)
Theorem bounded_discrete : forall theta step epsilon P Q, 0 < theta -> 0 < step ->
  lattice step (P ++ Q) -> bounded theta epsilon P Q -> discrete_bounded theta step epsilon P Q.
Proof.
  intros theta step epsilon P Q Ht Hs L B y.
  destruct (reach_all_or_none step (P ++ Q) y L) as [A|N].
  - apply reaches_app in A. destruct A as [HP HQ].
    rewrite !discrete_release_at by assumption.
    pose proof (lattice_factor_positive theta step Ht Hs). specialize (B y).
    rewrite <- Rmult_assoc, (Rmult_comm (exp epsilon)), Rmult_assoc. apply Rmult_le_compat_l; lra.
  - unfold atoms in N. rewrite map_app in N. apply Forall_app in N. destruct N as [HP HQ].
    rewrite !discrete_release_off by assumption. lra.
Qed.

(* F12: what Laplace noise violates at an atom, discrete Laplace noise violates there. *)
Theorem violated_discrete : forall theta step epsilon P Q y, 0 < theta -> 0 < step ->
  lattice step (P ++ Q) -> In y (atoms (P ++ Q)) ->
  violated theta epsilon P Q y -> discrete_violated theta step epsilon P Q y.
Proof.
  intros theta step epsilon P Q y Ht Hs L I V. unfold violated, discrete_violated in *.
  destruct (reaches_app _ _ _ _ (atoms_reach step (P ++ Q) y L I)) as [HP HQ].
  rewrite !discrete_release_at by assumption.
  pose proof (lattice_factor_positive theta step Ht Hs).
  rewrite <- Rmult_assoc, (Rmult_comm (exp epsilon)), Rmult_assoc. apply Rmult_lt_compat_l; lra.
Qed.

(* ------------------------------------------------------------ events *)

Fixpoint discrete_event (theta step : R) (P : prior) (outputs : list R) : R :=
  match outputs with
  | [] => 0
  | y :: rest => discrete_release theta step P y + discrete_event theta step P rest
  end.

(* The bound at every output is the bound at every finite set of outputs. *)
Theorem discrete_events : forall theta step epsilon P Q,
  discrete_bounded theta step epsilon P Q <->
  forall outputs, NoDup outputs ->
    discrete_event theta step P outputs <= exp epsilon * discrete_event theta step Q outputs.
Proof.
  intros theta step epsilon P Q. split.
  - intros B outputs _. induction outputs as [|y rest IH]; simpl; [lra|]. specialize (B y). lra.
  - intros B y. specialize (B [y] ltac:(constructor; [intros []|constructor])). simpl in B. lra.
Qed.

(* ------------------------------------------------------------ problems *)

(* Discrete Laplace noise of the problem's scale on the multiples of the step: both tables are
   laws, and both orders hold at every output. *)
Definition certifies_discrete (step : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined step /\
  0 < value (scale d) /\ 0 < value step /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    discrete_private (value (scale d)) (value step) (value (epsilon d)) (law P) (law Q).

(* At an atom of one of the pairs, in one of the orders, the bound fails. *)
Definition refutes_discrete (step : number) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ defined step /\
  0 < value (scale d) /\ 0 < value step /\
  exists P Q y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\ In y (atoms (law P ++ law Q)) /\
    discrete_violated (value (scale d)) (value step) (value (epsilon d)) (law P) (law Q) y.

(* n or n / m, with positive integers n and m *)
Definition positive_ratio (a : number) : option (positive * positive) :=
  match a with
  | Whole (Zpos n) => Some (n, 1%positive)
  | Over (Whole (Zpos n)) (Whole (Zpos m)) => Some (n, m)
  | _ => None
  end.

(* The atoms of a table as pairs (unit, x), which mean x/unit. *)
Definition points (t : table) : list (positive * Z) := map (fun row => (unit t, fst row)) (rows t).

(* x/unit - x'/unit' is an integer times n/m *)
Definition apart (n m : positive) (a b : positive * Z) : bool :=
  let '(unit, x) := a in
  let '(unit', x') := b in
  (((x * Zpos unit' - x' * Zpos unit) * Zpos m) mod (Zpos n * Zpos unit * Zpos unit') =? 0)%Z.

Definition one_coset (n m : positive) (l : list (positive * Z)) : bool :=
  match l with
  | [] => true
  | base :: rest => forallb (fun a => apart n m a base) rest
  end.

(* The step is a positive ratio, and the atoms of each pair lie in one coset of its multiples. *)
Definition on_lattice (step : number) (d : problem) : bool :=
  match positive_ratio step with
  | Some (n, m) => forallb (fun '(P, Q) => one_coset n m (points P ++ points Q)) (pairs d)
  | None => false
  end.

Lemma positive_ratio_value : forall a n m, positive_ratio a = Some (n, m) ->
  value a = IZR (Zpos n) / IZR (Zpos m).
Proof.
  intros a n m H. destruct a as [[|z|z]| | | |b c| | | |]; try discriminate H.
  - inversion H; subst. simpl value. field.
  - destruct b as [[|z|z]| | | | | | | |]; try discriminate H.
    destruct c as [[|w|w]| | | | | | | |]; try discriminate H.
    inversion H; subst. reflexivity.
Qed.

Lemma apart_multiple : forall n m unit x unit' x', apart n m (unit, x) (unit', x') = true ->
  exists k, atom_of unit x = atom_of unit' x' + IZR k * (IZR (Zpos n) / IZR (Zpos m)).
Proof.
  intros n m unit x unit' x' H. unfold apart in H. apply Z.eqb_eq in H.
  apply Z.mod_divide in H; [|lia]. destruct H as [k E]. exists k.
  apply (f_equal IZR) in E. rewrite !mult_IZR, minus_IZR, !mult_IZR in E. unfold atom_of.
  pose proof (IZR_pos n). pose proof (IZR_pos m).
  pose proof (IZR_pos unit). pose proof (IZR_pos unit').
  apply Rmult_eq_reg_r with (IZR (Zpos m) * IZR (Zpos unit) * IZR (Zpos unit')).
  - transitivity (IZR x * IZR (Zpos unit') * IZR (Zpos m)); [field; lra|].
    transitivity (IZR x' * IZR (Zpos unit) * IZR (Zpos m)
      + IZR k * (IZR (Zpos n) * IZR (Zpos unit) * IZR (Zpos unit'))); [lra|field; lra].
  - apply Rmult_integral_contrapositive_currified; [|lra].
    apply Rmult_integral_contrapositive_currified; lra.
Qed.

Lemma points_atoms : forall t, atoms (law t) = map (fun a => atom_of (fst a) (snd a)) (points t).
Proof. intros t. unfold atoms, law, points. now rewrite !map_map. Qed.

Lemma one_coset_lattice : forall n m P Q, one_coset n m (points P ++ points Q) = true ->
  lattice (IZR (Zpos n) / IZR (Zpos m)) (law P ++ law Q).
Proof.
  intros n m P Q H. unfold lattice.
  assert (E : atoms (law P ++ law Q)
    = map (fun a => atom_of (fst a) (snd a)) (points P ++ points Q)).
  { unfold atoms at 1. rewrite map_app. fold (atoms (law P)) (atoms (law Q)).
    now rewrite !points_atoms, map_app. }
  rewrite E. destruct (points P ++ points Q) as [|[unit x] rest]; [exists 0; constructor|].
  exists (atom_of unit x). simpl in *. constructor.
  - exists 0%Z. simpl. ring.
  - apply Forall_map, Forall_forall. intros [unit' x'] I. simpl.
    rewrite forallb_forall in H. now apply apart_multiple, H.
Qed.

Lemma on_lattice_pair : forall step d P Q, on_lattice step d = true -> In (P, Q) (pairs d) ->
  0 < value step /\ lattice (value step) (law P ++ law Q).
Proof.
  intros step d P Q H I. unfold on_lattice in H.
  destruct (positive_ratio step) as [[n m]|] eqn:E; [|discriminate H].
  rewrite (positive_ratio_value _ _ _ E). split.
  - apply Rdiv_lt_0_compat; apply IZR_pos.
  - rewrite forallb_forall in H. exact (one_coset_lattice n m P Q (H (P, Q) I)).
Qed.

Lemma positive_ratio_defined : forall a n m, positive_ratio a = Some (n, m) -> defined a.
Proof.
  intros a n m H. destruct a as [[|z|z]| | | |b c| | | |]; try discriminate H; [exact Logic.I|].
  destruct b as [[|z|z]| | | | | | | |]; try discriminate H.
  destruct c as [[|w|w]| | | | | | | |]; try discriminate H.
  simpl. pose proof (IZR_pos w). repeat split; lra.
Qed.

Lemma on_lattice_step : forall step d, on_lattice step d = true -> defined step /\ 0 < value step.
Proof.
  intros step d H. unfold on_lattice in H.
  destruct (positive_ratio step) as [[n m]|] eqn:E; [|discriminate H].
  split; [exact (positive_ratio_defined _ _ _ E)|].
  rewrite (positive_ratio_value _ _ _ E).
  apply Rdiv_lt_0_compat; apply IZR_pos.
Qed.

Lemma lattice_swap : forall step P Q, lattice step (P ++ Q) -> lattice step (Q ++ P).
Proof.
  intros step P Q [base H]. exists base. unfold atoms in *. rewrite map_app in *.
  apply Forall_app in H. apply Forall_app. tauto.
Qed.

(* F12: certified for Laplace noise, certified for discrete Laplace noise of the same scale. *)
Theorem certified_discrete : forall step d,
  on_lattice step d = true -> certifies d -> certifies_discrete step d.
Proof.
  intros step d L (Dt & De & Ht & C). pose proof (on_lattice_step step d L) as [Ds Hs].
  repeat (split; [assumption|]). intros P Q I.
  destruct (C P Q I) as (HP & HQ & B1 & B2). destruct (on_lattice_pair step d P Q L I) as [_ A].
  split; [exact HP|]. split; [exact HQ|].
  split; apply bounded_discrete; try assumption. now apply lattice_swap.
Qed.

(* F12: refuted at an atom for Laplace noise, refuted there for discrete Laplace noise. *)
Theorem refuted_discrete : forall step d,
  on_lattice step d = true -> refutes d -> refutes_discrete step d.
Proof.
  intros step d L (Dt & De & Ht & P & Q & y & I & HP & HQ & A & V).
  pose proof (on_lattice_step step d L) as [Ds Hs].
  repeat (split; [assumption|]). exists P, Q, y. repeat (split; [assumption|]).
  apply violated_discrete; try assumption. destruct I as [I|I].
  - exact (proj2 (on_lattice_pair step d P Q L I)).
  - apply lattice_swap. exact (proj2 (on_lattice_pair step d Q P L I)).
Qed.

(* ------------------------------------------------------------ the other direction *)

(* F12 with F1: under discrete Laplace noise and under Laplace noise the same scales are private. *)
Theorem discrete_bounded_iff : forall theta step epsilon P Q, 0 < theta -> 0 < step ->
  lattice step (P ++ Q) ->
  (discrete_bounded theta step epsilon P Q <-> bounded theta epsilon P Q).
Proof.
  intros theta step epsilon P Q Ht Hs L. split; [|now apply bounded_discrete].
  intros B. apply finite_check; [exact Ht|]. apply Forall_forall. intros a Ha.
  apply Rnot_lt_le. intros V. specialize (B a).
  pose proof (violated_discrete theta step epsilon P Q a Ht Hs L Ha V) as D.
  unfold discrete_violated in D. lra.
Qed.

Theorem discrete_private_iff : forall theta step epsilon P Q, 0 < theta -> 0 < step ->
  lattice step (P ++ Q) ->
  (discrete_private theta step epsilon P Q <-> private theta epsilon P Q).
Proof.
  intros theta step epsilon P Q Ht Hs L. pose proof (lattice_swap _ _ _ L) as L'.
  split; intros [B B']; split; apply (discrete_bounded_iff theta step); assumption.
Qed.

(* F2 for discrete Laplace noise: what is private at a scale is so at every larger one. *)
Theorem discrete_private_monotone : forall theta theta' step epsilon P Q,
  0 < theta <= theta' -> 0 < step -> lattice step (P ++ Q) ->
  discrete_private theta step epsilon P Q -> discrete_private theta' step epsilon P Q.
Proof.
  intros theta theta' step epsilon P Q Ht Hs L H.
  apply discrete_private_iff; try assumption; [lra|].
  apply private_monotone with theta; [exact Ht|]. now apply discrete_private_iff with step.
Qed.

(* Where only an upper end is known: private there and at every larger scale. *)
Theorem discrete_private_above : forall step upper epsilon pairs,
  on_lattice step (Problem upper epsilon pairs) = true ->
  certifies (Problem upper epsilon pairs) ->
  defined upper /\ defined epsilon /\ defined step /\ 0 < value upper /\ 0 < value step /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    discrete_private theta (value step) (value epsilon) (law P) (law Q).
Proof.
  intros step upper epsilon pairs L C.
  destruct (private_above _ _ _ C) as (Du & De & Hu & Above).
  pose proof (on_lattice_step _ _ L) as [Ds Hs]. repeat (split; [assumption|]).
  intros theta Ht P Q I. destruct (on_lattice_pair _ _ P Q L I) as [_ A].
  destruct (Above theta Ht P Q I) as (HP & HQ & B). repeat (split; [assumption|]).
  apply discrete_private_iff; try assumption. lra.
Qed.

(* The smallest private scale of discrete Laplace noise lies between the two; on_lattice does not
   look at the scale. *)
Theorem bracket_discrete : forall step lower upper epsilon pairs,
  on_lattice step (Problem upper epsilon pairs) = true ->
  refutes (Problem lower epsilon pairs) -> certifies (Problem upper epsilon pairs) ->
  (defined upper /\ defined epsilon /\ defined step /\ 0 < value upper /\ 0 < value step /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\
    discrete_private theta (value step) (value epsilon) (law P) (law Q)) /\
  (defined lower /\ defined epsilon /\ defined step /\ 0 < value lower /\ 0 < value step /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\
    ~ discrete_private theta (value step) (value epsilon) (law P) (law Q)).
Proof.
  intros step lower upper epsilon pairs L R C.
  split; [exact (discrete_private_above _ _ _ _ L C)|].
  destruct (not_private_below _ _ _ R) as (Dl & De & Hl & Below).
  pose proof (on_lattice_step _ _ L) as [Ds Hs]. repeat (split; [assumption|]).
  intros theta Ht. destruct (Below theta Ht) as (P & Q & I & HP & HQ & N). exists P, Q.
  repeat (split; [assumption|]). intros D. apply N.
  destruct (on_lattice_pair _ _ P Q L I) as [_ A].
  apply discrete_private_iff with (value step); try assumption. lra.
Qed.
