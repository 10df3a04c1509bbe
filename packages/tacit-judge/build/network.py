"""The pair classifier: MiniLM that reads two texts at once, a small head, and how it learns.

Knows tokens, batches and weights; knows nothing of data sets, folds or files of figures.
"""

from __future__ import annotations

import copy
import math
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
import torch.distributed
from tokenizers import Tokenizer
from transformers import AutoModel

from pairs import CONTRADICTION, Pair

MAX_TOKENS = 128
CLASSES = 3  # contradiction, entailment, neutral
BATCH_TOKENS = 1_600  # of one step: short pairs come fifty at a time, long ones twelve
SMOOTHING = 0.05
TOGETHER = 16  # steps between two meetings of the workers
WARM_UP = 0.06  # of all steps


class Network(torch.nn.Module):
    """MiniLM over both texts; the head sees the first token and the mean of all."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        # Eager attention is plain matrix products, which the quantiser understands.
        self.encoder = AutoModel.from_pretrained(weights, attn_implementation="eager", attention_probs_dropout_prob=0.0)
        width = self.encoder.config.hidden_size
        self.dense = torch.nn.Linear(2 * width, width)
        self.drop = torch.nn.Dropout(0.1)
        self.classify = torch.nn.Linear(width, CLASSES)

    def forward(self, input_ids, attention_mask, token_type_ids):  # type: ignore[no-untyped-def]  # torch is absent where types are checked
        """Give the three logits of each pair."""
        # The mask is made additive here: the library's own way of making one leaves shapes
        # that the quantiser's shape inference cannot follow.
        mask = attention_mask.to(torch.float32)
        hidden = (1.0 - mask)[:, None, None, :] * torch.finfo(torch.float32).min
        tokens = self.encoder(
            input_ids=input_ids, attention_mask=hidden, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = mask.unsqueeze(-1)
        mean = (tokens * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
        seen = torch.cat([tokens[:, 0], mean], dim=1)
        return self.classify(self.drop(torch.tanh(self.dense(self.drop(seen)))))


class Reader:
    """Turns pairs into token ids, each pair once."""

    def __init__(self, tokenizer: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
        self._tokenizer.no_padding()

    def read(self, pairs: Sequence[Pair], *, turned: bool = False) -> list[tuple[list[int], list[int]]]:
        """Give ids and type ids of each pair; `turned` reads b before a."""
        both = [(p.b, p.a) if turned else (p.a, p.b) for p in pairs]
        return [(e.ids, e.type_ids) for e in self._tokenizer.encode_batch(both)]


def batches(
    lengths: Sequence[int], chance: random.Random, least: int = 1
) -> list[list[int]]:
    """Give batches of about equal length and about equal tokens, in random order."""
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i] + chance.uniform(-2, 2)))
    made: list[list[int]] = [[]]
    longest = 0
    for i in order:
        longest = max(longest, lengths[i])
        if made[-1] and longest * (len(made[-1]) + 1) > BATCH_TOKENS:
            made.append([])
            longest = lengths[i]
        made[-1].append(i)
    made = [batch for batch in made if len(batch) >= least]
    chance.shuffle(made)
    return made


def padded(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Give ids, mask and type ids of a batch."""
    longest = max(len(ids) for ids, _ in rows)
    ids = torch.zeros(len(rows), longest, dtype=torch.long)
    types = torch.zeros_like(ids)
    mask = torch.zeros_like(ids)
    for row, (tokens, kinds) in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        types[row, : len(kinds)] = torch.tensor(kinds)
        mask[row, : len(tokens)] = 1
    return ids, mask, types


