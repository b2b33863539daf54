// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/html.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exporters/guide.h"

#include <md4c-html.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>

namespace heteroscape::cli {

using namespace heteroscape::engine;
namespace fs = std::filesystem;

const std::string_view kPageStyle =
    R"css(:root { color-scheme: light dark; --text: #18202a; --soft: #566271; --ground: #fff;
  --panel: #f6f7f9; --sunken: #ebeef2; --border: #d3d9e0; --accent: #1f5ad6; }
@media (prefers-color-scheme: dark) { :root { --text: #e9edf2; --soft: #9aa5b3; --ground: #21272f;
  --panel: #1a1f26; --sunken: #161b21; --border: #333c47; --accent: #7fabff; } }
body { margin: 0; display: flex; color: var(--text); background: var(--ground);
  font: 15px/1.5 Inter, "Segoe UI", "Noto Sans", sans-serif; }
nav { flex: 0 0 250px; height: 100vh; overflow: auto; position: sticky; top: 0; background: var(--panel);
  border-right: 1px solid var(--border); padding: 16px; box-sizing: border-box; font-size: 13px; }
nav b { display: block; margin: 14px 0 4px; font-weight: 600; }
nav a { display: block; padding: 3px 0; color: var(--text); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--accent); }
main { padding: 24px 32px 64px; max-width: 860px; min-width: 0; box-sizing: border-box; }
a { color: var(--accent); } img { max-width: 100%; border: 1px solid var(--border); border-radius: 6px; }
h1, h2, h3 { font-weight: 600; line-height: 1.25; } h2 { margin-top: 2em; }
code, pre { background: var(--sunken); border-radius: 4px; font-size: 13px; } code { padding: 1px 4px; }
pre { padding: 10px 12px; overflow-x: auto; } pre code { padding: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 13px; }
td, th { border: 1px solid var(--border); padding: 4px 8px; text-align: left; vertical-align: top; }
@media (max-width: 760px) { body { display: block; } nav { height: auto; position: static; } }
)css";

std::string htmlText(std::string_view text) {
    std::string out;
    for (const char c : text)
        out += c == '&'   ? "&amp;"
               : c == '<' ? "&lt;"
               : c == '>' ? "&gt;"
               : c == '"' ? "&quot;"
                          : std::string(1, c);
    return out;
}

namespace {

/// Headings get the anchors that links name.
std::string anchored(const std::string& html) {
    static const std::regex heading("<(h[1-6])>(.*?)</h[1-6]>"), markup("<[^>]*>|&[a-z]+;");
    std::string out;
    auto end = html.cbegin();
    for (std::sregex_iterator at(html.begin(), html.end(), heading), none; at != none; ++at) {
        out.append(end, (*at)[0].first);
        const auto id = Guide::slug(std::regex_replace((*at)[2].str(), markup, ""));
        out += "<" + (*at)[1].str() + " id=\"" + id + "\">" + (*at)[2].str() + "</" + (*at)[1].str() + ">";
        end = (*at)[0].second;
    }
    out.append(end, html.cend());
    return out;
}

} // namespace

std::string htmlOf(const std::string& markdown, const std::string& where) {
    std::string html;
    const auto take = [](const MD_CHAR* text, MD_SIZE size, void* out) {
        static_cast<std::string*>(out)->append(text, size);
    };
    if (md_html(markdown.data(), static_cast<MD_SIZE>(markdown.size()), take, &html,
                MD_DIALECT_GITHUB | MD_FLAG_NOHTML, 0) != 0)
        throw Error(ErrorCode::InvalidInput, where, "cannot be read as Markdown", "Make the page shorter");
    return anchored(html);
}

namespace {

/// A picture as a URL that holds it (RFC 2397).
std::string pictureUrl(const std::string& told, const fs::path& folder, const std::string& where) {
    static const std::map<std::string, std::string> types{
        {".svg", "image/svg+xml"}, {".png", "image/png"}, {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"}};
    const auto place = where + ": picture " + told.substr(0, 200);
    const auto path = fs::weakly_canonical(folder / told);
    const auto type = types.find(path.extension().string());
    if (type == types.end() || told.find(':') != std::string::npos ||
        path.lexically_relative(fs::weakly_canonical(folder)).string().starts_with(".."))
        throwInvalid(place, "is no SVG, PNG or JPEG in the paper's folder", "Copy it there and name it so");
    std::string url = "data:" + type->second + ",";
    for (const unsigned char byte : readFile(path.string())) {
        char code[4];
        std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(byte));
        url += std::isalnum(byte) && byte < 0x80 ? std::string(1, static_cast<char>(byte)) : code;
    }
    return url;
}

} // namespace

std::string selfContained(const std::string& html, const std::string& folder, const std::string& where) {
    static const std::regex address("(<img src|<a href)=\"([^\"]*)\"");
    std::string out;
    auto end = html.cbegin();
    for (std::sregex_iterator at(html.begin(), html.end(), address), none; at != none; ++at) {
        auto to = (*at)[2].str();
        if ((*at)[1] == "<img src")
            to = pictureUrl(to, folder, where);
        else if (!to.starts_with("#") && !to.starts_with("https://") && !to.starts_with("http://") &&
                 !to.starts_with("mailto:"))
            throwInvalid(where + ": link " + to.substr(0, 200), "leads to another file",
                         "One page is written: link a heading of it (#claims) or a web address");
        out.append(end, (*at)[0].first).append((*at)[1].str() + "=\"" + to + "\"");
        end = (*at)[0].second;
    }
    return out.append(end, html.cend());
}

std::string htmlPage(const std::string& title, std::string_view style, const std::string& body) {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
           "content=\"width=device-width\">\n<title>" +
           htmlText(title) + "</title>\n" + std::string(style) + "</head>\n<body>" + body +
           "</body></html>\n";
}

} // namespace heteroscape::cli
