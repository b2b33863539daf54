// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cases/case_expression.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <cctype>
#include <limits>

namespace heteroscape::engine::test {

namespace {

class ExpressionReader {
public:
    ExpressionReader(std::string_view text, const CaseValue& valueOf) : m_text(text), m_valueOf(valueOf) {}

    double whole() {
        const double value = sum();
        return m_at < m_text.size() ? refuse() : value;
    }

private:
    std::string_view m_text;
    const CaseValue& m_valueOf;
    std::size_t m_at = 0;

    [[noreturn]] double refuse() const {
        throwInvalid(std::string(m_text),
                     "no expression from \"" + std::string(m_text.substr(m_at)) + "\" on",
                     "Use numbers, none, paths, <path> of <design>, + - * / ( ), with blanks around + and -");
    }

    bool takes(char expected) {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
        const bool is = m_at < m_text.size() && m_text[m_at] == expected;
        m_at += is ? 1 : 0;
        return is;
    }

    /// A number, path or name. A sign inside belongs to it: "1e-9", "gpu-host".
    std::string word() {
        takes('\0'); // blanks
        const auto from = m_at;
        while (m_at < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_at])) ||
                std::string_view(m_at > from ? "._-+" : "._").find(m_text[m_at]) != std::string_view::npos))
            ++m_at;
        return std::string(m_text.substr(from, m_at - from));
    }

    double sum() {
        double value = product();
        while (true)
            if (takes('+'))
                value += product();
            else if (takes('-'))
                value -= product();
            else
                return value;
    }

    double product() {
        double value = factor();
        while (true)
            if (takes('*'))
                value *= factor();
            else if (takes('/'))
                value /= factor();
            else
                return value;
    }

    double factor() {
        if (takes('('))
            if (const double value = sum(); takes(')'))
                return value;
        const auto path = word();
        if (const auto number = parseNumber(path))
            return *number;
        if (path == "none")
            return std::numeric_limits<double>::quiet_NaN();
        if (path.empty() || !std::isalpha(static_cast<unsigned char>(path.front())))
            refuse();
        const auto after = m_at;
        if (word() == "of") {
            const auto design = word();
            return design.empty() ? refuse() : m_valueOf(path, design);
        }
        m_at = after;
        return m_valueOf(path, {});
    }
};

} // namespace

double expressionValue(std::string_view text, const CaseValue& valueOf) {
    return ExpressionReader(text, valueOf).whole();
}

} // namespace heteroscape::engine::test
