// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"
#include "widgets/inspector/inspector_page.h"

#include <functional>
#include <optional>

namespace heteroscape::widgets {

/// The inspector's page of several nodes and links: the quantities and choices that they have in common. A
/// field shows the value that they share or "several values"; what is set in it is set for all, as one undo
/// step. UI thread.
class MultiPage : public InspectorPage {
    Q_OBJECT
public:
    MultiPage(Document& document, Selection subject, QWidget* parent = nullptr);

    std::string shape() const override;

    static QString title(const Selection& subject); ///< "3 nodes and 2 links"

private:
    using ReadNode = std::function<std::string(const engine::Node&)>;

    std::vector<std::string> nodePaths(const std::string& key) const;
    void addQuantities(Section* section, const std::vector<std::string>& paths);
    void addNodes();
    void addDeviceQuantities();
    void addRuntimeQuantities();
    void addLinks();
    void addLinkType(Section* section);
    void addNodeChoice(Section* section, const std::string& key, const ReadNode& read);
    bool allNodes(const std::function<bool(const engine::Node&)>& is) const;

    Selection m_subject;
};

} // namespace heteroscape::widgets
