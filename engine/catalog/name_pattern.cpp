// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/hugging_face_weights.h"

#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostText = 512;
constexpr std::size_t kMostStates = 4096;
/// What stands before the layers in names of modules: steps of the name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kBeginnings{
    {{"model", ""}, {"language_model", "model"}, {"model", "language_model"}, {"backbone", ""}}};
constexpr std::array<std::string_view, 7> kStepsBefore{
    "model", "language_model", "text_model", "backbone", "transformer", "module", "llm"};

/// fnmatch: * for any text, ? for one character.
bool globs(std::string_view pattern, std::string_view name) {
    std::size_t p = 0, n = 0, star = std::string_view::npos, from = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    return pattern.substr(p).find_first_not_of('*') == std::string_view::npos;
}

/// Of a place beyond either end of the name: false.
bool isWord(std::string_view name, std::size_t at) {
    return at < name.size() && (std::isalnum(static_cast<unsigned char>(name[at])) || name[at] == '_');
}

std::string_view withoutBeginning(std::string_view text) {
    for (bool again = true; again;) {
        again = false;
        for (const auto step : kStepsBefore)
            if (text.size() > step.size() + 1 && text.starts_with(step) && text[step.size()] == '.') {
                text.remove_prefix(step.size() + 1);
                again = true;
            }
    }
    return text;
}

} // namespace

/// Thompson's construction, by descent.
class ExpressionReader {
public:
    ExpressionReader(std::string_view text, const std::string& where, NamePattern& out)
        : m_text(text), m_where(where), m_out(out) {}

    void read() {
        auto whole = choice(0);
        if (m_at < m_text.size())
            refuse();
        const auto end = add({.kind = State::Match});
        join(whole, end);
        m_out.m_first = whole.first;
    }

private:
    using State = NamePattern::State;
    struct Piece {
        std::size_t first;
        std::vector<std::pair<std::size_t, bool>> open; ///< ways out: of `other` where true
    };

    std::string_view m_text;
    const std::string& m_where;
    NamePattern& m_out;
    std::size_t m_at = 0;

    [[noreturn]] void refuse() const {
        throwInvalid(m_where,
                     "the expression \"" + std::string(m_text.substr(0, 80)) + "\" is not understood",
                     "Write it with . [] * + ? | ( ) ^ $ and names");
    }
    std::size_t add(State state) {
        if (m_out.m_states.size() >= kMostStates)
            refuse();
        m_out.m_states.push_back(std::move(state));
        return m_out.m_states.size() - 1;
    }
    void join(const Piece& piece, std::size_t to) {
        for (const auto& [state, other] : piece.open)
            (other ? m_out.m_states[state].other : m_out.m_states[state].next) = to;
    }
    bool isAt(char c) const { return m_at < m_text.size() && m_text[m_at] == c; }

