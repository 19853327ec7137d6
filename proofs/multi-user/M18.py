"""Theorem 3 (14): the largest report over epsilon is a private scale, (13) gives a smaller one."""
from pfverify.proof.language import *
from settings.users import *

t_max, (k, c) = constants("t_max"), (indices("k", "values"), masses("c"))
grow = exp(abs(t) / theta)
P_4 = printed_row([1, 2, 3, 4, 5], "0.4 0.1 0 0.1 0.4")

Claim(
    id="M18", source=paper("multi-user", "(14)"), result=PROVED,
    words="Laplace noise whose scale is the largest |t| that a user can report over epsilon hides "
          "whether a user reports D_i or is absent",
    printed=proved(
        given={"(14)": theta * epsilon == t_max and abs(t) <= t_max},
        example=instance(theta=5, epsilon=1, t_max=5, Rest=law({3: 1/2, 4: 1/2}),
                         P=law({0: 1/2, 5: 1/2})),
        statement=private_P and mean(grow, t) <= E,
        steps=[
            step("most", t_max / theta <= epsilon, arithmetic("(14)")),
            step("small", abs(grow) <= E, arithmetic("(14)", "most")),
            step("exists", abs(mean(grow, t)) <= mean(E, t), dominated("small")),
            step("(13)", mean(grow, t) <= E, arithmetic("exists")),
            step("private", private_P, theorem("M17", {}, "(13)")),
        ],
    ),
    tighter=proved(
        words="(13) asks for less: for P_4 of Table 3 and epsilon = 1 it holds at the scale 3.47, "
              "where (14) says 5; M19 says when they agree",
        data=instance(values=[1, 2, 3, 4, 5], c=P_4),
        statement=total(c(k) * exp(abs(k) / (347/100)), k) <= exp(1) and c(5) > 0,
        steps=[step("less", total(c(k) * exp(abs(k) / (347/100)), k) <= exp(1) and c(5) > 0,
                    finite())],
    ),
    breaks=[
        edit("drop (14)", "most", instance(
            theta=1, epsilon=1, t_max=3, Rest=law({0: 1}), P=law({3: 1})), {y: 3}),
        edit("P_4 = {5: 1}", "less"),
    ],
)
