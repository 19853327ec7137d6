"""An event seen through Laplace noise of scale b.

c(u) is the chance of the event when the data is u: at most 1 (`event`), and at most e^(|u-v|/b)
times that when the data is v (`Laplace`). G27 proves both; E is e^epsilon.

Symbols:
b: the scale of the Laplace noise
epsilon: the privacy parameter
u, v: a value of the data
c: the chance of an event, by the value of the data
"""
from pfverify.proof.language import *

b, epsilon = positive("b epsilon")
u, v = variables("u v")
c, E = masses("c"), exp(epsilon)
event, Laplace = c(u) <= 1, c(u) <= exp(abs(u - v) / b) * c(v)
