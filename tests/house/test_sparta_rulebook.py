"""The index of SPARTA!'s rulebook has every heading with all of its paragraphs, in the printed order.

The numbers below were counted in the text of the rulebook: a paragraph is a block of text, and a list belongs to the
paragraph before it. The title page and the table of contents are no part of it.
"""

from __future__ import annotations

import re
from itertools import groupby

from interpreter import load

# each heading and how many paragraphs stand under it
PRINTED = (
    ("Game Board", 1),
    ("Turn Track", 4),
    ("Army Strength Track", 1),
    ("Navy Strength Track", 1),
    ("Asset Boxes", 1),
    ("Battle Strength Track", 1),
    ("Regions and Regional Reward boxes", 2),
    ("Ally spaces", 1),
    ("Region Control Tiles", 2),
    ("Player Mats", 1),
    ("Cards", 0),
    ("Action Cards", 5),
    ("Setup Cards", 3),
    ("Battle Cards", 3),
    ("Leader Tiles", 3),
    ("Markers", 13),
    ("Card Ongoing Effects", 1),
    ("Dice", 1),
    ("Leaders, Hoplites and Triremes", 7),
    ("One force per space", 8),
    ("Spaces, Influence and Regions", 0),
    ("Map Spaces - Cities", 5),
    ("Map Spaces - Allies", 2),
    ("Influence", 5),
    ("Raids and Sieges - contested", 1),
    ("Regions", 5),
    ("Colonies", 2),
    ("Land Connections (roads)", 1),
    ("Harbours", 1),
    ("Game Sequence", 3),
    ("Turn Sequence", 1),
    ("Regional Assessment", 4),
    ("Hoplite Reset", 5),
    ("Shipbuilding", 3),
    ("Recruitment", 4),
    ("Rebuilding", 2),
    ("Deal Action Cards", 1),
    ("Action Rounds", 3),
    ("The Olympics", 8),
    ("Victory Phase", 2),
    ("Card play notes", 8),
    ("Envoys", 5),
    ("Capital City", 1),
    ("Military Actions", 1),
    ("Mobilise a Hoplite or Trireme", 5),
    ("Desperate Times", 2),
    ("Demobilisation", 3),
    ("Deploying a Hoplite or Trireme", 9),
    ("Raiding", 11),
    ("Siege", 8),
    ("Successful Siege", 2),
    ("Abandon a siege", 3),
    ("Diplomacy", 1),
    ("Battles", 2),
    ("Land Battles", 4),
    ("Battle Cards", 7),
    ("Leader Fate", 4),
    ("Battle Consequences", 7),
    ("Sea Battles", 4),
    ("Scenarios", 7),
    ("1st Peloponnesian War", 12),
    ("Athens Setup", 2),
    ("Sparta Setup", 3),
    ("1st Peloponnesian War special rules", 8),
    ("2nd Peloponnesian War", 11),
    ("Athens Setup", 1),
    ("Sparta Setup", 4),
    ("Theban / Spartan War", 12),
    ("Athens (Thebes) Setup", 2),
    ("Sparta Setup", 4),
    ("Theban / Spartan War special rules", 5),
    ("Cleomenean War", 16),
    ("Achaean League Setup", 1),
    ("Sparta Setup", 3),
    ("Cleomenean War special rules", 4),
    ("Campaign Games", 0),
    ("Peloponnesian Wars Campaign", 3),
    ("Grand Campaign", 3),
    ("Example of Play", 10),
    ("Turn One", 3),
    ("Round One", 9),
    ("Round Two", 14),
    ("Round Three", 4),
    ("Round Four", 2),
    ("Round Five", 2),
    ("Round Six", 2),
    ("Olympics", 2),
    ("Turn 2", 6),
    ("Solo Play", 1),
    ("Play Balance", 3),
    ("How to run the bot player", 1),
    ("Battle Strength", 2),
    ("The Olympic Spectacle (optional rule)", 7),
)
HEADINGS, PARAGRAPHS = 93, 373
RULING = re.compile(r"[RS]\d+")  # rulings; those of solo play apart


def test_every_heading_with_its_paragraphs() -> None:
    assert (len(PRINTED), sum(n for _, n in PRINTED)) == (HEADINGS, PARAGRAPHS)
    sections = [s for s in load("sparta").definition.sections if not RULING.fullmatch(s.id)]
    found = []
    for name, group in groupby(sections, key=lambda s: (re.sub(r" \d+$", "", s.id), s.title)):
        of_heading = list(group)
        if len(of_heading) == 1 and of_heading[0].id == name[0] and of_heading[0].not_modelled:
            found.append((name[1], 0))  # a heading without text
            continue
        assert [s.id for s in of_heading] == [f"{name[0]} {i}" for i in range(1, len(of_heading) + 1)]
        found.append((name[1], len(of_heading)))
    assert tuple(found) == PRINTED


def test_every_section_says_what_it_is() -> None:
    """Rulings are numbered in order; a section that rules nothing says why, any other has words of our own."""
    sections = load("sparta").definition.sections
    rulings = [s for s in sections if RULING.fullmatch(s.id)]
    for letter in "RS":
        of_letter = [s.id for s in rulings if s.id.startswith(letter)]
        assert of_letter == [f"{letter}{i}" for i in range(1, len(of_letter) + 1)]
    assert all(s.ruling for s in rulings)
    for section in sections:
        assert bool(section.not_modelled) != bool(section.text or section.ruling), section.id
        assert not (section.example and section.not_modelled), section.id
