"""Texts that several browser tests analyse, and the places of their tokens."""

SENTENCE = "The animal didn't cross the street because it was too tired."
ANIMAL, STREET, IT, WAS, TIRED = 2, 8, 10, 11, 13
"""Token indices of the sentence in MiniLM."""

WIDE_SENTENCE = SENTENCE.replace("tired", "wide")
SENTENCE_PAIR = ("The cat sat on the mat.", "A kitten was resting on a rug.")
STORY = "Once upon a time there was a small robot who"
FEW_LONG_WORDS = "Antidisestablishmentarianism and the small words around it " * 5
LONG_WORDS = "Antidisestablishmentarianism and the small words around it " * 20
HEBREW = "החיה לא חצתה את הרחוב כי היא הייתה עייפה מדי."
ARABIC = "لم يعبر الحيوان الشارع لأنه كان متعبا جدا."
CHINESE = "这只动物没有过马路,因为它太累了。東京特許許可局長今日急遽休暇許可拒否。"
LONG_TEXT = f"{SENTENCE} The street was busy that day, and nobody stopped to help it. " * 14
"""About 400 tokens: its overviews are pooled, and every model takes it."""
THIRTY_TOKENS = (
    "The old keeper of the lighthouse said that the ships which passed in the night had never "
    "once answered the signal that he sent to them from the tower."
)
"""Thirty tokens in MiniLM, and two special ones."""
