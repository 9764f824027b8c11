"""The head calculator: what sizes of attention cost in parameters, operations and memory.

Vectors are rows, so that queries are x W_Q and the shape of a matrix is (in, out).
"""

from dataclasses import dataclass

COUNTED = (
    "A product and its addition count as 2 operations, as usual. The softmax counts 6 for each "
    "score: divide by the root of d_head, compare with the row's largest, subtract that, take the "
    "exponential, add up, divide by the sum; an exponential counts as one. Biases and the mask are "
    "left out. A causal model is counted with all n_tokens x n_tokens scores: a kernel that skips "
    "those that are masked needs about half of them."
)
"""What the numbers of operations stand for."""

OPERATIONS_OF_SOFTMAX = 6  # for each score, as said above


@dataclass(frozen=True)
class HeadShape:
    """The sizes that are chosen; everything else follows from them."""

    d_model: int
    n_heads: int
    n_kv_heads: int
    n_layers: int = 1
    n_tokens: int = 1
    bytes_per_number: int = 2
    bias: bool = True

    @property
    def d_head(self) -> int:
        """The width of a head; meaningful where `find_problems` has none."""
        return self.d_model // self.n_heads


@dataclass(frozen=True)
class ShapeProblem:
    """Why sizes do not fit together, and the nearest values of that size that do."""

    size: str
    message: str
    nearest: tuple[int, ...]


@dataclass(frozen=True)
class Matrix:
    """One of W_Q, W_K, W_V, W_O, as a small matrix for each head and as one for all of them."""

    name: str
    n_separate: int
    separate_shape: tuple[int, int]
    fused_shape: tuple[int, int]
    separate: int
    fused: int
    bias: int


@dataclass(frozen=True)
class Parameters:
    """The learned numbers of attention; `separate` and `fused` are those of one layer."""

    matrices: tuple[Matrix, ...]
    biases: int
    separate: int
    fused: int
    all_layers: int


@dataclass(frozen=True)
class Step:
    """A step of one layer and the operations it takes."""

    name: str
    formula: str
    flops: int


@dataclass(frozen=True)
class Flops:
    """Operations to compute attention once for all tokens of one text."""

    steps: tuple[Step, ...]
    one_layer: int
    all_layers: int
    counted: str


@dataclass(frozen=True)
class CacheBytes:
    """Memory of the keys and values of one text, which generation keeps of all earlier tokens."""

    one_layer: int
    all_layers: int
    one_token: int
    full_multi_head: int
    times_smaller: int


@dataclass(frozen=True)
class MapNumbers:
    """How many weights the attention maps of one text have."""

    one_head: int
    one_layer: int
    all_layers: int


@dataclass(frozen=True)
class ShapeCounts:
    """All that follows from sizes that fit together."""

    d_head: int
    parameters: Parameters
    flops: Flops
    cache: CacheBytes
    maps: MapNumbers


def find_problems(shape: HeadShape) -> list[ShapeProblem]:
    """What does not divide; empty where the sizes fit together."""
    d_model, n_heads, n_kv_heads = shape.d_model, shape.n_heads, shape.n_kv_heads
    problems = []
    if d_model % n_heads:
        nearest = nearest_divisors(d_model, n_heads)
        message = (
            f"d_model {d_model:,} cannot be split into {n_heads:,} heads of equal width, because "
            f"{d_model:,} / {n_heads:,} = {d_model / n_heads:.5g} is not whole. "
            f"{_name_nearest(nearest, d_model)}"
        )
        problems.append(ShapeProblem("n_heads", message, nearest))
    if n_heads % n_kv_heads:
        nearest = nearest_divisors(n_heads, n_kv_heads)
        message = (
            f"{n_heads:,} query heads cannot share {n_kv_heads:,} key/value heads evenly. "
            f"{_name_nearest(nearest, n_heads)}"
        )
        problems.append(ShapeProblem("n_kv_heads", message, nearest))
    return problems


def nearest_divisors(number: int, wanted: int) -> tuple[int, ...]:
    """The largest divisor of `number` below `wanted` and the smallest above, if there are both."""
    divisors = [it for it in range(1, number + 1) if number % it == 0]
    below = [it for it in divisors if it < wanted][-1:]
    above = [it for it in divisors if it > wanted][:1]
    return (*below, *above)


