"""Prompts say who is who, and order tells nothing."""

import pytest

from mha_core.atlas.name_prompts import NAMES, TEMPLATES, draw_prompts


def test_every_template_names_two_people_and_one_of_them_again_and_starts_with_a_word() -> None:
    assert len(set(TEMPLATES)) == 30
    for template in TEMPLATES:
        places = [template.index(name) for name in ("{first}", "{second}", "{subject}")]
        assert 0 < places[0] < places[1] < places[2]
        assert template.count("{") == 3
        assert template.endswith(" to")
    assert len(set(NAMES)) == 40
    assert all(name.isalpha() for name in NAMES)


def test_the_spans_are_those_of_the_names() -> None:
    for prompt in draw_prompts(120, 0):
        spans = (prompt.indirect_object, prompt.subject_first, prompt.subject_second)
        other, subject, again = (prompt.text[start:end] for start, end in spans)
        assert {other, subject} <= set(NAMES)
        assert other != subject == again
        assert prompt.subject_first < prompt.subject_second
        assert prompt.indirect_object < prompt.subject_second
        first, second = sorted(spans[:2])
        assert prompt.text[first[1] : second[0]] == " and "
        expected = TEMPLATES[prompt.template].format(
            first=prompt.text[slice(*first)], second=prompt.text[slice(*second)], subject=subject
        )
        assert prompt.text == expected


@pytest.mark.parametrize("size", [120, 75])
def test_templates_come_equally_often_and_in_both_orders(size: int) -> None:
    prompts = draw_prompts(size, 0)
    assert len(prompts) == size
    for template in range(len(TEMPLATES)):
        orders = [
            it.subject_first < it.indirect_object for it in prompts if it.template == template
        ]
        assert len(orders) in (size // 30, size // 30 + 1)
        assert abs(2 * sum(orders) - len(orders)) <= 1


def test_a_seed_gives_the_same_prompts_every_time() -> None:
    one, again, other = (draw_prompts(60, seed) for seed in (3, 3, 4))
    assert one == again
    assert one != other
    assert len({prompt.text for prompt in one}) == 60
