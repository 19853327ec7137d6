(* Sums of independent users: what hides one user alone hides this user among independent others,
   whatever their laws; and what no law of the others can hide. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release Means Couplings.
Import ListNotations.
Open Scope R_scope.

(* The law of X + S, for X and S independent. *)
Definition convolve (P S : prior) : prior :=
  flat_map (fun e => map (fun s => (fst e + fst s, snd e * snd s)) S) P.

(* The law of c X. *)
Definition scaled (c : R) (P : prior) : prior := map (fun e => (c * fst e, snd e)) P.

(* One value for sure; a user who is absent adds 0. *)
Definition point (a : R) : prior := [(a, 1)].
Definition nobody : prior := point 0.

(* The sum of independent users. *)
Definition sum_of (users : list prior) : prior := fold_right convolve nobody users.

(* ------------------------------------------------------------ these are laws *)

Lemma total_convolve : forall P S, total (convolve P S) = total P * total S.
Proof.
  intros P S. rewrite !total_sum. unfold convolve. rewrite sum_flat_map.
  rewrite (Rmult_comm (sum snd P)), <- sum_times. apply sum_equal. intros e _.
  rewrite sum_map. simpl. rewrite sum_times. ring.
Qed.

Lemma masses_convolve : forall P S, Forall (fun m => 0 <= m) (masses P) ->
  Forall (fun m => 0 <= m) (masses S) -> Forall (fun m => 0 <= m) (masses (convolve P S)).
Proof.
  intros P S HP HS. unfold masses at 1. apply Forall_map, Forall_forall. intros e He.
  unfold convolve in He. apply in_flat_map in He as [[x m] [I He]].
  apply in_map_iff in He as [[s w] [He J]]. subst e. simpl.
  apply Rmult_le_pos; [eapply mass_nonnegative with (P := P)|eapply mass_nonnegative with (P := S)];
    eauto.
Qed.

Theorem probability_convolve : forall P S,
  probability P -> probability S -> probability (convolve P S).
Proof.
  intros P S [MP TP] [MS TS]. split; [apply masses_convolve; assumption|].
  rewrite total_convolve, TP, TS. ring.
Qed.

Lemma probability_point : forall a, probability (point a).
Proof. intros a. split; [repeat constructor; simpl; lra|unfold total; simpl; ring]. Qed.

Lemma probability_sum : forall users, Forall probability users -> probability (sum_of users).
Proof.
  intros users H. induction H; simpl; [apply probability_point|].
  apply probability_convolve; assumption.
Qed.

Lemma probability_scaled : forall c P, probability P -> probability (scaled c P).
Proof.
  unfold probability, total, masses, scaled. intros c P. rewrite map_map. exact (fun H => H).
Qed.

Lemma scaled_convolve : forall c P S, scaled c (convolve P S) = convolve (scaled c P) (scaled c S).
Proof.
  intros c P S. unfold convolve, scaled. induction P as [|e P IH]; simpl; [reflexivity|].
  rewrite map_app, IH, !map_map. f_equal. apply map_ext. intros s. simpl. f_equal. ring.
Qed.

(* ------------------------------------------------------------ whatever the others report *)

Lemma release_convolve : forall theta P S y,
  release theta (convolve P S) y = mean (fun s => release theta P (y - s)) S.
Proof.
  intros theta P S y. rewrite release_mean. unfold mean at 1, convolve. rewrite sum_flat_map.
  induction P as [|[x m] P IH]; simpl sum.
  - symmetry. apply sum_zero. intros e _. simpl. ring.
  - rewrite IH, sum_map. unfold mean. rewrite <- sum_plus. apply sum_equal. intros [s w] _. simpl.
    replace (y - (x + s)) with (y - s - x) by ring. ring.
Qed.

(* One order is kept where an independent summand joins both. *)
Theorem bounded_with_others : forall theta epsilon P Q S,
  Forall (fun m => 0 <= m) (masses S) -> bounded theta epsilon P Q ->
  bounded theta epsilon (convolve P S) (convolve Q S).
Proof.
  intros theta epsilon P Q S N H y. rewrite !release_convolve. unfold mean. rewrite <- sum_times.
  apply sum_le. intros [s w] I. simpl. pose proof (mass_nonnegative S s w N I).
  replace (exp epsilon * (w * release theta Q (y - s)))
    with (w * (exp epsilon * release theta Q (y - s))) by ring.
  apply Rmult_le_compat_l; [assumption|apply H].
Qed.

(* What hides one user alone hides this user among independent others, whatever their laws. *)
Theorem private_with_others : forall theta epsilon P Q S, probability S ->
  private theta epsilon P Q -> private theta epsilon (convolve P S) (convolve Q S).
Proof. intros theta epsilon P Q S [N _] [H1 H2]. split; apply bounded_with_others; assumption. Qed.

Lemma bounded_points : forall theta epsilon a b, 0 < theta -> Rabs (a - b) <= epsilon * theta ->
  bounded theta epsilon (point a) (point b).
Proof.
  intros theta epsilon a b Ht H y. unfold point. simpl.
  pose proof (laplace_move theta y a b Ht) as M. pose proof (laplace_positive theta (y - b) Ht).
  pose proof (exp_way theta epsilon _ Ht H).
  nra.
Qed.

Theorem private_points : forall theta epsilon a b, 0 < theta ->
  Rabs (a - b) <= epsilon * theta -> private theta epsilon (point a) (point b).
Proof.
  intros theta epsilon a b Ht H. split; apply bounded_points; try assumption.
  rewrite Rabs_minus_sym. exact H.
Qed.

(* Theorem 1 of the multi-user paper: the value of one user, for every law of the others. *)
Theorem values_hidden : forall theta epsilon a b S, 0 < theta -> probability S ->
  Rabs (a - b) <= epsilon * theta ->
  private theta epsilon (convolve (point a) S) (convolve (point b) S).
Proof. intros. apply private_with_others; [assumption|]. apply private_points; assumption. Qed.

(* ------------------------------------------------------------ beyond all atoms *)

(* The mean of e^(c X). *)
Definition moment (c : R) (P : prior) : R := mean (fun x => exp (c * x)) P.

Lemma moment_convolve : forall c P S, moment c (convolve P S) = moment c P * moment c S.
Proof.
  intros c P S. unfold moment, mean, convolve. rewrite sum_flat_map.
  rewrite (Rmult_comm (sum _ P)), <- sum_times. apply sum_equal. intros e _.
  rewrite sum_map, (Rmult_comm (sum _ S)), <- sum_times. apply sum_equal. intros s _. simpl.
  rewrite Rmult_plus_distr_l, exp_plus. ring.
Qed.

Lemma moment_point : forall c a, moment c (point a) = exp (c * a).
Proof. intros. unfold moment, mean, point. simpl. ring. Qed.

Lemma moment_positive : forall c P, probability P -> 0 < moment c P.
Proof.
  intros c P [N T]. rewrite total_sum in T.
  assert (G : forall l, (forall e, In e l -> 0 <= snd e) -> 0 < sum snd l ->
    0 < sum (fun e : R * R => snd e * exp (c * fst e)) l).
  { induction l as [|e l IH]; simpl; intros NN H; [lra|].
    pose proof (NN e (or_introl eq_refl)) as He. pose proof (exp_pos (c * fst e)) as E.
    assert (0 <= sum snd l) by (apply sum_nonnegative; auto).
    assert (0 <= snd e * exp (c * fst e)) by (apply Rmult_le_pos; lra).
    destruct (Rle_lt_or_eq_dec 0 (sum snd l)) as [L|L]; [assumption| |].
    - specialize (IH (fun a Ha => NN a (or_intror Ha)) L). lra.
    - assert (0 < snd e * exp (c * fst e)) by (apply Rmult_lt_0_compat; lra).
      assert (0 <= sum (fun e : R * R => snd e * exp (c * fst e)) l); [|lra].
      apply sum_nonnegative. intros a Ha. apply Rmult_le_pos; [auto|left; apply exp_pos]. }
  apply G; [|lra]. intros [x m] I. exact (mass_nonnegative P x m N I).
Qed.

Lemma atoms_within : forall P, exists r, forall e : R * R, In e P -> - r <= fst e <= r.
Proof.
  induction P as [|[x m] P [r IH]].
  - exists 0. intros e [].
  - exists (Rmax (Rabs x) r). pose proof (Rmax_l (Rabs x) r). pose proof (Rmax_r (Rabs x) r).
    intros e [E|E].
    + subst e. simpl. pose proof (Rle_abs x). pose proof (Rle_abs (- x)) as O.
      rewrite Rabs_Ropp in O. lra.
    + specialize (IH e E). lra.
Qed.

Lemma release_right : forall theta P y, 0 < theta -> (forall e : R * R, In e P -> fst e <= y) ->
  release theta P y = laplace theta (Rabs y) * exp ((Rabs y - y) / theta) * moment (/ theta) P.
Proof.
  intros theta P y Ht H. rewrite release_mean. unfold moment, mean. rewrite <- sum_times.
  apply sum_equal. intros e He. specialize (H e He). unfold laplace.
  rewrite (Rabs_right (y - fst e)), Rabs_Rabsolu by lra.
  replace (- (y - fst e) / theta)
    with (- Rabs y / theta + (Rabs y - y) / theta + / theta * fst e) by (field; lra).
  rewrite !exp_plus. field. lra.
Qed.

Lemma release_left : forall theta P y, 0 < theta -> (forall e : R * R, In e P -> y <= fst e) ->
  release theta P y = laplace theta (Rabs y) * exp ((Rabs y + y) / theta) * moment (- / theta) P.
Proof.
  intros theta P y Ht H. rewrite release_mean. unfold moment, mean. rewrite <- sum_times.
  apply sum_equal. intros e He. specialize (H e He). unfold laplace.
  rewrite (Rabs_left1 (y - fst e)), Rabs_Rabsolu by lra.
  replace (- - (y - fst e) / theta)
    with (- Rabs y / theta + (Rabs y + y) / theta + - / theta * fst e) by (field; lra).
  rewrite !exp_plus. field. lra.
Qed.

(* F7: what a bound says beyond all atoms, to the right and to the left. *)
Theorem tails : forall theta epsilon P Q, 0 < theta -> bounded theta epsilon P Q ->
  moment (/ theta) P <= exp epsilon * moment (/ theta) Q /\
  moment (- / theta) P <= exp epsilon * moment (- / theta) Q.
Proof.
  intros theta epsilon P Q Ht H. destruct (atoms_within (P ++ Q)) as [r within].
  assert (RP : forall e : R * R, In e P -> - r <= fst e <= r)
    by (intros; apply within, in_or_app; auto).
  assert (RQ : forall e : R * R, In e Q -> - r <= fst e <= r)
    by (intros; apply within, in_or_app; auto).
  assert (cancel : forall k u v E, 0 < k -> k * u <= E * (k * v) -> u <= E * v)
    by (intros k u v E K L; apply Rmult_le_reg_l with k; lra).
  split.
  - specialize (H r). rewrite !release_right in H; try assumption;
      try (intros e He; (apply RQ in He || apply RP in He); lra).
    apply cancel in H; [exact H|].
    apply Rmult_lt_0_compat; [apply laplace_positive, Ht|apply exp_pos].
  - specialize (H (- r)). rewrite !release_left in H; try assumption;
      try (intros e He; (apply RQ in He || apply RP in He); lra).
    apply cancel in H; [exact H|].
    apply Rmult_lt_0_compat; [apply laplace_positive, Ht|apply exp_pos].
Qed.

(* The tails of a bound are those of one user alone, whatever finite law the others have. *)
Theorem tails_with_others : forall theta epsilon P Q S, 0 < theta -> probability S ->
  bounded theta epsilon (convolve P S) (convolve Q S) ->
  moment (/ theta) P <= exp epsilon * moment (/ theta) Q /\
  moment (- / theta) P <= exp epsilon * moment (- / theta) Q.
Proof.
  intros theta epsilon P Q S Ht HS H. destruct (tails _ _ _ _ Ht H) as [R L].
  rewrite !moment_convolve in R, L. pose proof (moment_positive (/ theta) S HS).
  pose proof (moment_positive (- / theta) S HS).
  split; [apply Rmult_le_reg_r with (moment (/ theta) S)|
          apply Rmult_le_reg_r with (moment (- / theta) S)]; lra.
Qed.

(* No smaller scale than |a - b|/epsilon hides a value, whatever the others report. *)
Theorem values_need : forall theta epsilon a b S, 0 < theta -> probability S ->
  bounded theta epsilon (convolve (point a) S) (convolve (point b) S) ->
  Rabs (a - b) <= epsilon * theta.
Proof.
  intros theta epsilon a b S Ht HS H. destruct (tails_with_others _ _ _ _ _ Ht HS H) as [R L].
  rewrite !moment_point, <- exp_plus in R, L.
  rewrite exp_le in R, L.
  assert (up : a - b <= epsilon * theta).
  { apply Rmult_le_reg_l with (/ theta); [apply Rinv_0_lt_compat, Ht|].
    replace (/ theta * (epsilon * theta)) with epsilon by (field; lra). lra. }
  assert (back : b - a <= epsilon * theta).
  { apply Rmult_le_reg_l with (/ theta); [apply Rinv_0_lt_compat, Ht|].
    replace (/ theta * (epsilon * theta)) with epsilon by (field; lra). lra. }
  apply Rabs_le. lra.
Qed.
