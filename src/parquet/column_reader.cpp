#include "parquet/column_reader.hpp"

#include <bit>
#include <optional>
#include <utility>

#include "parquet/bytes.hpp"
#include "parquet/codecs.hpp"
#include "parquet/runs.hpp"

namespace somnus::parquet {
namespace {

// How each type lies in a PLAIN page, and what becomes of it here.

struct Boolean {
  using Value = bool;
  class Plain {
   public:
    Plain(std::string_view bytes, const Leaf&) : bits_(bytes, 1) {}
    bool next() { return bits_.next() != 0; }

   private:
    PackedBits bits_;
  };
};

template <class Stored, class Becomes>
struct Fixed {
  using Value = Becomes;
  class Plain {
   public:
    Plain(std::string_view bytes, const Leaf& leaf)
        : bytes_(bytes),
          is_unsigned_(leaf.converted == ConvertedType::uint32),
          is_wide_(leaf.converted == ConvertedType::uint64) {}
    Value next() {
      const auto value = bytes_.number<Stored>();
      if constexpr (std::is_same_v<Stored, std::int32_t>) {
        if (is_unsigned_) return static_cast<std::uint32_t>(value);
      }
      if constexpr (std::is_same_v<Stored, std::int64_t>) {
        require(!is_wide_ || value >= 0, "expected numbers below 2^63, found {}",
                static_cast<std::uint64_t>(value));
      }
      return value;
    }

   private:
    Bytes bytes_;
    bool is_unsigned_;
    bool is_wide_;
  };
};

/// Nanoseconds of a day, and the day by its Julian number: Spark's and Impala's instants.
struct Int96 {
  using Value = std::int64_t;
  class Plain {
   public:
    Plain(std::string_view bytes, const Leaf&) : bytes_(bytes) {}
    Value next() {
      constexpr std::int64_t ns_of_day = 86'400'000'000'000;
      constexpr std::int64_t day_of_1970 = 2'440'588;
      constexpr std::int64_t most_days = 100'000;  // 274 years: the sum fits
      const auto ns = bytes_.number<std::int64_t>();
      const std::int64_t day = bytes_.number<std::int32_t>() - day_of_1970;
      require(ns >= 0 && ns < ns_of_day && day >= -most_days && day <= most_days,
              "expected an instant of 1696 to 2243, found day {} and {} ns", day, ns);
      return day * ns_of_day + ns;
    }

   private:
    Bytes bytes_;
  };
};

struct ByteArray {
  using Value = std::string;
  class Plain {
   public:
    Plain(std::string_view bytes, const Leaf&) : bytes_(bytes) {}
    std::string next() { return std::string(bytes_.take(bytes_.number<std::uint32_t>())); }

   private:
    Bytes bytes_;
  };
};

/// visit(stored type) for the leaf's.
template <class Visit>
auto by_type(const Leaf& leaf, Visit&& visit) {
  switch (leaf.type) {
    case Type::boolean:
      return visit(Boolean());
    case Type::int32:
      return visit(Fixed<std::int32_t, std::int64_t>());
    case Type::int64:
      return visit(Fixed<std::int64_t, std::int64_t>());
    case Type::real32:
      return visit(Fixed<float, double>());
    case Type::real64:
      return visit(Fixed<double, double>());
    case Type::byte_array:
      return visit(ByteArray());
    case Type::int96:
      return visit(Int96());
    case Type::fixed_len_byte_array:
      break;
  }
  throw FormatError(
      fmt::format("expected truths, numbers of 32 or 64 bits, instants or texts, found Parquet's "
                  "type {}",
                  static_cast<int>(leaf.type)));
}

template <class Value>
std::uint64_t cost_of(const Value& value) {
  if constexpr (std::is_same_v<Value, std::string>) return sizeof value + value.size();
  return sizeof value;
}

/// The levels of a page, and where its values lie.
struct DataPage {
  std::optional<Runs> repetition;  // none: there is but one level
  std::optional<Runs> definition;
  std::string_view values;
};

template <class Stored>
class ChunkReader {
 public:
  using Value = typename Stored::Value;

  ChunkReader(const Leaf& leaf, const ChunkMetadata& chunk, Budget& budget, Column& column)
      : leaf_(leaf),
        chunk_(chunk),
        budget_(budget),
        column_(column),
        values_(std::get<std::vector<Value>>(column.values)) {}

