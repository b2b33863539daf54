// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cases/text_cases.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "tests/engine/cases/case_design.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <set>

namespace heteroscape::engine::test {

namespace {

/// What stands before the first `mark`, taken off `rest` with it; nothing where there is none.
std::string takeBefore(std::string_view& rest, std::string_view mark) {
    const auto at = rest.find(mark);
    if (at == std::string_view::npos)
        return {};
    const auto before = std::string(trimmed(rest.substr(0, at)));
    rest = trimmed(rest.substr(at + mark.size()));
    return before;
}

std::vector<std::string> listOf(std::string_view text, std::string_view mark) {
    std::vector<std::string> values;
    for (auto value = takeBefore(text, mark); !value.empty(); value = takeBefore(text, mark))
        values.push_back(value);
    if (text.empty())
        throwInvalid("", "a value is missing", "Write none for a text or number that is not there");
    values.emplace_back(text);
    return values;
}

/// A number of numbers, "none" (not set), paths ("tpot_s", "tpot_s of base"), + - * / ( ).
class Expression {
public:
    /// valueOf(path, design): the last design where none is named.
    using ValueOf = std::function<double(const std::string&, const std::string&)>;
    Expression(std::string_view text, const ValueOf& valueOf)
        : m_text(text), m_rest(text), m_valueOf(valueOf) {}

    double value() {
        const double whole = sum();
        return m_rest.empty() ? whole : refuse();
    }

private:
    std::string_view m_text;
    std::string_view m_rest;
    const ValueOf& m_valueOf;

    [[noreturn]] double refuse() const {
        throwInvalid(std::string(m_text), "no expression from \"" + std::string(m_rest) + "\" on",
                     "Use numbers, none, paths, <path> of <design>, + - * / ( ), with blanks around + and -");
    }
    bool takes(char expected) {
        m_rest = trimmed(m_rest);
        const bool is = m_rest.starts_with(expected);
        m_rest.remove_prefix(is ? 1 : 0);
        return is;
    }
    /// A number, path or name. A sign inside belongs to it: "1e-9", "gpu-host".
    std::string takeWord() {
        m_rest = trimmed(m_rest);
        const auto belongs = [this](std::size_t i) {
            return std::isalnum(static_cast<unsigned char>(m_rest[i])) || m_rest[i] == '.' ||
                   m_rest[i] == '_' || (i > 0 && (m_rest[i] == '-' || m_rest[i] == '+'));
        };
        std::size_t size = 0;
        while (size < m_rest.size() && belongs(size))
            ++size;
        const auto word = std::string(m_rest.substr(0, size));
        m_rest.remove_prefix(size);
        return word;
    }

    double sum() {
        for (double value = product();;)
            if (takes('+'))
                value += product();
            else if (takes('-'))
                value -= product();
            else
                return value;
    }
    double product() {
        for (double value = factor();;)
            if (takes('*'))
                value *= factor();
            else if (takes('/'))
                value /= factor();
            else
                return value;
    }
    double factor() {
        if (takes('(')) {
            const double value = sum();
            return takes(')') ? value : refuse();
        }
        const auto word = takeWord();
        if (const auto number = parseNumber(word))
            return *number;
        if (word == "none")
            return std::nan("");
        if (word.empty() || !std::isalpha(static_cast<unsigned char>(word.front())))
            refuse();
        const auto after = m_rest;
        if (takeWord() == "of")
            if (const auto design = takeWord(); !design.empty())
                return m_valueOf(word, design);
        m_rest = after;
        return m_valueOf(word, {});
    }
};

bool compares(double left, const std::string& relation, double right) {
    return relation == "="    ? left == right
           : relation == "<"  ? left < right
           : relation == "<=" ? left <= right
           : relation == ">"  ? left > right
                              : left >= right;
}

/// One way through a case. Without a report it only looks whether the lines can be read.
class Passage {
public:
    Passage(std::size_t variation, CaseReport report) : m_variation(variation), m_report(std::move(report)) {}

    std::size_t variations() const { return m_variations; }
    bool expects() const { return m_expects; }

    /// False where a variation cannot go on.
    bool perform(int number, const std::string& line) {
        std::string_view rest = line;
        const auto verb = takeBefore(rest, " ");
        const bool expectation = verb == "expect";
        m_expects = m_expects || expectation;
        m_holds = true;
        m_got.clear();
        try {
            perform(verb, rest);
        } catch (const Error& error) {
            if (!m_report)
                throw;
            m_holds = false;
            m_got = error.what();
        }
        if (m_report && (expectation || !m_holds))
            m_report(number, line, m_holds, m_got);
        return expectation || m_holds;
    }

private:
    std::size_t m_variation;
    CaseReport m_report;
    std::size_t m_variations = 1;
    bool m_expects = false;
    bool m_holds = true; ///< the line that is done
    std::string m_got;
    std::vector<std::pair<std::string, std::shared_ptr<CaseDesign>>> m_designs; ///< by name

    /// Of a list the value of this variation.
    std::string valueOf(std::string_view list, std::string_view mark = ",") {
        const auto values = listOf(list, mark);
        if (values.size() == 1)
            return values.front();
        if (m_variations > 1 && m_variations != values.size())
            throwInvalid("", std::to_string(values.size()) + " values, after " + std::to_string(m_variations),
                         "Give each line one value, or as many as every other");
        m_variations = values.size();
        return values[m_variation];
    }

    /// Null where lines are only read.
    CaseDesign* designOf(const std::string& name) {
        const auto found = std::find_if(m_designs.rbegin(), m_designs.rend(),
                                        [&](const auto& one) { return name.empty() || one.first == name; });
        if (found == m_designs.rend())
            throwInvalid("", "there is no design " + name + " above",
                         "Say which: design base = glitches/8a100");
        return found->second.get();
    }

