"""Section 6.2: the largest mass of lambda says nothing of the masses of A#(lambda)."""
from pfverify.proof.language import *
from settings.channels import *

beta = positive("beta")
column = total(A(x, y), x)  # of the matrix of A

Claim(
    id="D21", source=paper("distribution-privacy", "Section 6.2"), result=REPAIRED,
    words="If no mass of lambda exceeds beta, lambda is in Lambda_(beta, 0, A) for every A: no "
          "mass of A#(lambda) exceeds beta",
    printed=refuted(
        words="A may send all inputs to one output", given={
            "channel": channel, "law": total(P(x), x) == 1, "largest": P(x) <= beta},
        statement=p <= beta, at={y: 0},
        instance=instance(beta=1/2, X=[0, 1], Y=[0, 1], P={0: 1/2, 1: 1/2},
                          A={(0, 0): 1, (1, 0): 1}),
    ),
    corrected=proved(
        words="It does not exceed beta times the column sum of the output y in the matrix of A: "
              "lambda is in Lambda_(beta, 0, A) if no column sum exceeds 1, as for the identity "
              "and randomized response",
        given={"largest": P(x) <= beta},
        example=instance(beta=1/2, X=[0, 1], Y=[0, 1], P={0: 1/2, 1: 1/2}, A=response),
        statement=p <= beta * column and implies(column <= 1, p <= beta),
        steps=[
            step("column", p <= beta * column, integrate("largest", x, weight=A(x, y))),
            step("all", p <= beta * column and implies(column <= 1, p <= beta),
                 arithmetic("column")),
        ],
    ),
    meaning=[channel, total(P(x), x) == 1],
    breaks=[edit("drop largest", "column", instance(
        beta=1/2, X=[0], Y=[0], P={0: 1}, A={(0, 0): 1}), {y: 0})],
)
