#include "text/file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace somnus {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::string_view bytes;
  const char* name;
  const char* hint;
};

constexpr const char* from_python =
    "write the table as CSV or Parquet where it was made, e.g. pandas' to_csv() or to_parquet()";

constexpr std::array signatures = {
    Signature{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file",
              "a log of somnus: somnus export makes tables of it; any other: pandas.read_hdf() and "
              "to_csv() or to_parquet()"},
    Signature{"SQLite format 3\0"sv, "an SQLite database",
              "sqlite3 -header -csv FILE 'select * from TABLE' > table.csv"},
    Signature{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "an old Excel or Word document",
              "save the sheet as CSV"},
    Signature{"\x93NUMPY"sv, "a NumPy array", "numpy.savetxt() or pandas' to_csv() writes text"},
    Signature{"ARROW1"sv, "an Arrow (Feather) file", from_python},
    Signature{"ORC"sv, "an ORC file", from_python},
    Signature{"Obj\x01"sv, "an Avro file", from_python},
    Signature{"%PDF-"sv, "a PDF document", ""},
    Signature{"\x7f"
              "ELF"sv,
              "a program", ""},
    Signature{"BZh"sv, "a bzip2 file", "bunzip2 unpacks it"},
    Signature{"\x37\x7a\xbc\xaf\x27\x1c"sv, "a 7z archive", "unpack it and name a file in it"},
    Signature{"\x04\x22\x4d\x18"sv, "an lz4 file", "unlz4 unpacks it"},
    Signature{"RDX2\n"sv, "R data", "write.csv() writes text"},
    Signature{"RDX3\n"sv, "R data", "write.csv() writes text"},
};

/// Whose members' names stand in its first bytes.
FileKind kind_of_zip(std::string_view beginning) {
  const auto names = [&](std::string_view member) {
    return beginning.find(member) != std::string_view::npos;
  };
  if (names("xl/") || names("[Content_Types].xml")) {
    return {"an Excel workbook or another Office document", "save the sheet as CSV"};
  }
  if (names("opendocument")) return {"an OpenDocument file", "save the sheet as CSV"};
  if (names(".npy")) return {"a NumPy archive (.npz)", from_python};
  return {"a zip archive", "unpack it and name a file in it"};
}

bool is_tar(std::string_view beginning) {
  constexpr std::size_t place = 257;
  return beginning.size() > place && beginning.substr(place).starts_with("ustar");
}

}  // namespace

std::optional<FileKind> kind_of_binary(std::string_view beginning) {
  if (beginning.starts_with("PAR1")) return std::nullopt;
  for (const Signature& each : signatures) {
    const bool is_plain_text = each.bytes == "ORC" || each.bytes == "BZh";  // could be words, too
    const bool is_it = beginning.starts_with(each.bytes) &&
                       (!is_plain_text || beginning.find('\0') != std::string_view::npos);
    if (is_it) return FileKind{each.name, each.hint};
  }
  if (beginning.starts_with("PK\x03\x04")) return kind_of_zip(beginning);
  if (is_tar(beginning)) return FileKind{"a tar archive", "unpack it and name a file in it"};
  // Protocol 2 and later: its opcode, and a number of version.
  const bool is_pickle =
      beginning.size() > 2 && beginning[0] == '\x80' && beginning[1] >= 2 && beginning[1] <= 5;
  if (is_pickle) return FileKind{"a Python pickle", from_python};
  const auto nul = beginning.find('\0');
  if (nul == std::string_view::npos) return std::nullopt;
  const std::string_view few = beginning.substr(0, 100);  // of UTF-16 nearly each second is 0
  const auto zeros = static_cast<std::size_t>(std::ranges::count(few, '\0'));
  const bool is_wide =
      few.size() >= 4 && 5 * zeros >= 2 * few.size() && 5 * zeros <= 3 * few.size();
  return FileKind{fmt::format("no text: byte {} is 0", nul + 1),
                  is_wide ? "if it is UTF-16, save it with a byte order mark, or as UTF-8" : ""};
}

}  // namespace somnus
