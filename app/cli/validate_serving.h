// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/validation_document.h"

#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::cli {

/// The rows of tables of servers beside what the simulation gives for them, as tables on stdout.
void printServing(const ServingValidation& all, const std::vector<std::string>& keys);

/// The published runs that are nearest to a design, as lines on stdout.
void printNear(const NearValidation& near);

/// Writes the design of the row with this id to `out`; false where no file has it.
bool writeServedDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out);

/// Tells how many rows have an answer, and by reason how many have none, with place(row) of the first.
template <class Row, class Place>
void printAnswered(const std::vector<Row>& rows, std::string_view what, Place place) {
    std::map<std::string, std::vector<const Row*>> reasons;
    std::size_t answered = 0;
    for (const auto& row : rows)
        if (row.answered())
            ++answered;
        else
            reasons[row.why].push_back(&row);
    std::cout << answered << " of " << rows.size() << ' ' << what << '\n';
    for (const auto& [why, without] : reasons)
        std::cout << "no answer for " << without.size() << (without.size() == 1 ? " row, " : " rows, first ")
                  << place(*without.front()) << ": " << why << '\n';
}

/// Errors of a group, per cent, and the shares of rows within the bands of 50 and 80 %, as cells of a table.
void addErrors(std::vector<std::string>& cells, const engine::ValidationGroup& errors);
std::string percentOf(double value); ///< with one decimal

} // namespace heteroscape::cli
