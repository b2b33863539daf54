// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace heteroscape::engine {

/// A text of which there are few different ones in very many places ("H100 datasheet"): all places refer to
/// one that is kept until the program ends, so that copies cost as little as a pointer does and equal texts
/// are found equal at once. Reads as a std::string. May be made and read by several threads.
class InternedText {
public:
    InternedText() = default; ///< the empty text
    template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>>>
    InternedText(const Text& text) : m_text(kept(text)) {}

    const std::string& str() const { return m_text ? *m_text : none(); }
    operator const std::string&() const { return str(); }
    bool empty() const { return !m_text; }

    bool operator==(const InternedText&) const = default;
    template <class Text, class = std::enable_if_t<std::is_convertible_v<const Text&, std::string_view>>>
    bool operator==(const Text& text) const {
        return str() == std::string_view(text);
    }

private:
    const std::string* m_text = nullptr; ///< null: empty

    static const std::string* kept(std::string_view text); ///< null for the empty one
    static const std::string& none();
};

} // namespace heteroscape::engine
