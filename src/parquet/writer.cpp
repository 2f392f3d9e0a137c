#include "parquet/writer.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "parquet/codecs.hpp"
#include "parquet/thrift_writer.hpp"

namespace somnus::parquet {
namespace {

constexpr std::int32_t format_version = 1;  // pages and encodings that every reader knows

struct StoredAs {
  Type type;
  std::optional<ConvertedType> converted;
};

StoredAs stored(CellKind kind) {
  switch (kind) {
    case CellKind::boolean:
      return {Type::boolean, std::nullopt};
    case CellKind::u8:
      return {Type::int32, ConvertedType::uint8};
    case CellKind::u16:
      return {Type::int32, ConvertedType::uint16};
    case CellKind::u32:
      return {Type::int32, ConvertedType::uint32};
    case CellKind::u64:
      return {Type::int64, ConvertedType::uint64};
    case CellKind::i64:
      return {Type::int64, std::nullopt};
    case CellKind::real:
      return {Type::real64, std::nullopt};
    case CellKind::text:
      break;
  }
  return {Type::byte_array, ConvertedType::utf8};
}

template <class Number>
void append(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string plain_page(const std::vector<bool>& values, Type) {
  std::string bytes((values.size() + 7) / 8, '\0');
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at]) bytes[at / 8] = static_cast<char>(bytes[at / 8] | 1 << at % 8);
  }
  return bytes;
}

std::string plain_page(const std::vector<std::int64_t>& values, Type type) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(std::int64_t));
  for (const std::int64_t value : values) {
    if (type == Type::int64) {
      append(bytes, value);
    } else {
      append(bytes, static_cast<std::uint32_t>(value));
    }
  }
  return bytes;
}

std::string plain_page(const std::vector<double>& values, Type) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
}

std::string plain_page(const std::vector<std::string>& values, Type) {
  std::string bytes;
  for (const std::string& value : values) {
    append(bytes, static_cast<std::uint32_t>(value.size()));
    bytes += value;
  }
  return bytes;
}

/// In runs, each of a head and a byte: how often 1, there, or 0, null, stands there.
std::string definition_levels(const std::vector<bool>& there) {
  std::string runs;
  for (std::size_t at = 0; at < there.size();) {
    std::size_t end = at;
    while (end < there.size() && there[end] == there[at]) ++end;
    for (std::size_t head = (end - at) << 1U;; head >>= 7U) {
      const bool last = head < 0x80;
      runs += static_cast<char>((head & 0x7fU) | (last ? 0U : 0x80U));
      if (last) break;
    }
    runs += there[at] ? '\1' : '\0';
    at = end;
  }
  std::string levels;
  append(levels, static_cast<std::uint32_t>(runs.size()));
  return levels + runs;
}

template <class Enum>
std::int32_t number(Enum value) {
  return static_cast<std::int32_t>(value);
}

std::string page_header(std::size_t plain_bytes, std::size_t packed_bytes, std::size_t values) {
  std::string bytes;
  ThriftWriter out(bytes);
  out.field(1, number(PageType::data));
  out.field(2, static_cast<std::int32_t>(plain_bytes));
  out.field(3, static_cast<std::int32_t>(packed_bytes));
  out.within(5, [&](ThriftWriter& data) {
    data.field(1, static_cast<std::int32_t>(values));
    data.field(2, number(Encoding::plain));
    data.field(3, number(Encoding::rle));
    data.field(4, number(Encoding::rle));
  });
  out.end();
  return bytes;
}

void write_schema(ThriftWriter& out, const std::vector<ColumnSpec>& columns) {
  out.each(2, Kind::structure, columns.size() + 1, [&](std::size_t at) {
    out.element([&](ThriftWriter& element) {
      if (at == 0) {
        element.field(4, "schema");
        element.field(5, static_cast<std::int32_t>(columns.size()));
        return;
      }
      const auto [type, converted] = stored(columns[at - 1].kind);
      element.field(1, number(type));
      element.field(3,
                    number(columns[at - 1].optional ? Repetition::optional : Repetition::required));
      element.field(4, columns[at - 1].name);
      if (converted) element.field(6, number(*converted));
    });
  });
}

void write_chunk(ThriftWriter& out, const ChunkMetadata& chunk, const std::string& name) {
  out.field(2, chunk.data_offset);
  out.within(3, [&](ThriftWriter& data) {
    data.field(1, number(chunk.type));
    data.each(2, Kind::i32, 1, [&](std::size_t) { data.whole(number(Encoding::plain)); });
    data.each(3, Kind::binary, 1, [&](std::size_t) { data.put(name); });
    data.field(4, number(chunk.codec));
    data.field(5, chunk.values);
    data.field(6, chunk.plain_bytes);
    data.field(7, chunk.compressed_bytes);
    data.field(9, chunk.data_offset);
  });
}

