// Attributes: texts as fixed-length UTF-8 strings (SWMR forbids variable lengths), and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hdf5/handles.hpp"

namespace somnus::hdf5 {

/// A fixed-length string type for `bytes` bytes (at least one), padded with NUL.
[[nodiscard]] Datatype text_type(std::size_t bytes);

/// `texts` side by side, each in `width` bytes, padded with NUL.
[[nodiscard]] std::string padded(std::span<const std::string> texts, std::size_t width);
/// The longest text's length, at least one.
[[nodiscard]] std::size_t width_of(std::span<const std::string> texts);
/// Its inverse, but for NULs at a text's end.
[[nodiscard]] std::vector<std::string> unpadded(std::string_view bytes, std::size_t width);

void write_text(hid_t object, const std::string& name, const std::string& text);
void write_texts(hid_t object, const std::string& name, std::span<const std::string> texts);
void write_number(hid_t object, const std::string& name, std::int64_t number);
void write_number(hid_t object, const std::string& name, std::uint64_t number);
void write_number(hid_t object, const std::string& name, double number);
void write_numbers(hid_t object, const std::string& name, std::span<const std::uint64_t> numbers);
/// Of an attribute that exists.
void overwrite_number(hid_t object, const std::string& name, std::uint64_t number);

// nullopt: there is no such attribute, or it is of another kind.
[[nodiscard]] std::optional<std::vector<std::string>> read_texts(hid_t object,
                                                                 const std::string& name);
[[nodiscard]] std::optional<std::string> read_text(hid_t object, const std::string& name);
[[nodiscard]] std::optional<std::vector<std::uint64_t>> read_numbers(hid_t object,
                                                                     const std::string& name);
[[nodiscard]] std::optional<std::uint64_t> read_number(hid_t object, const std::string& name);
[[nodiscard]] std::optional<double> read_real(hid_t object, const std::string& name);

}  // namespace somnus::hdf5