  void operator()(std::string_view bytes) {
    std::int64_t seen = 0;
    for (page_ = 0; seen < chunk_.values; ++page_) {
      require(!bytes.empty(), "expected {} values, found {}", chunk_.values, seen);
      const PageHeader page = read_page_header(bytes);
      require(page.packed_bytes >= 0 && page.plain_bytes >= 0 && page.values >= 0,
              "expected lengths and counts of 0 or more, found negative ones");
      const auto length = static_cast<std::size_t>(page.packed_bytes);
      require(length <= bytes.size(), "expected {} bytes, found {}", length, bytes.size());
      seen += read(page, bytes.substr(0, length));
      bytes.remove_prefix(length);
    }
    require(seen == chunk_.values, "expected {} values, found {}", chunk_.values, seen);
  }

  [[nodiscard]] int page() const { return page_; }

 private:
  /// How many values of the column it had.
  std::int64_t read(const PageHeader& page, std::string_view bytes) {
    switch (page.type) {
      case PageType::index:
        return 0;
      case PageType::dictionary:
        return read_dictionary(page, bytes), 0;
      case PageType::data:
        return read_v1(page, bytes), page.values;
      case PageType::data_v2:
        return read_v2(page, bytes), page.values;
    }
    throw FormatError(fmt::format("expected a page of data or a dictionary, found page type {}",
                                  static_cast<int>(page.type)));
  }

  std::string plain_of(std::string_view bytes, std::size_t plain_bytes) {
    budget_.take(plain_bytes);
    return unpacked(chunk_.codec, bytes, plain_bytes);
  }

  void read_dictionary(const PageHeader& page, std::string_view bytes) {
    require(page.encoding == Encoding::plain || page.encoding == Encoding::plain_dictionary,
            "expected a plain dictionary, found encoding {}", static_cast<int>(page.encoding));
    const std::string plain = plain_of(bytes, static_cast<std::size_t>(page.plain_bytes));
    dictionary_.clear();
    typename Stored::Plain values(plain, leaf_);
    for (std::int32_t at = 0; at < page.values; ++at) {
      Value value = values.next();
      budget_.take(cost_of(value));
      dictionary_.push_back(std::move(value));
    }
  }

  void read_v1(const PageHeader& page, std::string_view bytes) {
    const std::string plain = plain_of(bytes, static_cast<std::size_t>(page.plain_bytes));
    Bytes in(plain);
    const auto levels = [&](std::uint32_t most, Encoding encoding) -> std::optional<Runs> {
      if (most == 0) return std::nullopt;
      require(encoding == Encoding::rle, "expected levels in runs, found encoding {}",
              static_cast<int>(encoding));
      return levels_of(in.take(in.number<std::uint32_t>()), most);
    };
    DataPage data;
    data.repetition = levels(leaf_.repetition, page.repetition_encoding);
    data.definition = levels(leaf_.definition, page.definition_encoding);
    data.values = in.rest();
    read_values(page, data);
  }

  /// The levels of V2 are not compressed.
  void read_v2(const PageHeader& page, std::string_view bytes) {
    require(page.repetition_bytes >= 0 && page.definition_bytes >= 0,
            "expected levels of 0 bytes or more, found negative lengths");
    Bytes in(bytes);
    DataPage data;
    const auto repetition = in.take(static_cast<std::size_t>(page.repetition_bytes));
    const auto definition = in.take(static_cast<std::size_t>(page.definition_bytes));
    if (leaf_.repetition > 0) data.repetition = levels_of(repetition, leaf_.repetition);
    if (leaf_.definition > 0) data.definition = levels_of(definition, leaf_.definition);
    const std::size_t levels = repetition.size() + definition.size();
    const auto whole = static_cast<std::size_t>(page.plain_bytes);
    require(whole >= levels, "expected at least the {} bytes of levels, found a page of {}", levels,
            whole);
    if (!page.is_compressed) {
      data.values = in.rest();
      return read_values(page, data);
    }
    const std::string plain = in.size() == 0 && whole == levels
                                  ? std::string()  // of nulls alone: nothing was compressed
                                  : plain_of(in.rest(), whole - levels);
    data.values = plain;
    read_values(page, data);
  }

  static Runs levels_of(std::string_view bytes, std::uint32_t most) {
    return {bytes, static_cast<unsigned>(std::bit_width(most))};
  }

  void read_values(const PageHeader& page, DataPage& data) {
    switch (page.encoding) {
      case Encoding::plain: {
        typename Stored::Plain plain(data.values, leaf_);
        return place(page, data, [&] { return plain.next(); });
      }
      case Encoding::plain_dictionary:
      case Encoding::rle_dictionary:
        return read_indices(page, data);
      case Encoding::rle:
        if constexpr (std::is_same_v<Stored, Boolean>) return read_truths(page, data);
        break;
    }
    throw FormatError(
        fmt::format("expected values that are plain or in a dictionary, found encoding {}",
                    static_cast<int>(page.encoding)));
  }

