// Any bytes, perhaps gzip, are a workload in one of the formats, told by content, or mistakes; a
// workload that is written down in the native format is the same workload.
//
// A crash repeats with `somnus workload show FILE`, too.
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/given_parameters.hpp"
#include "fuzz/target.hpp"
#include "model/workload.hpp"
#include "parquet/file.hpp"
#include "workload/formats.hpp"
#include "workload/generators.hpp"
#include "workload/native.hpp"
#include "workload/summary.hpp"

namespace somnus::fuzz {
namespace {

/// A file may well say that a stage has a million equal tasks, and each takes its room and time: a
/// fuzzer would do little else. What is too many for anybody is held by tests/workload.
bool names_a_million(std::string_view text) {
  int digits = 0;
  bool fraction = false;
  for (const char one : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(one)) != 0;
    digits = digit ? digits + 1 : 0;
    if (!digit) fraction = one == '.';
    if (digits > 6 && !fraction) return true;
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

}  // namespace

void read(std::string_view bytes) {
  const TextFile file = value_or_throw(TextFile::decode("fuzz", std::string(bytes)));
  if (names_a_million(file.text()) || has_many_rows(file.text())) return;
  const Format& format = *value_or_throw(format_of(file, "fuzz"));
  const Parameters all_defaults =
      value_or_throw(check_parameters(format.parameters, {}, "format", {}));
  use(value_or_throw(format.parse(file, all_defaults)));
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
  all.push_back({"all_keys.jsonl",
                 R"({"somnus_workload": 1, "name": "few", "resources": ["cpu"], "users": {"ann": 2}}
{"job": "a", "user": "ann", "queue": "A", "submit": 0, "weight": 2, "progress": [0.5, 0.75, 0.9], "stages": [{"stage": 0, "durations": [3, 2, 1.5], "demand": {"cpu": 1}, "affinity": [1, 0]}, {"stage": 1, "parents": [0], "durations": [1, 1.25]}]}
{"job": "b", "app": "a", "submit": 0.5, "estimate": 9, "curve": [0.1, 0, 1, 0.1], "durations": [2, 0.75], "first": [2.5, 1], "fresh": [4, 2]}
{"job": "c", "submit": 1.25, "warmup": 1.5, "stages": [{"stage": 5, "tasks": 3, "duration": 0.5}, {"stage": 6, "parents": [5], "work": 72.5, "skew": [1, 1, 5]}]}
{"job": "d", "after": "b", "think": 0.25, "submit": 2, "durations": [1, 1]}
)"});
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
  std::ifstream tasks(SOMNUS_FIXTURES "/wta.parquet", std::ios::binary);
  all.push_back({"wta.parquet", {std::istreambuf_iterator<char>(tasks), {}}});
  for (std::size_t at = 0, plain = all.size(); at < plain; ++at) {
    all.push_back({all[at].name + ".gz", zipped(all[at].bytes)});
  }
  return all;
}

}  // namespace somnus::fuzz
