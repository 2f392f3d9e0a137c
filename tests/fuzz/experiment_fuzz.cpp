// Any experiment and any journals in its folder: mistakes, or points, their digests, and the runs
// that are there. What stands behind a NUL is a journal, its own first, then other shares'.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "config/experiment_file.hpp"
#include "experiment/plan.hpp"
#include "experiment/results.hpp"
#include "fuzz/target.hpp"

namespace somnus::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_points = 50;  // each of which is planned in a millisecond
constexpr std::size_t most_batches = 50;

class ScratchFolder {
 public:
  ScratchFolder() {
    const fs::path memory = "/dev/shm";
    path_ = (fs::exists(memory) ? memory : fs::temp_directory_path()) /
            fmt::format("somnus-fuzz-experiment-{}", getpid());
    fs::remove_all(path_);
    fs::create_directories(path_ / "results");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> pieces_of(std::string_view bytes) {
  std::vector<std::string> pieces(1);
  for (const char one : bytes) {
    if (one == '\0') {
      pieces.emplace_back();
    } else {
      pieces.back() += one;
    }
  }
  return pieces;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr const char* config =
    "[cluster]\nnodes = 2\nslots_per_node = 2\n[scheduler]\npolicy = \"fair\"\n"
    "[workload]\ngenerator = \"fixed\"\njobs = 2\n";
constexpr const char* experiment =
    "[experiment]\nconfig = \"config.toml\"\nseeds = 2\n[axes]\npolicy = [\"fair\", \"cfq\"]\n"
    "cluster.nodes = [1, 2]\n[baseline]\npolicy = \"fair\"\n";

/// As `somnus experiment` goes on with it, and again after that.
void take_up(const ExperimentPlan& plan, const fs::path& folder) {
  const std::uint64_t seed = plan.seed(0);
  Results results(folder, plan, {}, false);
  results.look_at_others();
  const RunFigures ones(figure_infos().size(), 1.0);
  if (!results.has(0, seed)) {
    results.add(0, seed, {.figures = ones, .batches = BatchFigures(plan.file.keys.batches, ones)});
  }
  const Results again(folder, plan, {.number = 2, .of = 2}, false);
  for (std::size_t point = 0; point < plan.points.size(); ++point) {
    for (const std::uint64_t one : {seed, seed + 1}) {
      SOMNUS_CHECK(results.has(point, one) == again.has(point, one), "point {} is lost", point);
    }
  }
}

std::size_t points_of(const ExperimentFile& file) {
  std::size_t points = 1;
  for (const Axis& axis : file.axes) points = std::min(points, most_points) * axis.size();
  return points;
}

}  // namespace

void read(std::string_view bytes) {
  const std::vector<std::string> pieces = pieces_of(bytes);
  const ScratchFolder folder;
  std::ofstream(folder.path() / "config.toml") << config;
  ExperimentFile file = value_or_throw(
      parse_experiment(pieces.front(), (folder.path() / "experiment.toml").string()));
  if (points_of(file) > most_points || file.keys.batches > most_batches) return;
  file.keys.config = "config.toml";  // and no other file
  const ExperimentPlan plan = value_or_throw(plan_of(std::move(file), {}));
  for (std::size_t at = 1; at < pieces.size(); ++at) {
    const Share share{.number = static_cast<std::uint32_t>(at), .of = at == 1 ? 1U : 9U};
    // Nobody would guess a point's digest: a journal names it by a word.
    std::string text = pieces[at];
    for (std::size_t found = text.find("DIGEST"); found != std::string::npos;
         found = text.find("DIGEST", found)) {
      text.replace(found, 6, plan.points[found % plan.points.size()].digest);
    }
    std::ofstream(folder.path() / "results" / share.journal(), std::ios::binary) << text;
  }
  take_up(plan, folder.path() / "results");
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const auto& entry : fs::directory_iterator(fs::path(SOMNUS_CONFIGS) / "experiments")) {
    all.push_back({entry.path().filename().string(), content_of(entry.path())});
  }
  const std::string run =
      R"({"digest":"DIGEST","point":"fair 1","seed":1,"figures":{"response_mean_s":2.5}})";
  std::string journal = R"({"somnus_experiment":1})"
                        "\n" +
                        run + "\n" + run.substr(0, 40);
  const std::string with_batches =
      "[experiment]\nconfig = \"config.toml\"\nbatches = 2\n[axes]\npolicy = [\"fair\", \"cfq\"]\n";
  const std::string of_batches =
      R"({"digest":"DIGEST","point":"fair","seed":1,"figures":{"response_mean_s":2.5},)"
      R"("batches":[{"response_mean_s":2},{"response_mean_s":3}]})";
  all.push_back({"axes", experiment});
  all.push_back({"batches", with_batches + '\0' + of_batches + "\n" + run});
  all.push_back({"journal", std::string(experiment) + '\0' + journal});
  const std::string with_users =
      run.substr(0, run.size() - 1) + R"(,"users":{"ann":{"response_mean_s":2.5}}})";
  all.push_back({"users", std::string(experiment) + '\0' + journal + '\0' + with_users});
  all.push_back({"shares", std::string(experiment) + '\0' + journal + '\0' + run});
  return all;
}

}  // namespace somnus::fuzz
