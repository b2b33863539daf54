// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_method.h"

namespace heteroscape::engine {

Registry<SearchMethod>& searchMethods() {
    static Registry<SearchMethod> kinds("search method", {&exhaustiveSearch(), &evolutionarySearch()});
    return kinds;
}

} // namespace heteroscape::engine
