"""``python -m equiglot`` is the command line."""

from equiglot.cli import main

if __name__ == "__main__":
    main()
