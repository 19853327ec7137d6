"""python -I -S pfverify/kernel [--trusts] [--folder FOLDER] PROBLEM CERTIFICATE

Prints one line and exits 0 (certified, refuted, scales), 1 (rejected) or 2 (malformed).  With
--trusts it also prints, line by line, the files of this folder that the answer rests on, with their
lines of code, and the facts that each rule used.  A file that the problem names is looked for in
FOLDER, by default that of PROBLEM.
"""

import gc
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checker import main

gc.set_threshold(1 << 20)  # what one check makes refers to itself hardly ever: look rarely
sys.exit(main(sys.argv[1:]))
