"""Other memory systems on the same synthetic work, each in its own virtual environment.

    python -m tacit.bench.peers setup --dir DIR
    python -m tacit.bench.peers measure --dir DIR --sizes 1000,10000

`catalogue` names the peers, `environments` installs them, `scripts/` holds what runs inside
them, `driver.measure` runs those in turn, and `report` prints what came back. A peer that
cannot be measured yields the reason, never a figure.
"""

from tacit.bench.peers.catalogue import PEERS, Peer
from tacit.bench.peers.driver import measure
from tacit.bench.peers.results import PeerResult
from tacit.bench.peers.synthetic import Synthetic, make

__all__ = ["PEERS", "Peer", "PeerResult", "Synthetic", "make", "measure"]
