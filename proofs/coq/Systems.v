(* Problems of users: a sum or a mean over independent users, one of whom is protected.

   For exported files, where `check` is `certify bits bases` or `refute bits` of Check.v or
   CheckFast.v:

   System : list (positive * table) -> positive -> system
     (how many others have which law; the divisor: 1 for a sum, the number of users for a mean)
   released_law : system -> table -> prior
     (what is released, where the protected user's report has this law)
   certified_system : forall check, (forall d, check d = true -> certifies d) ->
     forall s d, certify_system check s d = true -> certifies_system s d
   refuted_system : forall check, (forall d, check d = true -> refutes d) ->
     forall s d, refute_system check s d = true -> refutes_system s d
   private_above_system, bracket_system : as in Bracket.v, of a system
   refuted_any_rest, private_above_any_rest, bracket_any_rest : where nothing is known of the others
   certified_any_rest : forall check, (forall d, check d = true -> certifies d) ->
     forall n d, check (of_one_user n d) = true -> certifies_any_rest n d

   The pairs of d are laws of what the protected user reports, not divided, in tables of one unit:
   a value x/u is Table u 1 [(x, 1)], absence is the value 0.  A user of the others who is there
   with a chance only has a law that says so: 0 with the chance of absence.  The scale of d is that
   of the noise on the release.

   First only the user's own laws are computed with, whatever the others report: for values that
   loses nothing.  Where they are not enough for a certificate, or the user's laws are not values,
   the law of the sum is worked out here (Sums.v): with 100 others in some 2 seconds. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Classical.
From Pfverify Require Import Release Numbers Problems Merge Monotone.
From Pfverify Require Import Means Couplings Independent Sums.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ what is released *)

(* The other users, so many of each law, and what the sum is divided by. *)
Record system := System { others : list (positive * table); divisor : positive }.

(* The sum of so many independent users of one law. *)
Definition copies (count : positive) (P : prior) : prior :=
  Pos.iter (convolve P) nobody count.

(* The law of what the others report in sum. *)
Definition rest (s : system) : prior :=
  sum_of (map (fun group => copies (fst group) (law (snd group))) (others s)).

(* The law of (X + S)/n: X is what the protected user reports, S what the others do. *)
Definition released (n : positive) (X S : prior) : prior :=
  scaled (/ IZR (Zpos n)) (convolve X S).

(* The law of what is released where the protected user's report has the law of a table. *)
Definition released_law (s : system) (t : table) : prior :=
  released (divisor s) (law t) (rest s).

(* What is certified: for every pair of laws of the user, what is released is private. *)
Definition certifies_system (s : system) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (released_law s P) /\ probability (released_law s Q) /\
    private (value (scale d)) (value (epsilon d)) (released_law s P) (released_law s Q).

(* What is refuted: at some output, in one of the orders. *)
Definition refutes_system (s : system) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  exists P Q y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (released_law s P) /\ probability (released_law s Q) /\
    violated (value (scale d)) (value (epsilon d)) (released_law s P) (released_law s Q) y.

(* The same where nothing is known of the others: for every law of what they report in sum. *)
Definition certifies_any_rest (n : positive) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    forall S, probability S ->
      private (value (scale d)) (value (epsilon d)) (released n (law P) S) (released n (law Q) S).

(* It is not: for some law of what they report in sum, at some output, in one of the orders. *)
Definition refutes_any_rest (n : positive) (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  exists P Q S y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\ probability S /\
    violated (value (scale d)) (value (epsilon d)) (released n (law P) S) (released n (law Q) S) y.

(* ------------------------------------------------------------ what is computed *)

(* What one user alone would release. *)
Definition divided (n : positive) (t : table) : table := Table (unit t * n) (whole t) (rows t).

Definition of_one_user (n : positive) (d : problem) : problem :=
  Problem (scale d) (epsilon d)
    (map (fun pair => (divided n (fst pair), divided n (snd pair))) (pairs d)).

Definition others_are_laws (s : system) : bool :=
  forallb (fun group => is_law (snd group)) (others s).

(* One value for sure. *)
Definition is_value (t : table) : bool :=
  match rows t with
  | [(_, weight)] => (weight =? Zpos (whole t))%Z
  | _ => false
  end.

Definition reports (d : problem) : list table :=
  map fst (pairs d) ++ map snd (pairs d).

(* The smallest unit of which the unit of every table of the system and of the user is a divisor. *)
Definition grid_of (s : system) (d : problem) : positive :=
  Z.to_pos (fold_right (fun t found => Z.lcm (Zpos (unit t)) found) 1%Z
    (map snd (others s) ++ reports d)).

Definition rest_weights (grid : positive) (s : system) : weights :=
  fold_right (fun group found =>
      convolved (Pos.iter (convolved (on_grid grid (snd group))) zero (fst group)) found)
    zero (others s).

(* What is released, as a table. *)
Definition released_table (grid n : positive) (others : weights) (t : table) : table :=
  table_of grid n (convolved (on_grid grid t) others).

Definition of_the_sum (s : system) (d : problem) : problem :=
  let grid := grid_of s d in
  let others := rest_weights grid s in
  let made := released_table grid (divisor s) others in
  Problem (scale d) (epsilon d) (map (fun pair => (made (fst pair), made (snd pair))) (pairs d)).

(* Whether these tables are what is released. *)
Definition on_one_grid (s : system) (d : problem) : bool :=
  let grid := grid_of s d in
  if forallb (fits grid) (map snd (others s) ++ reports d) then forallb is_law (reports d)
  else false.

Definition check_the_sum (check : problem -> bool) (s : system) (d : problem) : bool :=
  if on_one_grid s d then check (of_the_sum s d) else false.

Definition only_values (d : problem) : bool := forallb is_value (reports d).

Definition certify_system (check : problem -> bool) (s : system) (d : problem) : bool :=
  if others_are_laws s then
    if check (of_one_user (divisor s) d) then true else check_the_sum check s d
  else false.

Definition refute_system (check : problem -> bool) (s : system) (d : problem) : bool :=
  if others_are_laws s then
    if only_values d then check (of_one_user (divisor s) d) else check_the_sum check s d
  else false.

(* ------------------------------------------------------------ lemmas *)

Lemma probability_copies : forall count P, probability P -> probability (copies count P).
Proof.
  intros count P H. unfold copies. apply Pos.iter_invariant; [|apply probability_point].
  intros S HS. apply probability_convolve; assumption.
Qed.

Lemma probability_rest : forall s, others_are_laws s = true -> probability (rest s).
Proof.
  unfold others_are_laws, rest. intros s H. apply probability_sum, Forall_map, Forall_forall.
  intros group I. apply probability_copies, is_law_sound.
  rewrite forallb_forall in H. exact (H group I).
Qed.

Lemma probability_released : forall n X S,
  probability X -> probability S -> probability (released n X S).
Proof. intros. apply probability_scaled, probability_convolve; assumption. Qed.

Lemma law_divided : forall n t, law (divided n t) = scaled (/ IZR (Zpos n)) (law t).
Proof.
  intros n t. unfold law, divided, scaled. simpl. rewrite map_map. apply map_ext. intros [x w].
  simpl. f_equal. unfold atom_of. rewrite Pos2Z.inj_mul, mult_IZR.
  assert (0 < IZR (Zpos n)) by (apply IZR_lt; lia).
  assert (0 < IZR (Zpos (unit t))) by (apply IZR_lt; lia). field. lra.
Qed.

Lemma probability_divided : forall n t, probability (law (divided n t)) -> probability (law t).
Proof.
  intros n t. rewrite law_divided. unfold probability, total, masses, scaled. rewrite map_map.
  exact (fun H => H).
Qed.

Lemma released_divided : forall n t S,
  released n (law t) S = convolve (law (divided n t)) (scaled (/ IZR (Zpos n)) S).
Proof. intros. unfold released. rewrite scaled_convolve, law_divided. reflexivity. Qed.

Lemma law_value : forall t, is_value t = true -> exists a, law t = point a.
Proof.
  unfold is_value, law, point. intros t H. destruct (rows t) as [|[x w] [|r l]]; try discriminate.
  apply Z.eqb_eq in H. subst w. exists (atom_of (unit t) x). simpl. unfold mass_of, Rdiv.
  rewrite Rinv_r; [reflexivity|]. apply not_0_IZR. lia.
Qed.

(* ------------------------------------------------------------ certified *)

Lemma any_rest_from_one_user : forall n d, certifies (of_one_user n d) -> certifies_any_rest n d.
Proof.
  intros n d (Ds & De & Ht & H). repeat (split; [assumption|]). intros P Q I.
  destruct (H (divided n P) (divided n Q)) as [HP [HQ HPQ]].
  { change (divided n P, divided n Q)
      with ((fun pair => (divided n (fst pair), divided n (snd pair))) (P, Q)).
    apply in_map. exact I. }
  split; [exact (probability_divided n P HP)|]. split; [exact (probability_divided n Q HQ)|].
  intros S HS. rewrite !released_divided.
  apply private_with_others; [apply probability_scaled, HS|exact HPQ].
Qed.

(* What the check certifies for the user alone holds for every law of the others. *)
Theorem certified_any_rest : forall check, (forall d, check d = true -> certifies d) ->
  forall n d, check (of_one_user n d) = true -> certifies_any_rest n d.
Proof. intros check sound n d H. apply any_rest_from_one_user, sound, H. Qed.

(* And so for the others that there are. *)
Lemma system_from_one_user : forall s d, others_are_laws s = true ->
  certifies (of_one_user (divisor s) d) -> certifies_system s d.
Proof.
  intros s d L H. pose proof (probability_rest s L) as HR.
  apply any_rest_from_one_user in H as (Ds & De & Ht & H).
  repeat (split; [assumption|]). intros P Q I. destruct (H P Q I) as [HP [HQ HPQ]].
  split; [apply probability_released; assumption|].
  split; [apply probability_released; assumption|]. apply HPQ, HR.
Qed.

(* ------------------------------------------------------------ the law of the sum *)

Lemma represents_rest : forall grid s,
  forallb (fits grid) (map snd (others s)) = true -> represents grid (rest_weights grid s) (rest s).
Proof.
  intros grid s. unfold rest_weights, rest. induction (others s) as [|[count t] l IH]; intros H.
  - apply represents_zero.
  - cbn [map forallb snd] in H. apply andb_prop in H as [F H]. cbn [map fold_right fst snd].
    apply represents_convolved; [|exact (IH H)].
    apply represents_copies, represents_table, F.
Qed.

Lemma the_sum_released : forall s d t, on_one_grid s d = true -> In t (reports d) ->
  probability (law t) /\ forall theta y,
    release theta (law (released_table (grid_of s d) (divisor s)
      (rest_weights (grid_of s d) s) t)) y
    = release theta (released_law s t) y.
Proof.
  unfold on_one_grid. intros s d t H I. set (grid := grid_of s d) in *.
  destruct (forallb (fits grid) _) eqn:F; [|discriminate]. rewrite forallb_app in F.
  apply andb_prop in F as [FO FR]. rewrite forallb_forall in FR, H.
  split; [apply is_law_sound, H, I|]. intros theta y. rewrite !release_mean.
  apply represents_table_of, represents_convolved; [apply represents_table, FR, I|].
  apply represents_rest, FO.
Qed.

Lemma in_reports : forall d P Q, In (P, Q) (pairs d) -> In P (reports d) /\ In Q (reports d).
Proof.
  intros d P Q I. unfold reports. split; apply in_or_app.
  - left. exact (in_map fst _ _ I).
  - right. exact (in_map snd _ _ I).
Qed.

Lemma system_from_the_sum : forall s d, others_are_laws s = true -> on_one_grid s d = true ->
  certifies (of_the_sum s d) -> certifies_system s d.
Proof.
  intros s d L G (Ds & De & Ht & H). pose proof (probability_rest s L) as HR.
  repeat (split; [assumption|]).
  intros P Q I. destruct (in_reports d P Q I) as [IP IQ].
  destruct (the_sum_released s d P G IP) as [HP EP].
  destruct (the_sum_released s d Q G IQ) as [HQ EQ].
  set (made := released_table (grid_of s d) (divisor s) (rest_weights (grid_of s d) s)) in *.
  destruct (H (made P) (made Q)) as [_ [_ [B1 B2]]];
    [exact (in_map (fun pair => (made (fst pair), made (snd pair))) _ _ I)|].
  split; [apply probability_released; assumption|].
  split; [apply probability_released; assumption|].
  split; intros y; rewrite <- EP, <- EQ; [apply B1|apply B2].
Qed.

(* A system that the check accepts is private, for the others that there are. *)
Theorem certified_system : forall check, (forall d, check d = true -> certifies d) ->
  forall s d, certify_system check s d = true -> certifies_system s d.
Proof.
  unfold certify_system, check_the_sum. intros check sound s d H.
  destruct (others_are_laws s) eqn:L; [|discriminate].
  destruct (check (of_one_user (divisor s) d)) eqn:C.
  - apply system_from_one_user; [exact L|apply sound, C].
  - destruct (on_one_grid s d) eqn:G; [|discriminate].
    apply system_from_the_sum; [exact L|exact G|apply sound, H].
Qed.

(* ------------------------------------------------------------ refuted *)

(* What is not hidden of a value alone, no others hide. *)
Lemma values_violated : forall theta epsilon n P Q S y, 0 < theta -> probability S ->
  is_value P = true -> is_value Q = true ->
  violated theta epsilon (law (divided n P)) (law (divided n Q)) y ->
  exists z, violated theta epsilon (released n (law P) S) (released n (law Q) S) z.
Proof.
  intros theta epsilon n P Q S y Ht HS VP VQ V.
  destruct (not_all_not_ex R (fun z =>
    violated theta epsilon (released n (law P) S) (released n (law Q) S) z)) as [z Z];
    [|exists z; exact Z].
  intros none. apply (bounded_refuted _ _ _ _ _ V).
  destruct (law_value (divided n P) VP) as [a EP]. destruct (law_value (divided n Q) VQ) as [b EQ].
  rewrite EP, EQ. apply bounded_points; [exact Ht|].
  apply values_need with (scaled (/ IZR (Zpos n)) S); [exact Ht|apply probability_scaled, HS|].
  rewrite <- EP, <- EQ, <- !released_divided. intros z. apply Rnot_lt_le. exact (none z).
Qed.

(* The two reports of the user that a pair of what one user alone releases comes from. *)
Lemma pair_of_one_user : forall n d A B,
  In (A, B) (pairs (of_one_user n d)) \/ In (B, A) (pairs (of_one_user n d)) ->
  exists P Q, (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\ A = divided n P /\ B = divided n Q.
Proof.
  intros n d A B I.
  destruct I as [I|I]; apply in_map_iff in I as [[P Q] [E I]];
    apply pair_equal_spec in E as [EA EB]; [exists P, Q|exists Q, P]; auto.
Qed.

Lemma released_with_nobody : forall n t theta y,
  release theta (released n (law t) nobody) y = release theta (law (divided n t)) y.
Proof.
  intros n t theta y. rewrite released_divided, release_convolve. unfold mean. simpl.
  replace (y - / IZR (Zpos n) * 0) with y by ring. ring.
Qed.

(* What the check refutes of the user alone is not private where nobody else reports anything. *)
Theorem refuted_any_rest : forall check, (forall d, check d = true -> refutes d) ->
  forall n d, check (of_one_user n d) = true -> refutes_any_rest n d.
Proof.
  intros check sound n d H. apply sound in H.
  destruct H as (Ds & De & Ht & A & B & y & I & HA & HB & _ & HV).
  apply pair_of_one_user in I as (P & Q & J & -> & ->). repeat (split; [assumption|]).
  exists P, Q, nobody, y. split; [exact J|].
  split; [exact (probability_divided n P HA)|]. split; [exact (probability_divided n Q HB)|].
  split; [apply probability_point|]. unfold violated. rewrite !released_with_nobody. exact HV.
Qed.

Lemma system_refuted_by_values : forall s d, others_are_laws s = true -> only_values d = true ->
  refutes (of_one_user (divisor s) d) -> refutes_system s d.
Proof.
  intros s d L V (Ds & De & Ht & A & B & y & I & HA & HB & _ & HV).
  pose proof (probability_rest s L) as HR. unfold only_values in V. rewrite forallb_forall in V.
  apply pair_of_one_user in I as (P & Q & J & -> & ->).
  assert (VV : is_value P = true /\ is_value Q = true)
    by (destruct J as [J|J]; apply in_reports in J as [JP JQ]; auto).
  destruct VV as [VP VQ].
  destruct (values_violated _ _ (divisor s) P Q (rest s) y Ht HR VP VQ HV) as [z Z].
  repeat (split; [assumption|]). exists P, Q, z. split; [exact J|].
  split; [|split; [|exact Z]]; apply probability_released; try exact HR;
    eapply probability_divided; eassumption.
Qed.

Lemma system_refuted_by_the_sum : forall s d, others_are_laws s = true ->
  on_one_grid s d = true -> refutes (of_the_sum s d) -> refutes_system s d.
Proof.
  intros s d L G (Ds & De & Ht & A & B & y & I & _ & _ & _ & HV).
  pose proof (probability_rest s L) as HR. repeat (split; [assumption|]).
  assert (both : exists P Q, (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    A = released_table (grid_of s d) (divisor s) (rest_weights (grid_of s d) s) P /\
    B = released_table (grid_of s d) (divisor s) (rest_weights (grid_of s d) s) Q).
  { destruct I as [I|I]; apply in_map_iff in I as [[P Q] [E I]];
      apply pair_equal_spec in E as [EA EB]; [exists P, Q|exists Q, P]; auto. }
  destruct both as (P & Q & J & -> & ->). clear I.
  assert (JJ : In P (reports d) /\ In Q (reports d))
    by (destruct J as [J|J]; apply in_reports in J as [JP JQ]; auto).
  destruct (the_sum_released s d P G (proj1 JJ)) as [HP EP].
  destruct (the_sum_released s d Q G (proj2 JJ)) as [HQ EQ].
  exists P, Q, y. split; [exact J|].
  split; [apply probability_released; assumption|].
  split; [apply probability_released; assumption|].
  unfold violated in *. rewrite <- EP, <- EQ. exact HV.
Qed.

(* A system that the check refutes has a pair that is not private. *)
Theorem refuted_system : forall check, (forall d, check d = true -> refutes d) ->
  forall s d, refute_system check s d = true -> refutes_system s d.
Proof.
  unfold refute_system, check_the_sum. intros check sound s d H.
  destruct (others_are_laws s) eqn:L; [|discriminate]. destruct (only_values d) eqn:V.
  - apply system_refuted_by_values; [exact L|exact V|apply sound, H].
  - destruct (on_one_grid s d) eqn:G; [|discriminate].
    apply system_refuted_by_the_sum; [exact L|exact G|apply sound, H].
Qed.

(* ------------------------------------------------------------ the least scale *)

(* F2: a system that is certified is private at every larger scale. *)
Theorem private_above_system : forall s upper epsilon pairs,
  certifies_system s (Problem upper epsilon pairs) ->
  defined upper /\ defined epsilon /\ 0 < value upper /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (released_law s P) /\ probability (released_law s Q) /\
    private theta (value epsilon) (released_law s P) (released_law s Q).
Proof.
  intros s upper epsilon pairs (Du & De & Hu & H). simpl in *. repeat (split; [assumption|]).
  intros theta L P Q I. destruct (H P Q I) as (HP & HQ & B). repeat (split; [assumption|]).
  apply private_monotone with (value upper); [lra|exact B].
Qed.

(* A violation at one scale denies privacy at every smaller one. *)
Lemma not_private_before : forall theta theta' epsilon P Q y, 0 < theta <= theta' ->
  violated theta' epsilon P Q y ->
  ~ private theta epsilon P Q /\ ~ private theta epsilon Q P.
Proof.
  intros theta theta' epsilon P Q y T V.
  split; intros H; apply (private_monotone _ theta') in H; try exact T;
    apply (bounded_refuted _ _ _ _ _ V); [exact (proj1 H)|exact (proj2 H)].
Qed.

(* F2: one certified and one refuted scale of a system bracket its least private scale. *)
Theorem bracket_system : forall s lower upper epsilon pairs,
  refutes_system s (Problem lower epsilon pairs) ->
  certifies_system s (Problem upper epsilon pairs) ->
  (defined upper /\ defined epsilon /\ 0 < value upper /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (released_law s P) /\ probability (released_law s Q) /\
    private theta (value epsilon) (released_law s P) (released_law s Q)) /\
  (defined lower /\ defined epsilon /\ 0 < value lower /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (released_law s P) /\ probability (released_law s Q) /\
    ~ private theta (value epsilon) (released_law s P) (released_law s Q)).
Proof.
  intros s lower upper epsilon pairs (Dl & De & Hl & P & Q & y & I & HP & HQ & V) H.
  simpl in I, V, Dl, De, Hl. split; [exact (private_above_system s upper epsilon pairs H)|].
  repeat (split; [assumption|]). intros theta T.
  destruct (not_private_before _ _ _ _ _ _ T V) as [N N'].
  destruct I as [I|I]; [exists P, Q|exists Q, P]; repeat (split; [assumption|]); assumption.
Qed.

(* F2: the same where nothing is known of the others. *)
Theorem private_above_any_rest : forall n upper epsilon pairs,
  certifies_any_rest n (Problem upper epsilon pairs) ->
  defined upper /\ defined epsilon /\ 0 < value upper /\
  forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\ forall S, probability S ->
    private theta (value epsilon) (released n (law P) S) (released n (law Q) S).
Proof.
  intros n upper epsilon pairs (Du & De & Hu & H). simpl in *. repeat (split; [assumption|]).
  intros theta L P Q I. destruct (H P Q I) as (HP & HQ & B). repeat (split; [assumption|]).
  intros S HS. apply private_monotone with (value upper); [lra|exact (B S HS)].
Qed.

Theorem bracket_any_rest : forall n lower upper epsilon pairs,
  refutes_any_rest n (Problem lower epsilon pairs) ->
  certifies_any_rest n (Problem upper epsilon pairs) ->
  (defined upper /\ defined epsilon /\ 0 < value upper /\
   forall theta, value upper <= theta -> forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\ forall S, probability S ->
    private theta (value epsilon) (released n (law P) S) (released n (law Q) S)) /\
  (defined lower /\ defined epsilon /\ 0 < value lower /\
   forall theta, 0 < theta <= value lower -> exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\ exists S, probability S /\
    ~ private theta (value epsilon) (released n (law P) S) (released n (law Q) S)).
Proof.
  intros n lower upper epsilon pairs (Dl & De & Hl & P & Q & S & y & I & HP & HQ & HS & V) H.
  simpl in I, V, Dl, De, Hl. split; [exact (private_above_any_rest n upper epsilon pairs H)|].
  repeat (split; [assumption|]). intros theta T.
  destruct (not_private_before _ _ _ _ _ _ T V) as [N N'].
  destruct I as [I|I]; [exists P, Q|exists Q, P]; repeat (split; [assumption|]);
    exists S; split; assumption.
Qed.
