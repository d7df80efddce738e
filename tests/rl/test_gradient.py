"""The trained policy: its claim on unseen deals, its gradient, and the same features in training and play."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from nimmt_lab import Advanced, Baron, Classic
from nimmt_lab.bots import bot, play
from nimmt_lab.engine.errors import DataError, Unsupported
from nimmt_lab.engine.view import View
from nimmt_lab.rl import gradient
from nimmt_lab.rl.gradient import (
    Point,
    Policy,
    PolicyBot,
    curve_svg,
    evaluate,
    features,
    kept_policy,
    main,
    table,
    train,
)
from nimmt_lab.rl.observe import Observer
from nimmt_lab.study import place, tournament
from tests.support import refused

pytestmark = pytest.mark.native
PAGE = (Path(__file__).resolve().parents[2] / "docs" / "train.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", [1234, 99])
def test_the_packaged_policy_beats_edges_first_on_deals_it_never_saw(seed: int) -> None:
    """Training used seed 1 and its curve seed 2; test_vector_env.py shows how far apart their streams are."""
    lead, margin = evaluate(kept_policy(), seed=seed, games=4000)
    assert lead > margin > 0


@pytest.mark.slow
def test_training_again_makes_such_a_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--out", str(tmp_path / "policy.json"), "--curve", str(tmp_path / "curve.svg")])
    said = re.search(r"by (-?[0-9.]+) ± ([0-9.]+) heads", capsys.readouterr().out)
    assert said is not None and float(said[1]) > float(said[2])
    assert (tmp_path / "curve.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.exhaustive
def test_a_little_training_helps() -> None:
    policy, curve = train(iterations=6, games=256, every=6)
    before, after = curve
    assert before.rounds == 0 and after.rounds > 1000
    assert after.lead - after.margin > before.lead + before.margin
    again, _ = train(iterations=6, games=256, every=6)
    assert all((one == other).all() for one, other in zip(policy.weights, again.weights, strict=True))


def test_what_the_page_says() -> None:
    defaults = {name: one.default for name, one in inspect.signature(train).parameters.items()}
    assert f"After {defaults['iterations']} iterations" in PAGE and (defaults["seed"], defaults["test_seed"]) == (1, 2)
    assert f"{inspect.signature(evaluate).parameters['games'].default:,} deals that training never saw" in PAGE
    assert sum(part.size for part in kept_policy().weights) < 800 and "800 weights" in PAGE
    packaged = Path(gradient.__file__).parent / "data" / "gradient.json"
    assert packaged.stat().st_size < 50_000


def test_the_gradient_is_that_of_the_scores() -> None:
    dice, policy = np.random.default_rng(3), Policy.random(3)
    numbers = dice.normal(size=(2, gradient.OPTIONS, gradient.FEATURES)).astype(np.float32)
    by_score = dice.normal(size=(2, gradient.OPTIONS)).astype(np.float32)

    def total() -> float:
        hidden, bias, output = (part.astype(np.float64) for part in policy.weights)
        return float((by_score * (np.tanh(numbers @ hidden + bias) @ output)).sum())

    legal = np.ones((2, gradient.OPTIONS), bool)
    _, layer = policy.probabilities(numbers, legal)
    for part, derivative in zip(policy.weights, policy.gradient(numbers, layer, by_score), strict=True):
        assert part.shape == derivative.shape
        for at in list(np.ndindex(part.shape))[::97]:
            kept = part[at]
            part[at] = kept + np.float32(0.01)
            above = total()
            part[at] = kept - np.float32(0.01)
            below = total()
            part[at] = kept
            assert abs((above - below) / 0.02 - derivative[at]) < 0.01


def test_a_view_and_the_core_give_the_same_choices() -> None:
    env, player = table(30), PolicyBot()
    env.reset(seed=5)
    layout = env.observation_layout(compact=True)
    numbers, options = features(np.asarray(env.observe(0, compact=True), np.int8), layout)
    legal = env.masks(0)[np.arange(30)[:, None], options] > 0
    best = kept_policy().probabilities(numbers, legal & (options > 0))[0].argmax(axis=1)
    for at, seed in enumerate(env.games["seed"].tolist()):
        state = Classic(players=4, rounds=1).deal(seed)
        assert player.choose(state.view(0), state.rng) == options[at, best[at]]


def test_features_of_a_small_table() -> None:
    state = Classic(players=2).from_position("12 14 | 37 | 43 44 45 46 47 | 58 ; A: 5 48 60 ; B: 1 2 3")
    numbers, options = features(*_seen(state.view(0)))
    assert options[0].tolist() == [5, 48, 60, *[0] * 7, 105, 106, 107, 108]
    low, full, usual = numbers[0, :3]
    assert low[0] == 1 and full[0] == usual[0] == 0
    assert np.isclose(low[10], 0.1) and low[9] == 0  # the cheapest row has one head
    assert full[8] == 1 and np.isclose(full[11], (1 + 5 + 2 + 1 + 1) / 10)  # the row is full
    assert usual[4] == 1 and np.isclose(usual[2], 0.1)  # one card away, with one unseen card in between
    assert not numbers[0, 3:10].any()


def _seen(view: View) -> tuple[NDArray[np.int8], dict[str, slice]]:
    observer = Observer(view.game)
    return np.array(observer.see_compact(view), np.int8)[None], observer.compact_layout


def test_the_bot_plays_the_classic_game_and_refuses_others() -> None:
    results = tournament(
        Classic(players=3, rounds=1), [PolicyBot(), "edges-first", "random"], deals=3, seed=1, progress=False
    )
    assert len(results.standings) == 3
    (step,) = place(Classic(players=2, rounds=1), PolicyBot(), deals=30, levels=[1], progress=False)
    assert (step.level, step.below, step.is_above) == (0, 1, True)
    for other in (Advanced(players=2), Baron(players=2), Classic(players=2, rows=3)):
        with refused(Unsupported, "rl.bot_plays_classic"):
            play(other, [PolicyBot(), bot("random")], seed=1)


def test_policies_have_names_of_their_own() -> None:
    """A tournament adds up results by name, so other weights need another name, which survives saving."""
    other, third = Policy.random(1), Policy.random(2)
    bots = [PolicyBot(), PolicyBot(other), PolicyBot(third), PolicyBot(third, label="mine"), PolicyBot(kept_policy())]
    assert [repr(player) for player in bots] == [
        "gradient", f"gradient-{other.fingerprint}", f"gradient-{third.fingerprint}", "mine", "gradient"
    ]  # fmt: skip
    results = tournament(Classic(players=3, rounds=1), bots[:3], deals=2, seed=1, progress=False)
    assert len(results.standings) == 3 and all(standing.games == 6 for standing in results.standings)


@pytest.mark.exhaustive
def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, curve = tmp_path / "policy.json", tmp_path / "curve.svg"
    main(["--out", str(path), "--curve", str(curve), "--iterations", "1", "--games", "20", "--deals", "200"])
    told = capsys.readouterr().out
    assert re.search(r"\d\.\d\d ± \d+\.\d\d .* 200 ", told) and str(path) in told
    policy = Policy.load(path)
    policy.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == path.read_text()
    assert Policy.load(tmp_path / "again.json").fingerprint == policy.fingerprint != kept_policy().fingerprint
    kept_policy().save(tmp_path / "kept.json")
    assert repr(PolicyBot(Policy.load(tmp_path / "kept.json"))) == "gradient"
    assert ElementTree.fromstring(curve.read_text(encoding="utf-8")).tag.endswith("svg")
    for text in ("{}", "[[1], [2], [3]]", "nothing", '["a", "b", "c"]'):
        path.write_text(text, encoding="utf-8")
        with refused(DataError, "shared.not_json" if text == "nothing" else "rl.no_policy"):
            Policy.load(path)


def test_the_curve_has_its_points_and_the_zero_line() -> None:
    picture = curve_svg([Point(0, -8.0, 0.4), Point(500, 0.5, 0.3), Point(1000, 2.0, 0.3)])
    line = re.search(r'<polyline points="([^"]+)"', picture)
    assert line is not None
    heights = [float(pair.split(",")[1]) for pair in line[1].split()]
    assert heights == sorted(heights, reverse=True) and 'stroke="#333"' in picture and "1,000 rounds" in picture
