// SPDX-License-Identifier: GPL-3.0-or-later
// How large the house is, against the limits of tests/scale.txt: they only go down, or a line there says why
// not.
#include "tests/engine/fixtures.h"
#include "tests/engine/source_tree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <regex>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kTable = "tests/scale.txt";
const std::string kHowToLower = "HETEROSCAPE_WRITE_SCALE=1 build/bin/engine_test -tc=\"scale:*\"";
constexpr long kSmall = 80; ///< lines of a file that is hardly worth its head

struct Limit {
    long least = 0;                 ///< the lowest that the figure has been
    std::vector<std::string> rises; ///< "+ 120 why": what it may be above that
    long most = 0;                  ///< both together
};

/// "61401 lines of engine", and below it what it may be above that: "+ 120 tables explain their words".
std::map<std::string, Limit> limitsIn(const std::vector<std::string>& lines) {
    std::map<std::string, Limit> limits;
    Limit* limit = nullptr;
    for (const auto& line : lines) {
        if (line.empty() || line.front() == '#')
            continue;
        std::size_t number = 0;
        const bool rise = line.starts_with("+ ");
        const long value = std::stol(rise ? line.substr(2) : line, &number);
        const auto rest = line.substr((rise ? 2 : 0) + number);
        if (rise) {
            REQUIRE_MESSAGE((limit && value > 0 && rest.size() > 10),
                            kTable << " does not say why: " << line);
            limit->rises.push_back(line);
            limit->most += value;
        } else {
            limit = &limits[rest.substr(1)];
            *limit = {value, {}, value};
        }
    }
    return limits;
}

/// The code of the lines that have a text or a letter in quotes, as all have that know a path.
std::string quotingLines(const std::string& text) {
    std::istringstream lines(text);
    std::string quoting;
    for (std::string line; std::getline(lines, line);) {
        line.resize(std::min(line.find("//"), line.size()));
        if (line.find("'.'") != std::string::npos || line.find('"') != std::string::npos)
            quoting += line + "\n";
    }
    return quoting;
}

/// Places that know the path of a parameter, or take one apart: the engine's properties are to do that.
long pathsIn(const std::string& text) {
    static const std::array<std::regex, 3> known{
        std::regex(R"re("(nodes|links|techniques|serving|workload|model|cost)\.)re"),
        std::regex(R"re(\b(find|rfind|find_last_of|indexOf|lastIndexOf|count|split|section)\([^()"']*)re"
                   R"re((QLatin1Char\()?u?'\.')re"),
        std::regex(R"re([=!]= (QStringLiteral\(|QLatin1String\()?u?")re"
                   R"re((nodes|links|techniques|serving|workload|model|cost|draft_model|system|layout|)re"
                   R"re(workers|device|runtime|role|type)")re")};
    const auto code = quotingLines(text);
    return std::accumulate(known.begin(), known.end(), 0L, [&](long sum, const std::regex& one) {
        return sum + std::distance(std::sregex_iterator(code.begin(), code.end(), one), {});
    });
}

std::map<std::string, long> figures() {
    std::map<std::string, long> all;
    long paths = 0;
    for (const std::string top : {"engine", "widgets", "app", "tests"}) {
        auto& lines = all["lines of " + top];
        auto& files = all["files of " + top];
        auto& small = all["files under " + std::to_string(kSmall) + " lines of " + top];
        for (const auto& path : sourcesIn(top)) {
            const auto text = fileText(path);
            const auto length = std::count(text.begin(), text.end(), '\n');
            lines += length;
            ++files;
            small += length < kSmall ? 1 : 0;
            if (top != "tests" && !path.starts_with("engine/scenario/"))
                paths += pathsIn(text);
        }
    }
    all["places outside of engine/scenario/ that know paths of parameters"] = paths;
    for (const auto& list : addLists())
        all["files to add " + list.what] = static_cast<long>(list.rows.size());
    return all;
}

std::string longestUnit(const std::string& log) {
    std::string longest = "no unit is known";
    long most = 0;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) { // start, end (ms), change, output, hash
        std::istringstream row(line);
        long start = 0, end = 0;
        std::string change, output;
        if (row >> start >> end >> change >> output && output.ends_with(".o") && end - start > most) {
            most = end - start;
            longest = std::to_string((most + 500) / 1000) + " s, " + output;
        }
    }
    return longest;
}

/// The table with every limit that its figure has left lowered to it, and figures that are new.
std::string lowered(const std::vector<std::string>& lines, const std::map<std::string, long>& now) {
    std::string text;
    for (const auto& line : lines)
        if (line.starts_with("#"))
            text += line + "\n";
    auto limits = limitsIn(lines);
    for (const auto& [name, figure] : now) {
        const auto was = limits.find(name);
        if (was == limits.end() || figure <= was->second.least) {
            text += std::to_string(figure) + " " + name + "\n";
            continue;
        }
        text += std::to_string(was->second.least) + " " + name + "\n";
        for (const auto& rise : was->second.rises)
            text += rise + "\n";
    }
    return text;
}

} // namespace

TEST_CASE("scale: no figure is above its limit, and none has left it behind") {
    const auto now = figures();
    if (std::getenv("HETEROSCAPE_WRITE_SCALE"))
        writeFileAtomically(treeFolder() + "/" + kTable, lowered(linesOf(kTable), now));
    const auto limits = limitsIn(linesOf(kTable));
    for (const auto& [name, figure] : now) {
        const auto found = limits.find(name);
        REQUIRE_MESSAGE(found != limits.end(), kTable << " has no \"" << name << "\": " << kHowToLower);
        const long most = found->second.most;
        CHECK_MESSAGE(figure <= most, figure << " " << name << ", at most " << most
                                             << ": delete or join what is there, or say in " << kTable
                                             << " why it has to be more: \"+ " << figure - most
                                             << " why\" below it");
        CHECK_MESSAGE(figure * 50 >= most * 49,
                      figure << " " << name << " are well below " << most << ": " << kHowToLower);
    }
    for (const auto& [name, limit] : limits)
        CHECK_MESSAGE(now.contains(name), kTable << " limits \"" << name << "\", which nothing counts");
    for (const std::string folder : {"/build/dev", "/build"})
        if (const auto log = treeFolder() + folder + "/.ninja_log"; std::filesystem::exists(log))
            MESSAGE("longest unit in ." << folder << ": " << longestUnit(readFile(log)));
}

TEST_CASE("scale: limits are lowered, never raised, and a rise says why") {
    const std::vector<std::string> table{"# head", "100 lines of a", "+ 20 a page that shows what is there",
                                         "50 lines of b", "7 lines of c"};
    CHECK(limitsIn(table)["lines of a"].most == 120);
    CHECK(lowered(table, {{"lines of a", 110}, {"lines of b", 60}, {"lines of d", 3}}) ==
          "# head\n100 lines of a\n+ 20 a page that shows what is there\n50 lines of b\n3 lines of d\n");
    CHECK(lowered(table, {{"lines of a", 90}}) == "# head\n90 lines of a\n");
    CHECK(pathsIn(R"(find("nodes.gpu.count"); path.rfind('.'); if (key == "workload") // "model.x")") == 3);
    CHECK(pathsIn(R"(find("nodes"); text.find(','); if (key == "red"))") == 0);
    CHECK(longestUnit(
              "# ninja log v5\n0\t900\t1\ta.cpp.o\tx\n5\t2605\t1\tb.cpp.o\tx\n0\t9999\t1\tlib.a\tx\n") ==
          "3 s, b.cpp.o");
}
