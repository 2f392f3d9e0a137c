// How a row is stored in the file: as in memory, up to the end of its last column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/describe.hpp"
#include "log/schema.hpp"

namespace somnus {

enum class Number : std::uint8_t { u8, u16, u32, u64, f64 };

/// What is no more than its seconds: an estimate, a moment.
template <class T>
concept OfSeconds = std::is_same_v<T, Estimate> || std::is_same_v<T, Moment>;

/// How a member lies in its column: enums are codes, ids and seconds what they are made of.
template <class T>
constexpr Number number_of() {
  if constexpr (std::is_enum_v<T>) {
    return number_of<std::underlying_type_t<T>>();
  } else if constexpr (is_id<T>) {
    return number_of<typename T::Value>();
  } else if constexpr (OfSeconds<T>) {
    return Number::f64;
  } else if constexpr (std::is_same_v<T, std::uint8_t>) {
    return Number::u8;
  } else if constexpr (std::is_same_v<T, std::uint16_t>) {
    return Number::u16;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return Number::u32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return Number::u64;
  } else {
    static_assert(std::is_same_v<T, double>, "a column is a number");
    return Number::f64;
  }
}

/// A field's, and where it is a code what each number stands for.
template <class Struct, class Member>
[[nodiscard]] std::string meaning_of(const Field<Struct, Member>& field) {
  std::string meaning = field.meaning;
  if constexpr (NamedEnum<Member>) {
    const char* before = ": ";
    for (const auto& [value, name] : EnumNames<Member>::names) {
      meaning += before + std::to_string(static_cast<int>(value)) + " " + name;
      before = ", ";
    }
  }
  return meaning;
}

[[nodiscard]] std::size_t bytes_of(Number number);

struct Column {
  std::string name;
  std::string unit;
  std::string meaning;
  Number number;
  std::size_t offset;
};

/// The columns of a row type, for a workload with given resources.
class Layout {
 public:
  /// `fallback`: the bytes of a default row.
  Layout(std::vector<Column> columns, std::span<const std::byte> fallback);

  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  /// Of a row in memory.
  [[nodiscard]] std::size_t memory_bytes() const { return fallback_.size(); }
  /// Of a row in the file: all up to its last column, which is a resource's perhaps.
  [[nodiscard]] std::size_t row_bytes() const { return row_bytes_; }
  [[nodiscard]] std::span<const std::byte> fallback() const { return fallback_; }

  /// Whole rows as they lie in the file; returns how many bytes that are. What no column covers
  /// (padding) is zero, so that equal rows are equal bytes.
  std::size_t pack(std::span<const std::byte> in_memory, std::span<std::byte> in_file) const;
  [[nodiscard]] std::vector<std::byte> packed(std::span<const std::byte> in_memory) const;

 private:
  struct Gap {
    std::size_t offset;
    std::size_t bytes;
  };
  std::vector<Column> columns_;
  std::size_t row_bytes_ = 0;
  std::vector<Gap> gaps_;
  std::vector<std::byte> fallback_;
};

/// One row of /stage_demands, whose columns are the resources alone.
using DemandRow = Amounts;

/// Where a row type keeps its numbers per resource, behind all others; those without have none.
template <class Row>
struct PerResource {
  static constexpr bool any = false;
};
template <>
struct PerResource<SampleRow> {
  static constexpr bool any = true;
  static constexpr const char* prefix = "allocated_";
  static constexpr const char* meaning = "allocated to running tasks, as the scheduler knows";
  static const void* first(const SampleRow& row) { return &row.allocated; }
};
template <>
struct PerResource<NodeRow> {
  static constexpr bool any = true;
  static constexpr const char* prefix = "";
  static constexpr const char* meaning = "what the node has";
  static const void* first(const NodeRow& row) { return &row.resources; }
};
template <>
struct PerResource<DemandRow> {
  static constexpr bool any = true;
  static constexpr const char* prefix = "";
  static constexpr const char* meaning = "what each task of the stage asks for";
  static const void* first(const DemandRow& row) { return &row; }
};

template <>
struct PerResource<Stamped<StageEstimated>> {
  static constexpr bool any = true;
  static constexpr const char* prefix = "demand_";
  static constexpr const char* meaning = "what each task asks for, as the scheduler got it";
  static const void* first(const Stamped<StageEstimated>& row) { return &row.demand; }
};

/// Appends a column per resource, named prefix + resource; a name that is taken already (a
/// resource "slots") gets "resource_" in front.
void add_resource_columns(std::vector<Column>& columns, std::span<const std::string> resources,
                          std::size_t offset, const char* prefix, const char* meaning);

template <class Row>
[[nodiscard]] Layout layout_of(std::span<const std::string> resources) {
  static_assert(std::is_trivially_copyable_v<Row>);
  const Row row{};
  const auto offset_of = [&row](const void* member) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(member) -
                                    reinterpret_cast<const std::byte*>(&row));
  };
  std::vector<Column> columns;
  if constexpr (Described<Row>) {
    for_each_field<Row>([&](const auto& field) {
      using Member = typename std::remove_cvref_t<decltype(field)>::member_type;
      columns.push_back({field.name, field.unit, meaning_of(field), number_of<Member>(),
                         offset_of(&(row.*field.member))});
    });
  }
  if constexpr (PerResource<Row>::any) {
    add_resource_columns(columns, resources, offset_of(PerResource<Row>::first(row)),
                         PerResource<Row>::prefix, PerResource<Row>::meaning);
  }
  return {std::move(columns), std::as_bytes(std::span(&row, 1))};
}

}  // namespace somnus
