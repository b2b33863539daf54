// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

class Document;
class FrontierPage;

/// Where the page of frontiers stands: it is made when it is first shown or asked for. UI thread.
class FrontierTab : public QWidget {
    Q_OBJECT
public:
    explicit FrontierTab(Document* document, QWidget* parent = nullptr);

    FrontierPage* page();
    QWidget* tools() const { return m_tools; } ///< the page's part of the bar above it
    bool isBusy() const;                       ///< it is shown and works

signals:
    void openDesignRequested(const engine::Scenario& scenario, const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    Document* m_document;
    QWidget* m_tools;
    FrontierPage* m_page = nullptr;
};

} // namespace heteroscape::widgets
