#include "emulator/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/suggest.hpp"
#include "emulator/commands/command_help.hpp"
#include "emulator/commands/command_words.hpp"
#include "emulator/commands/commands.hpp"
#include "emulator/commands/launcher.hpp"
#include "emulator/commands/python_package.hpp"
#include "version/version.hpp"

namespace somnus {
namespace {

constexpr const char* introduction =
    "Somnus emulates a cluster by sleeping: a scheduler on rank 0, thousands of nodes on the "
    "other\n"
    "ranks, tasks that really sleep. The same scheduler and nodes also run under a virtual clock.";

constexpr const char* closing_text =
    "A first try:\n"
    "  somnus workload make google --set jobs=500 -o google.jsonl\n"
    "  somnus simulate configs/laptop.toml --policy fifo,fair,srpt,cfq\n"
    "  somnus run configs/laptop.toml --log out.h5 && somnus check out.h5 && somnus replay out.h5\n"
    "Exit codes: 0 fine, 1 a check or replay found a difference, 2 your mistake, 3 the world\n"
    "failed (rank lost, disk full, killed), 4 our mistake.";

void add_settings(CLI::App& app, CommonOptions& options) {
  add_set(app, options, "run.speed=10");
  app.add_option("--log", options.log, "write the log there")->type_name("FILE");
  add_force(app, options.force, "replace a log that is there already");
  app.add_option("--seed", options.seed, "of all random streams (run.seed)");
  add_output(app, options);
}

// Each command: its words, and what to do when it is the one.
class CommandLine {
 public:
  CommandLine(int argc, char** argv) : argc_(argc), argv_(argv) {
    app_.set_version_flag("--version",
                          std::string("somnus ") + somnus_version + " (" + somnus_commit + ")");
    app_.require_subcommand(1);
    add_run();
    add_simulate();
    add_experiment();
    logs_.add_to(app_, chosen_);
    add_workload();
    add_figures();
    add_profile();
    add_policies();
    add_config();
    add_calibrate();
    add_queue_length();
    add_help();
    app_.footer(closing_text);  // last, or else all commands would have it
  }

  int operator()() {
    require_known_command();
    if (a_command_is_missing()) {  // CLI11 would only say so
      std::fputs(help_of(app_, {argv_ + 1, argv_ + argc_}).c_str(), stderr);
      return exit_mistake;
    }
    try {
      app_.parse(argc_, argv_);
    } catch (const CLI::ParseError& error) {
      if (!first_rank()) {
        let_first_rank_speak();
        return exit_mistake;
      }
      const int code = app_.exit(error);
      return code == 0 ? exit_fine : exit_mistake;
    }
    return chosen_();
  }

 private:
  CLI::App& command(CLI::App& under, const char* name, const char* help,
                    std::function<int()> does) {
    return add_command(under, name, help, chosen_, std::move(does));
  }

  [[nodiscard]] bool a_command_is_missing() const {
    if (argc_ != 2) return argc_ < 2;
    return std::ranges::any_of(app_.get_subcommands({}), [this](const CLI::App* command) {
      return command->get_require_subcommand_min() > 0 && command->get_name() == argv_[1];
    });
  }

  // CLI11 would only say that a command is missing.
  void require_known_command() const {
    if (argc_ < 2 || argv_[1][0] == '-') return;
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    if (std::ranges::find(names, argv_[1]) != names.end()) return;
    throw UserError(
        mistake({.key = argv_[1], .what = "no such command", .hint = suggest(argv_[1], names)})
            .value());
  }

