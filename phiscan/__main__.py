"""``python -m phiscan`` is ``phiscan``."""

from phiscan.cli import main

if __name__ == "__main__":
    main()
