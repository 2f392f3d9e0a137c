// Memory by jemalloc, in pages of 2 MiB where the kernel gives them to who asks: a large simulation
// spends a third of its time on page faults otherwise. What is freed is kept for a minute. The
// environment's MALLOC_CONF overrules this (jemalloc(3), "TUNING").

extern "C" {
extern const char* malloc_conf;
const char* malloc_conf =
    "thp:always,metadata_thp:auto,dirty_decay_ms:60000,"
    "oversize_threshold:0";  // large pieces are kept like others
}
