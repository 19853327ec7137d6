(* Two tables of one unit merged into one list of atoms with both weights, and the booleans that
   say that a table is a law. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Pfverify Require Import Release Problems FiniteCheck.
Import ListNotations.
Open Scope R_scope.

Lemma IZR_pos : forall p, 0 < IZR (Zpos p).
Proof. intros p. apply IZR_lt. lia. Qed.

(* ------------------------------------------------------------ laws *)

Definition weights_sum (l : list (Z * Z)) : Z := fold_right (fun row s => (snd row + s)%Z) 0%Z l.

(* No weight is negative, and they sum to the whole. *)
Definition is_law (t : table) : bool :=
  if forallb (fun row => (0 <=? snd row)%Z) (rows t)
  then (weights_sum (rows t) =? Zpos (whole t))%Z else false.

Lemma is_law_sound : forall t, is_law t = true -> probability (law t).
Proof.
  intros [u w l]. unfold is_law, law, probability, total, masses. simpl.
  destruct (forallb _ l) eqn:F; [|discriminate]. intros S. apply Z.eqb_eq in S.
  rewrite forallb_forall in F. pose proof (IZR_pos w) as Hw.
  rewrite map_map. simpl. split.
  - apply Forall_map, Forall_forall. intros row Hrow. unfold mass_of.
    apply F, Z.leb_le, IZR_le in Hrow.
    apply Rmult_le_pos; [assumption|]. left. now apply Rinv_0_lt_compat.
  - transitivity (IZR (weights_sum l) / IZR (Zpos w)).
    + clear. induction l as [|row l IH]; simpl; [unfold Rdiv; ring|].
      rewrite IH, plus_IZR. unfold mass_of, Rdiv. ring.
    + rewrite S. field. lra.
Qed.

(* ------------------------------------------------------------ the merged list *)

Fixpoint merge (l : list (Z * Z)) : list (Z * Z) -> merged :=
  match l with
  | [] => map (fun row => (fst row, (0%Z, snd row)))
  | (x, p) :: l' =>
      fix inner (m : list (Z * Z)) : merged :=
        match m with
        | [] => (x, (p, 0%Z)) :: map (fun row => (fst row, (snd row, 0%Z))) l'
        | (z, q) :: m' =>
            match (x ?= z)%Z with
            | Lt => (x, (p, 0%Z)) :: merge l' m
            | Eq => (x, (p, q)) :: merge l' m'
            | Gt => (z, (0%Z, q)) :: inner m'
            end
        end
  end.

Definition first_weights (l : merged) : list (Z * Z) := map (fun row => (fst row, fst (snd row))) l.
Definition second_weights (l : merged) : list (Z * Z) := map (fun row => (fst row, snd (snd row))) l.
Definition swap (l : merged) : merged := map (fun row => (fst row, (snd (snd row), fst (snd row)))) l.

(* What the rows of weights send to y, at the unit u. *)
Fixpoint sent (theta : R) (u : positive) (l : list (Z * Z)) (y : R) : R :=
  match l with
  | [] => 0
  | (x, w) :: rest => IZR w * decay theta (y - atom_of u x) + sent theta u rest y
  end.

Lemma merge_sent : forall theta u y l m,
  sent theta u (first_weights (merge l m)) y = sent theta u l y /\
  sent theta u (second_weights (merge l m)) y = sent theta u m y.
Proof.
  intros theta u y. unfold first_weights, second_weights.
  assert (Z0 : forall l : list (Z * Z), sent theta u (map (fun row => (fst row, 0%Z)) l) y = 0).
  { induction l as [|row l IH]; simpl; [reflexivity|]. rewrite IH. ring. }
  assert (I : forall l : list (Z * Z), sent theta u (map (fun row => (fst row, snd row)) l) y = sent theta u l y).
  { induction l as [|[x w] l IH]; simpl; [reflexivity|]. now rewrite IH. }
  induction l as [|[x p] l IHl].
  - intros m. simpl. rewrite !map_map. simpl. now rewrite Z0, I.
  - induction m as [|[z q] m IHm].
    + simpl. rewrite !map_map. simpl. rewrite Z0, I. split; ring.
    + simpl. simpl in IHm. destruct (Z.compare_spec x z) as [E | E | E]; simpl.
      * destruct (IHl m) as [-> ->]. rewrite E. split; ring.
      * destruct (IHl ((z, q) :: m)) as [-> ->]. simpl. split; ring.
      * destruct IHm as [-> ->]. split; ring.
Qed.

Lemma merge_atoms : forall x l m, In x (map fst (merge l m)) -> In x (map fst l) \/ In x (map fst m).
Proof.
  intros x. induction l as [|[a p] l IHl].
  - intros m. simpl. rewrite map_map. simpl. now right.
  - induction m as [|[b q] m IHm].
    + simpl. rewrite map_map. simpl. now left.
    + simpl. simpl in IHm. destruct (a ?= b)%Z; simpl; intros [H | H]; try tauto.
      * apply IHl in H. tauto.
      * apply IHl in H. simpl in H. tauto.
Qed.

Lemma sent_law : forall theta t y,
  sent theta (unit t) (rows t) y = IZR (Zpos (whole t)) * signal theta (law t) y.
Proof.
  intros theta [u w l] y. unfold law. simpl. induction l as [|[x m] l IH]; simpl; [ring|].
  rewrite IH. unfold mass_of. pose proof (IZR_pos w). field. lra.
Qed.

Lemma excess_sent : forall theta E u wp wq l y,
  excess theta E u wp wq l y =
  IZR (Zpos wq) * sent theta u (first_weights l) y - E * IZR (Zpos wp) * sent theta u (second_weights l) y.
Proof.
  intros theta E u wp wq l y. induction l as [|[x [p q]] l IH]; simpl; [ring|].
  rewrite IH. unfold decay. ring.
Qed.

Lemma first_swap : forall l, first_weights (swap l) = second_weights l.
Proof. intros l. unfold first_weights, second_weights, swap. now rewrite map_map. Qed.

Lemma second_swap : forall l, second_weights (swap l) = first_weights l.
Proof. intros l. unfold first_weights, second_weights, swap. now rewrite map_map. Qed.

Lemma atoms_swap : forall l, map fst (swap l) = map fst l.
Proof. intros l. unfold swap. now rewrite map_map. Qed.

(* The merged list says what the two tables say: its excess is the excess of the one release over
   E times the other, up to a positive factor. *)
Theorem merge_excess : forall theta E P Q y, 0 < theta -> unit P = unit Q ->
  excess theta E (unit P) (whole P) (whole Q) (merge (rows P) (rows Q)) y =
  2 * theta * IZR (Zpos (whole P)) * IZR (Zpos (whole Q)) *
    (release theta (law P) y - E * release theta (law Q) y).
Proof.
  intros theta E P Q y Ht U. rewrite excess_sent.
  destruct (merge_sent theta (unit P) y (rows P) (rows Q)) as [-> ->].
  rewrite U at 2. rewrite !sent_law, !release_signal. field. lra.
Qed.

(* The other order, on the same list. *)
Theorem swap_excess : forall theta E P Q y, 0 < theta -> unit P = unit Q ->
  excess theta E (unit P) (whole Q) (whole P) (swap (merge (rows P) (rows Q))) y =
  2 * theta * IZR (Zpos (whole P)) * IZR (Zpos (whole Q)) *
    (release theta (law Q) y - E * release theta (law P) y).
Proof.
  intros theta E P Q y Ht U. rewrite excess_sent, first_swap, second_swap.
  destruct (merge_sent theta (unit P) y (rows P) (rows Q)) as [-> ->].
  rewrite U at 1. rewrite !sent_law, !release_signal. field. lra.
Qed.

(* A common factor of the two totals comes out. *)
Lemma excess_factor : forall theta E u g a b l y,
  excess theta E u (g * a) (g * b) l y = IZR (Zpos g) * excess theta E u a b l y.
Proof. intros. rewrite !excess_sent, !Pos2Z.inj_mul, !mult_IZR. ring. Qed.

(* ------------------------------------------------------------ increasing atoms *)

Fixpoint increasing_from (a : Z) (l : merged) : bool :=
  match l with
  | [] => true
  | (x, _) :: rest => if (a <? x)%Z then increasing_from x rest else false
  end.

Lemma atom_of_lt : forall u a b, (a < b)%Z -> atom_of u a < atom_of u b.
Proof.
  intros. unfold atom_of. apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, IZR_pos | now apply IZR_lt].
