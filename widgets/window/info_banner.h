// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// Says, above the canvas, why a design cannot run and what to do, with a button that does it where something
/// was found to help; not there while it can run. UI thread.
class InfoBanner : public QWidget {
    Q_OBJECT
public:
    explicit InfoBanner(Document* document, QWidget* parent = nullptr);
    QString text() const;
    QPushButton* remedyButton() const { return m_remedy; } ///< hidden while nothing is known to help

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void apply();

    Document* m_document;
    TextLabel* m_text;
    QPushButton* m_remedy;
};

} // namespace heteroscape::widgets
