"""``python -m pfverify`` is the command line."""

from pfverify.edge.cli import run

if __name__ == "__main__":
    run()
