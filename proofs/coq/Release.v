(* Priors of atoms, the release of X + Laplace noise, and what "private" means.
   Every other statement here is built on these definitions. *)
From Coq Require Import Reals List Lra Psatz.
Import ListNotations.
Open Scope R_scope.

(* A prior: atoms with their masses, in any order.  An atom may come twice. *)
Definition prior := list (R * R).

Definition atoms (P : prior) : list R := map fst P.
Definition masses (P : prior) : list R := map snd P.
Definition total (P : prior) : R := fold_right Rplus 0 (masses P).

Definition probability (P : prior) : Prop := Forall (fun m => 0 <= m) (masses P) /\ total P = 1.

(* The density of Laplace noise of the scale theta. *)
Definition laplace (theta z : R) : R := exp (- Rabs z / theta) / (2 * theta).

(* The density of the release X + noise at y. *)
Fixpoint release (theta : R) (P : prior) (y : R) : R :=
  match P with
  | [] => 0
  | (x, m) :: rest => m * laplace theta (y - x) + release theta rest y
  end.

(* One order of the pure bound, at every output. *)
Definition bounded (theta epsilon : R) (P Q : prior) : Prop :=
  forall y, release theta P y <= exp epsilon * release theta Q y.

(* Both orders. *)
Definition private (theta epsilon : R) (P Q : prior) : Prop :=
  bounded theta epsilon P Q /\ bounded theta epsilon Q P.

(* A violation of one order, strict, at an output. *)
Definition violated (theta epsilon : R) (P Q : prior) (y : R) : Prop :=
  exp epsilon * release theta Q y < release theta P y.

(* ------------------------------------------------------------ first consequences *)

Lemma laplace_positive : forall theta z, 0 < theta -> 0 < laplace theta z.
Proof.
  intros theta z H. unfold laplace. apply Rdiv_lt_0_compat; [apply exp_pos | lra].
Qed.

Lemma release_app : forall theta P Q y,
  release theta (P ++ Q) y = release theta P y + release theta Q y.
Proof.
  intros theta P Q y. induction P as [|[x m] P IH]; simpl; [ring|]. rewrite IH. ring.
Qed.

Lemma release_nonnegative : forall theta P y,
  0 < theta -> Forall (fun m => 0 <= m) (masses P) -> 0 <= release theta P y.
Proof.
  intros theta P y Ht. induction P as [|[x m] P IH]; simpl; intros H; [lra|].
  inversion H as [|? ? H1 H2]; subst. pose proof (laplace_positive theta (y - x) Ht).
  specialize (IH H2). nra.
Qed.

Lemma bounded_refuted : forall theta epsilon P Q y,
  violated theta epsilon P Q y -> ~ bounded theta epsilon P Q.
Proof. unfold violated, bounded. intros theta epsilon P Q y H B. specialize (B y). lra. Qed.
