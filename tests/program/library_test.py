"""The simulator as a library: a program of another tree, built with what is installed alone, simulates as `simulate`."""

import json
import shutil
import subprocess

import pytest
from installed import built, done, installed_into
from logs import mixed_jobs, write_config, write_workload
from somnus_program import FINE, expect, somnus

PROGRAM = """
#include <cstdio>
#include <exception>
#include <somnus/simulator.hpp>

int main(int, char** words) try {
  auto simulator = somnus::Simulator::of_config(words[1], {{"run.seed", words[2]}});
  simulator.advance_to(40);
  auto other = simulator.fork();
  other.finish();
  simulator.finish();
  if (simulator.figure("response_mean_s") != other.figure("response_mean_s")) return 9;
  std::printf("{");
  for (const somnus::Figure& each : simulator.figures())
    if (each.value == each.value) std::printf("\\"%s\\": %.17g, ", each.name.c_str(), each.value);
  std::printf("\\"end\\": 0}\\n");
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\\n", error.what());
  return 2;
}
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    return installed_into(tmp_path_factory.mktemp("prefix"))


def test_the_example_compares_orders_with_a_node_and_without(prefix, tmp_path):
    source = tmp_path / "library"
    shutil.copytree(prefix / "share/somnus/examples/library", source)
    said = done(built(prefix, source, "what_if"))
    lines = [line.split() for line in said.splitlines()]
    expect([line[0] for line in lines] == ["policy", "fifo", "fair", "srpt", "cfq"], said)
    means = {name: (float(mean), float(without)) for name, mean, _, without, _ in lines[1:]}
    expect(means["srpt"][0] < means["fifo"][0], "with exact estimates the shortest first is better in the mean")
    expect(all(mean < without for mean, without in means.values()), "a third of the slots is missed")


def test_a_program_of_another_tree_has_the_figures_of_simulate(prefix, folder):
    source = folder / "program"
    source.mkdir()
    (source / "what_if.cpp").write_text(PROGRAM)
    shutil.copy(prefix / "share/somnus/examples/library/CMakeLists.txt", source)
    program = built(prefix, source, "what_if")
    write_workload(folder, mixed_jobs(40))
    write_config(folder)
    said = somnus(folder, "simulate", "config.toml", "--policy", "fair,uwfq,yaq-c,sparrow", "--seeds", "3", "--json")
    said.expect(FINE)
    for one in json.loads(said.out):
        policy = one["scheduler"]
        write_config(folder, "one.toml", policy=policy)
        figures = json.loads(done(program, folder / "one.toml", 3))
        figures.pop("end")
        differ = {name: (value, one[name]) for name, value in figures.items() if one.get(name) != value}
        expect(len(figures) > 30 and not differ, f"{policy}: {differ}")
    wrong = subprocess.run([program, folder / "one.toml", "-3"], capture_output=True, text=True)
    expect(wrong.returncode == 2 and "run.seed" in wrong.stderr, wrong.stderr)
