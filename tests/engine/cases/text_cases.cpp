// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cases/text_cases.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "tests/engine/cases/case_design.h"
#include "tests/engine/cases/case_expression.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

namespace heteroscape::engine::test {

namespace {

/// The first word, taken off `rest`.
std::string takeWord(std::string_view& rest) {
    const auto end = std::min(rest.find(' '), rest.size());
    const auto word = std::string(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
    return word;
}

/// What stands before the first `mark` outside of quotes, taken off `rest` with it; nothing where there is
/// none.
std::string_view takeBefore(std::string_view& rest, std::string_view mark) {
    bool quoted = false;
    for (std::size_t i = 0; i < rest.size(); ++i)
        if (rest[i] == '"' && (i == 0 || rest[i - 1] != '\\'))
            quoted = !quoted;
        else if (!quoted && rest.substr(i).starts_with(mark)) {
            const auto before = trimmed(rest.substr(0, i));
            rest = trimmed(rest.substr(i + mark.size()));
            return before;
        }
    return {};
}

std::vector<std::string> listOf(std::string_view text) {
    std::vector<std::string> values;
    for (auto value = takeBefore(text, ","); !value.empty(); value = takeBefore(text, ","))
        values.emplace_back(value);
    if (text.empty())
        throwInvalid("", "a value is missing", "Values stand between commas; \"\" is an empty text");
    values.emplace_back(text);
    return values;
}

/// A text between quotes, without them.
std::string unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"')
        throwInvalid("", "no quoted text: " + std::string(text), "Put it between two \"; one inside is \\\"");
    std::string plain;
    for (std::size_t i = 1; i + 1 < text.size(); ++i)
        if (text[i] != '\\')
            plain += text[i];
    return plain;
}

bool compares(double left, const std::string& relation, double right) {
    return relation == "="    ? left == right || (std::isnan(left) && std::isnan(right))
           : relation == "<"  ? left < right
           : relation == "<=" ? left <= right
           : relation == ">"  ? left > right
                              : left >= right;
}

/// One way through a case. Without a report it only looks whether the lines can be read.
class Passage {
public:
    using Report = std::function<void(const CaseOutcome&)>;
    Passage(std::size_t variation, Report report) : m_variation(variation), m_report(std::move(report)) {}

    std::size_t variations() const { return m_variations; }
    bool expects() const { return m_expects; }

    /// False where a variation cannot go on.
    bool perform(int number, const std::string& line) {
        m_outcome = {number, line, true, {}};
        std::string_view rest = line;
        const auto verb = takeWord(rest);
        try {
            perform(verb, rest);
        } catch (const Error& error) {
            if (!m_report)
                throw;
            m_outcome.holds = false;
            m_outcome.got = error.what();
        }
        const bool expectation = verb == "expect" || verb == "refuse";
        m_expects = m_expects || expectation;
        if (m_report && (expectation || !m_outcome.holds))
            m_report(m_outcome);
        return expectation || m_outcome.holds;
    }

private:
    std::size_t m_variation;
    Report m_report;
    std::size_t m_variations = 1;
    bool m_expects = false;
    std::vector<std::pair<std::string, std::shared_ptr<CaseDesign>>>
        m_designs; ///< by name; the last is meant
    CaseOutcome m_outcome;

    /// Of a list the value of this variation.
    std::string valueOf(const std::vector<std::string>& values) {
        if (values.size() == 1)
            return values.front();
        if (m_variations > 1 && m_variations != values.size())
            throwInvalid("", std::to_string(values.size()) + " values, after " + std::to_string(m_variations),
                         "Give each line one value, or as many as every other");
        m_variations = values.size();
        return values[m_variation];
    }

    CaseDesign* find(const std::string& name, bool required = true) {
        const auto found = std::find_if(m_designs.rbegin(), m_designs.rend(),
                                        [&](const auto& one) { return name.empty() || one.first == name; });
        if (found != m_designs.rend())
            return found->second.get();
        if (required)
            throwInvalid("", "there is no design " + name + " above",
                         "Say which: design base = glitches/8a100");
        return nullptr;
    }

    void perform(const std::string& verb, std::string_view rest) {
        if (verb == "design")
            return addDesign(rest);
        auto* design = find({});
        if (verb == "expect")
            return expect(rest);
        if (verb == "remove") {
            if (design)
                design->remove(std::string(rest));
            return;
        }
        if (verb != "set" && verb != "refuse")
            throwInvalid("", "unknown word \"" + verb + "\"",
                         "Use case, design, set, remove, refuse, expect");
        const auto paths = takeBefore(rest, " = ");
        if (paths.empty() || rest.empty())
            throwInvalid("", "expected a path, = and a value", "set nodes.fpga.count = 3");
        const auto path = valueOf(listOf(paths));
        if (verb == "refuse")
            return refuse(path, rest);
        if (const auto text = valueOf(listOf(rest)); design && text != "-")
            design->set(path, text);
    }

    void addDesign(std::string_view rest) {
        const auto name = std::string(takeBefore(rest, " = "));
        const auto base = valueOf(listOf(rest));
        const auto* known = m_designs.empty() ? nullptr : find(base, false);
        m_designs.emplace_back(name, !m_report ? nullptr
                                     : known   ? std::make_shared<CaseDesign>(*known)
                                               : std::make_shared<CaseDesign>(preset(base)));
    }

