(* A problem as a file states it: integers, and what they mean. *)
From Coq Require Import Reals ZArith List Lra.
From Pfverify Require Import Release Numbers.
Import ListNotations.
Open Scope R_scope.

(* The atom x/unit has the mass w/whole, for every row (x, w). *)
Record table := Table { unit : positive; whole : positive; rows : list (Z * Z) }.

Definition atom_of (unit : positive) (x : Z) : R := IZR x / IZR (Zpos unit).
Definition mass_of (whole : positive) (w : Z) : R := IZR w / IZR (Zpos whole).

Definition law (t : table) : prior :=
  map (fun row => (atom_of (unit t) (fst row), mass_of (whole t) (snd row))) (rows t).

(* Laplace noise of this scale, and the pairs of tables of one belief or of several. *)
Record problem := Problem { scale : number; epsilon : number; pairs : list (table * table) }.

(* What a certificate certifies: its numbers are defined, both are laws, and both orders hold at every output. *)
Definition certifies (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    private (value (scale d)) (value (epsilon d)) (law P) (law Q).

(* What it refutes: at an atom of one of the pairs, in one of the orders. *)
Definition refutes (d : problem) : Prop :=
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  exists P Q y,
    (In (P, Q) (pairs d) \/ In (Q, P) (pairs d)) /\
    probability (law P) /\ probability (law Q) /\ In y (atoms (law P ++ law Q)) /\
    violated (value (scale d)) (value (epsilon d)) (law P) (law Q) y.

(* ------------------------------------------------------------ two tables of one unit, merged *)

(* x, the weight of x in the one table, the weight of x in the other *)
Definition merged := list (Z * (Z * Z)).

(* p - e^epsilon q at y, up to the positive factor 2 theta wp wq *)
Fixpoint excess (theta E : R) (unit wp wq : positive) (l : merged) (y : R) : R :=
  match l with
  | [] => 0
  | (x, (p, q)) :: rest =>
      (IZR p * IZR (Zpos wq) - E * (IZR q * IZR (Zpos wp))) *
        exp (- Rabs (y - atom_of unit x) / theta)
      + excess theta E unit wp wq rest y
  end.
