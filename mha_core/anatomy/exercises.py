"""All exercises, in the order of the walk through attention."""

from mha_core.anatomy.choice_exercises import CHOICE_EXERCISES
from mha_core.anatomy.exercise import Exercise
from mha_core.anatomy.number_exercises import NUMBER_EXERCISES
from mha_core.errors import NoSuchExercise

EXERCISES: tuple[Exercise, ...] = tuple(
    sorted((*NUMBER_EXERCISES, *CHOICE_EXERCISES), key=lambda exercise: exercise.step)
)


def find_exercise(id: str) -> Exercise:
    """The exercise with that id; raises NoSuchExercise."""
    known = {exercise.id: exercise for exercise in EXERCISES}
    if id not in known:
        raise NoSuchExercise(
            f"There is no exercise {id!r}. There are: {', '.join(known)}.", available=list(known)
        )
    return known[id]
