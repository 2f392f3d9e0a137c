// What tasks took in a run where each ran once, as the three times that [jvm] model = "measured"
// asks for.
#pragma once

#include <span>

#include "model/workload.hpp"

namespace somnus {

/// What its slot had run before a task: nothing of the app, nothing of the stage, or both.
enum class Warmth { fresh, first, rest };

/// `stage.durations` are as measured, each with a slot as warm as `warmth` says [as many]. A task
/// keeps that time as the one that it is, and has its other two at the same share of the stage's
/// lists, in order: what is slow warm is slow cold. Where a list is empty, first is as fresh, or
/// else as rest; rest is as first; fresh is as first.
void complete_times(StageSpec& stage, std::span<const Warmth> warmth);

}  // namespace somnus
