"""``python -m satcal``."""

from satcal.cli.main import main

if __name__ == "__main__":
    main()