    Piece choice(int depth) {
        if (depth > 32)
            refuse();
        auto piece = sequence(depth);
        while (isAt('|')) {
            ++m_at;
            auto other = sequence(depth);
            const auto split = add({.kind = State::Split, .next = piece.first, .other = other.first});
            piece.first = split;
            piece.open.insert(piece.open.end(), other.open.begin(), other.open.end());
        }
        return piece;
    }
    Piece empty() {
        const auto split = add({.kind = State::Split});
        return {split, {{split, false}, {split, true}}};
    }
    Piece sequence(int depth) {
        auto piece = empty();
        while (m_at < m_text.size() && !isAt('|') && !isAt(')')) {
            auto next = repeated(depth);
            join(piece, next.first);
            piece.open = std::move(next.open);
        }
        return piece;
    }
    Piece repeated(int depth) {
        const auto from = m_at;
        auto piece = atom(depth);
        if (isAt('{')) {
            const auto end = m_text.find('}', m_at);
            const auto digits = end == std::string_view::npos ? "" : m_text.substr(m_at + 1, end - m_at - 1);
            if (digits.empty() || digits.size() > 2 || digits.find_first_not_of("0123456789") != digits.npos)
                refuse();
            m_at = end + 1;
            const auto after = m_at;
            for (int i = std::stoi(std::string(digits)); i > 1; --i) {
                m_at = from;
                auto next = atom(depth);
                join(piece, next.first);
                piece.open = std::move(next.open);
            }
            m_at = after;
            return piece;
        }
        while (isAt('*') || isAt('+') || isAt('?')) {
            const char sign = m_text[m_at++];
            const auto split = add({.kind = State::Split, .next = piece.first});
            if (sign == '?') {
                piece.open.emplace_back(split, true);
            } else {
                join(piece, split);
                piece.open = {{split, true}};
            }
            if (sign != '+')
                piece.first = split;
        }
        return piece;
    }
    Piece one(std::vector<bool> accepts) {
        const auto state = add({.kind = State::One, .accepts = std::move(accepts)});
        return {state, {{state, false}}};
    }
    Piece anchor(State::Kind kind) {
        const auto state = add({.kind = kind});
        return {state, {{state, false}}};
    }
    Piece atom(int depth) {
        const char c = m_text[m_at++];
        switch (c) {
        case '(': {
            if (isAt('?')) {
                if (m_text.substr(m_at, 2) != "?:")
                    refuse();
                m_at += 2;
            }
            auto piece = choice(depth + 1);
            if (!isAt(')'))
                refuse();
            ++m_at;
            return piece;
        }
        case '.':
            return one(std::vector<bool>(256, true));
        case '^':
            return anchor(State::Start);
        case '$':
            return anchor(State::End);
        case '[':
            return one(charClass());
        case '\\': {
            if (isAt('b')) {
                ++m_at;
                return anchor(State::Edge);
            }
            std::vector<bool> accepts(256, false);
            acceptEscaped(accepts);
            return one(std::move(accepts));
        }
        case '*':
        case '+':
        case '?':
        case '{':
            refuse();
        default:
            break;
        }
        std::vector<bool> accepts(256, false);
        accepts[static_cast<unsigned char>(c)] = true;
        return one(std::move(accepts));
    }
    void acceptEscaped(std::vector<bool>& accepts) {
        if (m_at >= m_text.size())
            refuse();
        const auto c = static_cast<unsigned char>(m_text[m_at++]);
        if (c != 'd' && c != 'w' && std::isalnum(c))
            refuse();
        for (int i = 0; i < 256; ++i)
            if (c == 'd' ? std::isdigit(i) : c == 'w' ? std::isalnum(i) || i == '_' : i == c)
                accepts[static_cast<std::size_t>(i)] = true;
    }
    std::vector<bool> charClass() {
        std::vector<bool> accepts(256, false);
        const bool negated = isAt('^');
        m_at += negated ? 1 : 0;
        for (bool first = true; first || !isAt(']'); first = false) {
            if (m_at >= m_text.size())
                refuse();
            auto c = static_cast<unsigned char>(m_text[m_at++]);
            if (c == '\\') {
                acceptEscaped(accepts);
                continue;
            }
            auto last = c;
            if (isAt('-') && m_at + 1 < m_text.size() && m_text[m_at + 1] != ']') {
                last = static_cast<unsigned char>(m_text[m_at + 1]);
                m_at += 2;
            }
            for (int i = c; i <= last; ++i)
                accepts[static_cast<std::size_t>(i)] = true;
        }
        ++m_at;
        if (negated)
            accepts.flip();
        return accepts;
    }
};

NamePattern NamePattern::ofName(std::string_view text) {
    NamePattern pattern;
    text = withoutBeginning(text.substr(0, kMostText));
    while (!text.empty() && text.back() == '.')
        text.remove_suffix(1);
    pattern.m_text = std::string(text);
    return pattern;
}

