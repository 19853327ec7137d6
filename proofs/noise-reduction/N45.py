"""Table 4, simulation of Figure 3b: the relaxed scale is 1 / epsilon, a third of theta_1."""
from pfverify.proof.language import *
from settings.table_4 import *

epsilon, (u, v), (pi, r) = positive("epsilon"), variables("u v"), masses("pi r")
pair = pi(u, v) * (exp(abs(u - v) * epsilon) - exp(epsilon))  # in f at the scale 1 / epsilon
column = at(pair, {u: 0}) + at(pair, {u: 1}) + at(pair, {u: 2}) + at(pair, {u: 3})
row = at(pair, {v: 0}) + at(pair, {v: 1}) + at(pair, {v: 2}) + at(pair, {v: 3})
root = at(column, {v: 1}) == 0 and pi(0, 1) > 0
columns = (at(column, {v: 0}) <= 0 and at(column, {v: 1}) <= 0
           and at(column, {v: 2}) <= 0 and at(column, {v: 3}) <= 0)
rows = (at(row, {u: 0}) <= 0 and at(row, {u: 1}) <= 0
        and at(row, {u: 2}) <= 0 and at(row, {u: 3}) <= 0)
rounded = e > 0 and abs(r(e) - 1 / e) <= 1/200
two_thirds = abs(1 - (1 / epsilon) / (3 / epsilon) - 667/1000) <= 1/2000

Claim(
    id="N45", source=paper("noise-reduction", "Table 4"), result=PROVED, symbols={"e": "epsilon'"},
    words="For every epsilon <= 1 the largest root of Table 2's columns (and rows) is 1 / epsilon, "
          + "two thirds below theta_1 = 3 / epsilon; the ten printed values are its roundings",
    printed=proved(
        given={"epsilon": epsilon <= 1}, example=instance(epsilon=1/2),
        data=instance(epsilons=tenths, pi=table_2, r=printed_row(tenths, one)),
        statement=root and columns and rows and rounded and two_thirds,
        steps=[
            step("zero", pi(1, 0) == pi(2, 0) == pi(3, 0) == pi(1, 1) == pi(2, 1) == pi(3, 1)
                 == pi(0, 2) == pi(1, 2) == pi(2, 2) == pi(3, 2) == pi(1, 3) == 0, finite()),
            step("mass", pi(0, 0) == 49996/100000 and pi(0, 1) == pi(2, 3) == 1/100000
                 and pi(0, 3) == 4/100000 and pi(3, 3) == 49998/100000, finite()),
            step("e", exp(1) <= 3, enclosure()),
            step("powers", 1 < exp(epsilon) and exp(epsilon) <= 3, arithmetic("epsilon", "e")),
            step("root", root, arithmetic("zero", "mass")),
            step("cube", exp(3 * epsilon) - exp(epsilon) <= 12 * (exp(epsilon) - 1),
                 arithmetic("powers", hints=[exp(2 * epsilon)])),
            step("columns", columns, arithmetic("zero", "mass", "powers", "cube")),
            step("rows", rows, arithmetic("zero", "mass", "powers", "cube")),
            step("ten values", rounded, finite()),
            step("two thirds", two_thirds, arithmetic()),
        ],
    ),
    breaks=[
        edit("drop epsilon", "powers", instance(epsilon=2)),
    ],
)
