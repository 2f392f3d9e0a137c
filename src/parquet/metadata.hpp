// The metadata of a Parquet file, as far as they are read: the footer, and the head of each page.
// Names and numbers are those of parquet.thrift (github.com/apache/parquet-format).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace somnus::parquet {

/// At both ends of a file.
inline constexpr std::string_view magic = "PAR1";

enum class Type : std::int32_t {
  boolean = 0,
  int32 = 1,
  int64 = 2,
  int96 = 3,
  real32 = 4,
  real64 = 5,
  byte_array = 6,
  fixed_len_byte_array = 7
};
enum class Repetition : std::int32_t { required = 0, optional = 1, repeated = 2 };
enum class ConvertedType : std::int32_t {
  utf8 = 0,
  decimal = 5,
  date = 6,
  timestamp_ms = 9,
  timestamp_us = 10,
  uint8 = 11,
  uint16 = 12,
  uint32 = 13,
  uint64 = 14
};
enum class Encoding : std::int32_t { plain = 0, plain_dictionary = 2, rle = 3, rle_dictionary = 8 };
enum class Codec : std::int32_t { uncompressed = 0, snappy = 1, gzip = 2, zstd = 6 };
enum class PageType : std::int32_t { data = 0, index = 1, dictionary = 2, data_v2 = 3 };

/// What a number of a column of instants is: so many parts of a second since 1970.
struct Timestamp {
  std::int64_t per_second = 1'000;
  bool has_zone = false;  // counted in UTC; else a clock of somewhere, nobody says of where
};

/// A node of the schema, which lies there as a list: each before its children.
struct SchemaElement {
  std::optional<Type> type;  // none: a group
  Repetition repetition = Repetition::required;
  std::optional<ConvertedType> converted;
  std::optional<Timestamp> timestamp;
  std::int32_t children = 0;
  std::string name;
};

/// A column of a row group.
struct ChunkMetadata {
  bool is_elsewhere = false;  // in another file
  Type type{};
  Codec codec{};
  std::int64_t values = 0;       // nulls among them
  std::int64_t plain_bytes = 0;  // these two with the heads of its pages
  std::int64_t compressed_bytes = 0;
  std::int64_t data_offset = 0;
  std::int64_t dictionary_offset = 0;  // 0: none
};

struct GroupMetadata {
  std::int64_t rows = 0;
  std::vector<ChunkMetadata> columns;  // as the leaves of the schema
};

struct KeyValue {
  std::string key;
  std::string value;

  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};

struct FileMetadata {
  std::int64_t rows = 0;
  std::vector<SchemaElement> schema;
  std::vector<GroupMetadata> groups;
  std::vector<KeyValue> key_values;
};

struct PageHeader {
  PageType type{};
  std::int32_t plain_bytes = 0;
  std::int32_t packed_bytes = 0;
  std::int32_t values = 0;
  Encoding encoding{};
  Encoding definition_encoding = Encoding::rle;  // these two of V1
  Encoding repetition_encoding = Encoding::rle;
  std::int32_t definition_bytes = 0;  // these three of V2
  std::int32_t repetition_bytes = 0;
  bool is_compressed = true;
};

/// Of the whole file. Throws FormatError.
[[nodiscard]] FileMetadata read_footer(std::string_view file);

/// From the front of `bytes`, which then begin behind it. Throws FormatError.
[[nodiscard]] PageHeader read_page_header(std::string_view& bytes);

}  // namespace somnus::parquet
