// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The text of a table, and what of an older one stays in it.
#include "tune/table.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tuning/built_in.hpp"
#include "tuning/read.hpp"
#include "tuning/write.hpp"

namespace onepass::tools {
namespace {

using nlohmann::json;

TunedMesh timed(const Mesh& mesh, const char* launch) {
  TunedMesh tuned{mesh, std::vector<Cell>(mesh.size())};
  for (Cell& cell : tuned.cells) {
    cell.fits = true;
    cell.scored.push_back({*parse_launch(problem_at(mesh, 0, 0), launch), 1e-6});
  }
  return tuned;
}

TunerResult of_meshes() {
  TunerResult result;
  result.meshes.push_back(timed({.type = Type::d, .rows = {16, 100}, .cols = {16, 100, 1000}}, "128/4/0p"));
  result.meshes.push_back(
      timed({.routine = Routine::symv, .type = Type::s, .rows = {100, 200}, .cols = {1}}, "256/4/512"));
  return result;
}

TunerResult of_shapes(const char* launch) {
  TunerResult result;
  result.meshes.push_back(timed(exact_mesh(Type::b, true, 4096, 28672), launch));
  result.meshes.push_back(timed(exact_mesh(Type::b, true, 4096, 32000), "128/8/0p"));
  result.meshes.push_back({exact_mesh(Type::d, false, 100, 100), std::vector<Cell>(1)});  // for which there was no time
  return result;
}

std::string text_of(const TunerResult& result, const std::string& how, const std::string& before = "") {
  const TableHead head{.library = "1.2.3", .commit = "abc", .date = "today", .how = how, .facts = {}};
  std::optional<TableText> old;
  if (!before.empty()) {
    EXPECT_TRUE(read_table(before, &old.emplace()).ok());
  }
  return write_table(table_of(result, head, h200_traits(), old));
}

TEST(TableText, IsATableThatIsReadBack) {
  for (const std::string& text : {text_of(of_meshes(), "a mesh"), text_of(of_shapes("128/32/0fp"), "shapes")}) {
    Tuning table;
    const Status status = Tuning::parse(text, "", &table);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_TRUE(table.serves(h200_traits()));
  }
}

TEST(TableText, HasALineForALineOfAMesh) {
  const std::string text = text_of(of_meshes(), "a mesh");
  EXPECT_NE(text.find("\n \"cols\": [16, 100, 1000],\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  \"d N any\": [\n   \"128/4/0p 128/4/0p 128/4/0p\",\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  \"s L any\": \"256/4/512 256/4/512\"\n"), std::string::npos) << text;
}

TEST(TableText, AddsSingleShapesToTheTableThatWasThere) {
  const std::string mesh = text_of(of_meshes(), "a mesh"), once = text_of(of_shapes("256/64/0"), "first", mesh);
  json table = json::parse(text_of(of_shapes("128/32/0fp"), "second", once));
  EXPECT_EQ(table["shapes"], json({{"b T aligned", {{"4096x28672", "128/32/0fp"}, {"4096x32000", "128/8/0p"}}}}));
  EXPECT_EQ(table["how"], "a mesh; shapes: second, abc, today");  // the first is not there any more
  json before = json::parse(mesh);
  for (json* one : {&table, &before}) one->erase("how");
  table.erase("shapes");
  EXPECT_EQ(table, before);
}

TEST(TableText, StaysAsItWasWhereThereWasNoTimeForTheShapes) {
  const std::string mesh = text_of(of_meshes(), "a mesh");
  TunerResult untimed;
  untimed.meshes.push_back({exact_mesh(Type::d, false, 100, 100), std::vector<Cell>(1)});
  EXPECT_EQ(text_of(untimed, "shapes", mesh), mesh);
}

TEST(TableText, KeepsSingleShapesWhereAMeshIsTimedAnew) {
  const std::string shapes = text_of(of_shapes("128/32/0fp"), "shapes");
  json table = json::parse(text_of(of_meshes(), "a mesh", shapes));
  EXPECT_EQ(table["shapes"], json::parse(shapes)["shapes"]);
  EXPECT_EQ(table["how"], "a mesh");
  table.erase("shapes");
  EXPECT_EQ(table, json::parse(text_of(of_meshes(), "a mesh")));
}

TEST(TableText, OfTheLibraryIsWrittenAsItWasRead) {
  for (const std::string_view built_in : tuning_tables) {
    TableText table;
    const Status status = read_table(built_in, &table);
    ASSERT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(write_table(table), built_in);
  }
}

TEST(TableText, ChangesNothingElseInTheTablesOfTheLibrary) {
  for (const std::string_view built_in : tuning_tables) {
    std::string before(built_in), after = text_of(of_shapes("128/32/0fp"), "shapes", before);
    json table = json::parse(after), old = json::parse(before);
    for (json* one : {&table, &old}) one->erase("how"), one->erase("shapes");
    EXPECT_EQ(table, old);
    // Line by line too, so that a change of a table in the repository shows what changed.
    after.resize(after.find("\n \"how\""));
    EXPECT_TRUE(before.starts_with(after));
  }
}

}  // namespace
}  // namespace onepass::tools
