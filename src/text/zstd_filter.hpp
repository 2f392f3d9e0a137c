// Unpacks zstd frames, one behind the other. Boost's own filter takes a file that is cut off for a
// whole one.
#pragma once

#include <zstd.h>

#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/read.hpp>
#include <ios>
#include <memory>
#include <vector>

namespace somnus {

class ZstdFilter : public boost::iostreams::multichar_input_filter {
 public:
  ZstdFilter() : state_(std::make_shared<State>()) {}

  /// Throws std::ios_base::failure for what is no whole frame.
  template <class Source>
  std::streamsize read(Source& source, char* room, std::streamsize size) {
    State& now = *state_;
    ZSTD_outBuffer out{room, static_cast<std::size_t>(size), 0};
    while (out.pos == 0) {
      if (now.in.pos == now.in.size) {
        const auto count = boost::iostreams::read(source, now.packed.data(),
                                                  static_cast<std::streamsize>(now.packed.size()));
        if (count <= 0 && now.is_in_frame) throw std::ios_base::failure("a frame is cut off");
        if (count <= 0) return -1;
        now.in = {now.packed.data(), static_cast<std::size_t>(count), 0};
      }
      const std::size_t more = ZSTD_decompressStream(now.stream.get(), &out, &now.in);
      if (ZSTD_isError(more) != 0) throw std::ios_base::failure(ZSTD_getErrorName(more));
      now.is_in_frame = more != 0;
    }
    return static_cast<std::streamsize>(out.pos);
  }

 private:
  struct State {
    std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream{ZSTD_createDStream(),
                                                                      &ZSTD_freeDStream};
    std::vector<char> packed = std::vector<char>(ZSTD_DStreamInSize());
    ZSTD_inBuffer in{packed.data(), 0, 0};
    bool is_in_frame = false;
  };
  std::shared_ptr<State> state_;  // Boost copies filters
};

}  // namespace somnus
