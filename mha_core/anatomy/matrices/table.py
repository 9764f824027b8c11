"""All matrices by name, in the order of computation."""

from mha_core.anatomy.matrices.block import BLOCK
from mha_core.anatomy.matrices.embeddings import EMBEDDINGS
from mha_core.anatomy.matrices.many import MANY
from mha_core.anatomy.matrices.outputs import OUTPUTS
from mha_core.anatomy.matrices.positions import POSITIONS
from mha_core.anatomy.matrices.projections import PROJECTIONS
from mha_core.anatomy.matrices.scores import SCORES
from mha_core.anatomy.matrices.stack import STACK
from mha_core.anatomy.matrix import Matrix

_ALL = (*EMBEDDINGS, *PROJECTIONS, *POSITIONS, *SCORES, *MANY, *OUTPUTS, *BLOCK, *STACK)

MATRICES: dict[str, Matrix] = {matrix.name: matrix for matrix in _ALL}
