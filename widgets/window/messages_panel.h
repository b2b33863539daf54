// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"

#include <QListWidget>

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

class Document;

/// What the engine has to say about the design; choosing a line selects what it is about. Below it stand the
/// remedies that were found to help; choosing one applies it. UI thread.
class MessagesPanel : public QListWidget {
    Q_OBJECT
public:
    explicit MessagesPanel(Document* document, QWidget* parent = nullptr);

signals:
    void quantityRequested(const std::string& path); ///< the line is about a parameter

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// What choosing a line does.
    struct Line {
        std::string subject;
        std::optional<engine::GraphEdit> edit;
        std::vector<engine::NodeId> alike{}; ///< the nodes of which the same is said, where they are many
    };

    void refresh();
    void addLine(const QIcon& icon, const QString& text, Line line);
    void addRemedies(const engine::Diagnostic& finding);
    void choose(int row);

    Document* m_document;
    std::vector<Line> m_lines; ///< parallel to the rows
};

/// "2 errors, 1 note"; empty when there is nothing to say.
QString messagesSummary(const Document& document);

} // namespace heteroscape::widgets
