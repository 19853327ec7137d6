(* Means over a prior, the mass of one point, and when two lists are the same law. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ sums over a list *)

Fixpoint sum {A : Type} (f : A -> R) (l : list A) : R :=
  match l with
  | [] => 0
  | a :: rest => f a + sum f rest
  end.

Lemma sum_app : forall {A} (f : A -> R) l m, sum f (l ++ m) = sum f l + sum f m.
Proof. intros A f l m. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_equal : forall {A} (f g : A -> R) l, (forall a, In a l -> f a = g a) -> sum f l = sum g l.
Proof.
  intros A f g l. induction l as [|a l IH]; simpl; intros H; [reflexivity|].
  rewrite (H a), IH; auto.
Qed.

Lemma sum_le : forall {A} (f g : A -> R) l, (forall a, In a l -> f a <= g a) -> sum f l <= sum g l.
Proof.
  intros A f g l. induction l as [|a l IH]; simpl; intros H; [lra|].
  pose proof (H a (or_introl eq_refl)). specialize (IH (fun b Hb => H b (or_intror Hb))). lra.
Qed.

Lemma sum_times : forall {A} c (f : A -> R) l, sum (fun a => c * f a) l = c * sum f l.
Proof. intros A c f l. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_plus : forall {A} (f g : A -> R) l, sum (fun a => f a + g a) l = sum f l + sum g l.
Proof. intros A f g l. induction l as [|a l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_zero : forall {A} (f : A -> R) l, (forall a, In a l -> f a = 0) -> sum f l = 0.
Proof.
  intros A f l H. induction l as [|a l IH]; simpl; [reflexivity|].
  rewrite (H a (or_introl eq_refl)), IH; [ring|]. intros b Hb. apply H. right. exact Hb.
Qed.

Lemma sum_nonnegative : forall {A} (f : A -> R) l, (forall a, In a l -> 0 <= f a) -> 0 <= sum f l.
Proof.
  intros A f l H. rewrite <- (sum_zero (fun _ => 0) l) by reflexivity. apply sum_le. exact H.
Qed.

Lemma sum_map : forall {A B} (h : B -> A) (f : A -> R) m,
  sum f (map h m) = sum (fun b => f (h b)) m.
Proof. intros A B h f m. induction m as [|b m IH]; simpl; [reflexivity|]. rewrite IH. ring. Qed.

Lemma sum_flat_map : forall {A B} (h : B -> list A) (f : A -> R) m,
  sum f (flat_map h m) = sum (fun b => sum f (h b)) m.
Proof.
  intros A B h f m. induction m as [|b m IH]; simpl; [reflexivity|]. rewrite sum_app, IH. ring.
Qed.

(* The entries of a list whose key is k. *)
Definition keyed {A} (key : A -> R) (k : R) (l : list A) : list A :=
  filter (fun a => if Req_EM_T (key a) k then true else false) l.

Lemma keyed_in : forall {A} (key : A -> R) k l a, In a (keyed key k l) -> In a l /\ key a = k.
Proof.
  unfold keyed. intros A key k l a H. apply filter_In in H as [H1 H2].
  destruct (Req_EM_T (key a) k); [auto|discriminate].
Qed.

Lemma sum_keyed : forall {A} (f key : A -> R) k l,
  sum f (keyed key k l) = sum (fun a => if Req_EM_T (key a) k then f a else 0) l.
Proof.
  unfold keyed. intros A f key k l. induction l as [|a l IH]; simpl; [reflexivity|].
  destruct (Req_EM_T (key a) k); simpl; rewrite IH; ring.
Qed.

(* A sum is the sum over the keys of the sums over the entries of one key. *)
Lemma sum_by_key : forall {A} (key f : A -> R) keys l,
  NoDup keys -> (forall a, In a l -> In (key a) keys) ->
  sum f l = sum (fun k => sum f (keyed key k l)) keys.
Proof.
  intros A key f keys l N. induction l as [|a l IH]; intros H.
  - simpl. symmetry. apply sum_zero. reflexivity.
  - simpl sum at 1. rewrite IH by (intros b Hb; apply H; right; exact Hb).
    assert (one : sum (fun k => if Req_EM_T (key a) k then f a else 0) keys = f a).
    { specialize (H a (or_introl eq_refl)). clear IH. induction N as [|k keys Hk N IH]; [easy|].
      simpl. destruct H as [H|H].
      - rewrite sum_zero; [destruct (Req_EM_T (key a) k); [ring|congruence]|].
        intros j Hj. destruct (Req_EM_T (key a) j); [congruence|reflexivity].
      - rewrite IH by exact H. destruct (Req_EM_T (key a) k); [congruence|ring]. }
    rewrite <- one at 1. rewrite <- sum_plus. apply sum_equal. intros k _.
    unfold keyed at 2. simpl. destruct (Req_EM_T (key a) k); simpl; unfold keyed; ring.
Qed.

(* ------------------------------------------------------------ means and masses *)

(* The mean of f over a prior (over its total, where that is not 1). *)
Definition mean (f : R -> R) (P : prior) : R := sum (fun am => snd am * f (fst am)) P.

(* The mass of the point x. *)
Definition mass_at (P : prior) (x : R) : R := sum snd (keyed fst x P).

(* The same law, however its atoms are listed. *)
Definition same_law (P Q : prior) : Prop := forall x, mass_at P x = mass_at Q x.

Lemma total_sum : forall P, total P = sum snd P.
Proof.
  unfold total, masses. intros P. induction P as [|[x m] P IH]; simpl; [reflexivity|].
  rewrite IH. reflexivity.
Qed.

Lemma release_mean : forall theta P y, release theta P y = mean (fun x => laplace theta (y - x)) P.
Proof.
  unfold mean. intros theta P y. induction P as [|[x m] P IH]; simpl; [reflexivity|].
  rewrite IH. reflexivity.
Qed.

Lemma mass_nonnegative : forall P x m, Forall (fun m => 0 <= m) (masses P) -> In (x, m) P -> 0 <= m.
Proof.
  unfold masses. intros P x m H I. rewrite Forall_forall in H. apply H.
  change m with (snd (x, m)). apply in_map. exact I.
Qed.

Lemma mean_by_atom : forall f P keys, NoDup keys -> (forall x, In x (atoms P) -> In x keys) ->
  mean f P = sum (fun x => mass_at P x * f x) keys.
Proof.
  unfold mean, mass_at, atoms. intros f P keys N H. rewrite (sum_by_key fst _ keys) by
    (exact N || (intros a Ha; apply H; apply in_map; exact Ha)).
  apply sum_equal. intros x _. rewrite (Rmult_comm (sum _ _)), <- sum_times.
  apply sum_equal. intros a Ha. apply keyed_in in Ha as [_ Ha]. rewrite Ha. ring.
Qed.

(* Means depend on the law only. *)
Lemma same_mean : forall P Q f, same_law P Q -> mean f P = mean f Q.
Proof.
  intros P Q f H. pose (keys := nodup Req_EM_T (atoms P ++ atoms Q)).
  assert (N : NoDup keys) by apply NoDup_nodup.
  rewrite (mean_by_atom f P keys), (mean_by_atom f Q keys); try exact N;
    try (intros x Hx; apply nodup_In, in_or_app; auto).
  apply sum_equal. intros x _. rewrite H. reflexivity.
Qed.

Lemma same_release : forall theta P Q y, same_law P Q -> release theta P y = release theta Q y.
Proof. intros. rewrite !release_mean. apply same_mean. assumption. Qed.

(* Privacy depends on the laws only. *)
Lemma same_private : forall theta epsilon P P' Q Q', same_law P P' -> same_law Q Q' ->
  private theta epsilon P' Q' -> private theta epsilon P Q.
Proof.
  unfold private, bounded. intros theta epsilon P P' Q Q' HP HQ [H1 H2].
  split; intros y; rewrite (same_release _ _ _ y HP), (same_release _ _ _ y HQ); auto.
Qed.
