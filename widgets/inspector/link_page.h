// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/inspector/inspector_page.h"

namespace heteroscape::widgets {

/// The inspector's page of one link: its type, its quantities and its traffic. UI thread.
class LinkPage : public InspectorPage {
    Q_OBJECT
public:
    LinkPage(Document& document, engine::LinkId id, QWidget* parent = nullptr);
    std::string shape() const override;

private:
    void offerKinds(ChoiceRow& row); ///< those that both ends can use, fastest first
    void addTraffic(Section* section);

    engine::LinkId m_id;
};

} // namespace heteroscape::widgets