    /// "value says "part", "part"": the refusal begins with the path.
    void refuse(const std::string& path, std::string_view rest) {
        const auto text = takeBefore(rest, " says ");
        if (text.empty())
            throwInvalid("", "what the refusal says is missing",
                         "refuse nodes.fpga.count = 0 says \"from 1 to\"");
        const auto value = text.front() == '"' ? unquoted(text) : std::string(text);
        std::vector<std::string> parts;
        for (const auto& part : listOf(rest))
            parts.push_back(unquoted(part));
        if (!m_report)
            return;
        try {
            CaseDesign(*find({})).set(path, value);
            m_outcome.got = "it was taken";
            m_outcome.holds = false;
        } catch (const Error& error) {
            m_outcome.got = error.what();
            m_outcome.holds = m_outcome.got.starts_with(path + ":") &&
                              std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
                                  return contains(m_outcome.got, part);
                              });
        }
    }

    void expect(std::string_view rest) {
        auto subject = rest;
        for (const auto* word : {"is", "starts", "contains", "lacks"}) {
            auto text = rest;
            if (subject = takeBefore(text, std::string(" ") + word + " "); !subject.empty())
                return expectText(subject, word, text);
        }
        subject = rest;
        if (const auto state = takeWord(subject); CaseDesign::isState(state)) {
            auto* design = find(takeWord(subject) == "of" ? std::string(subject) : std::string());
            m_outcome.got = design ? design->problemOf(state) : "";
            m_outcome.holds = m_outcome.got.empty();
            return;
        }
        for (const auto* relation : {"=", "<", "<=", ">", ">="}) {
            auto right = rest;
            if (const auto left = takeBefore(right, std::string(" ") + relation + " "); !left.empty())
                return expectNumber(left, relation, right);
        }
        throwInvalid(
            "", "expected a comparison, a text or a state",
            "expect tpot_s = 0.0123 within 1e-9; expect reason contains \"needs 962 GB\"; expect feasible");
    }

    void expectText(std::string_view subject, const std::string& word, std::string_view rest) {
        const auto part = unquoted(valueOf(listOf(rest)));
        const auto whose = takeBefore(subject, " of ");
        auto* design = find(whose.empty() ? std::string() : std::string(subject));
        if (!design)
            return;
        auto& got = m_outcome.got;
        got = design->text(std::string(whose.empty() ? subject : whose));
        m_outcome.holds = word == "is"       ? got == part
                          : word == "starts" ? got.starts_with(part)
                                             : contains(got, part) == (word == "contains");
    }

    void expectNumber(std::string_view left, const std::string& relation, std::string_view right) {
        double within = 0.0;
        bool relative = false;
        for (const auto* mark : {" within ", " +- "}) {
            auto limit = right;
            if (const auto value = takeBefore(limit, mark); !value.empty()) {
                within = parseNumber(limit).value_or(0.0);
                relative = mark == std::string_view(" within ");
                right = value;
                if (!(within > 0.0) || relation != "=")
                    throwInvalid("", "how far apart is a number above 0, and of = only",
                                 "= 20 within 0.01, = 20 +- 0.2");
            }
        }
        const CaseValue value = [this](const std::string& path, const std::string& name) {
            auto* design = find(name);
            return design ? design->value(path) : 1.0;
        };
        const double got = expressionValue(left, value);
        const double expected = expressionValue(valueOf(listOf(right)), value);
        const double apart = std::fabs(got - expected) / (relative ? std::fabs(expected) : 1.0);
        m_outcome.holds = within > 0.0 ? apart <= within : compares(got, relation, expected);
        m_outcome.got = exactText(got) + " " + relation + " " + exactText(expected);
        if (within > 0.0)
            m_outcome.got += ", " + shortText(apart) + " apart";
    }
};

} // namespace

std::vector<TextCase> readCases(std::string_view text, const std::string& name) {
    std::vector<TextCase> cases;
    std::set<std::string> titles;
    std::vector<std::pair<int, std::string>> first; ///< of every case
    int number = 0;
    const auto refuse = [&](int line, const std::string& message) {
        throw Error(ErrorCode::InvalidInput, name + ":" + std::to_string(line), message);
    };
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line.empty() || line.front() == '#')
            continue;
        if (line.starts_with("case ")) {
            takeWord(line);
            if (!titles.insert(std::string(line)).second)
                refuse(number, "there is a case of this title above. Give each its own");
            cases.push_back({std::string(line), number, first, 1});
        } else {
            (cases.empty() ? first : cases.back().lines).emplace_back(number, line);
        }
    }
    for (auto& one : cases) {
        Passage dry(0, {});
        for (const auto& [at, line] : one.lines)
            try {
                dry.perform(at, line);
            } catch (const Error& error) {
                refuse(at, error.what());
            }
        if (!dry.expects())
            refuse(one.line, "the case expects nothing. Add a line: expect or refuse");
        one.variations = dry.variations();
    }
    return cases;
}

void runCase(const TextCase& one, const std::function<void(const CaseOutcome&)>& report) {
    for (std::size_t i = 0; i < one.variations; ++i) {
        Passage passage(i, [&](CaseOutcome outcome) {
            if (one.variations > 1)
                outcome.got += " (value " + std::to_string(i + 1) + " of each list)";
            report(outcome);
        });
        for (const auto& [number, line] : one.lines)
            if (!passage.perform(number, line))
                break;
    }
}

} // namespace heteroscape::engine::test
