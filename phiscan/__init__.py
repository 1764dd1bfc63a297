"""phiscan: does a language model trained on clinical notes give the patients away?"""

__version__ = "0.1.0"
