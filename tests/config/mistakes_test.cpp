// One golden text for each kind of mistake: location, key, what is wrong, what was expected, hint.
#include "config/check.hpp"

namespace somnus::test {
namespace {

struct Case {
  const char* name;
  std::string toml;
  const char* mistakes;
};

class ConfigMistake : public testing::TestWithParam<Case> {};

TEST_P(ConfigMistake, IsReportedWithItsLocationAndWhatWasExpected) {
  EXPECT_EQ(mistakes_in(GetParam().toml), GetParam().mistakes);
}

std::string cluster(std::string_view keys) {
  return "[scheduler]\npolicy = 'cfq'\n[workload]\nfile = 'f'\n[cluster]\n" + std::string(keys);
}

std::string scheduler(std::string_view keys) {
  return "[cluster]\nnodes = 4\nslots_per_node = 2\n[workload]\nfile = 'f'\n[scheduler]\n" +
         std::string(keys);
}

std::string workload(std::string_view keys) {
  return "[cluster]\nnodes = 4\nslots_per_node = 2\n[scheduler]\npolicy = 'cfq'\n[workload]\n" +
         std::string(keys);
}

const Case wrong_values[] = {
    {"Syntax", "[cluster]\nnodes = \n",
     "a.toml:2:9: Error while parsing key-value pair: expected value, saw '\\n'"},
    {"DuplicateKey", with("[run]\nseed = 1\nseed = 2\n"),
     "a.toml:12:8: Error while parsing key-value pair: cannot redefine existing integer 'seed'"},
    {"NothingAtAll", "",
     "a.toml: cluster: expected a table [cluster] that says which nodes there are\n"
     "a.toml: scheduler: expected a table [scheduler] that says which policy decides\n"
     "a.toml: workload: expected a table [workload] that says which jobs come"},
    {"UnknownTable", with("[netwrok]\ndelay_ms = 1\n"),
     "a.toml:10:2: netwrok: unknown table; did you mean 'network'?"},
    {"UnknownKey", with("[run]\nspeeed = 2\n"),
     "a.toml:11:1: run.speeed: unknown key; did you mean 'speed'?"},
    {"UnknownKeyLikeNoOther", with("[network]\nbandwidth = 2\n"),
     "a.toml:11:1: network.bandwidth: unknown key; known are delay_ms, jitter"},
    {"KeyWhereATableBelongs", "run = 3\n" + std::string(least),
     "a.toml:1:7: run: expected a table [run], found 3"},
    {"TextForANumber", with("[run]\nspeed = '2'\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found \"2\""},
    {"ListForANumber", with("[run]\nspeed = [2]\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found a list"},
    {"NumberForAText", with("[log]\nfile = 3\n"),
     "a.toml:11:8: log.file: expected a string, found 3"},
    {"DateForAText", with("[log]\nfile = 2024-01-31\n"),
     "a.toml:11:8: log.file: expected a string, found a date"},
    {"NumberForABoolean", with("[log]\nreplay = 1\n"),
     "a.toml:11:10: log.replay: expected true or false, found 1"},
    {"NotANumber", with("[run]\nspeed = nan\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found nan"},
    {"Infinite", with("[run]\nspeed = inf\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found inf"},
    {"BeyondFloat", with("[run]\nspeed = 1e999\n"),
     "a.toml:11:14: Error while parsing floating-point: '1e999' could not be interpreted as a "
     "value"},
    {"TooFast", with("[run]\nspeed = 2e9\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found "
     "2000000000"},
    {"Zero", with("[run]\nspeed = 0\n"),
     "a.toml:11:9: run.speed: expected a number above 0 and of at most 1000000000, found 0"},
    {"Negative", with("[network]\ndelay_ms = -0.5\n"),
     "a.toml:11:12: network.delay_ms: expected a number of at least 0 ms, found -0.5"},
    {"OutsideARange", with("[network]\njitter = 1.5\n"),
     "a.toml:11:10: network.jitter: expected a number from 0 to 1, found 1.5"},
    {"TimeBeyondTheClock", with("[run]\nuntil_s = 2e9\n"),
     "a.toml:11:11: run.until_s: expected a number from 0 to 1000000000 s, found 2000000000"},
    {"SpanBeyondTheClock", with("[network]\ndelay_ms = 1e13\n"),
     "a.toml:11:12: network.delay_ms: expected a time of at most 8300000000 ms, found "
     "10000000000000"},
    {"TimeBelowTheClock", with("[network]\ndelay_ms = 1e-7\n"),
     "a.toml:11:12: network.delay_ms: expected a time of at least 1e-06 ms (a nanosecond), found "
     "1e-07"},
    {"Fraction", with("[log]\ncompression = 2.5\n"),
     "a.toml:11:15: log.compression: expected a whole number from 0 to 9, found 2.5"},
    {"WholeNumberOutOfRange", with("[log]\ncompression = 10\n"),
     "a.toml:11:15: log.compression: expected a whole number from 0 to 9, found 10"},
    {"NegativeSeed", with("[run]\nseed = -1\n"),
     "a.toml:11:8: run.seed: expected a whole number of at least 0, found -1"},
    {"UnknownChoice", with("[estimate]\nmodel = 'unifrom'\n"),
     "a.toml:11:9: estimate.model: expected one of \"exact\", \"uniform\", \"naive\", "
     "\"stage-mean\", \"given\", found \"unifrom\"; did you mean 'uniform'?"},
    {"UnknownChoiceOfTwo", with("[run]\nexecutor = 'fork'\n"),
     "a.toml:11:12: run.executor: expected \"timer\" or \"thread\", found \"fork\""},
    {"NumberForAChoice", with("[run]\nexecutor = 1\n"),
     "a.toml:11:12: run.executor: expected \"timer\" or \"thread\", found 1"},
};

const Case clusters[] = {
    {"NoNodes", cluster("nodes = 0\nslots_per_node = 2\n"),
     "a.toml:6:9: cluster.nodes: expected a whole number from 1 to 1000000, found 0"},
    {"NodesLeftOut", cluster("slots_per_node = 2\n"),
     "a.toml:5:1: cluster: expected nodes, found none; unlike nodes go into [[cluster.group]]"},
    {"SlotsLeftOut", cluster("nodes = 2\n"),
     "a.toml:5:1: cluster: expected slots_per_node or resources, found neither"},
    {"MisspeltIsNotAlsoMissing", cluster("nodes = 2\nslot_per_node = 2\n"),
     "a.toml:7:1: cluster.slot_per_node: unknown key; did you mean 'slots_per_node'?"},
    {"TooManySlotsOfANode", cluster("nodes = 2\nslots_per_node = 70000\n"),
     "a.toml:7:18: cluster.slots_per_node: expected a whole number from 1 to 65535, found 70000"},
    {"TooManySlots", cluster("nodes = 1_000_000\nslots_per_node = 65535\n"),
     "a.toml:5:1: cluster: expected at most 4294967294 slots in all, found 65535000000"},
    {"TooManyNodes",
     cluster("group = [{count = 600_000, slots_per_node = 1}, {count = 600_000, slots_per_node = "
             "1}]\n"),
     "a.toml:5:1: cluster: expected at most 1000000 nodes in all, found 1200000"},
    {"BothForms", cluster("nodes = 2\n[[cluster.group]]\ncount = 1\nslots_per_node = 2\n"),
     "a.toml:6:1: cluster.nodes: expected either nodes of one kind or [[cluster.group]], found "
     "both"},
    {"GroupWithoutCount", cluster("[[cluster.group]]\nslots_per_node = 2\n"),
     "a.toml:6:1: cluster.group[0]: expected count, found none"},
    {"GroupsNotAList", cluster("[cluster.group]\ncount = 2\n"),
     "a.toml:6:1: cluster.group: expected a list of tables [[cluster.group]], found a table"},
    {"GroupNotATable", cluster("group = [3]\n"),
     "a.toml:6:10: cluster.group[0]: expected a table, found 3"},
    {"NoGroup", cluster("group = []\n"),
     "a.toml:6:9: cluster.group: expected at least one group, found none"},
    {"SameNameTwice",
     cluster("[[cluster.group]]\nname = 'a'\ncount = 1\nslots_per_node = 2\n"
             "[[cluster.group]]\nname = 'a'\ncount = 1\nslots_per_node = 2\n"),
     "a.toml:10:1: cluster.group[1].name: \"a\" is the name of group[0] already"},
    {"UnlikeResources",
     cluster("[[cluster.group]]\ncount = 1\nresources = { cpu = 1, mem_gb = 2 }\n"
             "[[cluster.group]]\ncount = 1\nresources = { cpu = 1, gpu = 2 }\n"),
     "a.toml:11:13: cluster.group[1].resources: expected the first group's kinds (cpu, mem_gb), "
     "found cpu, gpu"},
    {"ResourcesOfOneGroupOnly",
     cluster("[[cluster.group]]\ncount = 1\nresources = { cpu = 1 }\n"
             "[[cluster.group]]\ncount = 1\nslots_per_node = 2\n"),
     "a.toml:9:1: cluster.group[1].resources: expected the first group's kinds (cpu), found none"},
    {"NegativeResource", cluster("nodes = 1\nresources = { cpu = -1 }\n"),
     "a.toml:7:21: cluster.resources.cpu: expected a number from 0 to 1000000000000, found -1"},
    {"SeventeenKinds",
     cluster("nodes = 1\nresources = { a = 1, b = 1, c = 1, d = 1, e = 1, f = 1, g = 1, h = 1, "
             "i = 1, j = 1, k = 1, l = 1, m = 1, n = 1, o = 1, p = 1, q = 1 }\n"),
     "a.toml:7:13: cluster.resources: expected 1 to 16 kinds of resources, found 17"},
    {"NoKind", cluster("nodes = 1\nresources = {}\n"),
     "a.toml:7:13: cluster.resources: expected 1 to 16 kinds of resources, found 0"},
    {"KindWithABlank", cluster("nodes = 1\nresources = { 'mem gb' = 1 }\n"),
     "a.toml:7:15: cluster.resources.\"mem gb\": expected a name of letters, digits, _ and -"},
    {"ResourcesNotATable", cluster("nodes = 1\nresources = 3\n"),
     "a.toml:7:13: cluster.resources: expected a table [cluster.resources], found 3"},
};

const Case schedulers[] = {
    {"UnknownPolicy", scheduler("policy = 'cqf'\n"),
     "a.toml:7:10: scheduler.policy: unknown policy 'cqf'; did you mean 'cfq'?"},
    {"UnknownPart", scheduler("policy = 'cfq'\nfeedback = 'hearbeat'\n"),
     "a.toml:8:12: scheduler.feedback: unknown feedback 'hearbeat'; did you mean 'heartbeat'?"},
    {"OrderAlone", scheduler("order = 'cfq'\n"),
     "a.toml:6:1: scheduler.placement: expected one, as there is no policy; known are any-free, "
     "batch-sampling, least-loaded, own-slots, queue-length, queue-wait, random"},
    {"ParametersNotATable", scheduler("policy = 'cfq'\ncfq = 3\n"),
     "a.toml:8:7: scheduler.cfq: expected a table [scheduler.cfq], found 3"},
    {"UnknownParameter", scheduler("policy = 'cfq'\n[scheduler.cfq]\nlevle = 'job'\n"),
     "a.toml:9:1: scheduler.cfq.levle: unknown key; did you mean 'level'?"},
    {"ParameterNotAChoice", scheduler("policy = 'cfq'\n[scheduler.cfq]\nlevel = 'jobs'\n"),
     "a.toml:9:9: scheduler.cfq.level: expected \"job\" or \"stage\", found \"jobs\"; did you mean "
     "'job'?"},
    {"ParameterOutOfRange", scheduler("policy = 'fair'\n[scheduler.fair]\nmin_share = -1\n"),
     "a.toml:9:13: scheduler.fair.min_share: expected a number of at least 0 tasks, found -1"},
    {"ParameterOfTheWrongType", scheduler("policy = 'fair'\n[scheduler.fair]\nmin_share = true\n"),
     "a.toml:9:13: scheduler.fair.min_share: expected a number of at least 0 tasks, found true"},
    {"ParameterThatMayBeInfiniteNegative",
     scheduler("policy = 'cfq'\norder = 'job-queue'\njob-queue.starvation_s = -1\n"),
     "a.toml:9:26: scheduler.job-queue.starvation_s: expected a number of at least 0 s, or inf, "
     "found -1"},
    {"ParameterThatMayBeInfiniteMinusInfinite",
     scheduler("policy = 'cfq'\norder = 'job-queue'\njob-queue.starvation_s = -inf\n"),
     "a.toml:9:26: scheduler.job-queue.starvation_s: expected a number of at least 0 s, or inf, "
     "found -inf"},
    {"ParameterThatMayBeInfiniteBeyondTheClock",
     scheduler("policy = 'cfq'\norder = 'job-queue'\njob-queue.starvation_s = 1e9\n"),
     "a.toml:9:26: scheduler.job-queue.starvation_s: expected a time of at most 8300000 s, found "
     "1000000000"},
    {"ParameterOfAFormOfItsOwn",
     scheduler("policy = 'cfq'\norder = 'capacity'\ncapacity.capacities = { A = 70, 'b c' = 0 }\n"),
     "a.toml:9:41: scheduler.capacity.capacities.\"b c\": expected a number above 0, found 0"},
    {"ParameterOfAFormOfItsOwnNoTable",
     scheduler("policy = 'cfq'\norder = 'capacity'\ncapacity.capacities = 70\n"),
     "a.toml:9:23: scheduler.capacity.capacities: expected a table "
     "[scheduler.capacity.capacities], "
     "found 70"},
    {"TableOfNoPart", scheduler("policy = 'cfq'\n[scheduler.cqf]\nlevel = 'job'\n"),
     "a.toml:8:12: scheduler.cqf: unknown table; did you mean 'cfq'?"},
    {"PartWithoutParameters", scheduler("policy = 'cfq'\n[scheduler.any-free]\nlevel = 'job'\n"),
     "a.toml:8:1: scheduler.any-free: 'any-free' has no parameters"},
};

const Case others[] = {
    {"NeitherFileNorGenerator", workload("\n"),
     "a.toml:6:1: workload: expected either file or generator, found neither"},
    {"BothFileAndGenerator", workload("file = 'f'\ngenerator = 'google'\n"),
     "a.toml:6:1: workload: expected either file or generator, found both"},
    {"EmptyFile", workload("file = ''\n"),
     "a.toml:7:8: workload.file: expected a path, found \"\""},
    {"FileWithAParameter", workload("file = 'f'\nchain = true\n"),
     "a.toml:8:1: workload.chain: unknown key; known are file, format, generator, ignore_kinds, "
     "from_s, until_s, jobs, resample, scale_tasks, load; a format's parameters need "
     "workload.format"},
    {"FileWithAMisspeltFormat", workload("file = 'f'\nfromat = 'tr'\n"),
     "a.toml:8:1: workload.fromat: unknown key; did you mean 'format'?"},
    {"FileWithAnEmptyFormatAndAParameter", workload("file = 'f'\nformat = ''\nfilter = 10\n"),
     "a.toml:9:1: workload.filter: unknown key; known are file, format, generator, ignore_kinds, "
     "from_s, until_s, jobs, resample, scale_tasks, load; a format's parameters need "
     "workload.format"},
    {"FormatThatIsNoTextWithAParameter", workload("file = 'f'\nformat = 3\nfilter = 10\n"),
     "a.toml:8:10: workload.format: expected a string, found 3"},
    {"ParameterOfAFormatAList", workload("file = 'f'\nformat = 'google-uwfq'\nfilter = [1]\n"),
     "a.toml:9:10: workload.filter: expected a number from 0 to 1000000000, found a list"},
    {"MisspeltFile", workload("fiel = 'f'\n"),
     "a.toml:7:1: workload.fiel: unknown key; did you mean 'file'?"},
    {"ParameterNotAFiniteNumber", workload("generator = 'google'\nspan_s = inf\n"),
     "a.toml:8:10: workload.span_s: expected a number of at least 0 s, found inf"},
    {"ParameterAList", workload("generator = 'google'\nspan_s = [1]\n"),
     "a.toml:8:10: workload.span_s: expected a number of at least 0 s, found a list"},
    {"ParameterWithABlank", workload("generator = 'google'\n'span s' = 1\n"),
     "a.toml:8:1: workload.\"span s\": unknown key; did you mean 'span_s'?"},
    {"UnknownGenerator", workload("generator = 'gogle'\njobs = 1\n"),
     "a.toml:7:13: workload.generator: expected a workload generator, found 'gogle'; did you mean "
     "'google'?"},
    {"UnknownFormat", workload("file = 'f'\nformat = 'natve'\n"),
     "a.toml:8:10: workload.format: expected a workload format, found 'natve'; did you mean "
     "'native'?"},
    {"FormatWithoutParameters", workload("file = 'f'\nformat = 'tr'\nscale = 2\n"),
     "a.toml:9:1: workload.scale: unknown key; known are file, format, generator, ignore_kinds, "
     "from_s, until_s, jobs, resample, scale_tasks, load"},
    {"ParameterOutOfItsRangeInADottedKey",
     "workload.generator = 'fixed'\nworkload.jobs = 0\n[cluster]\nnodes = 1\nslots_per_node = 1\n"
     "[scheduler]\npolicy = 'fifo'\n",
     "a.toml:2:17: workload.jobs: expected a whole number from 1 to 10000000, found 0"},
    {"FaultOfANodeThatIsNotThere", with("[[faults.event]]\nat_s = 1\nnode = 4\n"),
     "a.toml:12:8: faults.event[0].node: expected a node from 0 to 3, found 4"},
    {"FaultWithoutTime", with("[[faults.event]]\nnode = 1\n"),
     "a.toml:10:1: faults.event[0]: expected at_s, found none"},
    {"UnknownFault", with("[[faults.event]]\nat_s = 1\nnode = 1\nkind = 'node-lots'\n"),
     "a.toml:13:8: faults.event[0].kind: expected one of \"node-lost\", \"node-returned\", "
     "\"node-cut-off\", found "
     "\"node-lots\"; did you mean 'node-lost'?"},
    {"UnknownKeyOfAFault", with("[[faults.event]]\nat_s = 1\nnodes = 1\n"),
     "a.toml:12:1: faults.event[0].nodes: unknown key; did you mean 'node'?"},
    {"OneMissedHeartbeat", with("[faults]\nmissed_heartbeats = 1\n"),
     "a.toml:11:21: faults.missed_heartbeats: expected 0 or at least 2, found 1; a heartbeat that "
     "takes a little longer than the last one would be missed"},
    {"MoreHeartbeatsThanThereAre",
     with("[faults]\nmissed_heartbeats = 3\nheartbeat_loss_probability = 0.75\n"
          "heartbeat_late_probability = 0.75\n"),
     "a.toml:13:30: faults.heartbeat_late_probability: expected at most 1 together with "
     "faults.heartbeat_loss_probability, found 1.5"},
    {"ReturnForAWhile",
     with("[[faults.event]]\nat_s = 1\nnode = 1\nkind = 'node-returned'\nfor_s = 2\n"),
     "a.toml:14:1: faults.event[0].for_s: ignored with kind = \"node-returned\"; it says how long "
     "a "
     "node is lost or cut off"},
    {"FaultsNotAList", with("[faults]\nevent = 3\n"),
     "a.toml:11:9: faults.event: expected a list of tables [[faults.event]], found 3"},
};

std::string name_of_case(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Values, ConfigMistake, testing::ValuesIn(wrong_values), name_of_case);
INSTANTIATE_TEST_SUITE_P(Clusters, ConfigMistake, testing::ValuesIn(clusters), name_of_case);
INSTANTIATE_TEST_SUITE_P(Schedulers, ConfigMistake, testing::ValuesIn(schedulers), name_of_case);
INSTANTIATE_TEST_SUITE_P(Others, ConfigMistake, testing::ValuesIn(others), name_of_case);

TEST(ConfigMistakes, OfASchedulerWithoutPolicyListAllPolicies) {
  const std::string text = mistakes_in(scheduler("feedback = 'at-once'\n"));
  EXPECT_TRUE(
      text.starts_with("a.toml:6:1: scheduler: expected a policy, or an order and a "
                       "placement; policies are "))
      << text;
  for (const Preset& preset : presets()) EXPECT_NE(text.find(preset.name), std::string::npos);
}

TEST(ConfigMistakes, AreAllReportedInTheOrderOfTheFile) {
  const std::string text = mistakes_in(R"([log]
compression = 11
[run]
speeed = 2
seed = -1
[cluster]
nodes = 0
slots_per_node = 'two'
[estimate]
model = "exakt"
[workload]
fiel = "jobs.jsonl"
)");
  EXPECT_EQ(text, R"(a.toml:2:15: log.compression: expected a whole number from 0 to 9, found 11
a.toml:4:1: run.speeed: unknown key; did you mean 'speed'?
a.toml:5:8: run.seed: expected a whole number of at least 0, found -1
a.toml:7:9: cluster.nodes: expected a whole number from 1 to 1000000, found 0
a.toml:8:18: cluster.slots_per_node: expected a whole number from 1 to 65535, found "two"
a.toml:10:9: estimate.model: expected one of "exact", "uniform", "naive", "stage-mean", "given", found "exakt"; did you mean 'exact'?
a.toml:12:1: workload.fiel: unknown key; did you mean 'file'?
a.toml: scheduler: expected a table [scheduler] that says which policy decides)");
}

TEST(Mistakes, OfAJvmModelAreReportedWithTheirLocations) {
  EXPECT_EQ(mistakes_in(with("[jvm]\nmodel = 'executor'\nfactr = 2\nfactor = 0.5\n"
                             "decay_tasks = 0\nstart_s = -1\n")),
            "a.toml:12:1: jvm.factr: unknown key; did you mean 'factor'?\n"
            "a.toml:13:10: jvm.factor: expected a number of at least 1, found 0.5\n"
            "a.toml:14:15: jvm.decay_tasks: expected a whole number from 1 to 1000000000, found "
            "0\n"
            "a.toml:15:11: jvm.start_s: expected a number of at least 0 s, found -1");
}

}  // namespace
}  // namespace somnus::test
