"""Section 3.3: the Bayes factor of two distributions (with XDistP: E is e^(epsilon d))."""
from pfverify.proof.language import *
from settings.channels import *

l, (a, b), v = indices("l", "Beliefs"), member("a b", "Beliefs"), indices("v", "Y")
belief, law_of, posterior = masses("belief law_of posterior")  # belief(l) is p(lambda) of law l
output = total(law_of(l, x) * A(x, y), x)  # A#(lambda)[y]
seen, p_a, p_b = total(belief(l) * output, l), at(output, {l: a}), at(output, {l: b})
K = posterior(a, y) / posterior(b, y) / (belief(a) / belief(b))
part = maximum(p_a - E * p_b, 0)

Claim(
    id="D06", source=paper("distribution-privacy", "Section 3.3"), result=PROVED,
    words="If a mechanism is (epsilon, 0)-private for two distributions that an attacker holds "
          "possible, an output changes the odds of the two by a factor of at most e^epsilon",
    printed=proved(
        given={"DistP": total(part, y) <= 0, "possible": belief(a) > 0 and belief(b) > 0,
               "Bayes": posterior(l, y) * seen == belief(l) * output},
        example=instance(E=3, X=[0, 1], Y=[0, 1], A=response, Beliefs=[0, 1], a=0, b=1,
                         belief={0: 1/2, 1: 1/2}, law_of={(0, 0): 1, (1, 1): 1},
                         posterior=response),
        statement=implies(p_b > 0, K == p_a / p_b and K <= E),
        steps=[
            step("output", 0 <= output, termwise(arithmetic(), x)),
            step("term", 0 <= belief(l) * output, arithmetic("output")),
            step("seen", belief(b) * p_b <= seen, one_term("term", {l: b})),
            step("above 0", implies(p_b > 0, seen > 0 and posterior(b, y) > 0),
                 arithmetic("possible", "seen", use("Bayes", {l: b}))),
            step("ratio", implies(p_b > 0, posterior(a, y) * belief(b) * p_b
                                  == posterior(b, y) * belief(a) * p_a), arithmetic(
                "above 0", use("Bayes", {l: a}), use("Bayes", {l: b}))),
            step("K", implies(p_b > 0, K == p_a / p_b), arithmetic("ratio", "above 0", "possible")),
            step("part", 0 <= part, arithmetic()),
            step("at y", at(part, {y: v}) <= total(part, y), one_term("part", {y: v})),
            step("odds", implies(p_b > 0, K == p_a / p_b and K <= E),
                 arithmetic("K", "DistP", use("at y", {v: y}))),
        ],
    ),
    breaks=[
        edit("drop DistP", "odds", instance(
            E=2, X=[0, 1], Y=[0, 1], A=response, Beliefs=[0, 1], a=0, b=1,
            belief={0: 1/2, 1: 1/2}, law_of={(0, 0): 1, (1, 1): 1}, posterior=response)),
        edit("drop possible", "above 0"),
        edit("drop Bayes", "above 0"),
        edit("K = posterior(a, y) / posterior(b, y)", "K", instance(
            E=3, X=[0, 1], Y=[0, 1], A=response, Beliefs=[0, 1], a=0, b=1,
            belief={0: 1/4, 1: 3/4}, law_of={(0, 0): 1, (1, 1): 1},
            posterior={(0, 0): 1/2, (1, 0): 1/2, (0, 1): 1/10, (1, 1): 9/10})),
    ],
    meaning=[E >= 1, channel, total(belief(l), l) == 1, total(law_of(l, x), x) == 1],
)
