// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/exporters/words.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// A text as Markdown that shows it as it stands.
std::string markdownText(std::string_view text);

struct GuidePage {
    std::string file;     ///< "find.md"
    std::string title;    ///< its first heading
    std::string part;     ///< of the contents: "The window"
    std::string markdown; ///< empty: made by Guide::markdown() when it is read
};

/// The user guide: pages written by hand (resources/help/*.md, in the order of the links of index.md), and
/// pages made from the engine's tables. Links and pictures are relative to the folder; in Markdown, headings
/// have the anchors that slug() gives. A hand-written page may link a word by any of its names,
/// [TTFT](word:ttft_s), and take in a section of another document of the installation,
/// <!-- presets/README.md: Power, and how far it is off -->. Immutable; any thread.
class Guide {
public:
    explicit Guide(std::string folder); ///< throws Error naming page and link
    static const Guide& shipped();      ///< that of this installation; read when first asked for

    const std::string& folder() const { return m_folder; }
    const std::vector<GuidePage>& pages() const { return m_pages; }
    const GuidePage* page(std::string_view file) const; ///< null: none
    /// The whole text. Metrics come with their equations, as designs of the catalogue have them.
    std::string markdown(const GuidePage& page) const;

    const std::vector<Word>& words() const { return m_words; }
    /// By its own label, or by one of its names whatever their case; of a parameter path the longest end that
    /// is a name ("nodes.gpu.device.price_usd" is "device.price_usd" before "price_usd"); a page by its file.
    /// Null: none.
    const Word* find(std::string_view name) const;

    struct Found {
        std::string title, link;
        std::string page; ///< its title
    };
    /// What is called so, then what begins so, has it in its title, among its names, in its text. Empty text:
    /// nothing.
    std::vector<Found> search(std::string_view text) const;

    static std::string slug(std::string_view heading); ///< "Time per token" -> "time-per-token"

private:
    struct Section {
        Found found;
        std::vector<std::string> names;
        std::string text;
    };
    void readPages();
    void readGlossary();
    void know(const std::string& name, std::size_t word); ///< unless the name is another's
    std::string linked(const std::string& markdown, const std::string& file) const;
    void addSections(const GuidePage& page);

    std::string m_folder;
    std::vector<GuidePage> m_pages;
    std::vector<Word> m_words;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::vector<Section> m_sections; ///< words, and headings of the pages written by hand
};

} // namespace heteroscape::engine
