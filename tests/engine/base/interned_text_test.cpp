// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/interned_text.h"

#include <doctest/doctest.h>

#include <string>
#include <thread>
#include <vector>

using namespace heteroscape::engine;

TEST_CASE("Equal interned texts are one text, whoever made them") {
    const InternedText a = "H100 datasheet", b = std::string("H100 datasheet"), other = "H200 datasheet";
    CHECK(a == b);
    CHECK(&a.str() == &b.str());
    CHECK_FALSE(a == other);
    CHECK(a == "H100 datasheet");
    CHECK(a == std::string("H100 datasheet"));
    CHECK_FALSE(a == std::string_view("H100"));
    const std::string& read = a;
    CHECK(read.size() == 14);
    CHECK(sizeof(InternedText) == sizeof(void*));
}

TEST_CASE("The empty interned text is the empty text") {
    const InternedText none, empty = "", spaces = " ";
    CHECK(none.empty());
    CHECK(none == empty);
    CHECK(none.str().empty());
    CHECK(none == "");
    CHECK_FALSE(spaces.empty());
    CHECK_FALSE(spaces == none);
}

TEST_CASE("Threads that intern the same texts get the same") {
    constexpr int kTexts = 500;
    std::vector<std::vector<InternedText>> made(4);
    {
        std::vector<std::jthread> threads;
        for (auto& own : made)
            threads.emplace_back([&own] {
                for (int i = 0; i < kTexts; ++i)
                    own.emplace_back("text " + std::to_string(i));
            });
    }
    for (const auto& own : made)
        CHECK(own == made.front());
    CHECK(made.front().back() == "text 499");
}
