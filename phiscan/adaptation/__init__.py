"""Fine-tuning as hospitals do it, with leakage measured while the model learns, and mitigations."""

import logging

# Where bitsandbytes is installed the Trainer imports it, 4 bits or not, and on a CPU it then says on standard
# error that a faster kernel could be fetched: nothing that who adapts a model could use.
logging.getLogger("bitsandbytes").setLevel(logging.ERROR)