Qed.

Lemma increasing_above : forall u l a, increasing_from a l = true ->
  Forall (fun x => atom_of u a <= x) (map (fun row => atom_of u (fst row)) l).
Proof.
  intros u. induction l as [|[x w] l IH]; intros a; simpl; [constructor|].
  destruct (Z.ltb_spec a x) as [L | L]; [|discriminate]. intros H.
  pose proof (atom_of_lt u a x L). constructor; [simpl; lra|].
  eapply Forall_impl; [|exact (IH x H)]. simpl. intros; lra.
Qed.

Definition increasing (l : merged) : bool :=
  match l with [] => false | (x, _) :: rest => increasing_from x rest end.

(* ------------------------------------------------------------ a pair made ready *)

(* The merged list of a pair, its unit, and the totals without a common factor that was seen. *)
Record ready := Ready { ready_unit : positive; first_total : positive; second_total : positive; list_of : merged }.

Definition make_ready (PQ : table * table) : option ready :=
  let '(P, Q) := PQ in
  if (unit P =? unit Q)%positive then
    if is_law P then
      if is_law Q then
        let l := merge (rows P) (rows Q) in
        if increasing l then
          Some (if (whole P =? whole Q)%positive
                then Ready (unit P) 1 1 l else Ready (unit P) (whole P) (whole Q) l)
        else None
      else None
    else None
  else None.

