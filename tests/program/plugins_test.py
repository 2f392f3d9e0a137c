"""Plug-ins: parts of others, built with the installed headers, are parts as any; what is wrong with one is said."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from installed import built, done, installed_into
from logs import differences, emulated, expect_clean, mixed_jobs, rows, rows_of, write_config, write_workload
from somnus_program import FINE, MISTAKE, WORLD, each, expect, expect_equal, somnus, start

import h5py

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    return installed_into(tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="module")
def my_parts(prefix, tmp_path_factory):
    source = tmp_path_factory.mktemp("my_parts") / "plugin"
    shutil.copytree(prefix / "share/somnus/examples/plugin", source)
    return built(prefix, source, "my_parts.so")


def one_file(prefix: Path, folder: Path, text: str) -> Path:
    source = folder / "source"
    source.mkdir()
    (source / "part.cpp").write_text(text)
    cmake = (ROOT / "examples/plugin/CMakeLists.txt").read_text()
    (source / "CMakeLists.txt").write_text(re.sub(r"MODULE [^)]*", "MODULE part.cpp", cmake))
    return built(prefix, source, "my_parts.so")


def write_world(folder: Path, load: str = "", scheduler: str = "") -> None:
    write_workload(folder, mixed_jobs(40))
    write_config(folder, scheduler=scheduler, more=f"[plugins]\nload = {json.dumps([str(load)])}\n" if load else "")


def test_its_parts_are_parts_as_any(folder, my_parts):
    said = somnus(folder, "policies", "longest", "--plugin", my_parts)
    said.expect(FINE, "most estimated work left first", "my parts 0.1", "my_parts.so")
    [part] = json.loads(somnus(folder, "policies", "longest", "--json", "--plugin", my_parts).out)["parts"]
    expect(part["plugin"].startswith("my parts 0.1 "), part)
    somnus(folder, "policies", "longest").expect(MISTAKE, "no preset and no part has this name")
    write_world(folder)
    policies = "fair,fair+order=longest,fair+placement=power-of-d"
    somnus(folder, "simulate", "config.toml", "--policy", policies, "--plugin", my_parts).expect(
        FINE, "\nfair (2): order=longest\n", "\nfair (3): placement=power-of-d\n")
    somnus(folder, "simulate", "config.toml", "--policy", "fair+order=longst", "--plugin", my_parts).expect(
        MISTAKE, "did you mean 'longest'?")
    somnus(folder, "simulate", "config.toml", "--policy", policies).expect(MISTAKE, "longest")


def test_a_log_says_what_its_scheduler_was_made_of(folder, my_parts, prefix):
    here = folder / "here.so"
    shutil.copy(my_parts, here)
    write_world(folder, "here.so", 'order = "longest"\nplacement = "power-of-d"\n')
    somnus(folder, "simulate", "config.toml", "--log", "a.h5").expect(FINE)
    expect_clean(folder, folder / "a.h5")
    emulated(folder, mixed_jobs(40), "config.toml")
    here.rename(folder / "there.so")
    somnus(folder, "replay", "a.h5").expect(MISTAKE, "here.so", "cannot be read", "--plugin")
    somnus(folder, "check", "a.h5").expect(FINE, "noted", "its config can be read", "here.so")
    somnus(folder, "check", "a.h5", "--plugin", "there.so").expect(FINE)
    somnus(folder, "replay", "a.h5", "--plugin", "there.so").expect(FINE)
    # Another version of it.
    text = (prefix / "share/somnus/examples/plugin/longest.cpp").read_text().replace('"0.1"', '"0.2"')
    newer = one_file(prefix, folder, text)
    shutil.copy(newer, here)
    somnus(folder, "replay", "a.h5").expect(MISTAKE, "my parts 0.2", "my parts 0.1")


def test_every_rank_and_every_run_of_an_experiment_has_it(folder, my_parts):
    write_world(folder)
    (folder / "e.toml").write_text('axes = {policy = ["fair", "fair+order=longest"]}\n'
                                   'experiment = {config = "config.toml", seeds = 3}\n')
    environment = {"SOMNUS_PLUGINS": str(my_parts)}
    with start(folder, "experiment", "e.toml", "-o", "out", environment=environment) as run:
        run.wait().expect(FINE)
    expect((folder / "out").exists(), "results")


def test_a_built_in_order_decides_alike_in_a_plugin(folder, prefix):
    text = "".join((ROOT / "src/policies" / file).read_text() for file in ("las.hpp", "las.cpp"))
    text = re.sub(r'#include "(policies/las|scheduler/rows).hpp"|#pragma once', "", text)
    text = re.sub(r"\bLas\b", "OurLas", text).replace('"las"', '"our-las"')
    plugin = one_file(prefix, folder, '#include "plugins/plugin.hpp"\nSOMNUS_PLUGIN("las", "1");\n' + text)
    expect_to_decide_as_las(folder, "our-las", plugin)


def test_the_example_decides_as_the_built_in_order(folder, my_parts):
    expect_to_decide_as_las(folder, "least-attained", my_parts)


def expect_to_decide_as_las(folder: Path, order: str, plugin: Path) -> None:
    write_workload(folder, [{**job, "gang": True} if "stages" not in job else job for job in mixed_jobs(60)])
    for name in ("las", order):
        write_config(folder, f"{name}.toml", scheduler=f'order = "{name}"\npreemption = "requeue"\n'
                     f"[scheduler.{name}]\nthreshold_s = 0.3\nqueues = 3\nfactor = 2.5\n")
        somnus(folder, "simulate", f"{name}.toml", "--log", f"{name}.h5", "--plugin", plugin).expect(FINE)
    found = differences(rows_of(folder / "las.h5"), rows_of(folder / f"{order}.h5"))
    expect(not found, "\n".join(found))
    expect(len(rows(folder / "las.h5", "tasks")) > 100, "there is something to compare")


# One slot. a: ten tasks of 1 s at 0 s; b: five at 0.5 s; a quantum of 2 s, two queues. a holds 2 s and goes
# on to the last queue, then b; there a is first again. A boost at 6 s and at 12 s lets them begin anew.
def test_feedback_queues_by_hand(folder, my_parts):
    write_workload(folder, [{"job": "a", "submit": 0, "stages": [{"stage": 0, "durations": [1.0] * 10}]},
                            {"job": "b", "submit": 0.5, "stages": [{"stage": 0, "durations": [1.0] * 5}]}])
    for boost_s, starts in ((1000, [2, 3, 12, 13, 14]), (6, [2, 3, 8, 9, 14])):
        write_config(folder, nodes=1, slots=1, scheduler='order = "feedback-queues"\n[scheduler.feedback-queues]\n'
                     f"queues = 2\nquantum_s = 2\nboost_s = {boost_s}\n")
        somnus(folder, "simulate", "config.toml", "--log", "a.h5", "--force", "--plugin", my_parts).expect(FINE)
        expect_equal(sorted(row["start"] for row in rows(folder / "a.h5", "tasks") if row["job"] == 1), starts, f"starts of b, boost {boost_s}")


def changed(my_parts: Path, to: Path, old: bytes, new: bytes) -> None:
    data = my_parts.read_bytes()
    expect(data.count(old) == 1 and len(old) == len(new), "what is changed is there once")
    to.write_bytes(data.replace(old, new))


@each({"is not there": (None, ["bad.so", "cannot be read"]),
       "is no shared object": (b"hello", ["bad.so", "is no plug-in of Somnus"]),
       "is cut off": (b"somnus plug-in\nabc", ["is no plug-in of Somnus"])})
def test_what_is_no_plugin_is_refused(folder, case):
    data, words = case
    if data is not None:
        (folder / "bad.so").write_bytes(data)
    write_world(folder, "bad.so")
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "config.toml:", "plugins.load[0]", *words)
    somnus(folder, "policies", "--plugin", "bad.so").expect(MISTAKE, *words)


def test_a_plugin_for_another_program_is_refused_before_its_code_runs(folder, my_parts):
    [abi] = re.findall(rb"somnus plug-in\n([^\n]+)\n", my_parts.read_bytes())
    changed(my_parts, folder / "old.so", b"somnus plug-in\n" + abi, b"somnus plug-in\n" + b"0" * len(abi))
    somnus(folder, "policies", "--plugin", "old.so").expect(
        MISTAKE, "old.so", "was built for another Somnus", "build it again")


def test_a_part_that_is_there_already_is_refused(folder, prefix):
    text = (ROOT / "examples/plugin/longest.cpp").read_text().replace('"longest"', '"fifo"')
    plugin = one_file(prefix, folder, text)
    somnus(folder, "policies", "--plugin", plugin).expect(MISTAKE, "my_parts.so", "there already", "fifo")
    write_world(folder, plugin)  # which is read more than once
    somnus(folder, "simulate", "config.toml").expect(MISTAKE, "plugins.load[0]", "there already")


def test_two_versions_of_a_part_are_not_one(folder, prefix):
    text = (ROOT / "examples/plugin/longest.cpp").read_text()
    for name, source in (("one", text), ("two", text.replace('"0.1"', '"0.2"').replace("return -", "return +"))):
        (folder / name).mkdir()
        write_world(folder / name, one_file(prefix, folder / name, source), 'order = "longest"\n')
    somnus(folder, "simulate", "one/config.toml", "two/config.toml").expect(MISTAKE, "two/", "there already")
    somnus(folder, "simulate", "two/config.toml").expect(FINE)


def test_a_type_that_the_program_has_too_is_refused(folder, prefix):
    text = "".join((ROOT / "src/policies" / file).read_text() for file in ("las.hpp", "las.cpp"))
    text = re.sub(r'#include "(policies/las|scheduler/rows).hpp"|#pragma once', "", text).replace('"las"', '"mine"')
    plugin = one_file(prefix, folder, '#include "plugins/plugin.hpp"\nSOMNUS_PLUGIN("las", "1");\n' + text)
    somnus(folder, "policies", "--plugin", plugin).expect(MISTAKE, "somnus::", "Las", "unnamed namespace")


def test_one_without_parts_is_refused(folder, prefix):
    plugin = one_file(prefix, folder, '#include "plugins/plugin.hpp"\nSOMNUS_PLUGIN("empty", "1");\n')
    somnus(folder, "policies", "--plugin", plugin).expect(MISTAKE, "has no part and no preset")


def test_a_log_names_those_alone_that_were_used(folder, my_parts):
    write_world(folder)
    somnus(folder, "simulate", "config.toml", "--log", "a.h5", "--plugin", my_parts).expect(FINE)
    with h5py.File(folder / "a.h5") as log:
        expect("my_parts" not in str(log.attrs["config"]), "it was not used")


WRONG = """
#include "plugins/plugin.hpp"
SOMNUS_PLUGIN("wrong", "7");
namespace {
struct Nowhere final : somnus::Placement {
  static constexpr somnus::PlacementTraits traits{};
  somnus::NodeId choose(somnus::StageId, const somnus::PlacementView&) override { return somnus::NodeId(0U); }
};
const somnus::Registered<somnus::Part> row =
    somnus::rows::placement<Nowhere>("nowhere", "always the first node, full or not", "a test");
}
"""


def test_what_its_part_does_wrong_is_told_as_its_mistake(folder, prefix):
    plugin = one_file(prefix, folder, WRONG)
    write_world(folder, plugin, 'placement = "nowhere"\n')
    ended = somnus(folder, "simulate", "config.toml", "--log", "a.h5")
    ended.expect(WORLD, "the plug-in wrong 7", "my_parts.so")
    expect("our mistake" not in ended.err and "report it" not in ended.err, ended.err)
    expect_equal(ended.err.count("plug-in"), 1, "sentences about it")


ORDER = """
#include <limits>
#include "plugins/plugin.hpp"
SOMNUS_PLUGIN("wrong", "7");
namespace {
struct Wrong {
  somnus::Level level = somnus::Level::job;
  static constexpr auto fields() { return somnus::in_order(); }
  using Key = KEY;
  static constexpr somnus::KeyMoves moves = somnus::KeyMoves::not_at_all;
  [[nodiscard]] static Key key(const somnus::Unit& unit) { BODY }
};
const somnus::Registered<somnus::Part> row = somnus::rows::order<Wrong>("wrong", "a wrong order", "a test");
}
"""
NAN = "std::numeric_limits<double>::quiet_NaN()"


WRONG_KEYS = {
    "no number": ("double", f"return unit.job().value() == 3 ? {NAN} : 1.0;",
                  ["the order 'wrong' gave job 3 a key that is no number at ", " s: nan"]),
    "no number among others": ("std::pair<int, double>", f"return {{0, unit.job().value() == 3 ? {NAN} : 1.0}};",
                               ["the order 'wrong' gave job 3 a key that is no number at ", " s: (0, nan)"]),
    "an exception": ("int", "if (unit.job().value() == 3) throw std::runtime_error(\"no such job\"); return 1;",
                     ["no such job"]),
    "an exit": ("int", "if (unit.job().value() == 3) std::exit(0); return 1;", ["has called exit()"]),
    "what is no exception": ("int", "if (unit.job().value() == 3) throw 42; return 1;", ["no std::exception"]),
}


@pytest.mark.parametrize("wrong", WRONG_KEYS.values(), ids=WRONG_KEYS)
def test_what_an_order_does_wrong_is_told_as_its_mistake(folder, prefix, wrong):
    key, body, words = wrong
    plugin = one_file(prefix, folder, ORDER.replace("KEY", key).replace("BODY", body))
    write_world(folder, plugin, 'order = "wrong"\n')
    for command in (["simulate", "config.toml"], ["run", "config.toml", "--ranks", 2, "--speed", 20]):
        ended = somnus(folder, *command)
        ended.expect(WORLD, "the plug-in wrong 7", "my_parts.so", *words)
        expect("our mistake" not in ended.err and "terminate" not in ended.err, ended.err)


def test_an_audit_of_keys_finds_those_that_move_unnoticed(folder, prefix):
    body = "return unit.work_left_of_job().in_ns();"  # which moves with each end
    plugin = one_file(prefix, folder, ORDER.replace("KEY", "double").replace("BODY", body))
    write_world(folder, plugin, 'order = "wrong"\n')
    somnus(folder, "simulate", "config.toml").expect(FINE)
    somnus(folder, "simulate", "config.toml", "--set", "run.audit_keys=true").expect(
        WORLD, "the plug-in wrong 7 (", "the order 'wrong' has job ", " at the key ", "key() gives ", "moves")


def test_a_whole_policy_decides_as_the_preset_that_it_describes(folder, my_parts):
    write_workload(folder, [{**job, "gang": True} if "stages" not in job else job for job in mixed_jobs(60)])
    write_config(folder, policy="first-fit")
    write_config(folder, "fifo.toml", policy="fifo")
    for name in ("config", "fifo"):
        somnus(folder, "simulate", f"{name}.toml", "--log", f"{name}.h5", "--plugin", my_parts).expect(FINE)
    somnus(folder, "check", "config.h5", "--plugin", my_parts).expect(FINE)
    somnus(folder, "replay", "config.h5", "--plugin", my_parts).expect(FINE)
    found = differences(rows_of(folder / "fifo.h5"), rows_of(folder / "config.h5"))
    expect(not found, "\n".join(found))


def test_a_whole_policy_in_cpp_is_begun_by_a_command(folder, prefix):
    somnus(folder, "new", "policy", "any-fit", "--language", "cpp").expect(FINE, "any-fit/README.md")
    built(prefix, folder / "any-fit", "any-fit.so")
    said = done("ctest", "--test-dir", folder / "any-fit/build", "--output-on-failure")
    expect("100% tests passed, 0 tests failed out of 3" in said, said)
    somnus(folder, "simulate", "any-fit/compare.toml", "--plugin", "any-fit/build/any-fit.so",
           "--policy", "fifo,fair,any-fit").expect(FINE, "any-fit")


def test_an_order_in_cpp_is_begun_by_a_command(folder, prefix):
    somnus(folder, "new", "order", "least-work").expect(FINE, "least-work/README.md")
    built(prefix, folder / "least-work", "least-work.so")
    said = done("ctest", "--test-dir", folder / "least-work/build", "--output-on-failure")
    expect("100% tests passed, 0 tests failed out of 3" in said, said)
    somnus(folder, "simulate", "least-work/compare.toml", "--plugin", "least-work/build/least-work.so",
           "--policy", "fair,fair+order=least-work").expect(FINE, "fair (2): order=least-work")
    somnus(folder, "new", "order", "least-work").expect(MISTAKE, "least-work", "is there already")


def test_an_order_in_python_is_begun_by_a_command(folder):
    somnus(folder, "new", "order", "mine", "--language", "python", "-o", "here").expect(FINE, "here")
    somnus(folder, "simulate", "here/compare.toml", "--policy", "fair,fair+order=external").expect(FINE, "fair (2): order=mine.py")
    somnus(folder, "simulate", "here/compare.toml", "--policy", "fair").expect(FINE)
    somnus(folder / "here", "protocol", "python3", "mine.py").expect(FINE, "12 jobs")
    expect_equal(sorted(each.name for each in (folder / "here").iterdir()),
                 ["README.md", "compare.toml", "mine.py"], "its files")


@each({"no name": ("Least Work", "small letters"), "a digit first": ("2nd", "the first a letter"),
       "one that there is": ("fifo", "already"), "a path": ("../a", "small letters")})
def test_a_name_that_an_order_cannot_have_is_refused(folder, name):
    given, words = name
    somnus(folder, "new", "order", given).expect(MISTAKE, words)
    somnus(folder, "new", "order", "fine", "--language", "java").expect(MISTAKE, "cpp or python", "java")
    expect_equal(list(folder.iterdir()), [], "files")
