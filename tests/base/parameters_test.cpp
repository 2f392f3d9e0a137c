// Described structs out of values and back: every kind of member, its mistakes, and the round trip.
#include "base/parameters.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>

namespace somnus {

enum class Colour { red, green, blue };
template <>
struct EnumNames<Colour> {
  static constexpr std::pair<Colour, const char*> names[] = {
      {Colour::red, "red"}, {Colour::green, "green"}, {Colour::blue, "blue"}};
};

namespace {

/// Of an open set, all of which is known.
class Shape {
 public:
  static tl::expected<Shape, std::string> parse(std::string_view text) {
    return Shape(std::string(text));
  }
  static std::vector<std::string> choices() { return {"circle", "square", "triangle"}; }
  Shape() = default;
  explicit Shape(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] std::string name() const { return name_; }
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::string name_ = "circle";
};

/// Of a set that nobody can list.
struct Even {
  int value = 0;
  static tl::expected<Even, std::string> parse(std::string_view text) {
    if (text.size() % 2 == 1) return tl::unexpected(fmt::format("'{}' is odd", text));
    return Even{static_cast<int>(text.size())};
  }
  [[nodiscard]] std::string name() const {
    return std::string(static_cast<std::size_t>(value), 'x');
  }
  friend bool operator==(const Even&, const Even&) = default;
};

struct Inner {
  double share = 0.5;
  Colour colour = Colour::red;
  friend bool operator==(const Inner&, const Inner&) = default;

  static constexpr auto fields() {
    return in_order(required(field("share", &Inner::share, "1", "of all", probability)),
                    field("colour", &Inner::colour, "", "of paint"));
  }
};

struct Outer {
  bool flag = false;
  std::uint32_t count = 3;
  std::uint64_t seed = 1;
  double wait_s = 1;
  std::string text;
  Shape shape;
  Even even;
  Inner inner;
  std::vector<Inner> inners;
  std::vector<double> numbers;
  std::map<std::string, double> capacities;
  std::vector<std::pair<std::string, Inner>> groups;
  std::optional<double> limit;
  friend bool operator==(const Outer&, const Outer&) = default;

