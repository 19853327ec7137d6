"""Table 1, pre-processing. A(k, y): the chance of y after k of c steps over Psi (some may stay)."""
from pfverify.proof.language import *
from settings.problems import *

(epsilon, delta), y, u = constants("epsilon delta"), indices("y", "Y"), variables("u")
(k, l), (o, c, m) = indices("k l", "Path"), member("o c m", "Path")
A, T, E, grow = masses("A"), functions("T"), exp(epsilon), exp(epsilon * u)
forth = total(maximum(A(k - 1, y) - E * A(k, y), 0), y)
back = total(maximum(A(k, y) - E * A(k - 1, y), 0), y)
DistP, chain = implies(k != o, forth <= delta and back <= delta), is_chain([k, l], [o, c])
far = total(maximum(A(o, y) - grow * A(u, y), 0), y)
bound = implies(E > 1, far <= delta * (grow - 1) / (E - 1)) and implies(E == 1, far <= delta * u)
changed = total(maximum(A(T(k), y) - exp(c * epsilon) * A(T(l), y), 0), y)
path = instance(epsilon=log(2), delta=1/2, Path=[0, 1, 2], o=0, c=2, Y=[0, 1],
                T={0: 0, 1: 2, 2: 2}, A={(0, 0): 1, (1, 0): 1/2, (1, 1): 1/2, (2, 1): 1})

Claim(
    id="D11", source=paper("distribution-privacy", "Table 1"), result=REPAIRED,
    words="If A is (epsilon, delta)-DistP and T is c-stable, A after T is (c epsilon, delta)-DistP",
    printed=refuted(
        words="A says yes on 0, 1, 2 with the chances 0, 1/2, 1, Psi relates neighbours, and T "
              "moves 1 to 2: c = 2, but A after T tells 0 from 1 for sure",
        given={"DistP": DistP, "path": chain, "0": o == 0, "laws": total(A(k, y), y) == 1,
               "stable": implies(abs(k - l) <= 1, abs(T(k) - T(l)) <= c)},
        statement=implies(abs(k - l) <= 1, changed <= delta), instance=path,
        problem=problem({0: 1}, {1: 1}, epsilon="log(4)", delta=1/2, channel=doubled)),
    corrected=proved(
        words="k steps make it delta (e^(k epsilon) - 1)/(e^epsilon - 1), k delta if epsilon = 0",
        given={"DistP": DistP, "path": chain, "0": o == 0}, statement=at(bound, {u: k}),
        example=[path, instance(epsilon=0, delta=0, Path=[0], o=0, c=0, Y=[0], A={(0, 0): 1})],
        steps=[
            step("none", at(far, {u: o}) <= 0, termwise(arithmetic("0"), y)),
            step("at 0", at(bound, {u: o}), arithmetic("none", "0")),
            step("each", at(bound, {u: k}), induction("path", "at 0", k, bound, u, m, [
                step("sum", at(far, {u: m}) <= at(far, {u: m - 1}) + at(grow, {u: m - 1}) * at(
                    forth, {k: m}), termwise(arithmetic(), y)),
                step("next", at(bound, {u: m}), arithmetic(
                    "sum", "before", "not first", use("DistP", {k: m})))])),
        ],
    ),
    breaks=[
        edit("drop DistP", "each", instance(
            epsilon=0, delta=0, Path=[0, 1], o=0, c=1, Y=[0, 1], A={(0, 0): 1, (1, 1): 1})),
        edit("drop 0", "none"), edit("grow = exp(u)", "each"),
    ],
    meaning=[epsilon >= 0, total(A(k, y), y) == 1],
)
