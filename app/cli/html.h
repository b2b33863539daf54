// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace heteroscape::cli {

/// The style sheet of every page: contents in nav, the text in main.
extern const std::string_view kPageStyle;

/// A text as it stands.
std::string htmlText(std::string_view text);

/// Markdown, without HTML in it; headings have the anchors of Guide::slug(). Throws Error naming `where`.
std::string htmlOf(const std::string& markdown, const std::string& where);

/// HTML of htmlOf() that needs no other file: the pictures of its text, files below `folder`, stand in it.
/// Links lead within the page or to the web. Throws Error naming `where` and the picture or link.
std::string selfContained(const std::string& html, const std::string& folder, const std::string& where);

/// A whole page. `style`: an element of the head.
std::string htmlPage(const std::string& title, std::string_view style, const std::string& body);

} // namespace heteroscape::cli
