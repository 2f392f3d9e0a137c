// Thrift's compact protocol, in which Parquet keeps its metadata: structs of numbered fields.
//
//   in.fields([&](int id) {
//     if (id == 1) return version = in.whole<std::int32_t>(), true;
//     if (id == 4) return in.each([&] { groups.push_back(group_of(in)); }), true;
//     return false;  // not ours: it is skipped
//   });
#pragma once

#include <concepts>
#include <limits>
#include <string_view>

#include "parquet/bytes.hpp"

namespace somnus::parquet {

/// What a field or an element is. A field that is a truth has its value there.
enum class Kind : std::uint8_t {
  stop = 0,
  yes = 1,
  no = 2,
  byte = 3,
  i16 = 4,
  i32 = 5,
  i64 = 6,
  real = 7,
  binary = 8,
  list = 9,
  set = 10,
  map = 11,
  structure = 12
};

class ThriftReader {
 public:
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::string_view rest() const { return bytes_.rest(); }

  /// A struct: take(id) reads a field by one of the functions below, or says false.
  template <class Take>
  void fields(Take&& take) {
    expect(Kind::structure, "a struct");
    const Nested nested(*this);
    std::int16_t id = 0;
    while (next_field(id)) {
      if (!take(static_cast<int>(id))) skip();
    }
  }

  /// A list: read() reads one element.
  template <class Read>
  void each(Read&& read) {
    expect(Kind::list, "a list");
    const Nested nested(*this);
    const auto head = bytes_.number<std::uint8_t>();
    const std::uint64_t count = (head >> 4) == 15 ? bytes_.varint() : head >> 4;
    for (std::uint64_t at = 0; at < count; ++at) {  // each is a byte or more
      kind_ = element_kind(head & 0xfU);
      read();
    }
  }

  template <std::signed_integral Number>
  Number whole() {
    const bool fits_kind = kind_ == Kind::i16 || kind_ == Kind::i32 || kind_ == Kind::i64;
    require(fits_kind, "expected a whole number in the metadata, found {}", name_of_kind());
    const std::int64_t value = zigzag();
    require(
        value >= std::numeric_limits<Number>::min() && value <= std::numeric_limits<Number>::max(),
        "expected a number of {} bits in the metadata, found {}", 8 * sizeof(Number), value);
    return static_cast<Number>(value);
  }
  bool truth();
  std::string_view text();

 private:
  static constexpr int most_nested = 32;
  /// Structs in structs: what holds itself would fill the stack.
  class Nested {
   public:
    explicit Nested(ThriftReader& reader) : reader_(reader) {
      require(++reader_.depth_ <= most_nested,
              "expected metadata of at most {} structs within each other, found more", most_nested);
    }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    ~Nested() { --reader_.depth_; }

   private:
    ThriftReader& reader_;
  };

  bool next_field(std::int16_t& id);
  void skip();
  void skip_map();
  void expect(Kind kind, const char* what) const;
  [[nodiscard]] static Kind kind_of(unsigned code);
  [[nodiscard]] Kind element_kind(unsigned code);
  [[nodiscard]] std::string name_of_kind() const;
  std::int64_t zigzag();

  Bytes bytes_;
  Kind kind_ = Kind::structure;  // of what comes next
  int depth_ = 0;
};

}  // namespace somnus::parquet
