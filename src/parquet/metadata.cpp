#include "parquet/metadata.hpp"

#include "parquet/format_error.hpp"
#include "parquet/thrift_reader.hpp"

namespace somnus::parquet {
namespace {

template <class Enum>
Enum code(ThriftReader& in) {
  return static_cast<Enum>(in.whole<std::int32_t>());
}

/// A union, whose only field says the unit.
std::int64_t read_time_unit(ThriftReader& in) {
  std::int64_t per_second = 0;
  in.fields([&](int id) {
    if (id == 1) per_second = 1'000;
    if (id == 2) per_second = 1'000'000;
    if (id == 3) per_second = 1'000'000'000;
    return false;
  });
  require(per_second > 0, "expected milli-, micro- or nanoseconds, found another unit");
  return per_second;
}

/// A union, of which only instants matter here.
void read_logical_type(ThriftReader& in, SchemaElement& element) {
  in.fields([&](int kind) {
    if (kind != 8) return false;
    Timestamp& timestamp = element.timestamp.emplace();
    in.fields([&](int id) {
      if (id == 1) return timestamp.has_zone = in.truth(), true;
      if (id == 2) return timestamp.per_second = read_time_unit(in), true;
      return false;
    });
    return true;
  });
}

/// What older writers say instead.
void read_converted_type(SchemaElement& element) {
  if (element.timestamp) return;
  if (element.converted == ConvertedType::timestamp_ms) element.timestamp = {1'000, true};
  if (element.converted == ConvertedType::timestamp_us) element.timestamp = {1'000'000, true};
  if (element.type == Type::int96) element.timestamp = {1'000'000'000, false};
}

SchemaElement read_element(ThriftReader& in) {
  SchemaElement element;
  in.fields([&](int id) {
    switch (id) {
      case 1:
        element.type = code<Type>(in);
        return true;
      case 3:
        element.repetition = code<Repetition>(in);
        return true;
      case 4:
        element.name = in.text();
        return true;
      case 5:
        element.children = in.whole<std::int32_t>();
        return true;
      case 6:
        element.converted = code<ConvertedType>(in);
        return true;
      case 10:
        read_logical_type(in, element);
        return true;
      default:
        return false;
    }
  });
  read_converted_type(element);
  return element;
}

void read_column(ThriftReader& in, ChunkMetadata& chunk) {
  in.fields([&](int id) {
    switch (id) {
      case 1:
        chunk.type = code<Type>(in);
        return true;
      case 4:
        chunk.codec = code<Codec>(in);
        return true;
      case 5:
        chunk.values = in.whole<std::int64_t>();
        return true;
      case 6:
        chunk.plain_bytes = in.whole<std::int64_t>();
        return true;
      case 7:
        chunk.compressed_bytes = in.whole<std::int64_t>();
        return true;
      case 9:
        chunk.data_offset = in.whole<std::int64_t>();
        return true;
      case 11:
        chunk.dictionary_offset = in.whole<std::int64_t>();
        return true;
      default:
        return false;
    }
  });
}

ChunkMetadata read_chunk(ThriftReader& in) {
  ChunkMetadata chunk;
  in.fields([&](int id) {
    if (id == 1) return chunk.is_elsewhere = !in.text().empty(), true;
    if (id == 3) return read_column(in, chunk), true;
    return false;
  });
  return chunk;
}

GroupMetadata read_group(ThriftReader& in) {
  GroupMetadata group;
  in.fields([&](int id) {
    if (id == 1) return in.each([&] { group.columns.push_back(read_chunk(in)); }), true;
    if (id == 3) return group.rows = in.whole<std::int64_t>(), true;
    return false;
  });
  return group;
}

KeyValue read_key_value(ThriftReader& in) {
  KeyValue pair;
  in.fields([&](int id) {
    if (id == 1) return pair.key = in.text(), true;
    if (id == 2) return pair.value = in.text(), true;
    return false;
  });
  return pair;
}

void read_data_page(ThriftReader& in, PageHeader& page) {
  in.fields([&](int id) {
    switch (id) {
      case 1:
        page.values = in.whole<std::int32_t>();
        return true;
      case 2:
        page.encoding = code<Encoding>(in);
        return true;
      case 3:
        page.definition_encoding = code<Encoding>(in);
        return true;
      case 4:
        page.repetition_encoding = code<Encoding>(in);
        return true;
      default:
        return false;
    }
  });
}

void read_data_page_v2(ThriftReader& in, PageHeader& page) {
  in.fields([&](int id) {
    switch (id) {
      case 1:
        page.values = in.whole<std::int32_t>();
        return true;
      case 4:
        page.encoding = code<Encoding>(in);
        return true;
      case 5:
        page.definition_bytes = in.whole<std::int32_t>();
        return true;
      case 6:
        page.repetition_bytes = in.whole<std::int32_t>();
        return true;
      case 7:
        page.is_compressed = in.truth();
        return true;
      default:
        return false;
    }
  });
}

void read_dictionary_page(ThriftReader& in, PageHeader& page) {
  in.fields([&](int id) {
    if (id == 1) return page.values = in.whole<std::int32_t>(), true;
    if (id == 2) return page.encoding = code<Encoding>(in), true;
    return false;
  });
}

constexpr std::size_t tail_bytes = sizeof(std::uint32_t) + magic.size();

std::string_view footer_of(std::string_view file) {
  require(file.starts_with(magic), "expected a Parquet file, which begins with PAR1");
  require(file.size() >= magic.size() + tail_bytes && file.ends_with(magic),
          "expected PAR1 at the end of a Parquet file too, found none: the file is cut off, or its "
          "footer is encrypted");
  const auto bytes = Bytes(file.substr(file.size() - tail_bytes)).number<std::uint32_t>();
  require(bytes <= file.size() - magic.size() - tail_bytes,
          "expected a footer within the file's {} bytes, found one of {}", file.size(), bytes);
  return file.substr(file.size() - tail_bytes - bytes, bytes);
}

}  // namespace

FileMetadata read_footer(std::string_view file) {
  ThriftReader in(footer_of(file));
  FileMetadata metadata;
  in.fields([&](int id) {
    switch (id) {
      case 2:
        return in.each([&] { metadata.schema.push_back(read_element(in)); }), true;
      case 3:
        metadata.rows = in.whole<std::int64_t>();
        return true;
      case 4:
        return in.each([&] { metadata.groups.push_back(read_group(in)); }), true;
      case 5:
        return in.each([&] { metadata.key_values.push_back(read_key_value(in)); }), true;
      default:
        return false;
    }
  });
  return metadata;
}

PageHeader read_page_header(std::string_view& bytes) {
  ThriftReader in(bytes);
  PageHeader page;
  in.fields([&](int id) {
    switch (id) {
      case 1:
        page.type = code<PageType>(in);
        return true;
      case 2:
        page.plain_bytes = in.whole<std::int32_t>();
        return true;
      case 3:
        page.packed_bytes = in.whole<std::int32_t>();
        return true;
      case 5:
        return read_data_page(in, page), true;
      case 7:
        return read_dictionary_page(in, page), true;
      case 8:
        return read_data_page_v2(in, page), true;
      default:
        return false;
    }
  });
  bytes = in.rest();
  return page;
}

}  // namespace somnus::parquet
