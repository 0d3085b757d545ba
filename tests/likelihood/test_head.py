"""The output layer in tiles: equal to log-softmax of all logits, in every number format, far out too."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from equiglot.likelihood import _head  # noqa: E402
from equiglot.likelihood._head import Head, find_head  # noqa: E402


def _case(vocabulary: int, *, spread: float, dtype: str = "float32", bias: bool = False):
    generator = torch.Generator().manual_seed(vocabulary)
    kind = getattr(torch, dtype)
    weight = (torch.randn(vocabulary, 16, generator=generator) * spread).to(kind)
    hidden = torch.randn(37, 16, generator=generator).to(kind)
    targets = torch.randint(0, vocabulary, (37,), generator=generator)
    extra = torch.randn(vocabulary, generator=generator).to(kind) if bias else None
    return weight, hidden, targets, extra


def _exact(weight, hidden, targets, bias, *, scale=1.0, softcap=None):
    logits = hidden.double() @ weight.double().T
    logits = (logits if bias is None else logits + bias.double()) * scale
    if softcap:
        logits = torch.tanh(logits / softcap) * softcap
    return -logits.log_softmax(-1).gather(1, targets[:, None]).squeeze(1)


@pytest.mark.parametrize("tile", [(1, 1), (5, 7), (100, 50), (512, 4096)])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("scale", "softcap"), [(1.0, None), (0.3, None), (1.0, 5.0), (2.0, 5.0)])
def test_tiles_equal_log_softmax(monkeypatch, tile, bias, scale, softcap) -> None:
    monkeypatch.setattr(_head, "_TILES", {"cpu": tile})
    weight, hidden, targets, extra = _case(101, spread=1.0, bias=bias)
    head = Head(weight, extra, scale, softcap)
    made = head.score(hidden, targets)[:, 0]
    assert made.dtype == torch.float64
    torch.testing.assert_close(
        made, _exact(weight, hidden, targets, extra, scale=scale, softcap=softcap), rtol=2e-6, atol=2e-6
    )


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("bias", [False, True])
def test_hundreds_of_nats(dtype, bias) -> None:
    """Softmax and then a logarithm gives infinity from about 100 nats on; here the worst is over 300."""
    weight, hidden, targets, extra = _case(500, spread=30.0, dtype=dtype, bias=bias)
    exact = _exact(weight, hidden, targets, extra)
    assert float(exact.max()) > 300
    rtol, atol = (1e-6, 1e-4) if dtype == "float32" else (2**-8, 2**-7)
    torch.testing.assert_close(Head(weight, extra, 1.0, None).score(hidden, targets)[:, 0], exact, rtol=rtol, atol=atol)


def test_bfloat16_rounds_the_difference_and_not_the_logit() -> None:
    """Logits of about 1,000 are rounded to multiples of 4 to 8 in bfloat16; what is between them must survive."""
    weight, hidden, targets, _ = _case(300, spread=0.05, dtype="bfloat16")
    weight = torch.cat([weight, torch.full((300, 1), 8.0, dtype=torch.bfloat16)], dim=1)
    hidden = torch.cat([hidden, torch.full((37, 1), 128.0, dtype=torch.bfloat16)], dim=1)
    made = Head(weight, None, 1.0, None).score(hidden, targets)[:, 0]
    torch.testing.assert_close(made, _exact(weight, hidden, targets, None), rtol=1e-3, atol=1e-3)


def test_certainty_is_not_negative() -> None:
    weight = torch.zeros(50, 16)
    weight[3] = 40.0
    hidden, targets = torch.ones(4, 16), torch.full((4,), 3)
    for dtype in (torch.float32, torch.bfloat16):
        made = Head(weight.to(dtype), None, 1.0, None).score(hidden.to(dtype), targets)[:, 0]
        assert float(made.min()) >= 0
        assert float(made.max()) < 1e-6


def test_all_logits_are_never_held(monkeypatch) -> None:
    largest = 0
    original = torch.addmm

    def spy(*args, **kwargs):
        nonlocal largest
        made = original(*args, **kwargs)
        largest = max(largest, made.numel())
        return made

    monkeypatch.setattr(torch, "addmm", spy)
    weight, hidden, targets, _ = _case(20_000, spread=1.0)
    Head(weight, None, 1.0, None).score(hidden, targets)[:, 0]
    assert 0 < largest <= 512 * 4096
    assert largest < hidden.shape[0] * 20_000


def test_a_head_that_is_no_matrix_is_refused_by_name() -> None:
    from equiglot.errors import InputError

    class Odd(torch.nn.Module):
        def get_output_embeddings(self):
            return torch.nn.Conv1d(1, 1, 1)

    with pytest.raises(InputError, match=r"output layer of some/model \(Odd\) is Conv1d"):
        find_head(Odd(), name="some/model", dtype="float32")


@pytest.mark.parametrize("tile", [(100, 50), (512, 4096)])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("makes", [(1.0, None, 0.1), (1.0, None, 30.0), (2.0, 5.0, 30.0)])
def test_ranks_equal_sorting(monkeypatch, tile, bias, makes) -> None:
    """The order is that before the soft cap, which makes some of these logits equal."""
    scale, softcap, spread = makes
    monkeypatch.setattr(_head, "_TILES", {"cpu": tile})
    weight, hidden, targets, extra = _case(101, spread=spread, bias=bias)
    made = Head(weight, extra, scale, softcap).score(hidden, targets, ranks=True)
    logits = hidden.double() @ weight.double().T + (0 if extra is None else extra.double())
    order = logits.argsort(dim=1, descending=True)
    ranks = (order == targets[:, None]).nonzero()[:, 1] + 1
    assert made[:, 1].tolist() == ranks.tolist()
    assert made[:, 0].equal(Head(weight, extra, scale, softcap).score(hidden, targets)[:, 0])


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_equal_logits_are_no_higher(dtype) -> None:
    """Each entry is there five times: the best is first whichever of the five it is."""
    weight, hidden, _, _ = _case(60, spread=1.0, dtype=dtype)
    weight = weight.repeat(5, 1)
    logits = hidden.double() @ weight.double().T
    for turn in range(5):
        best = logits[:, :60].argmax(dim=1) + 60 * turn
        assert Head(weight, None, 1.0, None).score(hidden, best, ranks=True)[:, 1].tolist() == [1.0] * len(hidden)


def test_a_packed_layer_is_refused_by_name() -> None:
    from equiglot.errors import InputError

    class Linear4bit(torch.nn.Linear):
        pass

    class Odd(torch.nn.Module):
        def get_output_embeddings(self):
            layer = Linear4bit(4, 4)
            layer.weight = torch.nn.Parameter(torch.zeros(8, 1, dtype=torch.uint8), requires_grad=False)
            return layer

    with pytest.raises(InputError, match=r"output layer of some/model \(Odd\) is Linear4bit"):
        find_head(Odd(), name="some/model", dtype="float32")
