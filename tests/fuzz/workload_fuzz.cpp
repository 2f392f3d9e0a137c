// Any bytes, perhaps gzip, are a workload in one of the formats, detected by content, or mistakes,
// and so in another format, too, that somebody names by mistake; a workload that is written down in
// the native format is the same workload.
//
// A crash repeats with `somnus workload show FILE`, too, or `workload import FORMAT`.
#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/given_parameters.hpp"
#include "formats/formats.hpp"
#include "fuzz/target.hpp"
#include "generators/generators.hpp"
#include "model/workload.hpp"
#include "parquet/file.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus::fuzz {
namespace {

/// A file may well say that a stage has a million equal tasks, and each takes its room and time: a
/// fuzzer would do little else. What is too many for anybody is held by tests/workload.
bool names_a_million(std::string_view text) {
  int digits = 0;
  int exponent = 0;
  enum { whole, fraction, power } part = whole;
  for (const char one : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(one)) != 0;
    const bool begins_power = (one == 'e' || one == 'E') && (digits > 0 || part == fraction);
    if (!digit && (one != '+' || part != power)) {
      part = begins_power ? power : one == '.' ? fraction : whole;
      digits = exponent = 0;
    }
    if (!digit) continue;
    exponent = part == power ? std::min(10 * exponent + (one - '0'), 100) : 0;
    digits = part == whole ? digits + 1 : digits;
    if (digits > 6 || exponent > 5) return true;
  }
  return false;
}

/// Nor of rows, of which a few bytes may say that there are millions.
bool has_many_rows(std::string_view text) {
  const auto table = parquet::File::open("fuzz", text);
  return table && table->rows() > 10'000;
}

void use(const WorkloadSpec& spec) {
  static_cast<void>(describe_workload(spec));
  const std::string text = native_text(spec);
  const auto again = parse_native(value_or_throw(TextFile::decode("again.jsonl", text)));
  SOMNUS_CHECK(again.has_value(), "what was written is refused: {}\n{}", again.error().text(),
               text);
  SOMNUS_CHECK(native_text(*again) == text, "what was written reads otherwise:\n{}\n{}", text,
               native_text(*again));
  static_cast<void>(assemble(spec, 3));
}

std::string zipped(const std::string& text) {
  std::ostringstream bytes;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::gzip_compressor());
  out.push(bytes);
  out << text;
  out.reset();
  return bytes.str();
}

/// Flags and words are chosen, too. A table says nothing of its columns: they are the first ones.
Parameters parameters_for(const Format& format, std::size_t choice) {
  Parameters given;
  for (const ParameterInfo& info : format.parameters) {
    const bool other = choice % 2 == 1;
    choice /= 2;
    const auto flag = info.fallback ? info.fallback->flag() : std::nullopt;
    if (flag) given[info.name] = other ? !*flag : *flag;
    if (!info.choices.empty()) {
      given[info.name] = other ? info.choices.back() : info.choices.front();
    }
  }
  if (format.name == "parquet") {
    given["submit"] = "created";
    given["duration"] = "ended - created";
    given["tasks"] = "cores";
    if (given["rows"] == Value("task")) given["job"] = "pod";
  }
  if (format.name != "csv") return given;
  given["delimiter"] = "auto";
  given["header"] = false;
  given["submit"] = "1";
  given["duration"] = "2/10";
  given["user"] = "4";
  given["demand"] = Table{{"cpu", "5"}};
  if (given["rows"] == Value("job")) {
    given["tasks"] = "3 - 1";
  } else {
    given["job"] = "4";
    given["stage"] = "3";
    given["parents"] = "6";
  }
  return given;
}

void read_as(const Format& format, const TextFile& file, std::size_t choice) {
  const Parameters parameters = value_or_throw(
      check_parameters(format.parameters, parameters_for(format, choice), "format", {}));
  use(value_or_throw(format.parse(file, parameters)));
}