def _name_nearest(nearest: tuple[int, ...], number: int) -> str:
    if len(nearest) == 1:
        return f"The nearest number that divides {number:,} is {nearest[0]:,}."
    return f"The nearest that divide {number:,} are {nearest[0]:,} and {nearest[1]:,}."


def count_shape(shape: HeadShape) -> ShapeCounts:
    """What these sizes cost; they must fit together."""
    return ShapeCounts(
        d_head=shape.d_head,
        parameters=count_parameters(shape),
        flops=count_flops(shape),
        cache=count_cache(shape),
        maps=count_maps(shape),
    )


def count_parameters(shape: HeadShape) -> Parameters:
    """The parameters of attention, counted head by head and as fused matrices."""
    d_model, d_head = shape.d_model, shape.d_head
    heads = {"W_Q": shape.n_heads, "W_K": shape.n_kv_heads, "W_V": shape.n_kv_heads}
    matrices = [
        _count_matrix(name, n, (d_model, d_head), (d_model, n * d_head), shape.bias * n * d_head)
        for name, n in heads.items()
    ]
    # The heads' results are added up, so that all of them share one bias of the output.
    out = (d_head, d_model), (shape.n_heads * d_head, d_model), shape.bias * d_model
    matrices.append(_count_matrix("W_O", shape.n_heads, *out))
    biases = sum(it.bias for it in matrices)
    fused = sum(it.fused for it in matrices) + biases
    return Parameters(
        matrices=tuple(matrices),
        biases=biases,
        separate=sum(it.separate for it in matrices) + biases,
        fused=fused,
        all_layers=shape.n_layers * fused,
    )


def _count_matrix(
    name: str, n: int, separate: tuple[int, int], fused: tuple[int, int], bias: int
) -> Matrix:
    return Matrix(
        name=name,
        n_separate=n,
        separate_shape=separate,
        fused_shape=fused,
        separate=n * separate[0] * separate[1],
        fused=fused[0] * fused[1],
        bias=bias,
    )


def count_flops(shape: HeadShape) -> Flops:
    """The operations of each step on one text."""
    n, d_model, d_head = shape.n_tokens, shape.d_model, shape.d_head
    width, kv_width = shape.n_heads * d_head, shape.n_kv_heads * d_head
    scores = shape.n_heads * n * n
    steps = (
        Step(
            "projections",
            "2 x n_tokens x d_model x (n_heads + 2 n_kv_heads) x d_head",
            2 * n * d_model * (width + 2 * kv_width),
        ),
        Step("scores", "2 x n_tokens² x n_heads x d_head", 2 * scores * d_head),
        Step("softmax", "6 x n_tokens² x n_heads", OPERATIONS_OF_SOFTMAX * scores),
        Step("weighted_sum", "2 x n_tokens² x n_heads x d_head", 2 * scores * d_head),
        Step("output", "2 x n_tokens x n_heads x d_head x d_model", 2 * n * width * d_model),
    )
    one_layer = sum(step.flops for step in steps)
    return Flops(steps, one_layer, shape.n_layers * one_layer, COUNTED)


def count_cache(shape: HeadShape) -> CacheBytes:
    """The bytes of one key and one value for each token, key/value head and layer."""
    one_head = 2 * shape.d_head * shape.bytes_per_number * shape.n_tokens
    one_layer = shape.n_kv_heads * one_head
    return CacheBytes(
        one_layer=one_layer,
        all_layers=shape.n_layers * one_layer,
        one_token=shape.n_layers * one_layer // shape.n_tokens,
        full_multi_head=shape.n_layers * shape.n_heads * one_head,
        times_smaller=shape.n_heads // shape.n_kv_heads,
    )


def count_maps(shape: HeadShape) -> MapNumbers:
    """A weight for each query and key, in each head of each layer."""
    one_head = shape.n_tokens**2
    one_layer = shape.n_heads * one_head
    return MapNumbers(one_head, one_layer, shape.n_layers * one_layer)