  void read_indices(const PageHeader& page, DataPage& data) {
    Bytes in(data.values);
    const unsigned width = in.size() == 0 ? 0 : in.number<std::uint8_t>();  // none: of nulls alone
    Runs places(in.rest(), width);
    place(page, data, [&] {
      const std::uint32_t at = places.next();
      require(at < dictionary_.size(), "expected a place in the dictionary of {} values, found {}",
              dictionary_.size(), at);
      return Value(dictionary_[at]);
    });
  }

  void read_truths(const PageHeader& page, DataPage& data) {
    Bytes in(data.values);
    Runs truths(in.take(in.number<std::uint32_t>()), 1);
    place(page, data, [&] { return truths.next() != 0; });
  }

  /// next() gives the next value that is there.
  template <class Next>
  void place(const PageHeader& page, DataPage& data, Next&& next) {
    for (std::int32_t at = 0; at < page.values; ++at) {
      const std::uint32_t repetition = data.repetition ? data.repetition->next() : 0;
      if (repetition == 0) {
        budget_.take(sizeof column_.ends.front());
        column_.ends.push_back(values_.size());
      }
      require(!column_.ends.empty(), "expected that a list begins with a row, found one before it");
      const std::uint32_t definition = data.definition ? data.definition->next() : 0;
      require(definition <= leaf_.definition, "expected levels up to {}, found {}",
              leaf_.definition, definition);
      if (definition < leaf_.definition) {
        budget_.take(1);  // a few bytes can say that millions are null
        continue;
      }
      Value value = next();
      budget_.take(cost_of(value));
      values_.push_back(std::move(value));
      column_.ends.back() = values_.size();
    }
  }

  const Leaf& leaf_;
  const ChunkMetadata& chunk_;
  Budget& budget_;
  Column& column_;
  std::vector<Value>& values_;
  std::vector<Value> dictionary_;
  int page_ = 0;
};

std::string_view bytes_of(std::string_view file, const ChunkMetadata& chunk) {
  require(!chunk.is_elsewhere, "expected its pages in this file, found the name of another");
  const bool has_dictionary =
      chunk.dictionary_offset > 0 && chunk.dictionary_offset < chunk.data_offset;
  const std::int64_t begin = has_dictionary ? chunk.dictionary_offset : chunk.data_offset;
  const auto size = static_cast<std::int64_t>(file.size());
  const bool is_inside = begin >= 0 && begin <= size && chunk.compressed_bytes >= 0 &&
                         chunk.compressed_bytes <= size - begin;
  require(is_inside, "expected pages within the file's {} bytes, found {} from {} on", size,
          chunk.compressed_bytes, begin);
  return file.substr(static_cast<std::size_t>(begin),
                     static_cast<std::size_t>(chunk.compressed_bytes));
}

}  // namespace

void Budget::take(std::uint64_t bytes) {
  require(bytes <= left_, "expected a column of at most {} bytes in memory, found more", most_);
  left_ -= bytes;
}

Column empty_column(const Leaf& leaf) {
  require(leaf.repetition <= 1, "expected lists of values, found lists of lists");
  require(leaf.converted != ConvertedType::decimal, "expected whole numbers, found decimals");
  Column column{.is_list = leaf.repetition == 1};
  by_type(leaf,
          [&]<class Stored>(Stored) { column.values = std::vector<typename Stored::Value>(); });
  return column;
}

void read_chunk(std::string_view file, const Leaf& leaf, const ChunkMetadata& chunk,
                std::int64_t rows, Budget& budget, Column& column) {
  require(chunk.type == leaf.type, "expected the type of the schema, {}, found {}",
          static_cast<int>(leaf.type), static_cast<int>(chunk.type));
  const std::string_view bytes = bytes_of(file, chunk);
  budget.take(bytes.size());  // others may lie there, too
  const std::size_t before = column.rows();
  by_type(leaf, [&]<class Stored>(Stored) {
    ChunkReader<Stored> read(leaf, chunk, budget, column);
    try {
      read(bytes);
    } catch (const FormatError& error) {
      throw FormatError(fmt::format("page {}: {}", read.page(), error.what()));
    }
  });
  require(std::cmp_equal(column.rows() - before, rows), "expected {} rows, found {}", rows,
          column.rows() - before);
}

}  // namespace somnus::parquet
