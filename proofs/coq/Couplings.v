(* Couplings of two priors, and fact F9: one side of a coupling suffices for both orders. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Means.
Import ListNotations.
Open Scope R_scope.

(* A coupling: masses of pairs (x, x'), in any order. *)
Definition coupling := list ((R * R) * R).

Definition first (pi : coupling) : prior := map (fun e => (fst (fst e), snd e)) pi.
Definition second (pi : coupling) : prior := map (fun e => (snd (fst e), snd e)) pi.

(* pi couples P and Q: no mass is negative, and its two marginals are P and Q. *)
Definition couples (pi : coupling) (P Q : prior) : Prop :=
  Forall (fun e => 0 <= snd e) pi /\ same_law (first pi) P /\ same_law (second pi) Q.

(* What pi has in the column x', and in the row x: the other coordinate with its mass. *)
Definition column (pi : coupling) (x' : R) : prior := first (keyed (fun e => snd (fst e)) x' pi).
Definition row (pi : coupling) (x : R) : prior := second (keyed (fun e => fst (fst e)) x pi).

(* Every column x': the mean of e^(|x-x'|/theta) given x' is at most e^epsilon (times Q(x')). *)
Definition columns_hold (theta epsilon : R) (pi : coupling) (Q : prior) : Prop :=
  forall x', mean (fun x => exp (Rabs (x - x') / theta)) (column pi x')
             <= exp epsilon * mass_at Q x'.

Definition rows_hold (theta epsilon : R) (pi : coupling) (P : prior) : Prop :=
  forall x, mean (fun x' => exp (Rabs (x - x') / theta)) (row pi x)
            <= exp epsilon * mass_at P x.

Definition transpose (pi : coupling) : coupling :=
  map (fun e => ((snd (fst e), fst (fst e)), snd e)) pi.

(* ------------------------------------------------------------ transposed *)

Lemma first_transpose : forall pi, first (transpose pi) = second pi.
Proof. intros. unfold first, second, transpose. rewrite map_map. reflexivity. Qed.

Lemma second_transpose : forall pi, second (transpose pi) = first pi.
Proof. intros. unfold first, second, transpose. rewrite map_map. reflexivity. Qed.

Lemma couples_transpose : forall pi P Q, couples pi P Q -> couples (transpose pi) Q P.
Proof.
  unfold couples. intros pi P Q [N [HP HQ]]. rewrite first_transpose, second_transpose.
  split; [|auto]. unfold transpose. apply Forall_map. exact N.
Qed.

Lemma column_transpose : forall pi x, column (transpose pi) x = row pi x.
Proof.
  unfold column, row, keyed, transpose. intros pi x.
  induction pi as [|e pi IH]; simpl; [reflexivity|].
  destruct (Req_EM_T (fst (fst e)) x); simpl; rewrite IH; reflexivity.
Qed.

Lemma rows_are_columns : forall theta epsilon pi P,
  rows_hold theta epsilon pi P -> columns_hold theta epsilon (transpose pi) P.
Proof.
  unfold rows_hold, columns_hold. intros theta epsilon pi P H x. rewrite column_transpose.
  eapply Rle_trans; [|apply H]. right. apply sum_equal. intros e _. rewrite Rabs_minus_sym.
  reflexivity.
Qed.

(* ------------------------------------------------------------ one column *)

Lemma exp_le : forall u v, exp u <= exp v <-> u <= v.
Proof.
  intros u v. split; intros [H|H].
  - left. apply exp_lt_inv. exact H.
  - right. apply exp_inv. exact H.
  - left. apply exp_increasing. exact H.
  - right. rewrite H. reflexivity.
Qed.

Lemma exp_way : forall theta epsilon way, 0 < theta -> way <= epsilon * theta ->
  exp (way / theta) <= exp epsilon.
