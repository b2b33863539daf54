// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <QObject>

#include <array>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// Designs as they were when they were pinned, in the order of pinning, as long as the window lives. One of
/// them may be the baseline that the open design is read against; all are offered where designs are compared.
/// UI thread.
class Pins : public QObject {
    Q_OBJECT
public:
    using Values = std::array<double, engine::kMetricCount>;
    struct Pin {
        QString name; ///< differs from all others'
        engine::Scenario design;
        Values metrics;
    };

    using QObject::QObject;

    /// A design that is pinned already is taken for the one that it is. Returns which one it is.
    std::size_t add(const QString& name, const engine::Scenario& design, const Values& metrics);
    void setBaseline(std::optional<std::size_t> which); ///< throws std::out_of_range where there is none
    void clear();

    const std::vector<Pin>& all() const { return m_pins; }
    std::optional<std::size_t> baselineIndex() const { return m_baseline; }
    const Pin* baseline() const { return m_baseline ? &m_pins[*m_baseline] : nullptr; }

signals:
    void changed();

private:
    std::vector<Pin> m_pins;
    std::optional<std::size_t> m_baseline;
};

} // namespace heteroscape::widgets
