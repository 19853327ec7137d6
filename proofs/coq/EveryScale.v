(* What holds at every scale, checked on integers: laws that are private without noise are so with
   Laplace noise of every scale, and with epsilon = 0 two different laws are so at none.  For
   exported files (bits and bases as in Check.v; a minimum of 0, of inf, and no noise at all):

   private_at_every_scale : forall bits bases epsilon pairs,
     private_without_noise bits bases epsilon pairs = true -> forall P Q, In (P, Q) pairs ->
       probability (law P) /\ probability (law Q) /\
       bare_private (value epsilon) (law P) (law Q) /\
       forall theta, 0 < theta -> private theta (value epsilon) (law P) (law Q)
   private_at_no_scale : forall bases epsilon pairs, different bases epsilon pairs = true ->
     defined epsilon /\ exists P Q, In (P, Q) pairs /\ probability (law P) /\ probability (law Q) /\
       forall theta, 0 < theta -> ~ private theta (value epsilon) (law P) (law Q)
   not_private_without_noise : forall bits epsilon pairs,
     violated_without_noise bits epsilon pairs = true -> defined epsilon /\ exists P Q y,
       (In (P, Q) pairs \/ In (Q, P) pairs) /\
       probability (law P) /\ probability (law Q) /\ In y (atoms (law P ++ law Q)) /\
       exp (value epsilon) * mass_at (law Q) y < mass_at (law P) y

   and the first two of discrete noise: discretely_private_at_every_scale, _at_no_scale. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Pfverify Require Import Release Numbers Problems Means Merge Bare Injective Lattice.
From Pfverify Require Ties Check.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ private without noise *)

Module E := Check.Checks.E.

(* p/wp <= e^epsilon q/wq, if E holds e^epsilon *)
Definition weight_bounded (prec : Check.Floats.precision) (bases : list positive)
    (epsilon : number) (E : Check.Intervals.type) (wp wq : positive) (p q : Z) : bool :=
  let excess := Check.Intervals.sub prec (E.integer prec (p * Zpos wq))
    (Check.Intervals.mul prec E (E.integer prec (q * Zpos wp))) in
  if E.surely_nonpositive excess then true
  else Ties.tie bases 1 epsilon 1 wp wq [(0%Z, (p, q))] 0.

Definition pair_without_noise (prec : Check.Floats.precision) (bases : list positive)
    (epsilon : number) (E : Check.Intervals.type) (P Q : table) : bool :=
  if is_law P && is_law Q && (unit P =? unit Q)%positive
  then forallb (fun '(_, (p, q)) =>
      if weight_bounded prec bases epsilon E (whole P) (whole Q) p q
      then weight_bounded prec bases epsilon E (whole Q) (whole P) q p else false)
    (merge (rows P) (rows Q))
  else false.

