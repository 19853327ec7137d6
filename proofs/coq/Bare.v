(* No noise: what holds for the laws themselves holds after every noise, at every scale. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Means Lattice.
Import ListNotations.
Open Scope R_scope.

(* The pure bound for the masses themselves: one order, and both. *)
Definition bare_bounded (epsilon : R) (P Q : prior) : Prop :=
  forall x, mass_at P x <= exp epsilon * mass_at Q x.

Definition bare_private (epsilon : R) (P Q : prior) : Prop :=
  bare_bounded epsilon P Q /\ bare_bounded epsilon Q P.

(* The sum over x of max(0, P(x) - e^epsilon Q(x)): the largest of P(B) - e^epsilon Q(B). *)
Definition bare_excess (epsilon : R) (P Q : prior) : R :=
  sum (fun x => Rmax 0 (mass_at P x - exp epsilon * mass_at Q x))
    (nodup Req_EM_T (atoms P ++ atoms Q)).

Lemma mean_over_both : forall P Q f,
  mean f P = sum (fun x => mass_at P x * f x) (nodup Req_EM_T (atoms P ++ atoms Q)) /\
  mean f Q = sum (fun x => mass_at Q x * f x) (nodup Req_EM_T (atoms P ++ atoms Q)).
Proof.
  intros P Q f. split; apply mean_by_atom; try apply NoDup_nodup;
    intros x Hx; apply nodup_In, in_or_app; auto.
Qed.

(* Data processing, pure: f x is the density at an output, or the probability of an event, that a
   randomized algorithm has at the input x. *)
Theorem data_processing : forall epsilon P Q f, bare_bounded epsilon P Q ->
  (forall x, 0 <= f x) -> mean f P <= exp epsilon * mean f Q.
Proof.
  intros epsilon P Q f B F. destruct (mean_over_both P Q f) as [-> ->].
  rewrite <- sum_times. apply sum_le. intros x _. specialize (B x). specialize (F x).
  rewrite <- Rmult_assoc. apply Rmult_le_compat_r; assumption.
Qed.

(* Data processing, with delta: f x is the probability of an event at the input x. *)
Theorem data_processing_with_delta : forall epsilon P Q f, (forall x, 0 <= f x <= 1) ->
  mean f P - exp epsilon * mean f Q <= bare_excess epsilon P Q.
Proof.
  intros epsilon P Q f F. destruct (mean_over_both P Q f) as [-> ->]. unfold bare_excess.
  set (keys := nodup _ _).
  apply Rplus_le_reg_r with (exp epsilon * sum (fun x => mass_at Q x * f x) keys).
  unfold Rminus at 1. rewrite Rplus_assoc, Rplus_opp_l, Rplus_0_r, <- sum_times, <- sum_plus.
  apply sum_le. intros x _.
  specialize (F x). pose proof (Rmax_l 0 (mass_at P x - exp epsilon * mass_at Q x)).
  pose proof (Rmax_r 0 (mass_at P x - exp epsilon * mass_at Q x)).
  set (r := Rmax 0 _) in *. set (e := mass_at P x - exp epsilon * mass_at Q x) in *.
  replace (exp epsilon * (mass_at Q x * f x)) with (mass_at P x * f x - e * f x)
    by (unfold e; ring).
  assert (e * f x <= r * f x) by (apply Rmult_le_compat_r; lra).
  assert (r * f x <= r * 1) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* The pure bound of the masses is the excess 0. *)
Theorem bare_bounded_excess : forall epsilon P Q,
  bare_bounded epsilon P Q -> bare_excess epsilon P Q = 0.
Proof.
  intros epsilon P Q B. unfold bare_excess. apply sum_zero. intros x _. specialize (B x).
  apply Rmax_left. lra.
Qed.

(* DPI: private without noise, private with Laplace noise of every scale ... *)
Theorem no_noise : forall epsilon P Q, bare_private epsilon P Q ->
  forall theta, 0 < theta -> private theta epsilon P Q.
Proof.
  intros epsilon P Q [B B'] theta Ht.
  split; intros y; rewrite !release_mean; apply data_processing; try assumption;
    intros x; now apply Rlt_le, laplace_positive.
Qed.

Lemma discrete_release_mean : forall theta step P y,
  discrete_release theta step P y = mean (fun x => discrete theta step (y - x)) P.
Proof.
  intros theta step P y. unfold mean. induction P as [|[x m] P IH]; simpl; [reflexivity|].
  now rewrite IH.
Qed.

(* ... and with discrete Laplace noise of every scale and step, lattice or not. *)
Theorem no_noise_discrete : forall epsilon P Q, bare_private epsilon P Q ->
  forall theta step, 0 < theta -> 0 < step -> discrete_private theta step epsilon P Q.
Proof.
  intros epsilon P Q [B B'] theta step Ht Hs.
  split; intros y; rewrite !discrete_release_mean; apply data_processing; try assumption;
    intros x; now apply discrete_nonnegative.
Qed.
