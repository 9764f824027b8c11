"""English words of closed lists: function words by class (a word may be in several), numbers."""

_CLASSES = {
    "determiner": """
a an the this that these those some any no every each either neither both all such another other
much many more most few fewer less least several enough half
""",
    "pronoun": """
i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it
its itself we us our ours ourselves they them their theirs themselves one oneself someone somebody
something anyone anybody anything everyone everybody everything none nobody nothing who whom whose
which what whoever whomever whatever whichever this that these those
""",
    "preposition": """
about above across after against along amid among amongst around as at before behind below beneath
beside besides between beyond by concerning despite down during except for from in inside into like
near of off on onto opposite out outside over past per regarding round since than through throughout
till to toward towards under underneath unlike until up upon versus via with within without
""",
    "conjunction": """
and or but nor so yet if because although though unless while whereas whether lest once when
whenever where wherever why how that to as than since until till after before
""",
    "auxiliary": """
am is are was were be been being do does did doing done have has had having can could may might must
shall should will would ought need dare 's 're 've 'll 'd 'm
""",
}

_OTHERS = """
not there here then also too very just only even
n't 't s t re ve ll d m ain aren couldn didn doesn don hadn hasn haven isn
mightn mustn needn shan shouldn wasn weren won wouldn can't cannot couldn't didn't doesn't don't
hadn't hasn't haven't isn't shouldn't wasn't weren't won't wouldn't aren't ain't i'm i've i'll i'd
you're you've you'll you'd he's he'll he'd she's she'll she'd it's it'll it'd we're we've we'll we'd
they're they've they'll they'd that's there's here's what's who's let's
"""
"""Particles, and contractions with the pieces tokenizers split them into ("didn", "'t")."""

_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
thousand million billion trillion dozen
"""

CLASSES = {name: frozenset(words.split()) for name, words in _CLASSES.items()}
NUMBERS = frozenset(_NUMBERS.split())
FUNCTION_WORDS = frozenset(_OTHERS.split()).union(*CLASSES.values())


def is_function_word(word: str) -> bool:
    """Whether a word is on the list, in any case and with either apostrophe."""
    return _plain(word) in FUNCTION_WORDS


def function_classes(word: str) -> frozenset[str]:
    """The classes a word is in; none for content words."""
    return frozenset(name for name, words in CLASSES.items() if _plain(word) in words)


def is_number(word: str) -> bool:
    """Whether a word has a digit, or is a number in letters."""
    return any(map(str.isdigit, word)) or _plain(word) in NUMBERS


def _plain(word: str) -> str:
    return word.lower().replace("\u2019", "'")
