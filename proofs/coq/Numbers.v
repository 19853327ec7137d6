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