  static constexpr auto fields() {
    using O = Outer;
    return in_order(field("flag", &O::flag, "", "said or not"),
                    field("count", &O::count, "1", "how many", Range{.low = 1, .high = 9}),
                    field("seed", &O::seed, "1", "of it all"),
                    field("wait_s", &O::wait_s, "s", "how long", zero_to_infinity),
                    field("text", &O::text, "", "words"), field("shape", &O::shape, "", "of it"),
                    field("even", &O::even, "", "as many x"), field("inner", &O::inner, "", "one"),
                    field("inners", &O::inners, "", "several"),
                    field("numbers", &O::numbers, "1", "a few", positive),
                    field("capacities", &O::capacities, "1", "by queue", positive),
                    field("groups", &O::groups, "", "by name"),
                    field("limit", &O::limit, "1", "if there is one", positive));
  }
};

std::string faults(const Table& table) {
  std::string text;
  const auto read = from_value<Outer>(table);
  if (read) return text;
  for (const ValueError& fault : read.error()) text += fault.text() + "\n";
  return text;
}

std::string fault(std::string_view name, Value value) {
  return faults({{std::string(name), std::move(value)}});
}

TEST(Parameters, GiveEveryKindOfMember) {
  const Table table = {{"flag", true},
                       {"count", 4},
                       {"wait_s", infinity},
                       {"text", "a b"},
                       {"shape", "square"},
                       {"even", "xx"},
                       {"inner", Table{{"share", 1}, {"colour", "blue"}}},
                       {"inners", List{Table{{"share", 0.25}}, Table{{"share", 0}}}},
                       {"numbers", List{1, 2.5}},
                       {"capacities", Table{{"B", 30}, {"A", 70}}},
                       {"groups", Table{{"z", Table{{"share", 1}}}, {"a", Table{{"share", 0}}}}},
                       {"limit", 2}};
  const auto read = from_value<Outer>(table);
  ASSERT_TRUE(read) << faults(table);
  EXPECT_EQ(*read, (Outer{.flag = true,
                          .count = 4,
                          .wait_s = infinity,
                          .text = "a b",
                          .shape = Shape("square"),
                          .even = {2},
                          .inner = {1, Colour::blue},
                          .inners = {{.share = 0.25}, {.share = 0}},
                          .numbers = {1, 2.5},
                          .capacities = {{"A", 70}, {"B", 30}},
                          .groups = {{"z", {.share = 1}}, {"a", {.share = 0}}},
                          .limit = 2}));
}

TEST(Parameters, KeepTheirDefaultsWhereNothingIsSaid) {
  EXPECT_EQ(from_value<Outer>({}).value(), Outer());
  EXPECT_EQ(from_value<Outer>({}, Outer{.count = 7}).value().count, 7U);
}

TEST(Parameters, AreWholeNumbersWithOrWithoutAPoint) {
  EXPECT_EQ(from_value<Outer>({{"count", 2.0}}).value().count, 2U);
  EXPECT_EQ(fault("count", 2.5), "count: expected a whole number from 1 to 9, found 2.5\n");
}

TEST(Parameters, OfTheWrongTypeSayWhatWasExpectedAndFound) {
  EXPECT_EQ(fault("flag", 1), "flag: expected true or false, found 1\n");
  EXPECT_EQ(fault("text", 3), "text: expected a string, found 3\n");
  EXPECT_EQ(fault("count", "many"), "count: expected a whole number from 1 to 9, found \"many\"\n");
  EXPECT_EQ(fault("count", std::string(99, 'x')),
            "count: expected a whole number from 1 to 9, found a string\n");
  EXPECT_EQ(fault("limit", true), "limit: expected a number above 0, found true\n");
  EXPECT_EQ(fault("text", Value::Other{"a date"}), "text: expected a string, found a date\n");
  EXPECT_EQ(fault("inner", 3), "inner: expected a table [inner], found 3\n");
  EXPECT_EQ(fault("inners", Table()),
            "inners: expected a list of tables [[inners]], found a table\n");
  EXPECT_EQ(fault("numbers", 3), "numbers: expected a list, found 3\n");
}

TEST(Parameters, InsideTablesAndListsAreNamedByTheirPaths) {
  EXPECT_EQ(fault("inner", Table{{"share", 2}}),
            "inner.share: expected a number from 0 to 1, found 2\n");
  EXPECT_EQ(fault("inner", Table{{"share", 0}, {"color", "red"}}),
            "inner.color: unknown key; did you mean 'colour'?\n");
  EXPECT_EQ(fault("inner", Table{{"colour", "red"}}), "inner: expected share, found none\n");
  EXPECT_EQ(
      fault("inners", List{Table{{"share", 0}}, Table{{"share", 0}, {"colour", "gren"}}}),
      "inners[1].colour: expected one of \"red\", \"green\", \"blue\", found \"gren\"; did you "
      "mean 'green'?\n");
  EXPECT_EQ(fault("inners", List{3}), "inners[0]: expected a table, found 3\n");
  EXPECT_EQ(fault("numbers", List{1, 0}), "numbers[1]: expected a number above 0, found 0\n");
  EXPECT_EQ(fault("capacities", Table{{"A", 70}, {"b c", 0}}),
            "capacities.\"b c\": expected a number above 0, found 0\n");
  EXPECT_EQ(fault("groups", Table{{"a", Table()}}), "groups.a: expected share, found none\n");
}

TEST(Parameters, ThatAreChoicesNameAllThereAreOrSayWhatIsWrong) {
  EXPECT_EQ(fault("shape", "sqare"),
            "shape: expected one of \"circle\", \"square\", \"triangle\", found \"sqare\"; did you "
            "mean 'square'?\n");
  EXPECT_EQ(fault("shape", 3),
            "shape: expected one of \"circle\", \"square\", \"triangle\", found 3\n");
  EXPECT_EQ(fault("even", "x"), "even: 'x' is odd\n");
  EXPECT_EQ(fault("even", 2), "even: expected a string, found 2\n");
}

TEST(Parameters, AreReportedAllAtOnce) {
  EXPECT_EQ(faults({{"flagg", true}, {"count", 0}, {"inner", Table{{"share", "x"}}}}),
            "flagg: unknown key; did you mean 'flag'?\n"
            "count: expected a whole number from 1 to 9, found 0\n"
            "inner.share: expected a number from 0 to 1, found \"x\"\n");
}

TEST(Parameters, AreDescribedWithTheirNestedOnes) {
  const auto infos = infos_of(Outer());
  ASSERT_EQ(infos.size(), 13U);
  EXPECT_EQ(infos[1].fallback, Value(3));
  EXPECT_EQ(infos[5].choices, Shape::choices());
  EXPECT_EQ(infos[7].type, ValueType::table);
  ASSERT_EQ(infos[7].nested.size(), 2U);
  EXPECT_TRUE(infos[7].nested[0].required);
  EXPECT_EQ(infos[8].type, ValueType::list);
  EXPECT_EQ(infos[8].element, ValueType::table);
  EXPECT_EQ(infos[10].type, ValueType::free_table);
  EXPECT_EQ(infos[10].element, ValueType::number);
  EXPECT_EQ(infos[12].fallback, std::nullopt);
}

TEST(Parameters, OfASchemaAreCompletedByTheirDefaults) {
  const ParameterSchema schema = parameters_of(Inner{.share = 0.25});
  ValueReader reader;
  EXPECT_EQ(schema.read(reader, {{"colour", "green"}, {"other", 1}}, "here"),
            (Table{{"share", 0.25}, {"colour", "green"}}));
  EXPECT_FALSE(reader.any());
  EXPECT_EQ(schema.names(), (std::vector<std::string>{"share", "colour"}));
  EXPECT_TRUE(ParameterSchema().defaults().empty());
}

TEST(Values, AreEqualByWhatTheyAreWorth) {
  EXPECT_EQ(Value(2), Value(2.0));
  EXPECT_NE(Value(2), Value("2"));
  EXPECT_NE(Value(1), Value(true));
  EXPECT_EQ((Table{{"a", 1}, {"b", 2}}), (Table{{"b", 2}, {"a", 1}}));
  EXPECT_NE((Table{{"a", 1}}), (Table{{"a", 1}, {"b", 2}}));
}

TEST(Values, AreWrittenInOneLine) {
  EXPECT_EQ(text_of(Table{{"a b", List{1, 2.5, true}}, {"c", Table()}, {"d", "\"\\\n\x01"}}),
            "{ \"a b\" = [1, 2.5, true], c = {}, d = \"\\\"\\\\\\n\\u0001\" }");
}

double any_number(double least) { return least + *rc::gen::inRange(0, 1000) / 8.0; }

Inner any_inner() {
  return {.share = *rc::gen::inRange(0, 9) / 8.0,
          .colour = *rc::gen::element(Colour::red, Colour::green, Colour::blue)};
}

RC_GTEST_PROP(Parameters, ComeBackFromTheirOwnValues, ()) {
  Outer outer{.flag = *rc::gen::arbitrary<bool>(),
              .count = *rc::gen::inRange(1U, 10U),
              .seed = *rc::gen::inRange<std::uint64_t>(0, 1ULL << 62),
              .wait_s = *rc::gen::element(infinity, any_number(0)),
              .text = *rc::gen::arbitrary<std::string>(),
              .shape = Shape(*rc::gen::elementOf(Shape::choices())),
              .even = {2 * *rc::gen::inRange(0, 5)},
              .inner = any_inner()};
  for (int more = *rc::gen::inRange(0, 4); more > 0; --more) outer.inners.push_back(any_inner());
  for (int more = *rc::gen::inRange(0, 4); more > 0; --more) {
    outer.numbers.push_back(any_number(1));
    outer.capacities[*rc::gen::arbitrary<std::string>()] = any_number(1);
    outer.groups.emplace_back(std::to_string(9 - more), any_inner());
  }
  if (*rc::gen::arbitrary<bool>()) outer.limit = any_number(1);
  const Table table = to_value(outer);
  const auto again = from_value<Outer>(table);
  if (!again) RC_FAIL(faults(table));
  RC_ASSERT(*again == outer);
  RC_ASSERT(to_value(*again) == table);
  RC_ASSERT(text_of(to_value(*again)) == text_of(table));
}

}  // namespace
}  // namespace somnus
