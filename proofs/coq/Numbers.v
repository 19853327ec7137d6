(* Numbers as a problem file writes them: rationals, + - * /, exp, log, sqrt. *)
From Coq Require Import Reals ZArith.
Open Scope R_scope.

Inductive number :=
  | Whole (n : Z)
  | Plus (a b : number)
  | Minus (a b : number)
  | Times (a b : number)
  | Over (a b : number)
  | Opposite (a : number)
  | Exp (a : number)
  | Log (a : number)
  | Sqrt (a : number).

Fixpoint value (a : number) : R :=
  match a with
  | Whole n => IZR n
  | Plus a b => value a + value b
  | Minus a b => value a - value b
  | Times a b => value a * value b
  | Over a b => value a / value b
  | Opposite a => - value a
  | Exp a => exp (value a)
  | Log a => ln (value a)
  | Sqrt a => sqrt (value a)
  end.

(* Coq's real functions are total: x/0, ln and sqrt of a negative number are some real number that a
   problem file does not mean.  Where an expression is defined, there is no such step in it. *)
Fixpoint defined (a : number) : Prop :=
  match a with
  | Whole _ => True
  | Plus a b | Minus a b | Times a b => defined a /\ defined b
  | Over a b => (defined a /\ defined b) /\ value b <> 0
  | Opposite a | Exp a => defined a
  | Log a => defined a /\ 0 < value a
  | Sqrt a => defined a /\ 0 <= value a
  end.

Declare Scope number_scope.
Delimit Scope number_scope with number.
Bind Scope number_scope with number.
Definition number_of_Z (n : Z) : number := Whole n.
Definition Z_of_number (a : number) : option Z := match a with Whole n => Some n | _ => None end.

(* (3 / Log 3)%number is what a problem file writes as 3/log(3). *)
Number Notation number number_of_Z Z_of_number : number_scope.
Notation "a + b" := (Plus a b) : number_scope.
Notation "a - b" := (Minus a b) : number_scope.
Notation "a * b" := (Times a b) : number_scope.
Notation "a / b" := (Over a b) : number_scope.
Notation "- a" := (Opposite a) : number_scope.
