// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStatusBar>
#include <QWidget>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// Says, over the head of the canvas, why a design cannot run and what to do, with a button that does it
/// where something was found to help; not there while it can run. UI thread.
class InfoBanner : public QWidget {
    Q_OBJECT
public:
    explicit InfoBanner(Document* document, QWidget* parent = nullptr);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void refresh();
    void apply();

    Document* m_document;
    TextLabel* m_text;
    QPushButton* m_remedy;
};

/// The foot of the window: whether the metrics are live, the size, price and power of the design, and what
/// there is to say about it. Refused edits are told here too, for a few seconds. UI thread.
class StatusLine : public QStatusBar {
    Q_OBJECT
public:
    static constexpr int kRefusedMs = 8000; ///< that a refusal is shown

    explicit StatusLine(Document* document, QWidget* parent = nullptr);

    QString text() const; ///< everything shown, for tests and screen readers

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();

    Document* m_document;
    TextLabel* m_live;
    TextLabel* m_size;
    TextLabel* m_price;
    TextLabel* m_power;
    TextLabel* m_message;
};

} // namespace heteroscape::widgets