/// Whoever adds a format adds a seed.
void hold_all_formats_to_have_one(const std::vector<Seed>& seeds) {
  for (const Format& format : formats()) {
    const bool has_one = std::ranges::any_of(seeds, [&](const Seed& seed) {
      const TextFile file = value_or_throw(TextFile::decode("fuzz", seed.bytes));
      return *format_of(file, "fuzz") == &format;
    });
    SOMNUS_CHECK(has_one, "no seed is named as of format {}", format.name);
  }
}

}  // namespace

void read(std::string_view bytes) {
  const TextFile file = value_or_throw(TextFile::decode("fuzz", std::string(bytes)));
  if (names_a_million(file.text()) || has_many_rows(file.text())) return;
  const std::size_t choice = file.text().size();
  try {
    read_as(formats()[choice % formats().size()], file, choice);
  } catch (const UserError&) {  // as it should be, mostly
  }
  read_as(*value_or_throw(format_of(file, "fuzz")), file, choice);
}

std::vector<Seed> seeds() {
  std::vector<Seed> all;
  for (const char* name : {"multi-user", "dags", "paf", "uwfq-scenario-1"}) {
    const Parameters few = std::string_view(name) == "dags" || std::string_view(name) == "paf"
                               ? Parameters{{"jobs", std::int64_t{3}}}
                               : Parameters{};
    const std::string text = native_text(value_or_throw(generate(name, few, 1)));
    all.push_back({std::string(name) + ".jsonl", text.substr(0, text.find('\n', 4000) + 1)});
  }
  all.push_back(
      {"all_keys.jsonl",
       R"({"somnus_workload": 1, "name": "few", "resources": ["cpu"], "rigid": true, "users": {"ann": 2}}
{"job": "a", "user": "ann", "queue": "A", "submit": 0, "weight": 2, "progress": [0.5, 0.75, 0.9], "stages": [{"stage": 0, "durations": [3, 2, 1.5], "demand": {"cpu": 1}, "affinity": [1, 0]}, {"stage": 1, "parents": [0], "durations": [1, 1.25]}]}
{"job": "b", "app": "a", "submit": 0.5, "estimate": 9, "curve": [0.1, 0, 1, 0.1], "durations": [2, 0.75], "first": [2.5, 1], "fresh": [4, 2]}
{"job": "c", "submit": 1.25, "warmup": 1.5, "stages": [{"stage": 5, "tasks": 3, "duration": 0.5}, {"stage": 6, "parents": [5], "work": 72.5, "skew": [1, 1, 5]}]}
{"job": "d", "after": "b", "think": 0.25, "submit": 2, "durations": [1, 1]}
)"});
  std::string deep = "{\"somnus_workload\": 1}\n{\"job\": ";
  deep.append(5'000, '[');
  all.push_back({"deep.jsonl", deep});
  all.push_back({"sacct_zones.txt",
                 "JobID|Submit|ElapsedRaw|NCPUS\n1|2024-05-01T12:00:00|5|1\n"
                 "2|2024-05-01T12:00:00+02:00|5|1\n3|1714564800|5|1\n"});
  all.push_back({"few.tr", "0 2 1.5 1 2\n0.5 3 2 1 2 3\n7 1 98.25 98.25\n"});
  all.push_back({"carbyne",
                 "# two queries\n2 q1 0.5 A\nmap 3.5 0.1 0.2 0 0 0 0 4\nred 2 0.5 0.2 0 0 0.1 0 1\n"
                 "1\nmap red ata\n# another\n1 q2\nonly 1 0.25 0.25 0 0 0 0 2\n0\n"});
  all.push_back({"google_uwfq.csv",
                 "workflow_id,ts_submit,ts_submit_seconds,task_count,total_resources,task_id,"
                 "runtime,resource_amount_requested,resource_run_time,user_id\n"
                 "7,2500,2.5,2,1,0,1000,0.5,500,-12\n6,1000,1,1,1,0,8000,0.25,2000,34\r\n"
                 "7,2500,2.5,2,1,1,2000,0.5,1000,-12\n"});
  all.push_back({"alibaba.csv",
                 "J3_1_2,2,j_7,A,Terminated,130,140,100,0.5\nM1,3,j_8,A,Terminated,115,125,50,0.25"
                 "\nM1,1,j_7,A,Terminated,120,130,200,1.5\nM2,1,j_7,A,Terminated,121,124,100,0.5"
                 "\n"});
  all.push_back({"alibaba_named.csv",
                 "job_name,task_name,mean_instance_duration_s,instance_num,status,start_time,"
                 "end_time,plan_cpu,plan_mem,more\nj_1,M1,2.5,2,Terminated,10,20,100,1,x\n"
                 "j_1,task_Nzg3,,1,Terminated,10,20,100,1,\r\n"});
  all.push_back(
      {"decima.jsonl",
       R"({"query":7,"size_gb":50,"num_stages":2,"stages":[{"stage":0,"num_tasks":2,"parents":[],"spark_stage_id":[9],"executors":{"2":{"fresh":[4000],"first":[3000,4000],"rest":[1000,1000]},"5":{"fresh":[500],"first":[500],"rest":[]}}},{"stage":1,"num_tasks":1,"parents":[0],"spark_stage_id":[9],"executors":{"2":{"fresh":[],"first":[3000],"rest":[1000]}}}]}
)"});
  for (const char* name :
       {"wta.parquet", "opendc_tasks.parquet", "opendc_meta.parquet", "instants.parquet"}) {
    std::ifstream tasks(fmt::format("{}/{}", SOMNUS_FIXTURES, name), std::ios::binary);
    all.push_back({name, {std::istreambuf_iterator<char>(tasks), {}}});
  }
  all.push_back({"old_jobs.json",
                 R"({"schemaVersion": "1.0", "workflow": {"jobs": [
  {"name": "s_ID01", "type": "compute", "runtime": 1.5, "cores": 2, "memory": 5000},
  {"name": "w_ID02", "type": "compute", "runtime": 2, "parents": ["s_ID01"]}]}})"});
  all.push_back({"log.swf",
                 "; Version: 2.2\n; MaxProcs: 64\n"
                 "7 130 5 60 2 58.5 -1 4 300 -1 1 3 1 9 2 -1 -1 -1\n"
                 "8 120 0 30 -1 -1 -1 3 -1 -1 0 -1 -1 -1 -1 -1 7 5\r\n"
                 "8 120 0 30 1 -1 -1 3 -1 -1 2 -1 -1 -1 -1 -1 7 5\n"});
  all.push_back({"sacct.txt",
                 "JobID|User|Partition|Submit|Start|End|Elapsed|NCPUS|Timelimit|State\n"
                 "7|ann|long|2024-05-01T12:00:10|2024-05-01T12:05:00|2024-05-01T12:06:30|00:01:30"
                 "|4|1-00:10:00|COMPLETED\n7.batch|||2024-05-01T12:05:00||||4||\n"
                 "8_1|bob|short|2024-05-01T12:00:00|2024-05-01T12:00:00|2024-05-01T12:00:30|"
                 "00:00:30|1|UNLIMITED|FAILED\n8_[2-9]|bob|short|2024-05-01T12:00:00|Unknown|"
                 "Unknown|00:00:00|1|UNLIMITED|PENDING\n"});
  for (const char* const end : {"", "\n"}) {  // one is read as jobs, one as tasks
    all.push_back({fmt::format("table{}.csv", *end == 0 ? 0 : 1),
                   fmt::format("0,20,3,a,1,\n\"0\", 30 ,4,\"a\",1,3\r\n1.5,5,3,\"b \"\"q\"\"\n\","
                               "0.5,\n2,5,4,c,0.5,{}",
                               end)});
  }
  all.push_back(
      {"workflow.json",
       R"({"name": "forked", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [
  {"id": "s_ID01", "name": "s_ID01", "parents": [], "children": ["a_1"]},
  {"id": "a_1", "name": "a_1", "parents": ["s_ID01"]}, {"id": "a_2", "parents": ["s_ID01"]},
  {"id": "join", "parents": ["a_1", "a_2"]}]}, "execution": {"tasks": [
  {"id": "a_2", "runtimeInSeconds": 2.5, "coreCount": 2, "memoryInBytes": 50000},
  {"id": "a_1", "runtimeInSeconds": 2}, {"id": "s_ID01", "runtimeInSeconds": 1},
  {"id": "join", "runtimeInSeconds": 0, "command": {"program": "late"}}]}}})"});
  all.push_back({"old_workflow.json",
                 R"({"schemaVersion": "1.4", "workflow": {"tasks": [
  {"id": "1", "name": "a", "parents": [], "runtimeInSeconds": 1.5, "coreCount": 2},
  {"id": "2", "name": "b", "parents": ["a"], "runtimeInSeconds": 2}]}})"});
  all.push_back(
      {"facebook.tsv",
       "job0\t49\t49\t740773\t0\t627471\njob1\t101\t52\t99999\t1700\t432269\tin\tout\t\n"});
  all.push_back({"google2011.csv",
                 "#Time stamp,...\n0,,1,0,,0,ann=,3,9,0.1,0.1,0.1,0\n"
                 "60000,,2,0,5,0,bob=,3,9,0.125,,0.1,\n61000,,2,0,5,1,bob=,3,9,0.125,,0.1,\n"
                 "62000,,1,0,,1,ann=,3,9,0.1,0.1,0.1,0\n63000,,1,0,,2,ann=,3,9,0.1,0.1,0.1,0\n"
                 "64000,,2,0,5,4,bob=,3,9,0.125,,0.1,\n"});
  all.push_back(
      {"sls.json",
       R"({"am.type": "mapreduce", "job.start.ms": 5204, "job.id": "j2", "job.user": "ann",
 "job.queue.name": "q", "job.tasks": [
  {"container.type": "reduce", "container.start.ms": "1000", "container.end.ms": "3500"},
  {"container.host": "/r/n1", "container.start.ms": 6664, "container.end.ms": 23707,
   "container.priority": 20, "container.type": "map"},
  {"count": 2, "duration.ms": 500, "container.type": "map", "container.vcores": 3}]}
{"yarn.sls.am.type": "dag", "job.count": 2, "job.tasks": [{"duration.ms": 1}]}
)"});
  all.push_back(
      {"spark_log",
       R"({"Event":"SparkListenerApplicationStart","App Name":"K","App ID":"app-1","User":"ann"}
{"Event":"SparkListenerJobStart","Job ID":0,"Submission Time":2000,"Stage Infos":[{"Stage ID":0,"Number of Tasks":1,"Parent IDs":[]},{"Stage ID":1,"Number of Tasks":1,"Parent IDs":[0]}],"Properties":{"spark.scheduler.pool":"gold"}}
{"Event":"SparkListenerTaskEnd","Stage ID":0,"Stage Attempt ID":0,"Task End Reason":{"Reason":"Success"},"Task Info":{"Index":0,"Launch Time":2100,"Executor ID":"1","Finish Time":2600}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Stage Attempt ID":0,"Task End Reason":{"Reason":"ExceptionFailure"},"Task Info":{"Index":0,"Launch Time":2100,"Executor ID":"1","Finish Time":2600}}
{"Event":"SparkListenerTaskEnd","Stage ID":1,"Stage Attempt ID":1,"Task End Reason":{"Reason":"Success"},"Task Info":{"Index":0,"Launch Time":2600,"Executor ID":"1","Finish Time":2700}}
{"Event":"SparkListenerJobEnd","Job ID":0,"Completion Time":2700}
)"});
  hold_all_formats_to_have_one(all);
  for (std::size_t at = 0, plain = all.size(); at < plain; ++at) {
    all.push_back({all[at].name + ".gz", zipped(all[at].bytes)});
  }
  return all;
}

}  // namespace somnus::fuzz