void write_groups(ThriftWriter& out, const std::vector<GroupMetadata>& groups,
                  const std::vector<ColumnSpec>& columns) {
  out.each(4, Kind::structure, groups.size(), [&](std::size_t group) {
    out.element([&](ThriftWriter& one) {
      const GroupMetadata& of = groups[group];
      std::int64_t plain_bytes = 0;
      for (const ChunkMetadata& chunk : of.columns) plain_bytes += chunk.plain_bytes;
      one.each(1, Kind::structure, of.columns.size(), [&](std::size_t at) {
        one.element(
            [&](ThriftWriter& chunk) { write_chunk(chunk, of.columns[at], columns[at].name); });
      });
      one.field(2, plain_bytes);
      one.field(3, of.rows);
    });
  });
}

void write_key_values(ThriftWriter& out, const std::vector<ColumnSpec>& columns) {
  std::vector<KeyValue> pairs;
  for (const ColumnSpec& column : columns) {
    if (!column.unit.empty()) pairs.push_back({column.name + ".unit", column.unit});
    if (!column.meaning.empty()) pairs.push_back({column.name + ".meaning", column.meaning});
  }
  if (pairs.empty()) return;
  out.each(5, Kind::structure, pairs.size(), [&](std::size_t at) {
    out.element([&](ThriftWriter& pair) {
      pair.field(1, pairs[at].key);
      pair.field(2, pairs[at].value);
    });
  });
}

}  // namespace

Writer::Writer(std::vector<ColumnSpec> columns, Sink sink, Codec codec)
    : columns_(std::move(columns)), sink_(std::move(sink)), codec_(codec) {
  SOMNUS_CHECK(!columns_.empty(), "a Parquet file has columns");
  put(magic);
}

void Writer::put(std::string_view bytes) {
  sink_(bytes);
  written_ += bytes.size();
}

void Writer::add_rows(std::span<const Values> columns, std::span<const std::vector<bool>> there) {
  static const std::vector<bool> all;
  const auto there_in = [&](std::size_t column) -> const std::vector<bool>& {
    return column < there.size() ? there[column] : all;
  };
  const auto rows_of = [&](std::size_t column) {
    return there_in(column).empty() ? count_of(columns[column]) : there_in(column).size();
  };
  SOMNUS_CHECK(columns.size() == columns_.size(), "{} columns, expected {}", columns.size(),
               columns_.size());
  const std::size_t rows = rows_of(0);
  SOMNUS_CHECK(rows > 0, "a row group has rows");
  GroupMetadata group{.rows = static_cast<std::int64_t>(rows), .columns = {}};
  for (std::size_t at = 0; at < columns.size(); ++at) {
    SOMNUS_CHECK(rows_of(at) == rows, "column '{}' has {} rows, expected {}", columns_[at].name,
                 rows_of(at), rows);
    group.columns.push_back(add_chunk(columns_[at], columns[at], there_in(at)));
  }
  groups_.push_back(std::move(group));
}

ChunkMetadata Writer::add_chunk(const ColumnSpec& column, const Values& values,
                                const std::vector<bool>& there) {
  const Type type = stored(column.kind).type;
  const std::size_t rows = there.empty() ? count_of(values) : there.size();
  SOMNUS_CHECK(column.optional || there.empty(), "column '{}' has no null", column.name);
  SOMNUS_CHECK(there.empty() ||
                   static_cast<std::size_t>(std::ranges::count(there, true)) == count_of(values),
               "column '{}' has {} values", column.name, count_of(values));
  std::string plain;
  if (column.optional) {
    plain = definition_levels(there.empty() ? std::vector<bool>(rows, true) : there);
  }
  plain += std::visit([&](const auto& each) { return plain_page(each, type); }, values);
  SOMNUS_CHECK(plain.size() <= std::numeric_limits<std::int32_t>::max(),
               "a page of {} bytes in column '{}'", plain.size(), column.name);
  const std::string bytes = packed(codec_, plain);
  const std::string header = page_header(plain.size(), bytes.size(), rows);
  const auto offset = static_cast<std::int64_t>(written_);
  put(header);
  put(bytes);
  return {.type = type,
          .codec = codec_,
          .values = static_cast<std::int64_t>(rows),
          .plain_bytes = static_cast<std::int64_t>(header.size() + plain.size()),
          .compressed_bytes = static_cast<std::int64_t>(header.size() + bytes.size()),
          .data_offset = offset};
}

std::string Writer::footer() const {
  std::string bytes;
  ThriftWriter out(bytes);
  std::int64_t rows = 0;
  for (const GroupMetadata& group : groups_) rows += group.rows;
  out.field(1, format_version);
  write_schema(out, columns_);
  out.field(3, rows);
  write_groups(out, groups_, columns_);
  write_key_values(out, columns_);
  out.field(6, "somnus");
  out.end();
  return bytes;
}

void Writer::finish() {
  const std::string metadata = footer();
  std::string length;
  append(length, static_cast<std::uint32_t>(metadata.size()));
  put(metadata);
  put(length);
  put(magic);
}

}  // namespace somnus::parquet
