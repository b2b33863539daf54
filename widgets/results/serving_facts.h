// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/simulation_runner.h"

#include <QString>
#include <QWidget>
#include <utility>
#include <vector>

class QGridLayout;

namespace heteroscape::widgets {

class TextLabel;

/// One metric of a simulation in words.
struct ServingFact {
    QString name;  ///< "Goodput"
    QString value; ///< "0.48 req/s, 96 % within the limits"
    QString tip;
    bool warns = false; ///< requests were refused or are left over
};

/// Requests, throughput against the closed form, goodput, power and energy. Any thread.
std::vector<ServingFact> servingFacts(const SimulationRun& run);

/// "1,000 requests, Poisson at 0.51 req/s, seed 1: done in 32.6 min".
QString servingHeadline(const SimulationRun& run);

/// Facts below each other, name and value. UI thread.
class FactList : public QWidget {
    Q_OBJECT
public:
    explicit FactList(QWidget* parent = nullptr);

    /// `isOld`: they are of a design as it was, and are pale.
    void setFacts(const std::vector<ServingFact>& facts, bool isOld = false);

private:
    QGridLayout* m_grid;
    std::vector<std::pair<TextLabel*, TextLabel*>> m_rows;
};

} // namespace heteroscape::widgets