(* What a ready pair says of the two tables, in both orders. *)
Definition says (m : ready) (P Q : table) : Prop :=
  probability (law P) /\ probability (law Q) /\ increasing (list_of m) = true /\
  (forall theta E y, 0 < theta -> exists c, 0 < c /\
     excess theta E (ready_unit m) (first_total m) (second_total m) (list_of m) y =
       c * (release theta (law P) y - E * release theta (law Q) y) /\
     excess theta E (ready_unit m) (second_total m) (first_total m) (swap (list_of m)) y =
       c * (release theta (law Q) y - E * release theta (law P) y)) /\
  (forall x, In x (map fst (list_of m)) -> In (atom_of (ready_unit m) x) (atoms (law P ++ law Q))).

Lemma in_law : forall t x, In x (map fst (rows t)) -> In (atom_of (unit t) x) (atoms (law t)).
Proof.
  intros t x H. unfold atoms, law. rewrite map_map. simpl.
  apply in_map_iff in H. destruct H as (row & <- & H).
  apply (in_map (fun row => atom_of (unit t) (fst row))). exact H.
Qed.

Theorem make_ready_sound : forall P Q m, make_ready (P, Q) = Some m -> says m P Q.
Proof.
  intros P Q m. unfold make_ready.
  destruct (Pos.eqb_spec (unit P) (unit Q)) as [U|]; [|discriminate].
  destruct (is_law P) eqn:LP; [|discriminate]. destruct (is_law Q) eqn:LQ; [|discriminate].
  destruct (increasing _) eqn:LI; [|discriminate]. intros [= <-].
  set (l := merge (rows P) (rows Q)) in *.
  assert (L : forall x, In x (map fst l) -> In (atom_of (unit P) x) (atoms (law P ++ law Q))).
  { intros x H. apply merge_atoms in H. rewrite atoms_app. apply in_or_app.
    destruct H as [H | H]; apply in_law in H; [now left | right; now rewrite U]. }
  pose proof (fun theta E y Ht => merge_excess theta E P Q y Ht U) as X.
  pose proof (fun theta E y Ht => swap_excess theta E P Q y Ht U) as Y. fold l in X, Y.
  pose proof (IZR_pos (whole P)) as WP. pose proof (IZR_pos (whole Q)) as WQ.
  unfold says. split; [now apply is_law_sound|]. split; [now apply is_law_sound|].
  destruct (Pos.eqb_spec (whole P) (whole Q)) as [W|W]; simpl; (split; [assumption|]); (split; [|exact L]);
    intros theta E y Ht; specialize (X theta E y Ht); specialize (Y theta E y Ht).
  - exists (2 * theta * IZR (Zpos (whole P))). split; [apply Rmult_lt_0_compat; lra|].
    rewrite <- W, <- (Pos.mul_1_r (whole P)), excess_factor in X, Y. rewrite Pos.mul_1_r in X, Y.
    split; apply Rmult_eq_reg_l with (IZR (Zpos (whole P))); lra.
  - exists (2 * theta * IZR (Zpos (whole P)) * IZR (Zpos (whole Q))).
    split; [repeat apply Rmult_lt_0_compat; lra|]. now split.
Qed.