def loss_of(logits: torch.Tensor, labels: torch.Tensor, turned: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Give the smoothed cross entropy.

    Of a pair read backwards only "contradiction or not" is known, since entailment has a
    direction: there the two other classes are one.
    """
    log = torch.log_softmax(logits, dim=1)
    own = log.gather(1, labels[:, None])[:, 0]
    whole = -(1 - SMOOTHING) * own - SMOOTHING * log.mean(1)
    yes = log[:, CONTRADICTION]
    no = torch.logsumexp(log[:, [c for c in range(CLASSES) if c != CONTRADICTION]], dim=1)
    right = torch.where(labels == CONTRADICTION, yes, no)
    wrong = torch.where(labels == CONTRADICTION, no, yes)
    half = -(1 - SMOOTHING / 2) * right - SMOOTHING / 2 * wrong
    return (torch.where(turned, half, whole) * weights).sum() / weights.sum()


class Lesson(NamedTuple):
    """How one stage is learned."""

    epochs: int
    rate: float
    seed: int
    frozen: int = 0  # layers from below that stay as they are
    workers: int = 1  # processes that share each batch; torch's own threads wait for each other


def train(network: Network, reader: Reader, pairs: Sequence[Pair], lesson: Lesson) -> None:
    """Train in place, in one process or in several that average what they learn."""
    if lesson.workers == 1:
        _learn(network, reader, pairs, lesson, rank=0)
        return
    import torch.multiprocessing as processes

    network.share_memory()
    with tempfile.TemporaryDirectory() as folder:
        given = (network, reader, pairs, lesson, f"file://{folder}/meeting")
        processes.spawn(_work, given, nprocs=lesson.workers)


def _work(  # type: ignore[no-untyped-def]  # torch is absent where types are checked
    rank: int, shared, reader, pairs, lesson, meeting
) -> None:
    """Learn beside the other workers; the first one leaves the weights where all see them."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group(
        "gloo", init_method=meeting, rank=rank, world_size=lesson.workers
    )
    network = copy.deepcopy(shared)
    _learn(network, reader, pairs, lesson, rank)
    torch.distributed.barrier()
    if rank == 0:
        shared.load_state_dict(network.state_dict())
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def _learn(
    network: Network, reader: Reader, pairs: Sequence[Pair], lesson: Lesson, rank: int
) -> None:
    """Go through all batches; an epoch reads a third of the pairs backwards, each time another."""
    torch.set_flush_denormal(True)
    torch.manual_seed(lesson.seed + rank)
    chance = random.Random(lesson.seed)
    forth, back = reader.read(pairs), reader.read(pairs, turned=True)
    lengths = [len(ids) for ids, _ in forth]
    plans = [batches(lengths, chance, lesson.workers) for _ in range(lesson.epochs)]
    optimiser, learned = optimiser_of(network, lesson.frozen)
    steps, step, started = sum(map(len, plans)), 0, time.perf_counter()
    network.train()
    for epoch, plan in enumerate(plans):
        total = 0.0
        for batch in plan:
            warm = min(1.0, step / steps / WARM_UP)
            for group in optimiser.param_groups:
                group["lr"] = lesson.rate * warm * (1 - step / steps)
            own = batch[rank :: lesson.workers]
            turned = [(i + epoch) % 3 == 0 for i in own]
            rows = [(back if t else forth)[i] for i, t in zip(own, turned, strict=True)]
            loss = loss_of(
                network(*padded(rows)),
                torch.tensor([pairs[i].label for i in own]),
                torch.tensor(turned),
                torch.tensor([pairs[i].weight for i in own]),
            )
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            total, step = total + loss.item(), step + 1
            if lesson.workers > 1 and (step % TOGETHER == 0 or step == steps):
                _average(learned)
            if step % 25 == 0 and rank == 0:
                spent = time.perf_counter() - started
                print(f"  step {step}/{steps}  loss {loss.item():.3f}  {spent:.0f} s", flush=True)
        if rank == 0:
            spent = time.perf_counter() - started
            print(f"  epoch {epoch + 1}: loss {total / len(plan):.3f}, {spent:.0f} s", flush=True)
    network.eval()


def optimiser_of(
    network: Network, frozen: int
) -> tuple[torch.optim.Optimizer, list[torch.nn.Parameter]]:
    """Give the optimiser and what it moves.

    The word vectors stay: they are half of the weights, and the words that are seen here would
    drift away from the many that are not. So may the lowest layers, which saves their share.
    """
    still = [network.encoder.embeddings, *network.encoder.encoder.layer[:frozen]]
    for part in still:
        part.requires_grad_(False)
    learned = [p for p in network.parameters() if p.requires_grad]
    decayed = {"params": [p for p in learned if p.ndim >= 2], "weight_decay": 0.01}
    others = {"params": [p for p in learned if p.ndim < 2], "weight_decay": 0.0}
    return torch.optim.AdamW([decayed, others]), learned


def _average(learned: Sequence[torch.nn.Parameter]) -> None:
    """Set the weights of all workers to their mean, in one message."""
    with torch.no_grad():
        flat = torch.cat([weight.reshape(-1) for weight in learned])
        torch.distributed.all_reduce(flat)
        flat /= torch.distributed.get_world_size()
        parts = flat.split([weight.numel() for weight in learned])
        for weight, part in zip(learned, parts, strict=True):
            weight.copy_(part.view_as(weight))


@torch.no_grad()
def probabilities(network: Network, reader: Reader, pairs: Sequence[Pair]) -> list[float]:
    """Give the probability of contradiction: the mean of both directions, in logits."""
    network.eval()
    sums = [0.0] * len(pairs)
    for turned in (False, True):
        rows = reader.read(pairs, turned=turned)
        for batch in batches([len(ids) for ids, _ in rows], random.Random(0)):
            logits = network(*padded([rows[i] for i in batch]))
            others = torch.logsumexp(logits[:, 1:], dim=1)
            for i, value in zip(batch, (logits[:, 0] - others).tolist(), strict=True):
                sums[i] += value / 2
    return [1 / (1 + math.exp(-value)) for value in sums]
