(* Fact F1.  Two priors of atoms under Laplace noise: at every output the releases are mixed
   from their values at the neighbouring atoms, with the same nonnegative weights for both.  So a
   linear inequality between the two holds at every output when it holds at the atoms. *)
From Coq Require Import Reals List Lra.
From Pfverify Require Import Release.
Import ListNotations.
Open Scope R_scope.

(* ------------------------------------------------------------ the release up to 1/(2 theta) *)

Definition decay (theta z : R) : R := exp (- Rabs z / theta).

(* The masses may be of any sign. *)
Fixpoint signal (theta : R) (S : prior) (y : R) : R :=
  match S with
  | [] => 0
  | (x, m) :: rest => m * decay theta (y - x) + signal theta rest y
  end.

Lemma release_signal : forall theta P y, release theta P y = signal theta P y / (2 * theta).
Proof.
  intros theta P y. induction P as [|[x m] P IH]; simpl; [unfold Rdiv; ring|].
  rewrite IH. unfold laplace, decay, Rdiv. ring.
Qed.

Lemma signal_app : forall theta S T y, signal theta (S ++ T) y = signal theta S y + signal theta T y.
Proof. intros theta S T y. induction S as [|[x m] S IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Definition scaled (c : R) (P : prior) : prior := map (fun row => (fst row, c * snd row)) P.

Lemma signal_scaled : forall theta c P y, signal theta (scaled c P) y = c * signal theta P y.
Proof. intros theta c P y. induction P as [|[x m] P IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma atoms_scaled : forall c P, atoms (scaled c P) = atoms P.
Proof. intros c P. unfold atoms, scaled. rewrite map_map. reflexivity. Qed.

Lemma atoms_app : forall P Q, atoms (P ++ Q) = atoms P ++ atoms Q.
Proof. intros P Q. apply map_app. Qed.

(* ------------------------------------------------------------ between atoms, and outside them *)

Lemma exp_opp_range : forall u, 0 <= u -> 0 < exp (- u) <= 1.
Proof.
  intros u Hu. split; [apply exp_pos|]. rewrite <- exp_0.
  destruct Hu as [Hu | <-]; [left; apply exp_increasing; lra | rewrite Ropp_0; lra].
Qed.

Lemma sinh_nonnegative : forall u, 0 <= u -> 0 <= sinh u.
Proof.
  intros u H. unfold sinh. assert (exp (- u) <= exp u); [|lra].
  destruct H as [H | <-]; [left; apply exp_increasing; lra | rewrite Ropp_0; lra].
Qed.

Lemma sinh_positive : forall u, 0 < u -> 0 < sinh u.
Proof. intros u H. unfold sinh. pose proof (exp_increasing (- u) u). lra. Qed.

(* exp (-(u+v)), exp (-u) and exp (-v) around a stretch of the length u+v *)
Lemma sinh_weights : forall u v,
  sinh (u + v) * exp (- u) = sinh v + sinh u * exp (- (u + v)).
Proof.
  intros u v. unfold sinh.
  replace (exp (- (u + v))) with (exp (- u) * exp (- v)) by (rewrite <- exp_plus; f_equal; ring).
  rewrite exp_plus.
  assert (A : exp u * exp (- u) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  replace ((exp u * exp v - exp (- u) * exp (- v)) / 2 * exp (- u)) with
    ((exp u * exp (- u) * exp v - exp (- u) * exp (- v) * exp (- u)) / 2) by field.
  replace ((exp v - exp (- v)) / 2 + (exp u - exp (- u)) / 2 * (exp (- u) * exp (- v))) with
    ((exp v - exp (- v)) / 2 + (exp u * exp (- u) * exp (- v) - exp (- u) * exp (- u) * exp (- v)) / 2) by field.
  rewrite A. field.
Qed.

Definition left_weight (theta a b y : R) : R := sinh ((b - y) / theta) / sinh ((b - a) / theta).
Definition right_weight (theta a b y : R) : R := sinh ((y - a) / theta) / sinh ((b - a) / theta).

Lemma weights_nonnegative : forall theta a b y,
  0 < theta -> a < b -> a <= y <= b -> 0 <= left_weight theta a b y /\ 0 <= right_weight theta a b y.
Proof.
  intros theta a b y Ht Hab Hy.
  assert (Hi : 0 < / theta) by now apply Rinv_0_lt_compat.
  assert (Hs : 0 < / sinh ((b - a) / theta)).
  { apply Rinv_0_lt_compat, sinh_positive. apply Rmult_lt_0_compat; lra. }
  unfold left_weight, right_weight.
  split; apply Rmult_le_pos; try lra; apply sinh_nonnegative, Rmult_le_pos; lra.
Qed.

(* The weights sum to at most 1: they mix the two values and 0. *)
Lemma weights_at_most_1 : forall theta a b y,
  0 < theta -> a < b -> a <= y <= b -> left_weight theta a b y + right_weight theta a b y <= 1.
Proof.
  intros theta a b y Ht Hab Hy. assert (Hi : 0 < / theta) by now apply Rinv_0_lt_compat.
  unfold left_weight, right_weight. set (u := (y - a) / theta). set (v := (b - y) / theta).
  assert (Hu : 0 <= u) by (apply Rmult_le_pos; lra).
  assert (Hv : 0 <= v) by (apply Rmult_le_pos; lra).
  assert (Huv : (b - a) / theta = u + v) by (unfold u, v; field; lra).
  assert (Hs : 0 < sinh (u + v)) by (rewrite <- Huv; apply sinh_positive, Rmult_lt_0_compat; lra).
  rewrite Huv. apply Rmult_le_reg_r with (sinh (u + v)); [assumption|].
  replace ((sinh v / sinh (u + v) + sinh u / sinh (u + v)) * sinh (u + v))
    with (sinh u + sinh v) by (field; lra).
  pose proof (exp_opp_range u Hu) as [Pu Qu]. pose proof (exp_opp_range v Hv) as [Pv Qv].
  assert (Iu : exp u * exp (- u) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  assert (Iv : exp v * exp (- v) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  unfold sinh. rewrite Ropp_plus_distr, !exp_plus.
  set (p := exp (- u)) in *. set (q := exp (- v)) in *. set (A := exp u) in *. set (B := exp v) in *.
  assert (0 <= (1 - p) * (1 - q) * (1 - p * q)) by (repeat apply Rmult_le_pos; nra).
  assert ((A - 1) * (B - 1) - (1 - p) * (1 - q) = A * B * ((1 - p) * (1 - q) * (1 - p * q))).
  { transitivity ((A - A * p) * (B - B * q) - A * B * (p * q) * ((1 - p) * (1 - q))).
    - replace (A * B * (p * q)) with ((A * p) * (B * q)) by ring. rewrite Iu, Iv. ring.
    - ring. }
  assert (0 < A * B) by (apply Rmult_lt_0_compat; apply exp_pos). nra.
Qed.

Lemma decay_between : forall theta a b y x,
  0 < theta -> a < b -> a <= y <= b -> (x <= a \/ b <= x) ->
  decay theta (y - x) =
    left_weight theta a b y * decay theta (a - x) + right_weight theta a b y * decay theta (b - x).
Proof.
  intros theta a b y x Ht Hab Hy Hx.
  assert (Hs : 0 < sinh ((b - a) / theta)) by (apply sinh_positive, Rdiv_lt_0_compat; lra).
  unfold left_weight, right_weight.
  set (u := (y - a) / theta). set (v := (b - y) / theta).
  assert (Huv : (b - a) / theta = u + v) by (unfold u, v; field; lra).
  rewrite Huv in *. apply Rmult_eq_reg_l with (sinh (u + v)); [|lra].
  replace (sinh (u + v) * (sinh v / sinh (u + v) * decay theta (a - x) + sinh u / sinh (u + v) * decay theta (b - x)))
    with (sinh v * decay theta (a - x) + sinh u * decay theta (b - x)) by (field; lra).
  unfold decay. destruct Hx as [Hx | Hx].
  - rewrite !Rabs_pos_eq by lra.
    replace (- (y - x) / theta) with (- u + - (a - x) / theta) by (unfold u; field; lra).
    replace (- (b - x) / theta) with (- (u + v) + - (a - x) / theta) by (unfold u, v; field; lra).
    rewrite !exp_plus, <- !Rmult_assoc, sinh_weights. ring.
  - rewrite !Rabs_left1 by lra.
    replace (- - (y - x) / theta) with (- v + - (x - b) / theta) by (unfold v; field; lra).
    replace (- - (a - x) / theta) with (- (v + u) + - (x - b) / theta) by (unfold u, v; field; lra).
    replace (- - (b - x) / theta) with (- (x - b) / theta) by (field; lra).
    rewrite !exp_plus, <- !Rmult_assoc, (Rplus_comm u v), sinh_weights. ring.
Qed.

Lemma signal_between : forall theta S a b y,
  0 < theta -> a < b -> a <= y <= b -> Forall (fun x => x <= a \/ b <= x) (atoms S) ->
  signal theta S y =
    left_weight theta a b y * signal theta S a + right_weight theta a b y * signal theta S b.
Proof.
  intros theta S a b y Ht Hab Hy. induction S as [|[x m] S IH]; simpl; intros H; [ring|].
  inversion H as [|? ? H1 H2]; subst.
  rewrite (decay_between theta a b y x) by assumption. rewrite (IH H2). ring.
Qed.

Lemma signal_right : forall theta S b y,
  0 < theta -> b <= y -> Forall (fun x => x <= b) (atoms S) ->
  signal theta S y = decay theta (y - b) * signal theta S b.
Proof.
  intros theta S b y Ht Hy. induction S as [|[x m] S IH]; simpl; intros H; [ring|].
  inversion H as [|? ? H1 H2]; subst. rewrite (IH H2). unfold decay. rewrite !Rabs_pos_eq by lra.
  replace (- (y - x) / theta) with (- (y - b) / theta + - (b - x) / theta) by (field; lra).
  rewrite exp_plus. ring.
Qed.

Lemma signal_left : forall theta S a y,
  0 < theta -> y <= a -> Forall (fun x => a <= x) (atoms S) ->
  signal theta S y = decay theta (a - y) * signal theta S a.
Proof.
  intros theta S a y Ht Hy. induction S as [|[x m] S IH]; simpl; intros H; [ring|].
  inversion H as [|? ? H1 H2]; subst. rewrite (IH H2). unfold decay.
  rewrite (Rabs_left1 (y - x)), (Rabs_pos_eq (a - y)), (Rabs_left1 (a - x)) by lra.
  replace (- - (y - x) / theta) with (- (a - y) / theta + - - (a - x) / theta) by (field; lra).
  rewrite exp_plus. ring.
Qed.

(* ------------------------------------------------------------ the nearest atoms *)

(* None at or below y, or the greatest one of those. *)
Lemma nearest_below : forall (l : list R) y,
  Forall (fun x => y < x) l \/
  exists a, In a l /\ a <= y /\ Forall (fun x => x <= a \/ y < x) l.
Proof.
  induction l as [|x l IH]; intros y; [now left|].
  destruct (Rle_dec x y) as [Hx | Hx].
  - right. destruct (IH y) as [H | (a & Ha & Hay & H)].
    + exists x. split; [now left|]. split; [assumption|]. constructor; [lra|].
      eapply Forall_impl; [|exact H]. intros; now right.
    + destruct (Rle_dec a x) as [Hax | Hax].
      * exists x. split; [now left|]. split; [assumption|]. constructor; [lra|].
        eapply Forall_impl; [|exact H]. simpl. intros z [Hz | Hz]; [left; lra | now right].
      * exists a. split; [now right|]. split; [assumption|]. constructor; [left; lra|assumption].
  - destruct (IH y) as [H | (a & Ha & Hay & H)]; [left; constructor; [lra|assumption]|].
    right. exists a. split; [now right|]. split; [assumption|]. constructor; [right; lra|assumption].
Qed.

(* None above y, or the least one of those. *)
Lemma nearest_above : forall (l : list R) y,
  Forall (fun x => x <= y) l \/
  exists b, In b l /\ y < b /\ Forall (fun x => x <= y \/ b <= x) l.
Proof.
  induction l as [|x l IH]; intros y; [now left|].
  destruct (Rle_dec x y) as [Hx | Hx].
  - destruct (IH y) as [H | (b & Hb & Hyb & H)]; [left; now constructor|].
    right. exists b. split; [now right|]. split; [assumption|]. constructor; [now left|assumption].
  - right. destruct (IH y) as [H | (b & Hb & Hyb & H)].
    + exists x. split; [now left|]. split; [lra|]. constructor; [right; lra|].
      eapply Forall_impl; [|exact H]. intros; now left.
    + destruct (Rle_dec x b) as [Hxb | Hxb].
      * exists x. split; [now left|]. split; [lra|]. constructor; [right; lra|].
        eapply Forall_impl; [|exact H]. simpl. intros z [Hz | Hz]; [now left | right; lra].
      * exists b. split; [now right|]. split; [assumption|]. constructor; [right; lra|assumption].
Qed.

(* ------------------------------------------------------------ the finite check *)

Lemma decay_range : forall theta z, 0 < theta -> 0 < decay theta z <= 1.
Proof.
  intros theta z Ht. unfold decay, Rdiv. rewrite <- Ropp_mult_distr_l. apply exp_opp_range.
  apply Rmult_le_pos; [apply Rabs_pos | left; now apply Rinv_0_lt_compat].
Qed.

(* An upper bound that is not negative holds at every output when it holds at the atoms. *)
Lemma signal_at_most : forall theta delta S, 0 < theta -> 0 <= delta ->
  Forall (fun a => signal theta S a <= delta) (atoms S) -> forall y, signal theta S y <= delta.
Proof.
  intros theta delta S Ht Hd H y. rewrite Forall_forall in H.
  destruct (nearest_below (atoms S) y) as [Hlow | (a & Ha & Hay & Hlow)];
    destruct (nearest_above (atoms S) y) as [Hup | (b & Hb & Hyb & Hup)].
  - destruct (atoms S) as [|x l] eqn:E.
    + destruct S; [simpl; lra|discriminate].
    + inversion Hlow; inversion Hup; subst. lra.
  - rewrite (signal_left theta S b y); [|assumption|lra|].
    + pose proof (H b Hb). pose proof (decay_range theta (b - y) Ht). nra.
    + rewrite Forall_forall in *. intros x Hx. specialize (Hlow x Hx). specialize (Hup x Hx). lra.
  - rewrite (signal_right theta S a y); [|assumption|lra|].
    + pose proof (H a Ha). pose proof (decay_range theta (y - a) Ht). nra.
    + rewrite Forall_forall in *. intros x Hx. specialize (Hlow x Hx). specialize (Hup x Hx). lra.
  - rewrite (signal_between theta S a b y); [|assumption|lra|lra|].
    + destruct (weights_nonnegative theta a b y) as [Hl Hr]; [assumption|lra|lra|].
      pose proof (weights_at_most_1 theta a b y Ht ltac:(lra) ltac:(lra)).
      pose proof (H a Ha). pose proof (H b Hb). nra.
    + rewrite Forall_forall in *. intros x Hx. specialize (Hlow x Hx). specialize (Hup x Hx). lra.
Qed.

(* P - c Q, a list of masses of either sign. *)
Definition difference (c : R) (P Q : prior) : prior := P ++ scaled (- c) Q.

Lemma release_difference : forall theta c P Q y,
  release theta (difference c P Q) y = release theta P y - c * release theta Q y.
Proof.
  intros theta c P Q y. unfold difference. rewrite release_app, !release_signal, signal_scaled.
  unfold Rdiv. ring.
Qed.

(* Between two priors, for any factor c. *)
Lemma linear_excess : forall theta c delta P Q, 0 < theta -> 0 <= delta ->
  Forall (fun a => release theta P a - c * release theta Q a <= delta) (atoms (P ++ Q)) ->
  forall y, release theta P y - c * release theta Q y <= delta.
Proof.
  intros theta c delta P Q Ht Hd H y.
  assert (Hi : 0 < / (2 * theta)) by (apply Rinv_0_lt_compat; lra).
  rewrite <- release_difference, release_signal.
  apply Rmult_le_reg_r with (2 * theta); [lra|].
  replace (signal theta (difference c P Q) y / (2 * theta) * (2 * theta))
    with (signal theta (difference c P Q) y) by (field; lra).
  apply signal_at_most; [assumption | nra |].
  unfold difference. rewrite atoms_app, atoms_scaled, <- atoms_app.
  eapply Forall_impl; [|exact H]. simpl. intros a Ha. rewrite <- release_difference in Ha.
  rewrite release_signal in Ha. apply Rmult_le_reg_r with (/ (2 * theta)); [assumption|].
  rewrite Rmult_assoc, Rinv_r by lra. unfold Rdiv in Ha. unfold difference in Ha. lra.
Qed.

Lemma linear_check : forall theta c P Q, 0 < theta ->
  Forall (fun a => release theta P a <= c * release theta Q a) (atoms (P ++ Q)) ->
  forall y, release theta P y <= c * release theta Q y.
Proof.
  intros theta c P Q Ht H y.
  assert (release theta P y - c * release theta Q y <= 0); [|lra].
  apply linear_excess; [assumption | lra |]. eapply Forall_impl; [|exact H]. simpl. intros; lra.
Qed.

(* F1: under Laplace noise the pure bound holds at every output exactly when it holds at the atoms
   of the two priors.  Priors in any order, with atoms repeated or not, and masses of any size. *)
Theorem finite_check : forall theta epsilon P Q, 0 < theta ->
  (bounded theta epsilon P Q <->
   Forall (fun a => release theta P a <= exp epsilon * release theta Q a) (atoms (P ++ Q))).
Proof.
  intros theta epsilon P Q Ht. split.
  - intros H. apply Forall_forall. intros a _. apply H.
  - exact (linear_check theta (exp epsilon) P Q Ht).
Qed.

(* Both orders. *)
Theorem private_check : forall theta epsilon P Q, 0 < theta ->
  (private theta epsilon P Q <->
   Forall (fun a => release theta P a <= exp epsilon * release theta Q a /\
                    release theta Q a <= exp epsilon * release theta P a) (atoms (P ++ Q))).
Proof.
  intros theta epsilon P Q Ht. unfold private.
  rewrite (finite_check theta epsilon P Q Ht), (finite_check theta epsilon Q P Ht).
  rewrite !Forall_forall. assert (S : forall a, In a (atoms (Q ++ P)) <-> In a (atoms (P ++ Q))).
  { intros a. rewrite !atoms_app, !in_app_iff. tauto. }
  split.
  - intros [H K] a Ha. split; [now apply H | now apply K, S].
  - intros H. split; intros a Ha; [apply H, Ha | apply H, S, Ha].
Qed.

(* A violation at any output is one at an atom. *)
Theorem violated_at_an_atom : forall theta epsilon P Q y, 0 < theta ->
  violated theta epsilon P Q y ->
  exists a, In a (atoms (P ++ Q)) /\ violated theta epsilon P Q a.
Proof.
  intros theta epsilon P Q y Ht H.
  destruct (Exists_dec (violated theta epsilon P Q) (atoms (P ++ Q))) as [E | E].
  - intros a. apply Rlt_dec.
  - apply Exists_exists in E. exact E.
  - exfalso. apply (bounded_refuted theta epsilon P Q y H), finite_check; [assumption|].
    apply Forall_forall. intros a Ha. apply Rnot_lt_le. intros V. apply E, Exists_exists. now exists a.
Qed.

Lemma release_positive : forall theta P y, 0 < theta -> probability P -> 0 < release theta P y.
Proof.
  intros theta P y Ht [Hm Ht1].
  assert (G : forall S, Forall (fun m => 0 <= m) (masses S) -> 0 < total S -> 0 < release theta S y).
  { induction S as [|[x m] S IH]; unfold total; simpl; intros F T; [lra|].
    inversion F as [|? ? F1 F2]; subst. pose proof (laplace_positive theta (y - x) Ht).
    pose proof (release_nonnegative theta S y Ht F2).
    destruct (Rlt_dec 0 m) as [Hp | Hp]; [nra|]. assert (m = 0) by lra. subst.
    assert (0 < release theta S y); [|lra]. apply IH; [assumption|]. unfold total. lra. }
  apply G; [assumption|lra].
Qed.

Lemma greatest : forall (f : R -> R) l, l <> [] ->
  exists a, In a l /\ Forall (fun b => f b <= f a) l.
Proof.
  intros f. induction l as [|x l IH]; [congruence|]. intros _. destruct l as [|z l].
  - exists x. split; [now left|]. constructor; [lra|constructor].
  - destruct IH as (a & Ha & H); [discriminate|]. destruct (Rle_dec (f a) (f x)) as [L | L].
    + exists x. split; [now left|]. constructor; [lra|]. eapply Forall_impl; [|exact H]. simpl. intros; lra.
    + exists a. split; [now right|]. constructor; [lra|assumption].
Qed.

(* F1: the greatest ratio of the two releases is attained, at an atom of one of the two. *)
Theorem attained_at_an_atom : forall theta P Q, 0 < theta -> probability P -> probability Q ->
  exists a, In a (atoms (P ++ Q)) /\
    forall y, release theta P y / release theta Q y <= release theta P a / release theta Q a.
Proof.
  intros theta P Q Ht HP HQ.
  pose proof (fun y => release_positive theta Q y Ht HQ) as Hq.
  set (ratio := fun y => release theta P y / release theta Q y).
  assert (Hne : atoms (P ++ Q) <> []).
  { destruct P as [|[x m] P]; [|discriminate]. destruct HP as [_ H]. unfold total in H. simpl in H. lra. }
  destruct (greatest ratio _ Hne) as (a & Ha & H). exists a. split; [assumption|]. intros y. fold (ratio y) (ratio a).
  assert (B : forall b, ratio b * release theta Q b = release theta P b).
  { intros b. unfold ratio. field. specialize (Hq b). lra. }
  assert (K : release theta P y <= ratio a * release theta Q y).
  { apply linear_check; [assumption|]. eapply Forall_impl; [|exact H]. simpl. intros b Hb.
    rewrite <- B. specialize (Hq b). nra. }
  rewrite <- B in K. specialize (Hq y). nra.
Qed.
