(* Published scales of Laplace noise: W-infinity and l1 over epsilon, the relaxed scales of columns
   and rows, and the moment of a user's report against absence. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Means Couplings Independent.
Import ListNotations.
Open Scope R_scope.

(* Every move of positive mass goes at most so far. *)
Definition moves_within (way : R) (pi : coupling) : Prop :=
  forall x x' m, In ((x, x'), m) pi -> 0 < m -> Rabs (x - x') <= way.

(* The independent coupling. *)
Definition product (P Q : prior) : coupling :=
  flat_map (fun e => map (fun s => ((fst e, fst s), snd e * snd s)) Q) P.

(* ------------------------------------------------------------ lemmas *)

Lemma exp_scale : forall theta theta' u, 0 < theta <= theta' -> 0 <= u ->
  exp (u / theta') <= exp (u / theta).
Proof.
  intros theta theta' u [Ht L] U.
  apply exp_le, Rmult_le_compat_l; [exact U|]. apply Rinv_le_contravar; assumption.
Qed.

Lemma in_column : forall pi x' e, In e (column pi x') -> In ((fst e, x'), snd e) pi.
Proof.
  unfold column, first. intros pi x' e I. apply in_map_iff in I as [[[x z] m] [E I]]. subst e.
  apply keyed_in in I as [I Z]. simpl in *. subst z. exact I.
Qed.

Lemma sum_product : forall (f : (R * R) * R -> R) P Q,
  sum f (product P Q) = sum (fun e => sum (fun s => f ((fst e, fst s), snd e * snd s)) Q) P.
Proof.
  intros f P Q. unfold product. rewrite sum_flat_map. apply sum_equal. intros e _.
  apply sum_map.
Qed.

Lemma product_couples : forall P Q, probability P -> probability Q -> couples (product P Q) P Q.
Proof.
  intros P Q [NP TP] [NQ TQ]. rewrite total_sum in TP, TQ. split; [|split].
  - apply Forall_forall. intros e I. unfold product in I. apply in_flat_map in I as [[x m] [I J]].
    apply in_map_iff in J as [[x' m'] [E J]]. subst e. simpl.
    apply Rmult_le_pos; [exact (mass_nonnegative P x m NP I)|exact (mass_nonnegative Q x' m' NQ J)].
  - intros x. unfold mass_at. rewrite !sum_keyed. unfold first. rewrite sum_map, sum_product.
    apply sum_equal. intros e _. simpl. destruct (Req_EM_T (fst e) x).
    + rewrite sum_times, TQ. ring.
    + apply sum_zero. reflexivity.
  - intros x. unfold mass_at. rewrite !sum_keyed. unfold second. rewrite sum_map, sum_product.
    simpl. transitivity (sum (fun e => snd e * mass_at Q x) P).
    + apply sum_equal. intros e _. unfold mass_at. rewrite sum_keyed, <- sum_times.
      apply sum_equal. intros s _. destruct (Req_EM_T (fst s) x); ring.
    + unfold mass_at. rewrite sum_keyed.
      rewrite (sum_equal _ (fun e => sum (fun s => if Req_EM_T (fst s) x then snd s else 0) Q *
        snd e)) by (intros; ring). rewrite sum_times, TP. ring.
Qed.

Lemma product_column : forall g P Q x',
  mean g (column (product P Q) x') = mean g P * mass_at Q x'.
Proof.
  intros g P Q x'. unfold mean, column, first, mass_at. rewrite sum_map, !sum_keyed, sum_product.
  rewrite Rmult_comm, <- sum_times. apply sum_equal. intros e _. simpl.
  rewrite Rmult_comm, <- sum_times. apply sum_equal. intros s _.
  destruct (Req_EM_T (fst s) x'); ring.
Qed.

(* ------------------------------------------------------------ W-infinity and l1 *)

Lemma moves_hold : forall theta epsilon pi P Q, 0 < theta -> couples pi P Q ->
  moves_within (epsilon * theta) pi -> columns_hold theta epsilon pi Q.
Proof.
  intros theta epsilon pi P Q Ht [N [_ HQ]] H x'. rewrite <- HQ, <- column_mass, <- sum_times.
  apply sum_le. intros e I. apply in_column in I. rewrite Forall_forall in N.
  specialize (N _ I). simpl in N. rewrite (Rmult_comm (exp epsilon)).
  destruct N as [N|N]; [|rewrite <- N; lra].
  apply Rmult_le_compat_l; [lra|]. apply exp_way; [exact Ht|]. exact (H _ _ _ I N).
Qed.

(* W-infinity: where a coupling moves nothing farther than epsilon theta, both orders hold. *)
Theorem w_infinity : forall theta epsilon pi P Q, 0 < theta -> couples pi P Q ->
  moves_within (epsilon * theta) pi -> private theta epsilon P Q.
Proof.
  intros theta epsilon pi P Q Ht C H. apply one_side with pi; [exact Ht|exact C|].
  apply moves_hold with P; assumption.
Qed.

(* l1: where no atom of the one prior is farther from one of the other, both orders hold. *)
Theorem l1 : forall theta epsilon P Q, 0 < theta -> probability P -> probability Q ->
  (forall x x', In x (atoms P) -> In x' (atoms Q) -> Rabs (x - x') <= epsilon * theta) ->
  private theta epsilon P Q.
Proof.
  intros theta epsilon P Q Ht HP HQ H.
  apply w_infinity with (product P Q); [exact Ht|apply product_couples; assumption|].
  intros x x' m I _. unfold product in I. apply in_flat_map in I as [e [I J]].
  apply in_map_iff in J as [s [E J]]. injection E as <- <- _.
  apply H; unfold atoms; apply in_map; assumption.
Qed.

(* ------------------------------------------------------------ relaxed *)

(* What the columns ask for, a larger scale gives. *)
Theorem columns_monotone : forall theta theta' epsilon pi P Q, 0 < theta <= theta' ->
  couples pi P Q -> columns_hold theta epsilon pi Q -> columns_hold theta' epsilon pi Q.
Proof.
  intros theta theta' epsilon pi P Q L [N _] H x'. eapply Rle_trans; [|apply H].
  apply sum_le. intros e I. apply in_column in I. rewrite Forall_forall in N.
  specialize (N _ I). simpl in N. apply Rmult_le_compat_l; [exact N|].
  apply exp_scale; [exact L|apply Rabs_pos].
Qed.

Theorem rows_monotone : forall theta theta' epsilon pi P Q, 0 < theta <= theta' ->
  couples pi P Q -> rows_hold theta epsilon pi P -> rows_hold theta' epsilon pi P.
Proof.
  intros theta theta' epsilon pi P Q L [N _] H x. eapply Rle_trans; [|apply H].
  apply sum_le. intros e I. unfold row, second in I. apply in_map_iff in I as [e' [E I]]. subst e.
  apply keyed_in in I as [I _]. rewrite Forall_forall in N.
  apply Rmult_le_compat_l; [exact (N _ I)|].
  apply exp_scale; [exact L|apply Rabs_pos].
Qed.

(* Proposition 3.2 of the noise-reduction paper: where the scale is not below one at which the
   column holds, for every column, both orders hold. *)
Theorem relaxed_columns : forall theta epsilon pi P Q (root : R -> R), 0 < theta ->
  couples pi P Q ->
  (forall x', 0 < root x' <= theta /\
    mean (fun x => exp (Rabs (x - x') / root x')) (column pi x') <= exp epsilon * mass_at Q x') ->
  private theta epsilon P Q.
Proof.
  intros theta epsilon pi P Q root Ht C H. apply one_side with pi; [exact Ht|exact C|].
  intros x'. destruct (H x') as [L Hx]. eapply Rle_trans; [|exact Hx].
  destruct C as [N _]. rewrite Forall_forall in N.
  apply sum_le. intros e I. apply in_column in I. specialize (N _ I). simpl in N.
  apply Rmult_le_compat_l; [exact N|]. apply exp_scale; [exact L|apply Rabs_pos].
Qed.

(* The smaller of a scale for the columns and a scale for the rows is enough. *)
Theorem relaxed : forall theta columns rows epsilon pi P Q, couples pi P Q ->
  0 < columns -> columns_hold columns epsilon pi Q ->
  0 < rows -> rows_hold rows epsilon pi P ->
  Rmin columns rows <= theta -> private theta epsilon P Q.
Proof.
  intros theta columns rows epsilon pi P Q C Hc HC Hr HR. unfold Rmin.
  destruct (Rle_dec columns rows); intros L.
  - apply one_side with pi; [lra|exact C|].
    apply columns_monotone with columns P; try lra; assumption.
  - apply one_side_rows with pi; [lra|exact C|].
    apply rows_monotone with rows Q; try lra; assumption.
Qed.

(* ------------------------------------------------------------ a report against absence *)

Lemma moment_nobody : forall theta epsilon P, 0 < theta -> probability P ->
  mean (fun x => exp (Rabs x / theta)) P <= exp epsilon -> private theta epsilon P nobody.
Proof.
  intros theta epsilon P Ht HP H.
  apply one_side with (product P nobody);
    [exact Ht|apply product_couples; [exact HP|apply probability_point]|].
  intros x'. rewrite product_column. unfold nobody, point, mass_at. rewrite sum_keyed. simpl.
  destruct (Req_EM_T 0 x') as [<-|_]; [|lra].
  apply Rle_trans with (mean (fun x => exp (Rabs x / theta)) P); [|lra]. right.
  rewrite Rplus_0_r, Rmult_1_r. apply sum_equal. intros e _. rewrite Rminus_0_r. reflexivity.
Qed.

(* Theorem 3 of the multi-user paper, (13), with "at most". *)
Theorem report_hidden : forall theta epsilon P S, 0 < theta -> probability P -> probability S ->
  mean (fun x => exp (Rabs x / theta)) P <= exp epsilon ->
  private theta epsilon (convolve P S) (convolve nobody S).
Proof.
  intros theta epsilon P S Ht HP HS H. apply private_with_others; [exact HS|].
  apply moment_nobody; assumption.
Qed.

(* (14): the largest report over epsilon. *)
Theorem largest_report_hidden : forall theta epsilon P S, 0 < theta -> probability P ->
  probability S -> (forall x, In x (atoms P) -> Rabs x <= epsilon * theta) ->
  private theta epsilon (convolve P S) (convolve nobody S).
Proof.
  intros theta epsilon P S Ht HP HS H. apply private_with_others; [exact HS|].
  apply l1; [exact Ht|exact HP|apply probability_point|].
  intros x x' I [<-|[]]. simpl. rewrite Rminus_0_r. apply H, I.
Qed.

(* No smaller scale than that of (13) hides a report of at least 0. *)
Theorem report_needs : forall theta epsilon P S, 0 < theta -> probability S ->
  (forall x, In x (atoms P) -> 0 <= x) ->
  private theta epsilon (convolve P S) (convolve nobody S) ->
  mean (fun x => exp (Rabs x / theta)) P <= exp epsilon.
Proof.
  intros theta epsilon P S Ht HS N [H _].
  apply tails_with_others in H as [H _]; [|exact Ht|exact HS].
  unfold nobody in H. rewrite moment_point, Rmult_0_r, exp_0, Rmult_1_r in H.
  eapply Rle_trans; [|exact H]. right. apply sum_equal. intros e I.
  rewrite Rabs_pos_eq by (apply N; unfold atoms; apply in_map; exact I).
  unfold Rdiv. rewrite Rmult_comm with (r1 := / theta). reflexivity.
Qed.