NamePattern NamePattern::ofExpression(std::string_view text, const std::string& where) {
    NamePattern pattern;
    pattern.m_expression = true;
    if (text.size() > kMostText)
        throwInvalid(where, "an expression of more than 512 characters", "Shorten it");
    // "^(?!.*experts).*$": what does not begin so.
    const std::size_t start = text.starts_with('^') ? 1 : 0;
    if (text.substr(start).starts_with("(?!")) {
        auto end = start + 3;
        for (int depth = 1; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (depth == 0)
                break;
        }
        pattern.m_but.push_back(
            ofExpression("^" + std::string(text.substr(start + 3, end - start - 3)), where));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    ExpressionReader(text, where, pattern).read();
    pattern.m_asksForLayer = text.find_first_of("0123456789[") != std::string_view::npos ||
                             text.find("\\d") != std::string_view::npos;
    // "layers\.12\.": no other layer's modules need a look.
    constexpr std::string_view before = "layers\\.";
    if (const auto at = text.find(before);
        at != std::string_view::npos && text.find_first_of("|(") == std::string_view::npos) {
        const auto from = at + before.size();
        const auto to = text.find_first_not_of("0123456789", from);
        if (to != from && to != std::string_view::npos && text.substr(to).starts_with("\\."))
            pattern.m_layer = "." + std::string(text.substr(from, to - from)) + ".";
    }
    return pattern;
}

std::string_view NamePattern::layerModule() const {
    const bool plain = !m_expression && m_text.find_first_of("*?") == std::string::npos;
    return plain && m_text.starts_with("layers.") ? std::string_view(m_text) : std::string_view();
}

bool NamePattern::matches(std::string_view name) const {
    if (m_expression) {
        if (!m_layer.empty() && name.find(m_layer) == std::string_view::npos)
            return false;
        const auto found = [&](std::string_view whole) {
            return (m_but.empty() || !m_but.front().finds(whole)) && finds(whole);
        };
        return found(name) || std::any_of(kBeginnings.begin(), kBeginnings.end(), [&](const auto& steps) {
                   auto whole = std::string(steps.first) + ".";
                   if (!steps.second.empty())
                       whole.append(steps.second).append(".");
                   return found(whole.append(name));
               });
    }
    if (m_text.empty())
        return false;
    if (m_text.find_first_of("*?") != std::string::npos)
        return globs(m_text, name) || globs(m_text + ".*", name);
    // The module, or one that it lies in: whole steps of the name.
    for (auto at = name.find(m_text); at != std::string_view::npos; at = name.find(m_text, at + 1)) {
        const auto end = at + m_text.size();
        if ((at == 0 || name[at - 1] == '.') && (end == name.size() || name[end] == '.'))
            return true;
    }
    return false;
}

/// All states that a text can be in at once, from any place of it on.
bool NamePattern::finds(std::string_view name) const {
    std::vector<bool> now(m_states.size()), next(m_states.size());
    std::vector<std::size_t> stack, places;
    bool found = false;
    const auto enter = [&](std::size_t state, std::size_t at, std::vector<bool>& set,
                           std::vector<std::size_t>& list) {
        stack.assign(1, state);
        while (!stack.empty()) {
            const auto i = stack.back();
            stack.pop_back();
            if (set[i])
                continue;
            set[i] = true;
            const auto& s = m_states[i];
            if (s.kind == State::Match)
                found = true;
            else if (s.kind == State::One)
                list.push_back(i);
            else if (s.kind == State::Split) {
                stack.push_back(s.next);
                stack.push_back(s.other);
            } else if (s.kind == State::Start ? at == 0
                       : s.kind == State::End ? at == name.size()
                                              : isWord(name, at) != isWord(name, at - 1))
                stack.push_back(s.next);
        }
    };
    std::vector<std::size_t> current;
    for (std::size_t at = 0; at <= name.size() && !found; ++at) {
        enter(m_first, at, now, current);
        if (found || at == name.size())
            break;
        places.clear();
        std::fill(next.begin(), next.end(), false);
        for (const auto i : current)
            if (m_states[i].accepts[static_cast<unsigned char>(name[at])])
                enter(m_states[i].next, at + 1, next, places);
        now.swap(next);
        current.swap(places);
    }
    return found;
}

} // namespace heteroscape::engine
