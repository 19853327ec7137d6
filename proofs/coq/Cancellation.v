(* Sums of integers times exp((k0 + k1 log b1 + ... + kn log bn) / N), where k0, ..., kn are
   integers: a boolean that is true only where all the terms cancel. *)
From Coq Require Import Reals ZArith List Bool Lra Lia Sorting.Mergesort Permutation Orders.
Import ListNotations.
Open Scope R_scope.

(* The generators of exponents: 1 and the logarithms of the bases. *)
Definition logarithms (bases : list positive) : list R :=
  map (fun b => ln (IZR (Zpos b))) bases.
Definition generators (bases : list positive) : list R := 1 :: logarithms bases.

Fixpoint dot (g : list R) (k : list Z) : R :=
  match g, k with
  | x :: g, n :: k => IZR n * x + dot g k
  | _, _ => 0
  end.

(* An exponent's integers k0, ..., kn, and the coefficient of its term. *)
Definition term := (list Z * Z)%type.

Lemma positive_IZR : forall p, 0 < IZR (Zpos p).
Proof. intros. apply IZR_lt. lia. Qed.

Section Sums.
Variable bases : list positive.
Variable N : positive.

Definition power (k : list Z) : R := exp (dot (generators bases) k / IZR (Zpos N)).

Fixpoint total (s : list term) : R :=
  match s with
  | [] => 0
  | (k, c) :: s => IZR c * power k + total s
  end.

Lemma total_app : forall s t, total (s ++ t) = total s + total t.
Proof. induction s as [|[k c] s IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma total_permuted : forall s t, Permutation s t -> total s = total t.
Proof.
  intros s t H.
  induction H as [|[k c] s t H IH|[k c] [k' c'] s|s t u H1 IH1 H2 IH2]; simpl; lra.
Qed.

End Sums.

(* ------------------------------------------------------------ the quotient of two powers *)

(* Longer integers are not made of whole powers: the test then just fails. *)
Definition longest : Z := 32768.

(* (A, B) with A/B the product of b^((j - k)/N), where every exponent is whole. *)
Fixpoint quotient (N : Z) (bases : list positive) (j k : list Z) : option (Z * Z) :=
  match bases, j, k with
  | [], _, _ => Some (1, 1)%Z
  | b :: bases, m :: j, n :: k =>
      let (d, r) := Z.div_eucl (m - n) N in
      if (r =? 0)%Z && (Z.abs d * Zpos (Pos.size b) <=? longest)%Z then
        match quotient N bases j k with
        | Some (A, B) =>
            if (d =? 0)%Z then Some (A, B)
            else if (0 <? d)%Z then Some (Zpos b ^ d * A, B)%Z
            else Some (A, Zpos b ^ (- d) * B)%Z
        | None => None
        end
      else None
  | _, _, _ => None
  end.

Lemma exp_whole : forall (b : positive) (d : Z), (0 <= d)%Z ->
  exp (IZR d * ln (IZR (Zpos b))) = IZR (Zpos b ^ d).
Proof.
  intros b d H. rewrite <- (Z2Nat.id d H), <- pow_IZR, <- INR_IZR_INZ.
  pose proof (positive_IZR b) as Hb.
  rewrite <- Rpower_pow by assumption. reflexivity.
Qed.

Lemma quotient_sound : forall (N : positive) bases j k A B,
  quotient (Zpos N) bases j k = Some (A, B) ->
  (0 < B)%Z /\
  exp (dot (logarithms bases) j / IZR (Zpos N)) * IZR B =
  IZR A * exp (dot (logarithms bases) k / IZR (Zpos N)).
Proof.
  intros N. pose proof (positive_IZR N) as HN.
  induction bases as [|b bases IH]; intros j k A B H.
  - injection H as <- <-. split; [lia|]. simpl. ring.
  - destruct j as [|m j]; [discriminate|]. destruct k as [|n k]; [discriminate|].
    cbn [quotient] in H. destruct (Z.div_eucl (m - n) (Zpos N)) as [d r] eqn:E.
    pose proof (Z_div_mod (m - n) (Zpos N) eq_refl) as D. rewrite E in D.
    destruct ((r =? 0)%Z && _) eqn:Er in H; [|discriminate].
    apply andb_prop in Er. destruct Er as [Er _]. apply Z.eqb_eq in Er. subst r.
    destruct D as [D _]. rewrite Z.add_0_r in D.
    destruct (quotient (Zpos N) bases j k) as [[A' B']|] eqn:Q; [|discriminate].
    destruct (IH _ _ _ _ Q) as [HB I].
    assert (S : exp (dot (logarithms (b :: bases)) (m :: j) / IZR (Zpos N)) =
      exp (IZR d * ln (IZR (Zpos b))) * exp (IZR n * ln (IZR (Zpos b)) / IZR (Zpos N)) *
      exp (dot (logarithms bases) j / IZR (Zpos N))).
    { rewrite <- !exp_plus. f_equal. simpl. replace m with (Zpos N * d + n)%Z by lia.
      rewrite plus_IZR, mult_IZR. field. lra. }
    assert (T : exp (dot (logarithms (b :: bases)) (n :: k) / IZR (Zpos N)) =
      exp (IZR n * ln (IZR (Zpos b)) / IZR (Zpos N)) *
      exp (dot (logarithms bases) k / IZR (Zpos N))).
    { rewrite <- exp_plus. f_equal. simpl. field. lra. }
    rewrite S, T. set (x := exp (IZR n * _ / _)) in *. set (y := exp (dot _ j / _)) in *.
    set (z := exp (dot _ k / _)) in *.
    destruct (Z.eqb_spec d 0) as [->|Hd]; [|destruct (Z.ltb_spec 0 d) as [L|L]];
      injection H as <- <-.
    + split; [assumption|]. rewrite Rmult_0_l, exp_0.
      transitivity (x * (y * IZR B')); [ring|]. rewrite I. ring.
    + split; [assumption|]. rewrite exp_whole, mult_IZR by lia.
      transitivity (IZR (Zpos b ^ d) * x * (y * IZR B')); [ring|]. rewrite I. ring.
    + split; [apply Z.mul_pos_pos; [apply Z.pow_pos_nonneg; lia|assumption]|].
      rewrite mult_IZR, <- (exp_whole b (- d)), opp_IZR by lia.
      replace (exp (IZR d * ln (IZR (Zpos b))) * x * y *
        (exp (- IZR d * ln (IZR (Zpos b))) * IZR B')) with
        (x * (y * IZR B') * (exp (IZR d * ln (IZR (Zpos b))) * exp (- IZR d * ln (IZR (Zpos b)))))
        by ring.
      rewrite I, <- exp_plus. replace (_ + - IZR d * _) with 0 by ring. rewrite exp_0. ring.
Qed.

(* The same for whole exponents: e must have the same power in both. *)
Definition alike (N : Z) (bases : list positive) (j k : list Z) : option (Z * Z) :=
  match j, k with
  | m :: j, n :: k => if (m =? n)%Z then quotient N bases j k else None
  | _, _ => None
  end.

Lemma alike_sound : forall N bases j k A B, alike (Zpos N) bases j k = Some (A, B) ->
  (0 < B)%Z /\ power bases N j * IZR B = IZR A * power bases N k.
Proof.
  intros N bases [|m j] [|n k] A B H; try discriminate. cbn [alike] in H.
  destruct (Z.eqb_spec m n) as [->|]; [|discriminate].
  destruct (quotient_sound _ _ _ _ _ _ H) as [HB I]. split; [assumption|].
  unfold power. simpl. rewrite !Rdiv_plus_distr, !exp_plus.
  transitivity (exp (IZR n * 1 / IZR (Zpos N)) *
    (exp (dot (logarithms bases) j / IZR (Zpos N)) * IZR B)); [ring|].
  rewrite I. ring.
Qed.

(* ------------------------------------------------------------ like terms, one after the other *)

(* Whether acc/P times the power of k, and the terms of s, are 0 in all.  Where all cancels, acc
   stays about as long as the coefficients: the divisions by B are then exact. *)
Fixpoint cancel (N : Z) (bases : list positive) (k : list Z) (acc P : Z) (s : list term) : bool :=
  match s with
  | [] => (acc =? 0)%Z
  | (k', c) :: s =>
      if (acc =? 0)%Z then cancel N bases k' c 1 s
      else match alike N bases k k' with
      | None => false
      | Some (A, B) =>
          let a := (A * acc)%Z in
          if (B =? 1)%Z then cancel N bases k' (a + P * c)%Z P s
          else let (q, r) := Z.div_eucl a B in
            if (r =? 0)%Z then cancel N bases k' (q + P * c)%Z P s
            else cancel N bases k' (a + (B * P) * c)%Z (B * P)%Z s
      end
  end.

Lemma cancel_sound : forall N bases s k acc P, (0 < P)%Z ->
  cancel (Zpos N) bases k acc P s = true ->
  IZR acc * power bases N k + IZR P * total bases N s = 0.
Proof.
  intros N bases. induction s as [|[k' c] s IH]; intros k acc P HP H; cbn [cancel total] in *.
  - apply Z.eqb_eq in H. subst. ring.
  - destruct (Z.eqb_spec acc 0) as [->|Ha].
    + apply IH in H; [|lia]. rewrite Rmult_1_l in H. rewrite H. ring.
    + destruct (alike (Zpos N) bases k k') as [[A B]|] eqn:Q; [|discriminate].
      destruct (alike_sound _ _ _ _ _ _ Q) as [HB I]. cbv zeta in H.
      assert (KB : 0 < IZR B) by (apply IZR_lt; lia).
      assert (KP : 0 < IZR P) by (apply IZR_lt; lia).
      set (x := power bases N k) in *. set (y := power bases N k') in *.
      set (t := total bases N s) in *.
      destruct (Z.eqb_spec B 1) as [->|_].
      * apply IH in H; [|lia]. rewrite plus_IZR, !mult_IZR in H. rewrite Rmult_1_r in I.
        rewrite I. fold y t in H. rewrite <- H. ring.
      * pose proof (Z_div_mod (A * acc) B (Z.lt_gt _ _ HB)) as D.
        destruct (Z.div_eucl (A * acc) B) as [q r]. destruct D as [D _].
        assert (D' : IZR A * IZR acc = IZR B * IZR q + IZR r)
          by (rewrite <- !mult_IZR, <- plus_IZR; f_equal; assumption).
        apply (Rmult_eq_reg_l (IZR B)); [|lra].
        replace (IZR B * (IZR acc * x + IZR P * (IZR c * y + t))) with
          (IZR acc * (x * IZR B) + IZR B * IZR P * (IZR c * y + t)) by ring.
        rewrite I. destruct (Z.eqb_spec r 0) as [Hr|_]; [rewrite Hr in D'|].
        { apply IH in H; [|lia]. rewrite plus_IZR, !mult_IZR in H. fold y t in H.
          replace (IZR acc * (IZR A * y)) with (IZR A * IZR acc * y) by ring. rewrite D'.
          replace ((IZR B * IZR q + 0) * y + IZR B * IZR P * (IZR c * y + t)) with
            (IZR B * ((IZR q + IZR P * IZR c) * y + IZR P * t)) by ring.
          rewrite H. ring. }
        { apply IH in H; [|lia]. rewrite plus_IZR, !mult_IZR in H. fold y t in H.
          rewrite Rmult_0_r, <- H. ring. }
Qed.

(* ------------------------------------------------------------ sorted by what is not rational *)

Fixpoint no_later (a b : list Z) : bool :=
  match a, b with
  | [], _ => true
  | _ :: _, [] => false
  | m :: a, n :: b =>
      match (m ?= n)%Z with Lt => true | Eq => no_later a b | Gt => false end
  end.

Lemma no_later_total : forall a b, no_later a b = true \/ no_later b a = true.
Proof.
  induction a as [|m a IH]; intros [|n b]; simpl; auto.
  rewrite (Z.compare_antisym m n). destruct (m ?= n)%Z; simpl; auto.
Qed.

Module TermOrder <: TotalLeBool.
  Definition t := (list Z * term)%type.
  Definition leb (a b : t) := no_later (fst a) (fst b).
  Definition leb_total (a b : t) := no_later_total (fst a) (fst b).
End TermOrder.
Module TermSort := Sort TermOrder.

(* What two exponents have in common where the quotient of the powers is rational. *)
Definition class (N : Z) (k : list Z) : list Z :=
  match k with
  | [] => []
  | n :: k => n :: map (fun m => m mod N)%Z k
  end.

(* Terms with places: like ones are taken in the order of the places.  This is only for speed. *)
Definition vanishes (bases : list positive) (N : positive) (s : list (Z * term)) : bool :=
  cancel (Zpos N) bases [] 0 1
    (map snd (TermSort.sort
      (map (fun u => (class (Zpos N) (fst (snd u)) ++ [fst u], snd u)) s))).

Theorem vanishes_sound : forall bases N s, vanishes bases N s = true ->
  total bases N (map snd s) = 0.
Proof.
  intros bases N s H. apply cancel_sound in H; [|lia].
  rewrite Rmult_0_l, Rplus_0_l, Rmult_1_l in H. rewrite <- H.
  apply total_permuted. rewrite (Permutation_map snd (Permutation_sym (TermSort.Permuted_sort _))).
  rewrite map_map. simpl. apply Permutation_refl.
Qed.
