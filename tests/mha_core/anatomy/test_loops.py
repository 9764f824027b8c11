"""The three ways compute the same, take turns, and need no more memory than is said."""

import weakref
from collections.abc import Callable, Mapping, Sequence

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from mha_core.anatomy.calculator import count_flops
from mha_core.anatomy.loops import (
    MAX_BYTES,
    MAX_FLOPS,
    WAYS,
    LoopComparison,
    LoopSizes,
    largest_differences,
    loop_over_heads,
)
from mha_core.anatomy.seeded import draw, draw_attention
from mha_core.attention import causal_bias
from mha_core.errors import BadDimensions, ComparisonTooLarge

CPU = torch.device("cpu")
SIZES = [
    LoopSizes(32, 4, 9, 2, causal=False),
    LoopSizes(32, 4, 9, 2, causal=True),
    LoopSizes(32, 1, 5, 1, causal=True),
    LoopSizes(32, 32, 5, 3, causal=False),
    LoopSizes(768, 12, 64, 1, causal=True),
]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_three_ways_compute_the_same(sizes: LoopSizes, device: torch.device) -> None:
    results = LoopComparison(sizes, device).results()
    assert tuple(results) == WAYS
    for result in results.values():
        assert result.dtype == torch.float32
        assert result.shape == (sizes.batch, sizes.n_tokens, sizes.d_model)
    largest = float(results["loop"].abs().max())
    differences = largest_differences(results)
    assert differences["loop"] == 0
    assert max(differences.values()) < 1e-5 * max(1.0, largest)
    assert largest > 0.1


def test_differences_are_the_largest_of_each_way() -> None:
    loop = torch.tensor([[1.0, 2.0]])
    results = {"loop": loop, "fused": loop + torch.tensor([[0.5, -0.75]]), "kernel": loop}
    assert largest_differences(results) == {"loop": 0, "fused": 0.75, "kernel": 0}  # type: ignore[arg-type]


def test_a_causal_comparison_hides_later_tokens() -> None:
    plain, causal = (
        LoopComparison(LoopSizes(32, 4, 6, 1, causal=causal), CPU).results()
        for causal in (False, True)
    )
    for way in WAYS:
        assert not torch.allclose(plain[way][0, 0], causal[way][0, 0], atol=1e-3)
        # The last token sees all others in both.
        assert torch.allclose(plain[way][0, -1], causal[way][0, -1], atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_the_loop_is_the_module(causal: bool) -> None:
    generator = torch.Generator().manual_seed(0)
    module = draw_attention(generator, 24, 4, fused=False)
    x, mask = draw(generator, 2, 7, 24), causal_bias(7, 7) if causal else None
    assert torch.allclose(loop_over_heads(module, x, mask), module(x, mask=mask), atol=1e-6)
    module.output_bias = None
    assert torch.allclose(loop_over_heads(module, x, mask), module(x, mask=mask), atol=1e-6)


def test_every_round_times_all_ways_and_each_begins_one_as_often() -> None:
    comparison = LoopComparison(SIZES[0], CPU)
    orders = [tuple(comparison.time_round(number)) for number in range(6)]
    assert orders[:3] == [
        ("loop", "fused", "kernel"),
        ("fused", "kernel", "loop"),
        ("kernel", "loop", "fused"),
    ]
    assert orders[3:] == orders[:3]
    assert all(seconds > 0 for seconds in comparison.time_round(0).values())


def test_operations_are_those_of_the_calculator_for_each_text() -> None:
    sizes = LoopSizes(64, 4, 16, 3, causal=False)
    assert sizes.n_flops == 3 * count_flops(sizes.shape).one_layer


class PeakMemory(TorchDispatchMode):
    """The most memory that tensors made within it had at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = self.peak = 0
        self._held: dict[int, int] = {}

    def __torch_dispatch__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        made = func(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, torch.Tensor) and tensor.device.type != "meta":
                self._hold(tensor.untyped_storage())
        return made

    def _hold(self, storage: torch.UntypedStorage) -> None:
        key = storage._cdata
        if key not in self._held:
            self._held[key] = storage.nbytes()
            self.now += storage.nbytes()
            self.peak = max(self.peak, self.now)
            weakref.finalize(storage, self._release, key)

    def _release(self, key: int) -> None:
        self.now -= self._held.pop(key)


@pytest.mark.parametrize(
    "sizes",
    [
        LoopSizes(512, 8, 16, 1, causal=False),  # weights
        LoopSizes(64, 64, 64, 8, causal=False),  # maps
        LoopSizes(64, 1, 512, 4, causal=True),  # one head
        LoopSizes(256, 4, 128, 8, causal=True),  # vectors
    ],
    ids=str,
)
def test_the_memory_that_is_said_is_enough_and_not_far_too_much(sizes: LoopSizes) -> None:
    with PeakMemory() as memory:
        LoopComparison(sizes, CPU).results()
    assert memory.peak <= sizes.n_bytes < 1.5 * memory.peak


def test_sizes_that_do_not_divide_are_refused_with_what_does() -> None:
    with pytest.raises(BadDimensions, match="The nearest that divide 768 are 8 and 12") as raised:
        LoopSizes(768, 10, 8, 1, causal=False).check()
    assert raised.value.details == {"nearest": [8, 12]}


def test_too_much_memory_is_refused_before_any_is_taken() -> None:
    sizes = LoopSizes(768, 12, 8192, 1, causal=False)
    with pytest.raises(ComparisonTooLarge, match=r"about 6\.7 GB .* choose fewer tokens") as raised:
        sizes.check()
    assert raised.value.details == {"n_bytes": sizes.n_bytes, "max_bytes": MAX_BYTES}


def test_too_many_operations_are_refused() -> None:
    sizes = LoopSizes(2048, 2, 4000, 1, causal=False)
    assert sizes.n_bytes <= MAX_BYTES
    with pytest.raises(ComparisonTooLarge, match="billion operations") as raised:
        sizes.check()
    assert raised.value.details == {"n_flops": sizes.n_flops, "max_flops": MAX_FLOPS}


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_usual_sizes_are_allowed(sizes: LoopSizes) -> None:
    sizes.check()
    LoopSizes(768, 12, 1024, 2, causal=True).check()
    LoopSizes(4096, 32, 512, 1, causal=True).check()