Definition private_without_noise (bits : positive) (bases : list positive) (epsilon : number)
    (pairs : list (table * table)) : bool :=
  let prec := Check.Floats.PtoP bits in
  match E.enclose prec 400 epsilon with
  | Some i =>
      let E := E.bounded_exp prec 400 i in
      forallb (fun '(P, Q) => pair_without_noise prec bases epsilon E P Q) pairs
  | None => false
  end.

Lemma tied_weights : forall bases epsilon wp wq p q,
  Ties.tie bases 1 epsilon 1 wp wq [(0%Z, (p, q))] 0 = true ->
  IZR p * IZR (Zpos wq) = exp (value epsilon) * (IZR q * IZR (Zpos wp)).
Proof.
  intros bases epsilon wp wq p q T. apply Ties.tie_sound in T; [|simpl; lra]. simpl in T.
  replace (- Rabs (atom_of 1 0 - atom_of 1 0) / 1) with 0 in T.
  - rewrite exp_0 in T. lra.
  - rewrite Rminus_diag_eq, Rabs_R0 by reflexivity. field.
Qed.

Lemma weight_bounded_sound : forall prec bases epsilon E wp wq p q,
  E.has E (exp (value epsilon)) -> weight_bounded prec bases epsilon E wp wq p q = true ->
  IZR p * IZR (Zpos wq) <= exp (value epsilon) * (IZR q * IZR (Zpos wp)).
Proof.
  intros prec bases epsilon E wp wq p q H W. unfold weight_bounded in W.
  destruct (E.surely_nonpositive _) eqn:N.
  - apply (E.surely_nonpositive_sound _
      (IZR p * IZR (Zpos wq) - exp (value epsilon) * (IZR q * IZR (Zpos wp)))) in N; [lra|].
    rewrite <- !mult_IZR. apply E.sub_sound; [apply E.integer_sound|].
    apply E.mul_sound; [exact H|apply E.integer_sound].
  - right. now apply tied_weights in W.
Qed.

Definition weighted (f : R -> R) (u : positive) (l : list (Z * Z)) : R :=
  sum (fun row => IZR (snd row) * f (atom_of u (fst row))) l.

Lemma mean_weighted : forall f t,
  IZR (Zpos (whole t)) * mean f (law t) = weighted f (unit t) (rows t).
Proof.
  intros f t. unfold mean, law, weighted. rewrite sum_map, <- sum_times. apply sum_equal.
  intros row _. simpl. unfold mass_of. pose proof (IZR_pos (whole t)). field. lra.
Qed.

Lemma merge_weighted : forall f u l m,
  weighted f u (first_weights (merge l m)) = weighted f u l /\
  weighted f u (second_weights (merge l m)) = weighted f u m.
Proof.
  intros f u. unfold weighted, first_weights, second_weights.
  set (w := fun row : Z * Z => IZR (snd row) * f (atom_of u (fst row))).
  assert (zero : forall x, w (x, 0%Z) = 0) by (intros x; unfold w; simpl; ring).
  clearbody w.
  assert (none : forall l : list (Z * Z), sum w (map (fun row => (fst row, 0%Z)) l) = 0).
  { intros l. rewrite sum_map. apply sum_zero. intros row _. apply zero. }
  assert (all : forall l : list (Z * Z), sum w (map (fun row => (fst row, snd row)) l) = sum w l).
  { intros l. rewrite sum_map. apply sum_equal. now intros []. }
  induction l as [|[x p] l IHl].
  - intros m. simpl. rewrite !map_map. simpl. now rewrite none, all.
  - induction m as [|[z q] m IHm].
    + simpl. rewrite !map_map. simpl. rewrite none, all, zero. split; ring.
    + simpl. simpl in IHm. destruct (Z.compare_spec x z) as [E | E | E]; simpl.
      * destruct (IHl m) as [-> ->]. rewrite E. split; ring.
      * destruct (IHl ((z, q) :: m)) as [-> ->]. simpl. rewrite zero. split; ring.
      * destruct IHm as [-> ->]. rewrite zero. split; ring.
Qed.

Lemma mean_merged : forall P Q f, unit P = unit Q ->
  IZR (Zpos (whole P)) * mean f (law P) =
    sum (fun row => IZR (fst (snd row)) * f (atom_of (unit P) (fst row)))
      (merge (rows P) (rows Q)) /\
  IZR (Zpos (whole Q)) * mean f (law Q) =
    sum (fun row => IZR (snd (snd row)) * f (atom_of (unit P) (fst row)))
      (merge (rows P) (rows Q)).
Proof.
  intros P Q f U. rewrite !mean_weighted, <- U.
  destruct (merge_weighted f (unit P) (rows P) (rows Q)) as [<- <-].
  unfold weighted, first_weights, second_weights. now rewrite !sum_map.
Qed.

(* Weights bounded row by row, means bounded. *)
Lemma rows_bounded : forall {A} c wp wq p q (g h f : A -> R) l, 0 < wp -> 0 < wq ->
  (forall row, In row l -> 0 <= f row) ->
  (forall row, In row l -> g row * wq <= c * (h row * wp)) ->
  wp * p = sum (fun row => g row * f row) l -> wq * q = sum (fun row => h row * f row) l ->
  p <= c * q.
Proof.
  intros A c wp wq p q g h f l Hp Hq F B Ep Eq.
  apply Rmult_le_reg_l with (wp * wq); [now apply Rmult_lt_0_compat|].
  replace (wp * wq * p) with (wq * (wp * p)) by ring.
  replace (wp * wq * (c * q)) with (c * wp * (wq * q)) by ring.
  rewrite Ep, Eq, <- !sum_times. apply sum_le. intros row I.
  replace (wq * (g row * f row)) with (g row * wq * f row) by ring.
  replace (c * wp * (h row * f row)) with (c * (h row * wp) * f row) by ring.
  apply Rmult_le_compat_r; auto.
Qed.

Lemma indicator_nonnegative : forall x a : R, 0 <= if Req_EM_T a x then 1 else 0.
Proof. intros x a. destruct (Req_EM_T a x); lra. Qed.

Lemma bare_of_means : forall epsilon P Q,
  (forall f, (forall x, 0 <= f x) -> mean f P <= exp epsilon * mean f Q) ->
  bare_bounded epsilon P Q.
Proof. intros epsilon P Q H x. rewrite !mass_at_mean. apply H, indicator_nonnegative. Qed.

Lemma pair_without_noise_sound : forall prec bases epsilon E P Q,
  E.has E (exp (value epsilon)) -> pair_without_noise prec bases epsilon E P Q = true ->
  probability (law P) /\ probability (law Q) /\ bare_private (value epsilon) (law P) (law Q).
Proof.
  intros prec bases epsilon E P Q HE H. unfold pair_without_noise in H.
  destruct (is_law P) eqn:LP; [|discriminate]. destruct (is_law Q) eqn:LQ; [|discriminate].
  destruct (Pos.eqb_spec (unit P) (unit Q)) as [U|]; [|discriminate]. simpl in H.
  rewrite forallb_forall in H.
  split; [now apply is_law_sound|]. split; [now apply is_law_sound|].
  assert (B : forall row, In row (merge (rows P) (rows Q)) ->
    IZR (fst (snd row)) * IZR (Zpos (whole Q)) <=
      exp (value epsilon) * (IZR (snd (snd row)) * IZR (Zpos (whole P))) /\
    IZR (snd (snd row)) * IZR (Zpos (whole P)) <=
      exp (value epsilon) * (IZR (fst (snd row)) * IZR (Zpos (whole Q)))).
  { intros [x [p q]] I. specialize (H _ I). simpl in *.
    destruct (weight_bounded prec bases epsilon E (whole P) (whole Q) p q) eqn:W; [|discriminate].
    split; now apply weight_bounded_sound with prec bases E. }
  split; apply bare_of_means; intros f F; destruct (mean_merged P Q f U) as [EP EQ].
  - apply (rows_bounded _ _ _ _ _ _ _ _ _ (IZR_pos _) (IZR_pos _) (fun row _ => F _)
      (fun row I => proj1 (B row I)) EP EQ).
  - apply (rows_bounded _ _ _ _ _ _ _ _ _ (IZR_pos _) (IZR_pos _) (fun row _ => F _)
      (fun row I => proj2 (B row I)) EQ EP).
Qed.

(* Both are laws, and private without noise. *)
Theorem private_without_noise_sound : forall bits bases epsilon pairs,
  private_without_noise bits bases epsilon pairs = true ->
  defined epsilon /\ forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\ bare_private (value epsilon) (law P) (law Q).
Proof.
  intros bits bases epsilon pairs H. unfold private_without_noise in H.
  destruct (E.enclose _ 400 epsilon) as [i|] eqn:Ei; [|discriminate].
  apply E.enclose_sound in Ei. destruct Ei as [De Hi]. split; [exact De|]. intros P Q I.
  rewrite forallb_forall in H. specialize (H _ I). simpl in H.
  eapply pair_without_noise_sound; [|exact H]. now apply E.bounded_exp_sound.
Qed.

(* DPI: so they are private at every scale of Laplace noise. *)
Theorem private_at_every_scale : forall bits bases epsilon pairs,
  private_without_noise bits bases epsilon pairs = true ->
  defined epsilon /\ forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\ bare_private (value epsilon) (law P) (law Q) /\
    forall theta, 0 < theta -> private theta (value epsilon) (law P) (law Q).
Proof.
  intros bits bases epsilon pairs H.
  destruct (private_without_noise_sound bits bases epsilon pairs H) as [De C].
  split; [exact De|]. intros P Q I. destruct (C P Q I) as (HP & HQ & B).
  repeat (split; [assumption|]). now apply no_noise.
Qed.

Theorem discretely_private_at_every_scale : forall bits bases epsilon pairs,
  private_without_noise bits bases epsilon pairs = true ->
  defined epsilon /\ forall P Q, In (P, Q) pairs ->
    probability (law P) /\ probability (law Q) /\ bare_private (value epsilon) (law P) (law Q) /\
    forall theta step, 0 < theta -> 0 < step ->
      discrete_private theta step (value epsilon) (law P) (law Q).
Proof.
  intros bits bases epsilon pairs H.
  destruct (private_without_noise_sound bits bases epsilon pairs H) as [De C].
  split; [exact De|]. intros P Q I. destruct (C P Q I) as (HP & HQ & B).
  repeat (split; [assumption|]). now apply no_noise_discrete.
Qed.

(* ------------------------------------------------------------ not private without noise *)

(* The weight of x, however its rows are listed. *)
Fixpoint weight (l : list (Z * Z)) (x : Z) : Z :=
  match l with
  | [] => 0
  | (z, w) :: rest => if (z =? x)%Z then w + weight rest x else weight rest x
  end.

Lemma mass_weight : forall t x,
  IZR (Zpos (whole t)) * mass_at (law t) (atom_of (unit t) x) = IZR (weight (rows t) x).
Proof.
  intros [u w l] x. rewrite mass_at_mean, mean_weighted. simpl. unfold weighted.
  induction l as [|[z v] l IH]; simpl; [reflexivity|]. rewrite IH.
  destruct (Z.eqb_spec z x) as [->|N].
  - destruct (Req_EM_T (atom_of u x) (atom_of u x)) as [_|D]; [|now elim D].
    rewrite plus_IZR. ring.
  - destruct (Req_EM_T (atom_of u z) (atom_of u x)) as [D|_]; [|ring].
    elim N. apply eq_IZR. unfold atom_of in D. pose proof (IZR_pos u).
    apply Rmult_eq_reg_r in D; [exact D|]. apply Rinv_neq_0_compat. lra.
Qed.

(* P/wp > e^epsilon Q/wq at an atom of P, if E holds e^epsilon *)
Definition pair_violated (prec : Check.Floats.precision) (E : Check.Intervals.type) (P Q : table)
    : bool :=
  if is_law P && is_law Q && (unit P =? unit Q)%positive
  then existsb (fun row => E.surely_positive (Check.Intervals.sub prec
      (E.integer prec (weight (rows P) (fst row) * Zpos (whole Q)))
      (Check.Intervals.mul prec E (E.integer prec (weight (rows Q) (fst row) * Zpos (whole P))))))
    (rows P)
  else false.

Definition violated_without_noise (bits : positive) (epsilon : number)
    (pairs : list (table * table)) : bool :=
  let prec := Check.Floats.PtoP bits in
  match E.enclose prec 400 epsilon with
  | Some i =>
      let E := E.bounded_exp prec 400 i in
      existsb (fun '(P, Q) => if pair_violated prec E P Q then true else pair_violated prec E Q P)
        pairs
  | None => false
  end.

Lemma pair_violated_sound : forall prec epsilon E P Q,
  E.has E (exp (value epsilon)) -> pair_violated prec E P Q = true ->
  probability (law P) /\ probability (law Q) /\ exists y, In y (atoms (law P ++ law Q)) /\
    exp (value epsilon) * mass_at (law Q) y < mass_at (law P) y.
Proof.
  intros prec epsilon E P Q HE H. unfold pair_violated in H.
  destruct (is_law P) eqn:LP; [|discriminate]. destruct (is_law Q) eqn:LQ; [|discriminate].
  destruct (Pos.eqb_spec (unit P) (unit Q)) as [U|]; [|discriminate]. simpl in H.
  split; [now apply is_law_sound|]. split; [now apply is_law_sound|].
  apply existsb_exists in H. destruct H as (row & I & H). exists (atom_of (unit P) (fst row)).
  split.
  - unfold atoms, law. rewrite map_app. apply in_or_app. left. rewrite map_map. simpl.
    now apply (in_map (fun row => atom_of (unit P) (fst row))).
  - apply (E.surely_positive_sound _ (IZR (weight (rows P) (fst row)) * IZR (Zpos (whole Q))
      - exp (value epsilon) * (IZR (weight (rows Q) (fst row)) * IZR (Zpos (whole P))))) in H.
    + rewrite <- !mass_weight, <- U in H.
      pose proof (IZR_pos (whole P)) as WP. pose proof (IZR_pos (whole Q)) as WQ.
      apply Rmult_lt_reg_l with (IZR (Zpos (whole P)) * IZR (Zpos (whole Q))); [|lra].
      now apply Rmult_lt_0_compat.
    + rewrite <- !mult_IZR. apply E.sub_sound; [apply E.integer_sound|].
      apply E.mul_sound; [exact HE|apply E.integer_sound].
Qed.

(* At an atom of one of the pairs, in one of the orders, the bound fails without noise. *)
Theorem not_private_without_noise : forall bits epsilon pairs,
  violated_without_noise bits epsilon pairs = true -> defined epsilon /\ exists P Q y,
    (In (P, Q) pairs \/ In (Q, P) pairs) /\
    probability (law P) /\ probability (law Q) /\ In y (atoms (law P ++ law Q)) /\
    exp (value epsilon) * mass_at (law Q) y < mass_at (law P) y.
Proof.
  intros bits epsilon pairs H. unfold violated_without_noise in H.
  destruct (E.enclose _ 400 epsilon) as [i|] eqn:Ei; [|discriminate].
  apply E.enclose_sound in Ei. destruct Ei as [De Hi]. split; [exact De|].
  apply (E.bounded_exp_sound (Check.Floats.PtoP bits) 400) in Hi.
  apply existsb_exists in H. destruct H as ([P Q] & I & H).
  destruct (pair_violated _ _ P Q) eqn:V.
  - apply (pair_violated_sound _ _ _ _ _ Hi) in V. destruct V as (HP & HQ & y & A & V).
    exists P, Q, y. tauto.
  - apply (pair_violated_sound _ _ _ _ _ Hi) in H. destruct H as (HP & HQ & y & A & H).
    exists Q, P, y. tauto.
Qed.

(* ------------------------------------------------------------ different laws *)

Definition differ (P Q : table) : bool :=
  if is_law P && is_law Q && (unit P =? unit Q)%positive
  then existsb (fun row => negb (weight (rows P) (fst row) * Zpos (whole Q) =?
      weight (rows Q) (fst row) * Zpos (whole P))%Z) (rows P ++ rows Q)
  else false.

(* epsilon is 0, and the laws of a pair differ *)
Definition different (bases : list positive) (epsilon : number) (pairs : list (table * table))
    : bool :=
  match E.enclose (Check.Floats.PtoP 64) 400 epsilon with
  | Some _ =>
      if Ties.tie bases 1 epsilon 1 1 1 [(0%Z, (1%Z, 1%Z))] 0
      then existsb (fun '(P, Q) => differ P Q) pairs else false
  | None => false
  end.

Lemma differ_sound : forall P Q, differ P Q = true ->
  probability (law P) /\ probability (law Q) /\ ~ same_law (law P) (law Q).
Proof.
  intros P Q H. unfold differ in H.
  destruct (is_law P) eqn:LP; [|discriminate]. destruct (is_law Q) eqn:LQ; [|discriminate].
  destruct (Pos.eqb_spec (unit P) (unit Q)) as [U|]; [|discriminate]. simpl in H.
  split; [now apply is_law_sound|]. split; [now apply is_law_sound|].
  intros S. apply existsb_exists in H. destruct H as ([x v] & _ & H). simpl in H.
  apply negb_true_iff, Z.eqb_neq in H. apply H, eq_IZR. rewrite !mult_IZR.
  rewrite <- !mass_weight, <- U, (S (atom_of (unit P) x)). ring.
Qed.

Lemma different_sound : forall bases epsilon pairs, different bases epsilon pairs = true ->
  defined epsilon /\ value epsilon = 0 /\ exists P Q, In (P, Q) pairs /\
    probability (law P) /\ probability (law Q) /\ ~ same_law (law P) (law Q).
Proof.
  intros bases epsilon pairs H. unfold different in H.
  destruct (E.enclose _ 400 epsilon) as [i|] eqn:Ei; [|discriminate].
  apply E.enclose_sound in Ei. split; [exact (proj1 Ei)|].
  destruct (Ties.tie _ _ _ _ _ _ _ _) eqn:T; [|discriminate]. split.
  - apply tied_weights in T. apply exp_inv. rewrite exp_0. lra.
  - apply existsb_exists in H. destruct H as ([P Q] & I & D). exists P, Q.
    split; [exact I|]. now apply differ_sound.
Qed.

(* INJ: so they are private at no scale of Laplace noise. *)
Theorem private_at_no_scale : forall bases epsilon pairs, different bases epsilon pairs = true ->
  defined epsilon /\ exists P Q, In (P, Q) pairs /\ probability (law P) /\ probability (law Q) /\
    forall theta, 0 < theta -> ~ private theta (value epsilon) (law P) (law Q).
Proof.
  intros bases epsilon pairs H. apply different_sound in H.
  destruct H as (De & -> & P & Q & I & HP & HQ & N). split; [exact De|].
  exists P, Q. repeat (split; [assumption|]). intros theta Ht [B _].
  exact (no_scale _ _ HP HQ N theta Ht B).
Qed.

Theorem discretely_private_at_no_scale : forall step bases d,
  on_lattice step d = true -> different bases (epsilon d) (pairs d) = true ->
  defined (epsilon d) /\ defined step /\ 0 < value step /\ exists P Q, In (P, Q) (pairs d) /\ probability (law P) /\ probability (law Q) /\
    forall theta, 0 < theta ->
      ~ discrete_private theta (value step) (value (epsilon d)) (law P) (law Q).
Proof.
  intros step bases d L H.
  destruct (private_at_no_scale _ _ _ H) as (De & P & Q & I & HP & HQ & N).
  destruct (on_lattice_step step d L) as [Ds Hst]. repeat (split; [assumption|]).
  exists P, Q. repeat (split; [assumption|]). intros theta Ht D.
  destruct (on_lattice_pair step d P Q L I) as [Hs A].
  apply (N theta Ht). now apply (discrete_private_iff theta (value step)).
Qed.
