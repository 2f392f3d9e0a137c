// must not compile: 'const struct somnus::WorkerQueue::Entry' has no member named 'times'
#include "queueing/worker_queue.hpp"

somnus::Duration peek(const somnus::WorkerQueue::Entry& entry) { return entry.times.nominal; }
