// A figure of a run says which way it is better and what it is taken over: neither is assumed.
// Each case is compiled alone, after what stands before the first (compile_test.py).
#include "metrics/summary.hpp"

using namespace somnus;

void list(const FigureInfo& info);

// control: compiles
void all() {
  for_each_field<Summary>([](const FigureInfo& info) { list(info); });
}
constexpr FigureInfo held = figure<Better::neither, Over::run>("held", &Summary::held, "%", "");

// plain_field: must not compile: invalid initialization of reference of type 'const
// somnus::FigureInfo
void one() { list(field("held", &Summary::makespan_s, "%", "")); }
