(* The checker on Coq's own integers: nothing rests on primitive numbers. *)
From Coq Require Import Reals ZArith List.
From Interval Require Import Float.Specific_ops Float.Specific_stdz Interval.Float_full.
From Pfverify Require Import Numbers Problems Checker.

Module Floats := SpecificFloat StdZRadix2.
Module Intervals := FloatIntervalFull Floats.
Module Checks := Checker Intervals.

(* bits: the first precision; bases: whole numbers whose logarithms occur, hints for exact ties. *)
Definition certify (bits : positive) (bases : list positive) (d : problem) : bool :=
  Checks.certify Floats.PtoP bits bases d.
Definition refute (bits : positive) (d : problem) : bool := Checks.refute Floats.PtoP bits d.

(* What is accepted holds. *)
Theorem certified : forall bits bases d, certify bits bases d = true -> certifies d.
Proof. intros bits bases d H. exact (proj2 (Checks.certify_sound Floats.PtoP bits bases d H)). Qed.

(* What is refuted is violated. *)
Theorem refuted : forall bits d, refute bits d = true -> refutes d.
Proof. intros bits d H. exact (proj2 (Checks.refute_sound Floats.PtoP bits d H)). Qed.

(* Neither answer is given of a scale or an epsilon with a division by 0, a logarithm of a number
   that is not positive or a root of a negative one. *)
Theorem certified_defined : forall bits bases d, certify bits bases d = true ->
  defined (scale d) /\ defined (epsilon d).
Proof. intros bits bases d H. exact (proj1 (Checks.certify_sound Floats.PtoP bits bases d H)). Qed.

Theorem refuted_defined : forall bits d, refute bits d = true ->
  defined (scale d) /\ defined (epsilon d).
Proof. intros bits d H. exact (proj1 (Checks.refute_sound Floats.PtoP bits d H)). Qed.
