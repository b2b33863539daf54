// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <QObject>
#include <QString>
#include <array>
#include <functional>
#include <optional>
#include <vector>

class QMenu;

namespace heteroscape::widgets {

class Document;

using TakeDesign = std::function<void(const QString& name, const engine::Scenario& design)>;

/// Entries of a menu that offers designs: the open one as it is now, then what is pinned. None of the open
/// one while it is empty.
void addOpenDesigns(QMenu* menu, Document* document, const TakeDesign& take);

/// The presets, each with what it is about; `take` gets the id.
void addPresets(QMenu* menu, const engine::Catalog& catalog,
                const std::function<void(const std::string&)>& take);

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
