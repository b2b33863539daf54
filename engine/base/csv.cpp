// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"

#include "engine/base/file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

namespace {

bool isNumber(std::string_view text) {
    double value = 0.0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end;
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSigns{{{"\u00d7", "x"},
                                                                               {"\u00b5", "u"},
                                                                               {"\u00b2", "2"},
                                                                               {"\u2009", " "},
                                                                               {"\u00a0", " "},
                                                                               {"\u2212", "-"},
                                                                               {"\u2013", "-"},
                                                                               {"\u00b1", "+-"},
                                                                               {"\u2026", "..."}}};
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

/// What formulas begin with, in Latin and in East Asian letters (full and small width), and what may stand
/// before that unseen.
constexpr std::array<std::string_view, 15> kStarts{"=",      "+",      "-",      "@",      "\t",
                                                   "\r",     "\n",     "\uff1d", "\uff0b", "\uff0d",
                                                   "\uff20", "\ufe62", "\ufe63", "\ufe66", "\ufe6b"};
constexpr std::array<std::string_view, 8> kBlanks{" ",      "\v",     "\f",     "\u3000",
                                                  "\u200b", "\ufeff", "\u2060", "\u00ad"};

/// Signs in ASCII, added to `out`. False: other letters are left.
bool appendPlain(std::string_view text, std::string& out) {
    bool plain = true;
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            out += text[i++];
            continue;
        }
        const auto rest = text.substr(i);
        const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                       [&](const auto& one) { return rest.starts_with(one.first); });
        plain = plain && sign != kSigns.end();
        out += sign != kSigns.end() ? sign->second : rest.substr(0, 1);
        i += sign != kSigns.end() ? sign->first.size() : 1;
    }
    return plain;
}

/// A spreadsheet would take it for a formula, as it is or as csvFile() writes it. Blanks may stand before.
bool isFormula(std::string_view text) {
    if (text.empty() || std::isalnum(static_cast<unsigned char>(text.front())) != 0)
        return false;
    std::string plain;
    appendPlain(text, plain);
    std::string_view rest = plain;
    const auto begins = [&](std::string_view sign) { return rest.starts_with(sign); };
    for (auto blank = kBlanks.begin(); blank != kBlanks.end();)
        if (begins(*blank)) {
            rest.remove_prefix(blank->size());
            blank = kBlanks.begin();
        } else {
            ++blank;
        }
    return std::any_of(kStarts.begin(), kStarts.end(), begins) && !isNumber(plain);
}

} // namespace

std::string csvField(const std::string& whole) {
    auto text = isFormula(whole) ? "'" + whole : whole;
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string csvFile(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const bool plain = appendPlain(text, out);
    return plain ? out : std::string(kUtf8Mark) + out;
}

void writeCsvFile(const std::string& path,
                  const std::function<void(const std::function<void(std::string_view)>& take)>& write) {
    struct NeedsMark {};
    for (const bool marked : {false, true}) {
        OutputFile file(path);
        if (marked)
            file.write(kUtf8Mark);
        try {
            std::string piece;
            write([&](std::string_view text) {
                piece.clear();
                if (!appendPlain(text, piece) && !marked)
                    throw NeedsMark{};
                file.write(piece);
            });
            file.commit();
            return;
        } catch (const NeedsMark&) { // it has to stand before what is written already
        }
    }
}

} // namespace heteroscape::engine
