(* Laws of sums of independent users, computed in integers on a common grid, and proved to be what
   they should be: every mean is the same. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From Pfverify Require Import Release Problems Merge Means Independent.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ what is computed *)

(* A law on the multiples of 1/unit: the sum of the weights, and (multiple, weight) in order. *)
Definition weights : Type := positive * list (Z * Z).

(* The weights of both; the rows of each in order. *)
Fixpoint add (l : list (Z * Z)) : list (Z * Z) -> list (Z * Z) :=
  fix from m :=
    match l, m with
    | [], _ => m
    | _, [] => l
    | (x, a) :: l', (y, b) :: m' =>
        match (x ?= y)%Z with
        | Lt => (x, a) :: add l' m
        | Gt => (y, b) :: from m'
        | Eq => (x, a + b)%Z :: add l' m'
        end
    end.

Definition moved (x a : Z) (l : list (Z * Z)) : list (Z * Z) :=
  map (fun row => (x + fst row, a * snd row)%Z) l.

Definition times (l m : list (Z * Z)) : list (Z * Z) :=
  fold_right (fun row found => add (moved (fst row) (snd row) m) found) [] l.

Definition convolved (a b : weights) : weights := (fst a * fst b, times (snd a) (snd b))%positive.
Definition zero : weights := (1%positive, [(0, 1)]%Z).

(* A table on the grid of a unit of which its own is a divisor. *)
Definition fits (grid : positive) (t : table) : bool :=
  (Zpos grid mod Zpos (unit t) =? 0)%Z.

Definition on_grid (grid : positive) (t : table) : weights :=
  let factor := (Zpos grid / Zpos (unit t))%Z in
  (whole t, map (fun row => (factor * fst row, snd row)%Z) (rows t)).

(* ------------------------------------------------------------ what it means *)

(* The mean of every function is the same under the weights and under the law. *)
Definition represents (grid : positive) (a : weights) (P : prior) : Prop :=
  forall f, mean f P =
    sum (fun row => IZR (snd row) * f (atom_of grid (fst row))) (snd a) / IZR (Zpos (fst a)).

Lemma mean_convolve : forall f P S,
  mean f (convolve P S) = mean (fun x => mean (fun s => f (x + s)) S) P.
Proof.
  intros f P S. unfold mean, convolve. rewrite sum_flat_map. apply sum_equal. intros e _.
  rewrite sum_map, <- sum_times. apply sum_equal. intros s _. simpl. ring.
Qed.

Lemma mean_scaled : forall f c P, mean f (scaled c P) = mean (fun x => f (c * x)) P.
Proof. intros f c P. unfold mean, scaled. apply sum_map. Qed.

Lemma sum_add : forall (f : Z -> R) l m,
  sum (fun row => IZR (snd row) * f (fst row)) (add l m) =
  sum (fun row => IZR (snd row) * f (fst row)) l + sum (fun row => IZR (snd row) * f (fst row)) m.
Proof.
  intros f. induction l as [|[x a] l IH]; intros m.
  - destruct m; simpl; ring.
  - induction m as [|[y b] m IHm]; [simpl; ring|].
    cbn [add]. destruct (Z.compare_spec x y) as [E|E|E]; cbn [sum fst snd].
    + subst y. rewrite IH, plus_IZR. ring.
    + rewrite IH. cbn [sum fst snd]. ring.
    + change ((fix from (m0 : list (Z * Z)) : list (Z * Z) :=
        match m0 with
        | [] => (x, a) :: l
        | (y0, b0) :: m' =>
            match (x ?= y0)%Z with
            | Eq => (x, (a + b0)%Z) :: add l m'
            | Lt => (x, a) :: add l m0
            | Gt => (y0, b0) :: from m'
            end
        end) m) with (add ((x, a) :: l) m). rewrite IHm. cbn [sum fst snd]. ring.
Qed.

Lemma sum_times_rows : forall (f : Z -> R) l m,
  sum (fun row => IZR (snd row) * f (fst row)) (times l m) =
  sum (fun row => IZR (snd row) *
    sum (fun other => IZR (snd other) * f (fst row + fst other)%Z) m) l.
Proof.
  intros f l m. induction l as [|[x a] l IH]; cbn [times fold_right sum]; [reflexivity|].
  fold (times l m). rewrite sum_add, IH. f_equal. unfold moved. rewrite sum_map, <- sum_times.
  apply sum_equal. intros row _. cbn [fst snd]. rewrite mult_IZR. ring.
