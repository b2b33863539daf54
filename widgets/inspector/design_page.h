// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/inspector/inspector_page.h"

namespace heteroscape::widgets {

/// The inspector's page when nothing is selected: the design's name, model, workload and techniques. UI
/// thread.
class DesignPage : public InspectorPage {
    Q_OBJECT
public:
    explicit DesignPage(Document& document, QWidget* parent = nullptr);
    std::string shape() const override;

private:
    void addDescription();
    void addCostOfTokens(Section* section);
};

} // namespace heteroscape::widgets
