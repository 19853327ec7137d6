(* Post-processing: what is made of the output alone keeps (epsilon, delta), for maps whose
   preimages of events are events.  Every monotone map is one: clamping, rounding, shifting. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From Pfverify Require Import Release Events Divergence.
Import ListNotations.
Open Scope R_scope.

(* The preimage of a finite union of intervals is a finite union of intervals. *)
Definition admissible (f : R -> R) : Prop := forall B, event B -> event (fun y => B (f y)).

(* The probability that f(Y) is in B, if Y has the density p. *)
Definition after (f : R -> R) (p : R -> R) (B : R -> bool) : R := measure p (fun y => B (f y)).

(* The bound on the events of Y is one on the events of f(Y). *)
Theorem post_processing : forall f p q E delta, admissible f ->
  (forall B, event B -> measure p B <= E * measure q B + delta) ->
  forall B, event B -> after f p B <= E * after f q B + delta.
Proof. intros f p q E delta Hf H B HB. apply H, Hf, HB. Qed.

(* What is private stays private. *)
Theorem private_after : forall theta epsilon P Q f, 0 < theta -> probability P -> probability Q ->
  private theta epsilon P Q -> admissible f -> forall B, event B ->
  after f (release theta P) B <= exp epsilon * after f (release theta Q) B /\
  after f (release theta Q) B <= exp epsilon * after f (release theta P) B.
Proof.
  intros theta epsilon P Q f Ht HP HQ [H K] Hf B HB.
  split.
  - exact (proj1 (bounded_events theta epsilon P Q Ht HP HQ) H _ (Hf B HB)).
  - exact (proj1 (bounded_events theta epsilon Q P Ht HQ HP) K _ (Hf B HB)).
Qed.

(* So with a divergence of at most delta. *)
Theorem divergence_after : forall theta epsilon delta P Q f,
  0 < theta -> probability P -> probability Q ->
  divergence (exp epsilon) (release theta P) (release theta Q) <= delta ->
  admissible f -> forall B, event B ->
  after f (release theta P) B <= exp epsilon * after f (release theta Q) B + delta.
Proof.
  intros theta epsilon delta P Q f Ht HP HQ H Hf B HB.
  exact (proj1 (divergence_events theta epsilon P Q delta Ht HP HQ) H _ (Hf B HB)).
Qed.

(* ------------------------------------------------------------ which maps are admissible *)

Lemma event_ext : forall B C, (forall y, B y = C y) -> event B -> event C.
Proof.
  intros B C H [l K]. exists l. intros x y Hxy N. rewrite <- !H. apply K; assumption.
Qed.

(* It is enough that the preimages of the lower half-lines, open and closed, are events. *)
Theorem admissible_half_lines : forall f,
  (forall c, event (fun y => if Rlt_dec (f y) c then true else false)) ->
  (forall c, event (fun y => if Rle_dec (f y) c then true else false)) -> admissible f.
Proof.
  intros f Hlt Hle B [points HB].
  assert (K : exists l, forall x y, x < y -> (forall c, In c l -> ~ x <= c <= y) ->
    forall c, In c points -> (f x < c <-> f y < c) /\ (f x <= c <-> f y <= c)).
  { clear HB. induction points as [|e points [l IH]].
    - exists []. intros x y _ _ c [].
    - destruct (Hlt e) as [k1 H1]. destruct (Hle e) as [k2 H2]. exists (k1 ++ k2 ++ l).
      intros x y Hxy N c [<- | Hc].
      + specialize (H1 x y Hxy). specialize (H2 x y Hxy).
        destruct (Rlt_dec (f x) e), (Rlt_dec (f y) e), (Rle_dec (f x) e), (Rle_dec (f y) e);
          try (split; split; easy);
          exfalso; (discriminate H1 || discriminate H2); intros c Hc; apply N;
          rewrite !in_app_iff; auto.
      + apply IH; auto. intros a Ha. apply N. rewrite !in_app_iff. auto. }
  destruct K as [l K]. exists l. intros x y Hxy N. specialize (K x y Hxy N).
  destruct (Rtotal_order (f x) (f y)) as [L | [-> | L]]; [| reflexivity | symmetry];
    (apply HB; [exact L|]); intros c Hc; specialize (K c Hc); lra.
Qed.

(* A set that holds everything below each of its points is a half-line. *)
Lemma event_downward : forall B,
  (forall x y, x <= y -> B y = true -> B x = true) -> event B.
Proof.
  intros B H.
  destruct (Classical_Prop.classic (exists x, B x = true)) as [[x0 Hx0] | No].
  - destruct (Classical_Prop.classic (exists y, B y = false)) as [[y0 Hy0] | All].
    + destruct (completeness (fun x => B x = true)) as [s [Hup Hleast]].
      * exists y0. intros x Hx. apply Rnot_lt_le. intros L.
        rewrite (H y0 x) in Hy0 by (assumption || lra). discriminate.
      * exists x0. exact Hx0.
      * exists [s]. intros x y Hxy N. specialize (N s (or_introl eq_refl)).
        destruct (Rlt_dec s x) as [L | L].
        -- assert (O : forall z, s < z -> B z = false).
           { intros z Hz. apply not_true_is_false. intros T. specialize (Hup z T). lra. }
           rewrite !O by lra. reflexivity.
        -- destruct (Classical_Prop.classic (exists z, y < z /\ B z = true)) as [[z [Hz T]] | F].
           ++ rewrite (H x z), (H y z) by (assumption || lra). reflexivity.
           ++ exfalso. assert (s <= y); [|lra]. apply Hleast. intros z T. apply Rnot_lt_le.
              intros Lz. apply F. exists z. auto.
    + exists []. intros x y _ _. assert (T : forall z, B z = true).
      { intros z. apply not_false_is_true. intros F. apply All. exists z. exact F. }
      rewrite !T. reflexivity.
  - exists []. intros x y _ _. assert (F : forall z, B z = false).
    { intros z. apply not_true_is_false. intros T. apply No. exists z. exact T. }
    rewrite !F. reflexivity.
Qed.

Lemma event_upward : forall B,
  (forall x y, x <= y -> B x = true -> B y = true) -> event B.
Proof.
  intros B H. apply event_ext with (fun y => negb (negb (B y))); [intros; apply negb_involutive|].
  apply event_complement, event_downward. intros x y Hxy. rewrite !negb_true_iff.
  intros Hy. apply not_true_is_false. intros T. rewrite (H x y Hxy T) in Hy. discriminate.
Qed.

Theorem admissible_increasing : forall f, (forall x y, x <= y -> f x <= f y) -> admissible f.
Proof.
  intros f H. apply admissible_half_lines; intros c; apply event_downward; intros x y Hxy;
    specialize (H x y Hxy).
  - destruct (Rlt_dec (f y) c), (Rlt_dec (f x) c); try easy; lra.
  - destruct (Rle_dec (f y) c), (Rle_dec (f x) c); try easy; lra.
Qed.

Theorem admissible_decreasing : forall f, (forall x y, x <= y -> f y <= f x) -> admissible f.
Proof.
  intros f H. apply admissible_half_lines; intros c; apply event_upward; intros x y Hxy;
    specialize (H x y Hxy).
  - destruct (Rlt_dec (f y) c), (Rlt_dec (f x) c); try easy; lra.
  - destruct (Rle_dec (f y) c), (Rle_dec (f x) c); try easy; lra.
Qed.

(* One map after another, and one map on an event, another one outside. *)
Theorem admissible_composed : forall f g, admissible f -> admissible g ->
  admissible (fun y => g (f y)).
Proof. intros f g Hf Hg B HB. apply (Hf (fun y => B (g y))), Hg, HB. Qed.

Theorem admissible_cases : forall C f g, event C -> admissible f -> admissible g ->
  admissible (fun y => if C y then f y else g y).
Proof.
  intros C f g HC Hf Hg B HB.
  apply event_ext with (fun y => (C y && B (f y)) || (negb (C y) && B (g y))).
  - intros y. destruct (C y); simpl; [apply orb_false_r | reflexivity].
  - apply (event_both orb (fun y => C y && B (f y)) (fun y => negb (C y) && B (g y))).
    + apply (event_both andb C (fun y => B (f y))); [exact HC | apply Hf, HB].
    + apply (event_both andb (fun y => negb (C y)) (fun y => B (g y)));
        [apply event_complement, HC | apply Hg, HB].
Qed.

(* ------------------------------------------------------------ instances *)

Definition clamp (low high y : R) : R := Rmax low (Rmin high y).

Theorem admissible_clamp : forall low high, admissible (clamp low high).
Proof.
  intros low high. apply admissible_increasing. intros x y H. apply Rle_max_compat_l.
  apply Rle_min_compat_l, H.
Qed.

(* The nearest multiple of the step, the upper one of two. *)
Definition round_to (step y : R) : R := step * IZR (Int_part (y / step + / 2)).

Theorem admissible_round : forall step, 0 < step -> admissible (round_to step).
Proof.
  intros step Hs. apply admissible_increasing. intros x y H. apply Rmult_le_compat_l; [lra|].
  apply IZR_le. assert (x / step <= y / step).
  { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Hs | exact H]. }
  destruct (base_Int_part (x / step + / 2)) as [Lx _].
  destruct (base_Int_part (y / step + / 2)) as [_ Ly].
  assert (K : IZR (Int_part (x / step + / 2)) < IZR (Int_part (y / step + / 2) + 1))
    by (rewrite plus_IZR; lra).
  apply lt_IZR in K. lia.
Qed.

Theorem admissible_affine : forall slope shift, admissible (fun y => slope * y + shift).
Proof.
  intros slope shift. destruct (Rle_dec 0 slope).
  - apply admissible_increasing. intros x y H. nra.
  - apply admissible_decreasing. intros x y H. nra.
Qed.

Theorem admissible_absolute_value : admissible Rabs.
Proof.
  intros B HB. apply event_ext with (fun y => B (if Rlt_dec y 0 then - 1 * y + 0 else y)).
  - intros y. f_equal. unfold Rabs. destruct (Rlt_dec y 0), (Rcase_abs y); lra.
  - set (C := fun y => if Rlt_dec y 0 then true else false).
    apply event_ext with (fun y => B (if C y then - 1 * y + 0 else 1 * y + 0)).
    + intros y. unfold C. destruct (Rlt_dec y 0); f_equal; ring.
    + apply (admissible_cases C); auto using admissible_affine.
      apply event_downward. intros x y Hxy. unfold C.
      destruct (Rlt_dec x 0), (Rlt_dec y 0); try easy; lra.
Qed.
