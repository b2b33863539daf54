// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/inspector_page.h"

namespace heteroscape::widgets {

class TraceRow;

/// The inspector's page when nothing is selected: the design's name, model, workload, requests and
/// techniques. UI thread.
class DesignPage : public InspectorPage {
    Q_OBJECT
public:
    explicit DesignPage(Document& document, QWidget* parent = nullptr);
    std::string shape() const override;

    /// Takes a trace of requests, or says in its row why not.
    void loadTrace(const QString& path);

private:
    void addDescription();
    void addName(Section* section); ///< and what the design says of itself
    void addCostOfTokens(Section* section);
    void addRequests();
    void addArrivals(Section* section); ///< their choice, the trace
    void addMostRate(Section* section); ///< what the closed form says of the rate

    TraceRow* m_trace = nullptr;
};

} // namespace heteroscape::widgets
