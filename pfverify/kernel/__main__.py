"""python -I -S pfverify/kernel PROBLEM CERTIFICATE

Prints one line and exits 0 (certified, refuted, scales), 1 (rejected) or 2 (malformed).
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from checker import main

sys.exit(main(sys.argv[1:]))
