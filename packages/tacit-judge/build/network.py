"""The pair classifier: MiniLM that reads two texts at once, a small head, and how it learns.

Knows tokens, batches and weights; knows nothing of data sets, folds or files of figures.
"""

from __future__ import annotations

import copy
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import torch
import torch.distributed
from pairs import CONTRADICTION, Pair
from tokenizers import Tokenizer
from torch import Tensor
from transformers import AutoModel

MAX_TOKENS = 128
CLASSES = 3  # contradiction, entailment, neutral
BATCH_TOKENS = 1_600  # of one step where nothing else is said
SMOOTHING = 0.05
TOGETHER = 16  # steps between two meetings of the workers
WARM_UP = 0.06  # of all steps


class Network(torch.nn.Module):
    """MiniLM over both texts; the head sees the first token and the mean of all."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        # Eager attention is plain matrix products, which the quantiser understands.
        self.encoder = AutoModel.from_pretrained(
            weights, attn_implementation="eager", attention_probs_dropout_prob=0.0
        )
        width = self.encoder.config.hidden_size
        self.dense = torch.nn.Linear(2 * width, width)
        self.drop = torch.nn.Dropout(0.1)
        self.classify = torch.nn.Linear(width, CLASSES)

    def forward(self, input_ids, attention_mask, token_type_ids):  # type: ignore[no-untyped-def]  # torch is absent where types are checked
        """Give the three logits of each pair."""
        layers = len(self.encoder.encoder.layer)
        tokens = self.begin(input_ids, attention_mask, token_type_ids, layers)
        return self.finish(tokens, attention_mask, layers)

    def begin(self, input_ids, attention_mask, token_type_ids, layers: int):  # type: ignore[no-untyped-def]  # as above
        """Give what the lowest layers make of the tokens."""
        tokens = self.encoder.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        return self._through(self.encoder.encoder.layer[:layers], tokens, attention_mask)

    def finish(self, tokens, attention_mask, layers: int):  # type: ignore[no-untyped-def]  # as above
        """Give the logits from what the lowest layers made."""
        tokens = self._through(self.encoder.encoder.layer[layers:], tokens, attention_mask)
        mask = attention_mask.to(torch.float32).unsqueeze(-1)
        mean = (tokens * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
        seen = torch.cat([tokens[:, 0], mean], dim=1)
        return self.classify(self.drop(torch.tanh(self.dense(self.drop(seen)))))

    def _through(self, layers, tokens, attention_mask):  # type: ignore[no-untyped-def]  # as above
        # The mask is made additive here: the library's own way of making one leaves shapes
        # that the quantiser's shape inference cannot follow.
        hidden = 1.0 - attention_mask.to(torch.float32)[:, None, None, :]
        hidden = hidden * torch.finfo(torch.float32).min
        for layer in layers:
            given = layer(tokens, attention_mask=hidden)
            tokens = given[0] if isinstance(given, tuple) else given
        return tokens


def margin(logits: Tensor) -> Tensor:
    """Give the logit of contradiction against all else."""
    return logits[:, CONTRADICTION] - torch.logsumexp(logits[:, CONTRADICTION + 1 :], dim=1)


class Reader:
    """Turns pairs into token ids, each pair once."""

    def __init__(self, tokenizer: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
        self._tokenizer.no_padding()

    def read(
        self, pairs: Sequence[Pair], *, turned: bool = False
    ) -> list[tuple[list[int], list[int]]]:
        """Give ids and type ids of each pair; `turned` reads b before a."""
        both = [(p.b, p.a) if turned else (p.a, p.b) for p in pairs]
        return [(e.ids, e.type_ids) for e in self._tokenizer.encode_batch(both)]


def batches(
    lengths: Sequence[int], chance: random.Random, tokens: int = BATCH_TOKENS, least: int = 1
) -> list[list[int]]:
    """Give batches of about equal length and about equal tokens, in random order."""
    order = sorted(range(len(lengths)), key=lambda i: lengths[i] + chance.uniform(-2, 2))
    made: list[list[int]] = [[]]
    longest = 0
    for i in order:
        longest = max(longest, lengths[i])
        if made[-1] and longest * (len(made[-1]) + 1) > tokens:
            made.append([])
            longest = lengths[i]
        made[-1].append(i)
    made = [batch for batch in made if len(batch) >= least]
    chance.shuffle(made)
    return made


def padded(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor, Tensor]:
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


class Whole:
    """Feeds a network from the token ids up."""

    def __init__(self, network: Network, reader: Reader, pairs: Sequence[Pair]) -> None:
        self._network = network
        self._rows = (reader.read(pairs), reader.read(pairs, turned=True))
        self.lengths = [len(ids) for ids, _ in self._rows[0]]

    def logits(self, batch: Sequence[int], turned: Sequence[bool]) -> Tensor:
        """Give the logits of some pairs, each read the way asked for."""
        rows = [self._rows[turn][i] for i, turn in zip(batch, turned, strict=True)]
        return self._network(*padded(rows))


class Halfway:
    """Feeds a network from what its lowest layers made once; these then stay as they are."""

    def __init__(
        self, network: Network, made: Sequence[tuple[Tensor, Tensor]], frozen: int
    ) -> None:
        self._network = network
        self._made = made
        self.lengths = [len(forth) for forth, _ in made]
        self._frozen = frozen

    def logits(self, batch: Sequence[int], turned: Sequence[bool]) -> Tensor:
        """Give the logits of some pairs, each read the way asked for."""
        states = [self._made[i][turn] for i, turn in zip(batch, turned, strict=True)]
        longest = max(map(len, states))
        tokens = torch.zeros(len(states), longest, states[0].shape[1])
        mask = torch.zeros(len(states), longest, dtype=torch.long)
        for row, state in enumerate(states):
            tokens[row, : len(state)] = state.to(torch.float32)
            mask[row, : len(state)] = 1
        return self._network.finish(tokens, mask, self._frozen)


@torch.no_grad()
def halfway(
    network: Network, rows: Sequence[tuple[list[int], list[int]]], frozen: int
) -> list[Tensor]:
    """Give what the lowest layers make of each pair that was read."""
    network.eval()
    lengths = [len(ids) for ids, _ in rows]
    made = [torch.empty(0)] * len(rows)
    for batch in batches(lengths, random.Random(0)):
        tokens = network.begin(*padded([rows[i] for i in batch]), frozen)
        for i, states in zip(batch, tokens, strict=True):
            made[i] = states[: lengths[i]].to(torch.float16).clone()
    return made


def loss_of(logits: Tensor, labels: Tensor, turned: Tensor, weights: Tensor) -> Tensor:
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
    tokens: int = BATCH_TOKENS  # of one step: short pairs come fifty at a time, long ones twelve
    frozen: int = 0  # layers from below that stay, with the word vectors; 0: all moves
    workers: int = 1  # processes that share each batch; torch's own threads wait for each other


def train(network: Network, reader: Reader, pairs: Sequence[Pair], lesson: Lesson) -> None:
    """Train in place, in one process or in several that now and then meet at their mean."""
    if lesson.workers == 1:
        learn(network, Whole(network, reader, pairs), pairs, lesson)
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
    learn(network, Whole(network, reader, pairs), pairs, lesson, rank)
    torch.distributed.barrier()
    if rank == 0:
        shared.load_state_dict(network.state_dict())
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


def learn(
    network: Network,
    feed: Whole | Halfway,
    pairs: Sequence[Pair],
    lesson: Lesson,
    rank: int = 0,
) -> None:
    """Go through all batches; an epoch reads a third of the pairs backwards, each time another."""
    torch.set_flush_denormal(True)
    torch.manual_seed(lesson.seed + rank)
    chance = random.Random(lesson.seed)
    plans = [
        batches(feed.lengths, chance, lesson.tokens, lesson.workers) for _ in range(lesson.epochs)
    ]
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
            loss = loss_of(
                feed.logits(own, turned),
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
        if rank == 0:
            spent = time.perf_counter() - started
            print(f"  epoch {epoch + 1}: loss {total / len(plan):.3f}, {spent:.0f} s", flush=True)
    network.eval()


def optimiser_of(
    network: Network, frozen: int
) -> tuple[torch.optim.Optimizer, list[torch.nn.Parameter]]:
    """Give the optimiser and what it moves: all but the layers that stay, and all below them."""
    network.requires_grad_(True)
    still = [network.encoder.embeddings, *network.encoder.encoder.layer[:frozen]] if frozen else []
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