  void add_run() {
    CLI::App& app =
        command(app_, "run", "emulate in real time (under mpirun or srun, or on its own)",
                [this] { return run(run_, argc_, argv_); });
    app.add_option("config", run_.config, "TOML config")->type_name("CONFIG");
    app.add_option(
           "--resume", run_.resume,
           "instead of a config: go on with a run that was cut off, where its clock stopped")
        ->type_name("LOG");
    app.add_option("--speed", run_.common.speed, "emulated seconds per real second (run.speed)");
    app.add_option("--ranks", run_.ranks,
                   "when started alone: MPI ranks to start here; 1: no MPI, nodes in a thread")
        ->check(CLI::Range(0, 4096));
    add_settings(app, run_.common);
    app.footer(
        "--resume LOG goes on with its config, on any number of ranks: jobs that have finished\n"
        "stay, tasks that ran start again as new attempts on nodes that are empty, and jobs go on\n"
        "to arrive. The log goes on, too; with --log FILE in another file, and LOG stays as it "
        "is.");
  }

  void add_simulate() {
    CLI::App& app = command(app_, "simulate", "the same under the virtual clock, many at once",
                            [this] { return simulate(simulate_); });
    app.add_option("config", simulate_.configs, "TOML configs")->required()->type_name("CONFIG");
    app.add_option("--policy", simulate_.policies,
                   "to compare, instead of the config's: presets or orders, each with what is "
                   "exchanged, e.g. fair,fair+order=srpt,yaq-c+queue.length=8")
        ->type_name("A,B,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("--seeds", simulate_.seeds, "seeds to run, instead of the config's")
        ->type_name("1,2,...")
        ->delimiter(',')
        ->allow_extra_args(false);
    app.add_option("-j,--jobs", simulate_.jobs, "at once; 0: one a core")
        ->check(CLI::Range(0, 4096));
    add_settings(app, simulate_.common);
    app.footer(
        "With several runs, --log names one log each: {config}, {policy} and {seed} in it\n"
        "are replaced, or else '-policy-seed' is put before its ending.");
  }

  void add_experiment() {
    CLI::App& app = command(app_, "experiment",
                            "many simulations from one file: every combination of policies, loads "
                            "and other keys, with confidence intervals",
                            [this] { return experiment(experiment_, argc_, argv_); });
    app.add_option("file", experiment_.file,
                   "TOML: [experiment], [axes], [[zip]], [set], [baseline]")
        ->required()
        ->type_name("FILE");
    app.add_option("-o,--output", experiment_.output, "folder for the results")
        ->type_name("FOLDER");
    app.add_option("-j,--jobs", experiment_.jobs, "at once; 0: one a core")
        ->check(CLI::Range(0, 4096));
    app.add_option("--share", experiment_.share, "only this share of the runs")->type_name("K/N");
    add_set(app, experiment_.common, "workload.jobs=500 (in all runs)");
    add_force(app, experiment_.common.force, "replace what is there of others");
    add_output(app, experiment_.common);
    app.footer(
        "  [experiment]\n"
        "  config = \"google.toml\"\n"
        "  seeds = 10\n"
        "  [axes]                              # crossed\n"
        "  policy = [\"fair\", \"cfq\"]\n"
        "  workload.load = [0.5, 0.7, 0.9]\n"
        "  [baseline]\n"
        "  policy = \"fair\"\nStopped and started again it goes on (docs/experiments.md).");
  }

  void add_workload() {
    CLI::App* group = app_.add_subcommand("workload", "make, import, export and show workloads");
    group->require_subcommand(1);
    CLI::App& make = command(*group, "make", "generate one; without a name: list the generators",
                             [this] { return workload_make(workload_); });
    make.add_option("generator", workload_.what, "e.g. google")->type_name("GENERATOR");
    add_set(make, workload_.common, "jobs=500");
    make.add_option("--seed", workload_.common.seed, "of its random streams");
    CLI::App& import =
        command(*group, "import", "turn another format into ours; without a name: list the formats",
                [this] { return workload_import(workload_); });
    import.add_option("format", workload_.what, "e.g. tr, google-uwfq")->type_name("FORMAT");
    import.add_option("file", workload_.file, "the trace")->type_name("FILE");
    add_set(import, workload_.common, "filter=10");
    CLI::App& out =
        command(*group, "export", "turn a workload into another format; without a name: list them",
                [this] { return workload_export(workload_); });
    out.add_option("format", workload_.what, "e.g. csv")->type_name("FORMAT");
    out.add_option("file", workload_.file, "a workload in any format")->type_name("WORKLOAD");
    for (CLI::App* const each : {&make, &import, &out}) {
      each->add_option("-o,--output", workload_.output, "where to; .gz is compressed")
          ->type_name("FILE");
      add_force(*each, workload_.common.force);
      each->add_flag("-q,--quiet", workload_.common.quiet, "no progress, no figures");
    }
    CLI::App& show = command(*group, "show", "counts, load, quantiles and pictures of a workload",
                             [this] { return workload_show(workload_); });
    show.add_option("file", workload_.file,
                    "in any format that can be imported; or a config (.toml): what it makes, and "
                    "the load of its cluster")
        ->required()
        ->type_name("WORKLOAD|CONFIG");
    add_set(show, workload_.common, "workload.load=0.8 (of a config)");
    show.add_option("--seed", workload_.common.seed, "of a generated workload (run.seed)");
  }

  // Their options are Python's, and so is their --help.
  void add_figures() {
    constexpr std::pair<const char*, const char*> verbs[] = {
        {"plot", "draw every figure that suits the logs: LOG... -o FOLDER"},
        {"figure", "draw one figure as it is printed: NAME LOG... -o FILE"},
        {"reproduce", "redo a paper's tables and figures: carbyne, cfq, paf, uwfq, yaq"}};
    for (const auto& [verb, help] : verbs) {
      CLI::App& app = command(app_, verb, help,
                              [this]() -> int { hand_over_to_python({argv_ + 1, argv_ + argc_}); });
      app.set_help_flag();
      app.prefix_command();
    }
  }

  void add_profile() {
    CLI::App& app = command(app_, "profile",
                            "how fast each job goes on how many slots: writes the workload with "
                            "its performance-allocation curves",
                            [this] { return profile(profile_); });
    app.add_option("source", profile_.source, "a TOML config, or a workload file")
        ->required()
        ->type_name("CONFIG|WORKLOAD");
    app.add_option("-o,--output", profile_.output, "where to; .gz is compressed")
        ->type_name("FILE");
    add_force(app, profile_.common.force);
    add_set(app, profile_.common, "jvm.model=reuse");
    app.add_option("--seed", profile_.common.seed, "of a generated workload (run.seed)");
    add_output(app, profile_.common);
    app.footer(
        "Each job is simulated alone on 1, 2, 4, ... slots, up to as many as its widest stage has\n"
        "tasks, with the JVMs of [jvm]; through its times goes a curve of Ernest's form,\n"
        "t(x) = a0 + a1 x + a2 / x + a3 ln x, by non-negative least squares. PAF exchanges slots\n"
        "by these curves. --json has the times and the curve of each job, which the analysis "
        "draws.\n"
        "  somnus profile configs/laptop.toml -o with-curves.jsonl --json > profile.json\n"
        "  PYTHONPATH=analysis /usr/bin/python3 -m somnus_analysis curves profile.json -o .");
  }

  void add_policies() {
    CLI::App& app =
        command(app_, "policies", "presets and parts, with parameters, units, defaults and source",
                [this] { return policies(policies_); });
    app.add_option("name", policies_.name, "just this one");
    app.add_flag("--json", policies_.json, "as JSON");
  }

  void add_config() {
    CLI::App& app = command(app_, "config",
                            "every key of a config with unit, default and meaning, or a config to "
                            "begin with",
                            [this] { return config(config_); });
    app.add_option("name", config_.name, "just this table or key, e.g. heartbeat, run.speed");
    app.add_option("--template", config_.template_for,
                   "a commented config for this scheduler, named as for simulate --policy")
        ->type_name("POLICY")
        ->excludes("name");
    app.add_flag("--json", config_.json, "as JSON");
    app.footer(
        "  somnus config --template cfq > cfq.toml\n"
        "  somnus config heartbeat");
  }

  void add_calibrate() {
    CLI::App& app = command(app_, "calibrate",
                            "measure how late this machine's ranks are, and find the highest speed "
                            "at which that moves no result",
                            [this] { return calibrate(calibrate_); });
    app.add_option("config", calibrate_.config, "the run to find a safe speed for")
        ->required()
        ->type_name("CONFIG");
    app.add_option("--ranks", calibrate_.ranks, "as of run")->check(CLI::Range(0, 4096));
    add_set(app, calibrate_.common, "cluster.nodes=100");
    add_output(app, calibrate_.common);
  }

  void add_queue_length() {
    CLI::App& app = command(app_, "queue-length", "how long a node's queue of tasks must be",
                            [this] { return queue_length(queue_length_); });
    app.add_option("--slots", queue_length_.slots, "tasks that a node runs at once")
        ->type_name("NUMBER");
    app.add_option("--heartbeat", queue_length_.heartbeat,
                   "between two refills of the queue (default 3)")
        ->type_name("SECONDS");
    app.add_option("--task-duration", queue_length_.task_duration, "of a task, on average")
        ->type_name("SECONDS");
    app.add_option("--utilization", queue_length_.utilization,
                   "to be reached, above 0 and below 1 (default 0.95)")
        ->type_name("SHARE");
    app.add_flag("--json", queue_length_.json, "as JSON");
    app.footer(
        "A node gets new tasks at heartbeats only. In between it lives on its queue: one too\n"
        "short leaves slots idle, one too long makes tasks wait at a node while others idle.\n"
        "For [queue] bound = \"length\" and a saturated cluster this gives the length,\n"
        "for tasks of one duration and for exponential ones by three rules, and what the node's\n"
        "utilisation is with any other (Yaq, section 3.1.1 and appendix A).\n"
        "  somnus queue-length --slots 10 --heartbeat 3 --task-duration 10 --utilization 0.95");
  }

  // The shapes that other programs want it in are not for people to look for.
  void add_help() {
    CLI::App& app = command(app_, "help", "how a command is used, e.g. help workload make",
                            [this] { return say(help_.page(app_)); });
    app.add_option("command", help_.words, "whose page")->type_name("COMMAND");
    app.add_flag("--man", help_.for_man, "everything, for man(1)");
    app.add_flag("--markdown", help_.as_markdown, "everything, as docs/reference.md has it");
    CLI::App& shells =
        command(app_, "completion", "a script for your shell, so that Tab completes commands",
                [this] { return say(completion(app_, help_.shell)); });
    shells.add_option("shell", help_.shell, "bash or zsh")->required()->type_name("SHELL");
    shells.footer("  source <(somnus completion bash)");
  }

  static int say(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return exit_fine;
  }

  struct Help {
    std::vector<std::string> words;
    std::string shell;
    bool for_man = false;
    bool as_markdown = false;

    [[nodiscard]] std::string page(const CLI::App& app) const {
      return for_man ? manual(app) : as_markdown ? reference(app) : help_of(app, words);
    }
  };

  int argc_;
  char** argv_;
  CLI::App app_{introduction, "somnus"};
  std::function<int()> chosen_;
  RunOptions run_;
  SimulateOptions simulate_;
  ExperimentOptions experiment_;
  LogCommands logs_;
  WorkloadOptions workload_;
  ProfileOptions profile_;
  PoliciesOptions policies_;
  ConfigOptions config_;
  Help help_;
  CalibrateOptions calibrate_;
  QueueLengthOptions queue_length_;
};

}  // namespace

int command_line(int argc, char** argv) { return CommandLine(argc, argv)(); }

}  // namespace somnus
