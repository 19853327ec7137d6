"""Channels of problems: both answers to one question, the input itself, and two steps of halves.

`twice` is randomized response that tells the truth with 3/4, asked twice; `doubled` sends 0 and 1
to 0 and 2, and says yes on 0, 1, 2 with the chances 0, 1/2, 1.
"""
from pfverify.proof.language import *

truth = {"kind": "randomized-response", "inputs": ["0", "1"], "truth": 3/4}
twice = {"kind": "composition", "parts": [truth, truth]}
reveal = {"kind": "matrix", "inputs": ["0", "1"], "outputs": ["0", "1"], "rows": [[1, 0], [0, 1]]}
halves = {"kind": "matrix", "inputs": ["0", "1", "2"], "outputs": ["no", "yes"],
          "rows": [[1, 0], [1/2, 1/2], [0, 1]]}
doubled = {"kind": "cascade", "parts": [
    {"kind": "matrix", "inputs": ["0", "1"], "outputs": ["0", "1", "2"],
     "rows": [[1, 0, 0], [0, 0, 1]]}, halves]}
