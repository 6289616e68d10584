"""The leak walk: nothing a browser holds may name a card that its viewer may not know."""

import re
from collections.abc import Iterator
from typing import Any

from oddtrick_rules.cards import CARD_NAMES, Mask, cards_in
from oddtrick_rules.state import State
from oddtrick_rules.views import Viewer
from support.leaks import hidden_from
from web.people import Person

RANKS = dict(
    zip(
        "23456789TJQKA",
        "two three four five six seven eight nine ten knave queen king ace".split(),
        strict=True,
    )
)
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
WORDS = {f"{RANKS[name[1]]} of {SUITS[name[0]]}": name for name in CARD_NAMES}
SPOKEN = re.compile("|".join(WORDS))

# Everything in the document that could hold a card: marks of ours, words, and whatever an attribute says.
DOCUMENT = """() => {
    const held = [];
    for (const element of document.querySelectorAll("*")) {
        for (const {name, value} of element.attributes) if (name !== "d" && name !== "transform") held.push(value);
        for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) held.push(child.data);
        if (element.value !== undefined) held.push(String(element.value));
    }
    return held;
}"""


def cards_in_text(text: str) -> set[str]:
    """The cards a text names, by their two letters or in words."""
    found = {WORDS[match] for match in SPOKEN.findall(text)}
    return found | {word for word in re.findall(r"\b[SHDC][2-9TJQKA]\b", text) if word in CARD_NAMES}


def texts_of(value: Any) -> Iterator[str]:
    """Every text in a message, however deep; a token is not words."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in {"token", "identity", "invite", "id", "table", "hand_id", "commitment", "previous"}:
                yield from texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item)


def spoken_tree(person: Person) -> Iterator[str]:
    """Every name, value and description in the accessibility tree."""
    session = person.context.new_cdp_session(person.page)
    tree = session.send("Accessibility.getFullAXTree")
    session.detach()
    for node in tree["nodes"]:
        for key in ("name", "value", "description"):
            yield str(node.get(key, {}).get("value", ""))


def leaks(person: Person, state: State, viewer: Viewer, *, frames_from: int) -> set[str]:
    """The cards that this person's browser holds and may not know, as the table stands now."""
    hidden: Mask = hidden_from(state, viewer)
    secret = {CARD_NAMES[card] for card in cards_in(hidden)}
    held: set[str] = set()
    for text in [*person.page.evaluate(DOCUMENT), *spoken_tree(person)]:
        held |= cards_in_text(text)
    for message in person.told()[frames_from:]:
        held |= {card for text in texts_of(message) for card in cards_in_text(text)}
    return held & secret
