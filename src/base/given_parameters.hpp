// Parameters that the user gave by name, without defaults.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "base/parameters.hpp"

namespace somnus {

/// All of the schema's, as `given` or else as their defaults. Names that it does not have are
/// blamed, too; `owner` is whose they should be: "generator google".
[[nodiscard]] Parameters read_given(ValueReader& reader, const ParameterSchema& schema,
                                    const Parameters& given, std::string_view owner);

/// The same, with all that is wrong at one place.
[[nodiscard]] Checked<Parameters> check_parameters(const ParameterSchema& schema,
                                                   const Parameters& given, std::string_view owner,
                                                   const SourceLocation& where);

}  // namespace somnus
