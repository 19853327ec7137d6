(* For the end of Check.v: a sign of the statement with another meaning, and a proof of that. *)
Open Scope R_scope.

Notation "x <= y" := (Rle x x) : R_scope.

Definition other (d : problem) : problem := Problem (scale d) (Times (Whole 100) (epsilon d)) (pairs d).

Theorem certified : forall bits bases d, certify bits bases (other d) = true ->
  defined (scale d) /\ defined (epsilon d) /\ 0 < value (scale d) /\
  forall P Q, In (P, Q) (pairs d) ->
    probability (law P) /\ probability (law Q) /\
    (forall y, release (value (scale d)) (law P) y <=
       exp (value (epsilon d)) * release (value (scale d)) (law Q) y) /\
    (forall y, release (value (scale d)) (law Q) y <=
       exp (value (epsilon d)) * release (value (scale d)) (law P) y).
Proof.
  intros bits bases d H. destruct (honest bits bases _ H) as (Ds & [_ De] & Ht & C).
  repeat (split; [assumption|]).
  intros P Q I. destruct (C P Q I) as (HP & HQ & _). split; [exact HP|]. split; [exact HQ|].
  split; intros y; apply Rle_refl.
Qed.
