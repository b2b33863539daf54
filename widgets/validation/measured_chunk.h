// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/csv_reader.h"
#include "engine/scenario/scenario.h"
#include "widgets/plots/chart.h"

#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// What measured rows are told apart by, whatever they are measurements of.
enum class MeasuredKey { Kind, Device, Framework, Precision, Bound };
inline constexpr std::size_t kMeasuredKeys = 5;

/// A text for each row, each different one kept once.
struct LabelColumn {
    std::vector<std::string> names;
    std::vector<std::uint32_t> of; ///< ordinals in `names`, parallel to the rows

    const std::string& at(std::size_t row) const { return names[of[row]]; }
    void add(const std::string& name);
};

/// What is told of one row when it is opened.
struct RowDetail {
    QString title;                                  ///< "Attention, decode"
    QString about;                                  ///< "H100 SXM, TensorRT-LLM, BF16"
    std::vector<std::pair<QString, QString>> shape; ///< "batch", "8"
    std::vector<std::pair<QString, double>> shares; ///< what its time hangs on, per cent
    Chart series;                                   ///< along one number of its shape; may have no data
    QString note;                                   ///< a sentence; may be empty
};

/// What lies behind the rows of a file. Any thread.
class MeasuredOrigin {
public:
    virtual ~MeasuredOrigin() = default;
    virtual RowDetail detail(std::size_t row) const = 0;
    /// The design that a row was measured on, where it is one.
    virtual std::optional<engine::Scenario> design(std::size_t) const { return {}; }
};

/// Some rows of a file: measured times beside what the models give. Never changed once it is made.
struct MeasuredChunk {
    QString source; ///< what the rows are shown under: "Kernels", or the user's file
    std::shared_ptr<const MeasuredOrigin> origin;
    std::size_t first = 0;          ///< ordinal of the first row in its origin
    std::vector<std::size_t> lines; ///< of the file, from 1; one a row
    std::vector<double> measured;   ///< seconds
    std::vector<double> predicted;  ///< seconds; NaN: there is no answer
    std::vector<double> roofline;   ///< seconds, of a plain roofline; NaN: there is none
    std::array<LabelColumn, kMeasuredKeys> labels;
    LabelColumn reasons;                   ///< why there is no answer; empty texts where there is one
    std::vector<engine::UnreadRow> unread; ///< rows of the file that are left out, in its first chunk

    std::size_t size() const { return measured.size(); }
    double error(std::size_t row) const { return predicted[row] / measured[row] - 1.0; }
    double rooflineError(std::size_t row) const { return roofline[row] / measured[row] - 1.0; }
    const std::string& label(MeasuredKey key, std::size_t row) const {
        return labels[static_cast<std::size_t>(key)].at(row);
    }
};

using MeasuredChunks = std::vector<std::shared_ptr<const MeasuredChunk>>;

/// One sort of file of measurements: listed once, in measured_reader.cpp.
struct MeasuredReader {
    using Found = std::function<void(std::shared_ptr<const MeasuredChunk> chunk)>;

    /// By the names of the columns.
    bool (*accepts)(const std::vector<std::string>& columns);
    /// Reads the file and asks the models, and hands over chunks as they are done. `source`: what the rows go
    /// by; empty: what the reader calls them. Throws engine::Error naming file, line and column.
    void (*read)(const QString& path, const QString& source, const Found& found, const std::stop_token& stop);
};

/// By the first reader that accepts the file's columns; the first of all tells what is wrong where none does.
/// Any thread. Throws engine::Error naming file, line and column.
void readMeasuredFile(const QString& path, const QString& source, const MeasuredReader::Found& found,
                      const std::stop_token& stop);

} // namespace heteroscape::widgets
