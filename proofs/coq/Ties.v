(* Exact ties, with a rational scale and a rational epsilon: the excess at an atom is a sum of
   integers times e^(k/N), which is 0 when the coefficients collected over every k are 0. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Orders Mergesort Permutation.
From Pfverify Require Import Release Numbers Problems.
Import ListNotations.
Open Scope R_scope.

(* A rational as a numerator and a positive denominator. *)
Fixpoint rational (a : number) : option (Z * positive) :=
  let binary f a b := match rational a, rational b with Some i, Some j => f i j | _, _ => None end in
  match a with
  | Whole n => Some (n, 1%positive)
  | Plus a b => binary (fun i j => Some (fst i * Zpos (snd j) + fst j * Zpos (snd i), (snd i * snd j)%positive)%Z) a b
  | Minus a b => binary (fun i j => Some (fst i * Zpos (snd j) - fst j * Zpos (snd i), (snd i * snd j)%positive)%Z) a b
  | Times a b => binary (fun i j => Some (fst i * fst j, (snd i * snd j)%positive)%Z) a b
  | Over a b => binary (fun i j =>
      match fst j with
      | Zpos n => Some (fst i * Zpos (snd j), (snd i * n)%positive)%Z
      | _ => None
      end) a b
  | Opposite a => match rational a with Some i => Some (- fst i, snd i)%Z | None => None end
  | Exp _ | Log _ | Sqrt _ => None
  end.

Lemma IZR_pos : forall p, 0 < IZR (Zpos p).
Proof. intros p. apply IZR_lt. lia. Qed.

Lemma rational_sound : forall a n d, rational a = Some (n, d) -> value a = IZR n / IZR (Zpos d).
Proof.
  induction a as [k|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa b IHb|a IHa|a IHa|a IHa|a IHa];
    intros n d; simpl; try discriminate;
    try (destruct (rational a) as [[na da]|]; [|discriminate]; rewrite (IHa _ _ eq_refl));
    try (destruct (rational b) as [[nb db]|]; [|discriminate]; rewrite (IHb _ _ eq_refl));
    try pose proof (IZR_pos da); try pose proof (IZR_pos db); simpl.
  - intros [= <- <-]. field.
  - intros [= <- <-]. rewrite Pos2Z.inj_mul, plus_IZR, !mult_IZR. field. lra.
  - intros [= <- <-]. rewrite Pos2Z.inj_mul, minus_IZR, !mult_IZR. field. lra.
  - intros [= <- <-]. rewrite Pos2Z.inj_mul, !mult_IZR. field. lra.
  - destruct nb as [|nb|nb]; try discriminate. pose proof (IZR_pos nb).
    intros [= <- <-]. rewrite Pos2Z.inj_mul, !mult_IZR. field. lra.
  - intros [= <- <-]. rewrite opp_IZR. field. lra.
Qed.

(* ------------------------------------------------------------ sums of integers times e^(k/N) *)

Module KeyOrder <: TotalLeBool.
  Definition t := (Z * Z)%type.
  Definition leb (a b : t) := (fst a <=? fst b)%Z.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros. unfold leb. rewrite !Z.leb_le. lia. Qed.
End KeyOrder.
Module KeySort := Sort KeyOrder.

Fixpoint expsum (N : R) (l : list (Z * Z)) : R :=
  match l with [] => 0 | (k, c) :: m => IZR c * exp (IZR k / N) + expsum N m end.

Fixpoint zeros (k c : Z) (l : list (Z * Z)) : bool :=
  match l with
  | [] => (c =? 0)%Z
  | (k', c') :: m =>
      if (k =? k')%Z then zeros k (c + c')%Z m
      else if (c =? 0)%Z then zeros k' c' m else false
  end.

Lemma zeros_sound : forall N l k c, zeros k c l = true -> IZR c * exp (IZR k / N) + expsum N l = 0.
Proof.
  intros N l. induction l as [|[k' c'] m IH]; intros k c H; simpl in *.
  - apply Z.eqb_eq in H. subst. ring.
  - destruct (Z.eqb_spec k k') as [Ek|Ek].
    + rewrite Ek. apply IH in H. rewrite Ek, plus_IZR in H. lra.
    + destruct (Z.eqb_spec c 0) as [Ec|Ec]; [|discriminate]. apply IH in H. rewrite Ec. lra.
Qed.

Lemma expsum_permuted : forall N l m, Permutation l m -> expsum N l = expsum N m.
Proof.
  intros N l m H. induction H as [|[k c] l m H IH|[k c] [k' c'] l|l m n H1 IH1 H2 IH2]; simpl; lra.
Qed.

Definition vanishes (l : list (Z * Z)) : bool := zeros 0 0 (KeySort.sort l).

Lemma vanishes_sound : forall N l, vanishes l = true -> expsum N l = 0.
Proof.
  intros N l H. rewrite (expsum_permuted N _ _ (KeySort.Permuted_sort l)).
  apply (zeros_sound N) in H. lra.
Qed.

(* ------------------------------------------------------------ the excess as such a sum *)

(* exponents over the common denominator unit * tn * ed, for theta = tn/td and epsilon = en/ed *)
Fixpoint terms (tn td : positive) (en : Z) (ed unit wp wq : positive) (x : Z) (l : merged) : list (Z * Z) :=
  match l with
  | [] => []
  | (a, (p, q)) :: rest =>
      let k := (- Z.abs (x - a) * Zpos td * Zpos ed)%Z in
      (k, p * Zpos wq)%Z :: (en * Zpos unit * Zpos tn + k, - (q * Zpos wp))%Z
      :: terms tn td en ed unit wp wq x rest
  end.

Lemma terms_sound : forall tn td en ed unit wp wq x l,
  expsum (IZR (Zpos unit * Zpos tn * Zpos ed)) (terms tn td en ed unit wp wq x l) =
  excess (IZR (Zpos tn) / IZR (Zpos td)) (exp (IZR en / IZR (Zpos ed))) unit wp wq l (atom_of unit x).
Proof.
  intros tn td en ed unit wp wq x l. induction l as [|[a [p q]] l IH]; [reflexivity|].
  cbn [terms expsum excess]. rewrite IH. clear IH.
  pose proof (IZR_pos unit). pose proof (IZR_pos tn). pose proof (IZR_pos td). pose proof (IZR_pos ed).
  replace (IZR (- Z.abs (x - a) * Zpos td * Zpos ed) / IZR (Zpos unit * Zpos tn * Zpos ed)) with
    (- Rabs (atom_of unit x - atom_of unit a) / (IZR (Zpos tn) / IZR (Zpos td))).
  2: { unfold atom_of. rewrite !mult_IZR, opp_IZR, abs_IZR, minus_IZR.
       replace (IZR x / IZR (Zpos unit) - IZR a / IZR (Zpos unit)) with
         ((IZR x - IZR a) * / IZR (Zpos unit)) by (field; lra).
       rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; now apply Rinv_0_lt_compat). field. lra. }
  replace (IZR (en * Zpos unit * Zpos tn + - Z.abs (x - a) * Zpos td * Zpos ed) /
           IZR (Zpos unit * Zpos tn * Zpos ed)) with
    (IZR en / IZR (Zpos ed) + - Rabs (atom_of unit x - atom_of unit a) / (IZR (Zpos tn) / IZR (Zpos td))).
  2: { unfold atom_of. rewrite plus_IZR, !mult_IZR, opp_IZR, abs_IZR, minus_IZR.
       replace (IZR x / IZR (Zpos unit) - IZR a / IZR (Zpos unit)) with
         ((IZR x - IZR a) * / IZR (Zpos unit)) by (field; lra).
       rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (left; now apply Rinv_0_lt_compat). field. lra. }
  rewrite exp_plus, opp_IZR, !mult_IZR. ring.
Qed.

(* The excess at the atom x is exactly 0. *)
Definition tie (bases : list positive) (scale epsilon : number) (unit wp wq : positive) (l : merged) (x : Z) : bool :=
  match rational scale, rational epsilon with
  | Some (Zpos tn, td), Some (en, ed) => vanishes (terms tn td en ed unit wp wq x l)
  | _, _ => false
  end.

Theorem tie_sound : forall bases scale epsilon unit wp wq l x, 0 < value scale ->
  tie bases scale epsilon unit wp wq l x = true ->
  excess (value scale) (exp (value epsilon)) unit wp wq l (atom_of unit x) = 0.
Proof.
  intros bases scale epsilon unit wp wq l x _. unfold tie.
  destruct (rational scale) as [[[|tn|tn] td]|] eqn:Es; try discriminate.
  destruct (rational epsilon) as [[en ed]|] eqn:Ee; [|discriminate].
  rewrite (rational_sound _ _ _ Es), (rational_sound _ _ _ Ee), <- terms_sound. apply vanishes_sound.
Qed.
