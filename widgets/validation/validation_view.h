// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/validation/measured_chunk.h"

#include <limits>
#include <map>
#include <set>
#include <stop_token>

namespace heteroscape::widgets {

/// What of the measured rows is looked at, and how.
struct ValidationChoice {
    std::set<QString> sourcesOff;                         ///< whole files
    std::array<std::set<std::string>, kMeasuredKeys> off; ///< labels that are filtered out
    MeasuredKey colour = MeasuredKey::Kind;
    MeasuredKey group = MeasuredKey::Kind;

    bool isFiltered() const;
    void clearFilters();
    std::set<std::string>& offOf(MeasuredKey key) { return off[static_cast<std::size_t>(key)]; }
};

/// A row of a chunk.
struct MeasuredPlace {
    std::size_t chunk = 0;
    std::size_t row = 0;
};

/// Errors of some rows, per cent: |predicted / measured - 1|, the bias with its sign.
struct ErrorGroup {
    std::string label;
    std::size_t rows = 0;
    double median = 0.0, p90 = 0.0, bias = 0.0;
    double within10 = 0.0, within25 = 0.0; ///< of the rows
    double roofline =
        std::numeric_limits<double>::quiet_NaN(); ///< a plain roofline's median, where it has one

    static constexpr std::size_t kFew = 10;
    bool isFew() const { return rows < kFew; } ///< too few to say much
};

/// All that the page shows of a choice: made off the UI thread, never changed.
struct ValidationView {
    MeasuredChunks chunks;
    ValidationChoice choice;
    std::vector<MeasuredPlace> rows; ///< that are kept and have an answer, in the order of the chunks
    std::size_t answered = 0;        ///< of the files that are on, filtered out or not
    /// Of each key the labels in the files that are on, with their answered rows: whatever is filtered out.
    std::array<std::vector<std::pair<std::string, std::size_t>>, kMeasuredKeys> labels;
    std::vector<ErrorGroup> groups; ///< of the choice's group, the largest median first
    ErrorGroup all;
    /// Rows by predicted / measured - 1 in steps of kBin from kFirstBin; the ends hold what lies beyond.
    static constexpr double kBin = 0.05, kFirstBin = -1.0;
    static constexpr std::size_t kBins = 32;
    std::vector<std::size_t> bins = std::vector<std::size_t>(kBins);
    std::vector<std::size_t> rooflineBins = std::vector<std::size_t>(kBins); ///< the same of a plain roofline
    struct Reason {
        std::size_t rows = 0;
        QString first; ///< "kernels.csv:12"
    };
    std::map<std::string, Reason> unanswered; ///< why rows have no answer

    const MeasuredChunk& chunkOf(MeasuredPlace place) const { return *chunks[place.chunk]; }
    double error(MeasuredPlace place) const { return chunkOf(place).error(place.row); }
};

/// Any thread; what is stopped is not whole.
std::shared_ptr<const ValidationView> validationView(MeasuredChunks chunks, ValidationChoice choice,
                                                     const std::stop_token& stop = {});

/// Every kept row: where it stands, its labels, seconds and error.
QString validationRowsCsv(const ValidationView& view);
/// The groups with their errors.
QString validationGroupsCsv(const ValidationView& view);

} // namespace heteroscape::widgets
