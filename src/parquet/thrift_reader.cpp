#include "parquet/thrift_reader.hpp"

namespace somnus::parquet {

bool ThriftReader::truth() {
  require(kind_ == Kind::yes || kind_ == Kind::no,
          "expected true or false in the metadata, found {}", name_of_kind());
  return kind_ == Kind::yes;
}

std::string_view ThriftReader::text() {
  expect(Kind::binary, "a text");
  return bytes_.take(bytes_.varint());
}

bool ThriftReader::next_field(std::int16_t& id) {
  const auto head = bytes_.number<std::uint8_t>();
  kind_ = kind_of(head & 0xfU);
  if (kind_ == Kind::stop) return false;
  const std::int64_t step = head >> 4;  // 0: the whole number follows
  const std::int64_t next = step == 0 ? zigzag() : id + step;
  require(next > 0 && next <= std::numeric_limits<std::int16_t>::max(),
          "expected a field number above 0 in the metadata, found {}", next);
  id = static_cast<std::int16_t>(next);
  return true;
}

void ThriftReader::skip() {
  switch (kind_) {
    case Kind::stop:
    case Kind::yes:
    case Kind::no:
      return;
    case Kind::byte:
      bytes_.take(1);
      return;
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
      bytes_.varint();
      return;
    case Kind::real:
      bytes_.take(sizeof(double));
      return;
    case Kind::binary:
      text();
      return;
    case Kind::set:  // which is written as a list is
      kind_ = Kind::list;
      [[fallthrough]];
    case Kind::list:
      return each([this] { skip(); });
    case Kind::map:
      return skip_map();
    case Kind::structure:
      return fields([](int) { return false; });
  }
}

void ThriftReader::skip_map() {
  const Nested nested(*this);
  const std::uint64_t count = bytes_.varint();
  if (count == 0) return;
  const auto kinds = bytes_.number<std::uint8_t>();
  for (std::uint64_t at = 0; at < count; ++at) {
    kind_ = element_kind(kinds >> 4);
    skip();
    kind_ = element_kind(kinds & 0xfU);
    skip();
  }
}

void ThriftReader::expect(Kind kind, const char* what) const {
  require(kind_ == kind, "expected {} in the metadata, found {}", what, name_of_kind());
}

Kind ThriftReader::kind_of(unsigned code) {
  require(code <= static_cast<unsigned>(Kind::structure),
          "expected metadata in Thrift's compact form, found a field of kind {}", code);
  return static_cast<Kind>(code);
}

/// In a list a truth is a byte of its own, behind which the element is at its end.
Kind ThriftReader::element_kind(unsigned code) {
  const Kind kind = kind_of(code);
  require(kind != Kind::stop,
          "expected metadata in Thrift's compact form, found a list of nothing");
  if (kind != Kind::yes && kind != Kind::no) return kind;
  return bytes_.number<std::uint8_t>() == 1 ? Kind::yes : Kind::no;
}

std::string ThriftReader::name_of_kind() const {
  return fmt::format("a field of kind {}", static_cast<int>(kind_));
}

std::int64_t ThriftReader::zigzag() {
  const std::uint64_t value = bytes_.varint();
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

}  // namespace somnus::parquet
