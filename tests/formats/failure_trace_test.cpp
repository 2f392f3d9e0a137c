#include "formats/failure_trace.hpp"
#include "formats/formats.hpp"
#include "workload/support.hpp"

namespace somnus::test {
namespace {

constexpr const char* head =
    "# event_id\tcomponent_id\tnode_id\tplatform_id\tnode_name\tevent_type\tevent_start_time\t"
    "event_stop_time\tevent_end_reason\n";

Checked<FailureTrace> failures(const std::string& rows, const FailureOptions& options = {}) {
  return read_failures(text_file("event_trace.tab", head + rows), nullptr, options);
}

const std::string three_nodes =
    "0\t0\t12\t1\talpha\t1\t1000\t1100\tNULL\n"
    "1\t0\t12\t1\talpha\t0\t1100\t1250.5\t3\n"
    "2\t0\t7\t1\tbeta\t0\t1050\t1060\tNULL\n"
    "3\t0\t9\t1\tNULL\t0\t1300\tNULL\tNULL\n"
    "4\t0\t9\t1\tNULL\t0\t1200\t1200\tNULL\n"
    "5\t0\t9\t1\tNULL\t2\t1201\t1202\tNULL\n";

TEST(Failures, AreLossesFromTheFirstEventOn) {
  const FailureTrace trace = value_or_throw(failures(three_nodes));
  EXPECT_EQ(trace.begin_s, 1000);
  EXPECT_EQ(trace.nodes, (std::vector<std::string>{"7 beta", "9", "12 alpha"}));
  ASSERT_EQ(trace.losses.size(), 3U);
  EXPECT_EQ(trace.losses[0].at_s, 50);
  EXPECT_EQ(trace.losses[0].node, 0U);
  EXPECT_EQ(trace.losses[0].for_s, 10);
  EXPECT_EQ(trace.losses[1].node, 2U);
  EXPECT_EQ(trace.losses[1].for_s, 150.5);
  EXPECT_EQ(trace.losses[2].for_s, 0) << "for good";
  EXPECT_EQ(trace.unsaid[0], "losses that begin and end in one second, left out: 1");
  EXPECT_EQ(trace.unsaid[1], "losses without an end, which are for good: 1");
  EXPECT_EQ(trace.unsaid[2],
            "events of other states (a user is present, a processor is busy), left out: 1");
}

TEST(Failures, BecomeTablesOfAConfig) {
  const FailureTrace trace =
      value_or_throw(failures(three_nodes, {.from_s = 100, .until_s = 300, .nodes = 0}));
  EXPECT_EQ(faults_text(trace, "event_trace.tab"),
            "# Losses of nodes by event_trace.tab: append them to a config whose cluster has 3 "
            "nodes.\n"
            "# Second 0 is 1100 s after 1970.\n"
            "# node 0 is 7 beta\n# node 1 is 9\n# node 2 is 12 alpha\n"
            "# not here: losses that begin and end in one second, left out: 1\n"
            "# not here: events of other states (a user is present, a processor is busy), left "
            "out: 1\n"
            "# not here: why a node was lost, and which component of it\n"
            "# not here: how fast nodes are, and that no event says anything of some times\n"
            "\n[[faults.event]]\nat_s = 0\nnode = 2\nkind = \"node-lost\"\nfor_s = 150.5\n");
  EXPECT_EQ(value_or_throw(failures(three_nodes, {.nodes = 1})).losses.size(), 1U);
}

TEST(Failures, KnowNodesThatWereNeverLost) {
  const TextFile events = text_file("event_trace.tab", head + three_nodes);
  const TextFile nodes =
      text_file("node.tab", "node_id platform_id node_name\n7 1 beta\n8 1 gamma\n");
  const FailureTrace trace = value_or_throw(read_failures(events, &nodes, {}));
  EXPECT_EQ(trace.nodes.size(), 4U);
  EXPECT_EQ(trace.losses[1].node, 3U);
  const TextFile broken = text_file("node.tab", "node_id platform_id\nseven 1\n");
  EXPECT_EQ(mistakes_in(read_failures(events, &broken, {})),
            "node.tab:2:1: node_id: expected a whole number, found 'seven'");
}

TEST(Failures, MayStandBetweenBlanksAndWithoutAComment) {
  const TextFile events = text_file("e",
                                    "node_id  event_type event_start_time event_stop_time\n"
                                    "  4  0 10 30\n\n# a comment\n5 1 0 10\n");
  const FailureTrace trace = value_or_throw(read_failures(events, nullptr, {}));
  EXPECT_EQ(trace.losses.size(), 1U);
  EXPECT_EQ(trace.losses[0].at_s, 10);
}

TEST(Failures, MayStandBetweenRunsOfTabsAndBlanks) {
  const TextFile events = text_file(
      "e",
      "event_id  node_id   platform_id\tevent_type   event_start_time \t event_stop_time\n"
      "    0\t     655\t    3\t         0\t   \t\t1000\t   \t\t1060\n");
  const FailureTrace trace = value_or_throw(read_failures(events, nullptr, {}));
  ASSERT_EQ(trace.losses.size(), 1U);
  EXPECT_EQ(trace.losses[0].for_s, 60);
}

TEST(Failures, NameEveryMistake) {
  EXPECT_EQ(mistakes_in(failures("0\t0\tx\t1\ta\t0\t1\t2\t0\n"
                                 "1\t0\t1\t1\ta\tdown\t-1\tsoon\t0\n"
                                 "2\t0\t1\t1\ta\t0\t10\t9\t0\n"
                                 "3\t0\t1\n")),
            "event_trace.tab:2:5: node_id: expected a whole number, found 'x'\n"
            "event_trace.tab:3:11: event_type: expected 0 (not available), 1 (available) or a "
            "state, found 'down'\n"
            "event_trace.tab:3:16: event_start_time: expected seconds since 1970, found '-1'\n"
            "event_trace.tab:3:19: event_stop_time: expected seconds since 1970, or NULL, found "
            "'soon'\n"
            "event_trace.tab:4:16: event_stop_time: expected 10 or later, found '9'\n"
            "event_trace.tab:5: expected 9 cells with blanks or tabs between, found 3; an empty "
            "cell is NULL");
  EXPECT_EQ(mistakes_in(failures(
                "0\t0\t1\t1\ta\t1\t0\t1\t0\n1\t0\t1\t1\ta\t0\t1100000000\t1100000001\t0\n")),
            "event_trace.tab:3: event_start_time: expected at most 1000000000 s from the first "
            "event to a loss, and from its start to its end, found 1100000000 and 1; from_s leaves "
            "out what was before");
  EXPECT_EQ(mistakes_in(failures("")), "event_trace.tab: expected at least one event, found none");
  EXPECT_TRUE(mistakes_in(read_failures(text_file("e", "node_id event_type\n"), nullptr, {}))
                  .starts_with("e:1: event_start_time: expected this column, found none"));
}

TEST(Failures, AreNoWorkload) {
  const Folder folder;
  const auto path = folder.file("event_trace.tab", head + three_nodes);
  EXPECT_TRUE(is_failure_table(head));
  EXPECT_FALSE(is_failure_table("# two queries\n"));
  EXPECT_EQ(mistakes_in(read_workload(path)),
            path.string() +
                ": format: expected a workload, found a table of the Failure Trace "
                "Archive; somnus import writes it as [faults]");
}

}  // namespace
}  // namespace somnus::test
