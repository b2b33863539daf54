// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// Says, above the canvas, why a design cannot run and what to do; not there while it can. UI thread.
class InfoBanner : public QWidget {
    Q_OBJECT
public:
    explicit InfoBanner(Document* document, QWidget* parent = nullptr);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();

    Document* m_document;
    TextLabel* m_text;
};

} // namespace heteroscape::widgets
