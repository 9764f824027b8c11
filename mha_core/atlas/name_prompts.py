"""Prompts that end where the name of an indirect object must follow: who else was there?

    When Mary and John went to the shops, John gave the bag to

The subject is the name that stands twice. In half of the prompts it is the first of the two names,
in half the second. No prompt starts with a name: heads rest on the first token.
"""

import random
from dataclasses import dataclass
from string import Formatter

from mha_core.text.spans import Span

NAMES = (
    "Alice", "Amy", "Anna", "Claire", "Emily", "Emma", "Grace", "Hannah", "Jane", "Julia",
    "Kate", "Laura", "Linda", "Lucy", "Maria", "Mary", "Rachel", "Rose", "Sarah", "Susan",
    "Adam", "Ben", "Charles", "Daniel", "David", "Eric", "George", "Henry", "Jack", "James",
    "John", "Kevin", "Mark", "Martin", "Michael", "Paul", "Peter", "Robert", "Simon", "Tom",
)  # fmt: skip

TEMPLATES = (
    "When {first} and {second} went to the shops, {subject} gave the bag to",
    "After {first} and {second} had dinner at the hotel, {subject} handed the bill to",
    "While {first} and {second} were waiting at the station, {subject} passed a ticket to",
    "Yesterday {first} and {second} met at the library, and {subject} lent a novel to",
    "At the end of the lesson {first} and {second} stayed behind, and {subject} showed the map to",
    "Since {first} and {second} shared an office, {subject} often brought coffee to",
    "As soon as {first} and {second} reached the beach, {subject} threw the ball to",
    "Last summer {first} and {second} worked on a farm, where {subject} sold a horse to",
    "Then, {first} and {second} sat down by the fire, and {subject} read a story to",
    "Because {first} and {second} had argued all morning, {subject} wrote a long letter to",
    "In the kitchen {first} and {second} were baking bread, so {subject} offered a slice to",
    "Before {first} and {second} left the museum, {subject} pointed out a painting to",
    "Once {first} and {second} were alone in the garden, {subject} told a secret to",
    "During the meeting {first} and {second} sat side by side, and {subject} slid a note to",
    "Although {first} and {second} lived in different towns, {subject} sent flowers to",
    "On the train {first} and {second} shared a table, and {subject} gave the newspaper to",
    "When the rain began, {first} and {second} ran to the car, and {subject} tossed the keys to",
    "At the airport {first} and {second} said goodbye, and {subject} gave a small present to",
    "The day after {first} and {second} moved in, {subject} returned the ladder to",
    "If {first} and {second} meet at the bank tomorrow, {subject} will pay the money to",
    "For years {first} and {second} played in one band, until {subject} left the guitar to",
    "Late at night {first} and {second} were still awake, and {subject} sang a song to",
    "In the hospital {first} and {second} waited for news, and {subject} gave a blanket to",
    "At the party {first} and {second} stood by the window, and {subject} served some cake to",
    "Our teachers {first} and {second} organised the trip, and {subject} gave the tickets to",
    "Just as {first} and {second} finished the race, {subject} handed a bottle of water to",
    "Outside the theatre {first} and {second} stood in the cold, so {subject} gave a coat to",
    "With nobody else around, {first} and {second} began to talk, and {subject} apologised to",
    "After the storm {first} and {second} repaired the roof, and {subject} passed the hammer to",
    "My neighbours {first} and {second} grow vegetables, and {subject} often gives tomatoes to",
)


@dataclass(frozen=True)
class NamePrompt:
    """A prompt, and where its three names stand."""

    text: str
    template: int
    indirect_object: Span
    subject_first: Span
    subject_second: Span


def draw_prompts(size: int, seed: int) -> list[NamePrompt]:
    """Prompts of all templates in turn, each with two random names, both orders equally often."""
    draws = random.Random(seed)  # noqa: S311
    prompts = []
    for number in range(size):
        repeat, template = divmod(number, len(TEMPLATES))
        first, second = draws.sample(NAMES, 2)
        subject_leads = (repeat + template) % 2 == 0
        prompts.append(_fill(template, first, second, subject_leads=subject_leads))
    return prompts


def _fill(template: int, first: str, second: str, *, subject_leads: bool) -> NamePrompt:
    names = {"first": first, "second": second, "subject": first if subject_leads else second}
    text, spans = "", dict[str, Span]()
    for words, place, _, _ in Formatter().parse(TEMPLATES[template]):
        text += words
        if place is not None:
            spans[place] = (len(text), len(text) + len(names[place]))
            text += names[place]
    subject, other = ("first", "second") if subject_leads else ("second", "first")
    return NamePrompt(text, template, spans[other], spans[subject], spans["subject"])
