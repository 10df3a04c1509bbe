"""The pair classifier: MiniLM that reads two texts at once, a small head, and how it learns.

Knows tokens, batches and weights; knows nothing of data sets, folds or files of figures.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import AutoModel

from pairs import CONTRADICTION, Pair

MAX_TOKENS = 128
CLASSES = 3  # contradiction, entailment, neutral
BATCH_TOKENS = 1_600  # of one step: short pairs come fifty at a time, long ones twelve
SMOOTHING = 0.05


class Network(torch.nn.Module):
    """MiniLM over both texts; the head sees the first token and the mean of all."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        # Eager attention is plain matrix products, which the quantiser understands.
        self.encoder = AutoModel.from_pretrained(weights, attn_implementation="eager")
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


def batches(lengths: Sequence[int], chance: random.Random) -> list[list[int]]:
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


def train(  # type: ignore[no-untyped-def]  # torch is absent where types are checked
    network: Network, reader: Reader, pairs: Sequence[Pair], *, epochs: int, rate: float, seed: int, say=print
) -> None:
    """Train in place; every epoch reads a third of the pairs backwards, another third each time."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    forth, back = reader.read(pairs), reader.read(pairs, turned=True)
    network.train()
    # The word vectors stay: they are half of the weights, and what is seldom seen here would
    # drift away from what was not seen at all.
    network.encoder.embeddings.word_embeddings.weight.requires_grad_(False)
    learned = [p for p in network.parameters() if p.requires_grad]
    plain = [p for p in learned if p.ndim < 2]
    weighed = [p for p in learned if p.ndim >= 2]
    groups = [{"params": weighed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=rate)
    lengths = [len(ids) for ids, _ in forth]
    plans = [batches(lengths, chance) for _ in range(epochs)]
    steps, step = sum(map(len, plans)), 0
    started = time.perf_counter()
    for epoch, plan in enumerate(plans):
        total, seen = 0.0, 0
        for batch in plan:
            share = step / steps
            warm = min(1.0, share / 0.06)
            for group in optimiser.param_groups:
                group["lr"] = rate * warm * (1 - share)
            turn = [(i + epoch) % 3 == 0 for i in batch]
            ids, mask, types = padded([(back if t else forth)[i] for i, t in zip(batch, turn, strict=True)])
            loss = loss_of(
                network(ids, mask, types),
                torch.tensor([pairs[i].label for i in batch]),
                torch.tensor(turn),
                torch.tensor([pairs[i].weight for i in batch]),
            )
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            total, seen, step = total + loss.item() * len(batch), seen + len(batch), step + 1
            if step % 200 == 0:
                say(f"  step {step}/{steps}  loss {total / seen:.3f}  {time.perf_counter() - started:.0f} s")
        say(f"  epoch {epoch + 1}: loss {total / seen:.3f}, {time.perf_counter() - started:.0f} s")
    network.eval()


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