    void perform(const std::string& verb, std::string_view rest) {
        if (verb == "design")
            return addDesign(rest);
        auto* design = designOf({});
        if (verb == "expect")
            return expect(rest);
        if (verb == "remove") {
            if (design)
                design->remove(std::string(rest));
            return;
        }
        if (verb != "set")
            throwInvalid("", "unknown word \"" + verb + "\"", "Use case, design, set, remove or expect");
        for (const auto& setting : listOf(rest, ";")) {
            std::string_view text = setting;
            const auto paths = takeBefore(text, " = ");
            if (paths.empty())
                throwInvalid("", "expected a path, = and a value", "set nodes.fpga.count = 3");
            const auto path = valueOf(paths), value = valueOf(text);
            if (design && value != "-")
                design->set(path, value);
        }
    }

    void addDesign(std::string_view rest) {
        const auto name = takeBefore(rest, " = ");
        const auto base = valueOf(rest);
        std::shared_ptr<CaseDesign> design;
        for (const auto& [known, copied] : m_designs)
            if (m_report && known == base)
                design = std::make_shared<CaseDesign>(*copied);
        if (m_report && !design)
            design = std::make_shared<CaseDesign>(preset(base));
        m_designs.emplace_back(name, design);
    }

    void expect(std::string_view rest) {
        if (rest == "feasible" || rest == "infeasible") {
            auto* design = designOf({});
            m_got = design ? design->problemOf(rest == "feasible") : "";
            m_holds = m_got.empty();
            return;
        }
        std::string word;
        std::size_t first = rest.size(); // a text may hold the others
        for (const auto* one : {"is", "starts", "contains", "lacks"})
            if (const auto at = rest.find(" " + std::string(one) + " "); at < first) {
                first = at;
                word = one;
            }
        if (!word.empty()) {
            const auto subject = takeBefore(rest, " " + word + " ");
            return expectText(subject, word, valueOf(rest, " | "));
        }
        for (const std::string relation : {"=", "<", "<=", ">", ">="}) {
            auto right = rest;
            if (const auto left = takeBefore(right, " " + relation + " "); !left.empty())
                return expectNumber(left, relation, right);
        }
        throwInvalid(
            "", "expected a state, a text or a comparison",
            "expect feasible; expect reason contains needs 962 GB; expect tpot_s = 0.0123 within 1e-9");
    }

    void expectText(const std::string& subject, const std::string& word, const std::string& part) {
        auto* design = designOf({});
        m_got = design ? design->text(subject) : "";
        m_holds = word == "is"       ? m_got == (part == "none" ? "" : part)
                  : word == "starts" ? m_got.starts_with(part)
                                     : contains(m_got, part) == (word == "contains");
    }

    void expectNumber(const std::string& left, const std::string& relation, std::string_view right) {
        double within = 0.0;
        bool relative = false;
        for (const std::string mark : {" within ", " +- "}) {
            auto limit = right;
            const auto value = takeBefore(limit, mark);
            if (value.empty())
                continue;
            within = parseNumber(limit).value_or(0.0);
            relative = mark == " within ";
            right = right.substr(0, value.size());
            if (!(within > 0.0) || relation != "=")
                throwInvalid("", "how far apart is a number above 0, and of = only",
                             "= 20 within 0.01, = 20 +- 0.2");
        }
        const Expression::ValueOf value = [this](const std::string& path, const std::string& name) {
            auto* design = designOf(name);
            return design ? design->value(path) : 1.0;
        };
        const double got = Expression(left, value).value();
        const auto wanted = valueOf(right);
        const double expected = Expression(wanted, value).value();
        const double apart = std::fabs(got - expected) / (relative ? std::fabs(expected) : 1.0);
        m_holds = within > 0.0       ? apart <= within
                  : wanted == "none" ? relation == "=" && std::isnan(got)
                                     : compares(got, relation, expected);
        m_got = exactText(got) + " " + relation + " " + exactText(expected) +
                (within > 0.0 ? ", " + shortText(apart) + " apart" : "");
    }
};

} // namespace

std::vector<TextCase> readCases(std::string_view text, const std::string& name) {
    std::vector<TextCase> cases;
    std::set<std::string> titles;
    std::vector<std::pair<int, std::string>> first; // of every case
    const auto refuse = [&](int line, const std::string& message) {
        throw Error(ErrorCode::InvalidInput, name + ":" + std::to_string(line), message);
    };
    for (int number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = std::string(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#')
            continue;
        if (!line.starts_with("case ")) {
            (cases.empty() ? first : cases.back().lines).emplace_back(number, line);
            continue;
        }
        cases.push_back({std::string(trimmed(line.substr(5))), number, first, 1});
        if (!titles.insert(cases.back().title).second)
            refuse(number, "there is a case of this title above. Give each its own");
    }
    for (auto& one : cases) {
        Passage reading(0, {});
        for (const auto& [number, line] : one.lines)
            try {
                reading.perform(number, line);
            } catch (const Error& error) {
                refuse(number, error.what());
            }
        if (!reading.expects())
            refuse(one.line, "the case expects nothing. Add a line: expect");
        one.variations = reading.variations();
    }
    return cases;
}

void runCase(const TextCase& one, const CaseReport& report) {
    for (std::size_t i = 0; i < one.variations; ++i) {
        const auto which = one.variations > 1 ? " (value " + std::to_string(i + 1) + " of each list)" : "";
        Passage passage(i, [&](int number, const std::string& line, bool holds, const std::string& got) {
            report(number, line, holds, got + which);
        });
        for (const auto& [number, line] : one.lines)
            if (!passage.perform(number, line))
                break;
    }
}

} // namespace heteroscape::engine::test