Qed.

Lemma represents_convolved : forall grid a b P S,
  represents grid a P -> represents grid b S ->
  represents grid (convolved a b) (convolve P S).
Proof.
  unfold represents, convolved. intros grid [wa la] [wb lb] P S HP HS f. cbn [fst snd] in *.
  rewrite mean_convolve, HP.
  rewrite (sum_times_rows (fun x => f (atom_of grid x))), Pos2Z.inj_mul, mult_IZR.
  pose proof (IZR_pos wa) as A. pose proof (IZR_pos wb) as B.
  transitivity (/ IZR (Zpos wa) * / IZR (Zpos wb) *
    sum (fun row => IZR (snd row) *
      sum (fun other => IZR (snd other) * f (atom_of grid (fst row + fst other))) lb) la).
  - unfold Rdiv. rewrite Rmult_comm, Rmult_assoc. f_equal. rewrite <- sum_times.
    apply sum_equal. intros row _. rewrite HS. unfold Rdiv.
    rewrite (Rmult_comm (sum _ lb)), <- Rmult_assoc, (Rmult_comm (IZR (snd row))), Rmult_assoc.
    f_equal. f_equal. apply sum_equal. intros other _. f_equal. f_equal. unfold atom_of.
    rewrite plus_IZR. unfold Rdiv. ring.
  - field. lra.
Qed.

Lemma represents_zero : forall grid, represents grid zero nobody.
Proof.
  intros grid f. unfold zero, nobody, point, mean, atom_of. simpl. unfold Rdiv. rewrite Rmult_0_l.
  field.
Qed.

Lemma represents_copies : forall grid a P count, represents grid a P ->
  represents grid (Pos.iter (convolved a) zero count) (Pos.iter (convolve P) nobody count).
Proof.
  intros grid a P count H. induction count as [|count IH] using Pos.peano_ind.
  - simpl. apply represents_convolved; [exact H|apply represents_zero].
  - rewrite !Pos.iter_succ. apply represents_convolved; assumption.
Qed.

Lemma represents_table : forall grid t, fits grid t = true ->
  represents grid (on_grid grid t) (law t).
Proof.
  unfold fits, represents, on_grid. intros grid t H f. apply Z.eqb_eq in H. cbn [fst snd].
  pose proof (IZR_pos grid) as G. pose proof (IZR_pos (unit t)) as U.
  pose proof (IZR_pos (whole t)) as W.
  pose proof (Z.div_mod (Zpos grid) (Zpos (unit t)) ltac:(lia)) as D. rewrite H, Z.add_0_r in D.
  apply (f_equal IZR) in D. rewrite mult_IZR in D.
  set (factor := (Zpos grid / Zpos (unit t))%Z) in *.
  unfold mean, law. rewrite !sum_map. unfold Rdiv. rewrite Rmult_comm, <- sum_times.
  apply sum_equal. intros row _. cbn [fst snd].
  assert (E : atom_of grid (factor * fst row) = atom_of (unit t) (fst row)).
  { unfold atom_of. rewrite mult_IZR, D. assert (IZR factor <> 0) by nra. field. split; lra. }
  rewrite E. unfold mass_of. field. lra.
Qed.

(* The weights as a table of X/n. *)
Definition table_of (grid n : positive) (a : weights) : table := Table (grid * n) (fst a) (snd a).

Lemma represents_table_of : forall grid n a P f, represents grid a P ->
  mean f (law (table_of grid n a)) = mean f (scaled (/ IZR (Zpos n)) P).
Proof.
  intros grid n [w l] P f H. rewrite mean_scaled, H. unfold mean, law, table_of. cbn [fst snd].
  simpl. rewrite sum_map. unfold Rdiv. rewrite Rmult_comm, <- sum_times.
  apply sum_equal. intros row _. cbn [fst snd].
  assert (E : atom_of (grid * n) (fst row) = / IZR (Zpos n) * atom_of grid (fst row)).
  { unfold atom_of. rewrite Pos2Z.inj_mul, mult_IZR. pose proof (IZR_pos grid).
    pose proof (IZR_pos n). field. lra. }
  rewrite E. unfold mass_of, Rdiv. ring.
Qed.