Proof.
  intros theta epsilon way Ht H.
  apply exp_le. apply Rmult_le_reg_r with theta; [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact H.
Qed.

(* The noise at one distance from y and at another differ by the distance between. *)
Lemma laplace_move : forall theta y a b, 0 < theta ->
  laplace theta (y - a) <= laplace theta (y - b) * exp (Rabs (a - b) / theta).
Proof.
  intros theta y a b H. unfold laplace.
  replace (exp (- Rabs (y - b) / theta) / (2 * theta) * exp (Rabs (a - b) / theta))
    with (exp (- Rabs (y - b) / theta + Rabs (a - b) / theta) / (2 * theta))
    by (rewrite exp_plus; field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  apply exp_le. replace (- Rabs (y - b) / theta + Rabs (a - b) / theta)
    with ((- Rabs (y - b) + Rabs (a - b)) / theta) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  pose proof (Rabs_triang (y - a) (a - b)) as T.
  replace (y - a + (a - b)) with (y - b) in T by ring. lra.
Qed.

(* e^-u lies above the tangent of 1/s at s = E: where the mean of e^u is at most E, that of e^-u is
   at least 1/E. *)
Lemma inverse_above_tangent : forall E u, 0 < E -> 2 / E - exp u / (E * E) <= exp (- u).
Proof.
  intros E u H. rewrite exp_Ropp. pose proof (exp_pos u) as U. set (s := exp u) in *.
  assert (D : / s - (2 / E - s / (E * E)) = (s - E) * (s - E) / (s * (E * E)))
    by (field; split; lra).
  assert (0 <= (s - E) * (s - E) / (s * (E * E))); [|lra].
  apply Rmult_le_pos; [apply Rle_0_sqr|]. left. apply Rinv_0_lt_compat.
  apply Rmult_lt_0_compat; [|apply Rmult_lt_0_compat]; lra.
Qed.

Section Column.
Variables (theta epsilon y b : R) (C : prior).
Hypothesis scale : 0 < theta.
Hypothesis nonnegative : forall e, In e C -> 0 <= snd e.
Hypothesis holds : mean (fun a => exp (Rabs (a - b) / theta)) C <= exp epsilon * sum snd C.

Lemma column_up :
  mean (fun a => laplace theta (y - a)) C <= exp epsilon * (sum snd C * laplace theta (y - b)).
Proof.
  pose proof (laplace_positive theta (y - b) scale) as L.
  apply Rle_trans with (laplace theta (y - b) * mean (fun a => exp (Rabs (a - b) / theta)) C).
  - unfold mean. rewrite <- sum_times. apply sum_le. intros e He.
    pose proof (laplace_move theta y (fst e) b scale). specialize (nonnegative e He).
    replace (laplace theta (y - b) * (snd e * exp (Rabs (fst e - b) / theta)))
      with (snd e * (laplace theta (y - b) * exp (Rabs (fst e - b) / theta))) by ring.
    apply Rmult_le_compat_l; assumption.
  - apply Rmult_le_compat_l with (r := laplace theta (y - b)) in holds; lra.
Qed.

Lemma column_down :
  sum snd C * laplace theta (y - b) <= exp epsilon * mean (fun a => laplace theta (y - a)) C.
Proof.
  pose proof (laplace_positive theta (y - b) scale) as L. pose proof (exp_pos epsilon) as E.
  set (m := exp epsilon) in *. set (l := laplace theta (y - b)) in *.
  assert (below :
    l * (2 / m * sum snd C + - / (m * m) * mean (fun a => exp (Rabs (a - b) / theta)) C)
    <= mean (fun a => laplace theta (y - a)) C).
  { unfold mean. rewrite <- !sum_times, <- sum_plus, <- sum_times.
    apply sum_le. intros e He. specialize (nonnegative e He).
    pose proof (inverse_above_tangent m (Rabs (fst e - b) / theta) E) as T.
    pose proof (laplace_move theta y b (fst e) scale) as M. fold l in M.
    rewrite Rabs_minus_sym in M. set (u := Rabs (fst e - b) / theta) in *.
    assert (l * exp (- u) <= laplace theta (y - fst e)).
    { apply Rmult_le_reg_r with (exp u); [apply exp_pos|].
      rewrite Rmult_assoc, <- exp_plus. replace (- u + u) with 0 by ring. rewrite exp_0. lra. }
    apply Rle_trans with (snd e * (l * (2 / m - exp u / (m * m)))); [right; field; lra|].
    apply Rmult_le_compat_l; [assumption|].
    apply Rle_trans with (l * exp (- u)); [|assumption]. apply Rmult_le_compat_l; lra. }
  apply Rle_trans with
    (m * (l * (2 / m * sum snd C + - / (m * m) * mean (fun a => exp (Rabs (a - b) / theta)) C))).
  - assert (K : / (m * m) * mean (fun a => exp (Rabs (a - b) / theta)) C <= / m * sum snd C).
    { apply Rle_trans with (/ (m * m) * (m * sum snd C)).
      - apply Rmult_le_compat_l; [|exact holds]. left. apply Rinv_0_lt_compat. nra.
      - right. field. lra. }
    apply Rle_trans with (m * (l * (2 / m * sum snd C + - / m * sum snd C))).
    + right. field. lra.
    + apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
  - apply Rmult_le_compat_l; lra.
Qed.

End Column.

(* ------------------------------------------------------------ all columns *)

Lemma first_by_column : forall g pi keys, NoDup keys ->
  (forall e, In e pi -> In (snd (fst e)) keys) ->
  mean g (first pi) = sum (fun x' => mean g (column pi x')) keys.
Proof.
  intros g pi keys N H. unfold mean, column, first. rewrite sum_map.
  rewrite (sum_by_key (fun e => snd (fst e)) _ keys) by assumption.
  apply sum_equal. intros x' _. rewrite sum_map. reflexivity.
Qed.

Lemma column_mass : forall pi x', sum snd (column pi x') = mass_at (second pi) x'.
Proof.
  unfold column, mass_at, first, second, keyed. intros pi x'.
  induction pi as [|e pi IH]; simpl; [reflexivity|].
  destruct (Req_EM_T (snd (fst e)) x'); simpl; rewrite IH; reflexivity.
Qed.

(* F9 for columns: where every column mean of e^(|x-x'|/theta) is at most e^epsilon, both orders
   hold, at every output. *)
Theorem one_side : forall theta epsilon pi P Q, 0 < theta ->
  couples pi P Q -> columns_hold theta epsilon pi Q -> private theta epsilon P Q.
Proof.
  intros theta epsilon pi P Q Ht [N [HP HQ]] H.
  apply (same_private _ _ _ (first pi) _ (second pi)); try (intros x; symmetry; auto).
  pose (keys := nodup Req_EM_T (map (fun e => snd (fst e)) pi)).
  assert (D : NoDup keys) by apply NoDup_nodup.
  assert (I : forall e, In e pi -> In (snd (fst e)) keys)
    by (intros e He; apply nodup_In, (in_map (fun e => snd (fst e))), He).
  assert (inside : forall x' e, In e (column pi x') -> 0 <= snd e).
  { unfold column, first. intros x' e He. apply in_map_iff in He as [e' [He' K]]. subst e.
    apply keyed_in in K as [K _]. rewrite Forall_forall in N. exact (N e' K). }
  assert (one : forall x', mean (fun x => exp (Rabs (x - x') / theta)) (column pi x')
                           <= exp epsilon * sum snd (column pi x'))
    by (intros x'; rewrite column_mass, HQ; apply H).
  split; intros y; rewrite !release_mean, (first_by_column _ pi keys D I),
    (mean_by_atom _ (second pi) keys D)
    by (unfold atoms, second; rewrite map_map; intros x Hx; apply nodup_In; exact Hx);
    rewrite <- sum_times; apply sum_le; intros x' _; rewrite <- column_mass.
  - apply column_up; eauto.
  - apply column_down; eauto.
Qed.

Lemma private_symmetric : forall theta epsilon P Q,
  private theta epsilon P Q -> private theta epsilon Q P.
Proof. unfold private. tauto. Qed.

(* F9 for rows. *)
Theorem one_side_rows : forall theta epsilon pi P Q, 0 < theta ->
  couples pi P Q -> rows_hold theta epsilon pi P -> private theta epsilon P Q.
Proof.
  intros theta epsilon pi P Q Ht C H. apply private_symmetric.
  apply one_side with (transpose pi);
    [exact Ht|apply couples_transpose, C|apply rows_are_columns, H].
Qed.
