// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>

#include <string>

namespace heteroscape::widgets {

class Document;

/// What the engine has to say about the design; choosing a line selects what it is about. UI thread.
class MessagesPanel : public QListWidget {
    Q_OBJECT
public:
    explicit MessagesPanel(Document* document, QWidget* parent = nullptr);

signals:
    void figureRequested(const std::string& path); ///< the line is about a parameter

private:
    void refresh();
    void choose(int row);

    Document* m_document;
};

/// "2 errors, 1 note"; empty when there is nothing to say.
QString messagesSummary(const Document& document);

} // namespace heteroscape::widgets
