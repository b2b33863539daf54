// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/exporters/timeline_export.h"
#include "widgets/plots/page.h"

#include <QTimer>

#include <cstdint>
#include <optional>

class QLineEdit;
class QProgressBar;
class QToolButton;

namespace heteroscape::widgets {

class Document;
class RequestsStart;
class RequestsView;
class SimulationRunner;
class TextLabel;

/// The requests of the open design over its devices, as the last simulation served them, with everything
/// around them: what was simulated or the story of the marked request, a field that jumps to a request,
/// progress, export, and what to do when nothing is simulated. Follows the runner while it is seen. UI
/// thread.
class RequestsPanel : public DockPage {
    Q_OBJECT
public:
    /// `runner` lives as long as the document.
    RequestsPanel(Document* document, SimulationRunner* runner, QWidget* parent = nullptr);

    RequestsView* view() const { return m_view; }

    /// Lets a request stand out on all lanes and brings it into view; nothing: none. One that was not
    /// recorded is none; the one that is marked stays where it is.
    void markRequest(std::optional<std::uint32_t> request);
    std::optional<std::uint32_t> markedRequest() const;

    QString reason() const; ///< what stands in place of the lanes; empty while they are shown

signals:
    void requestMarked(std::optional<std::uint32_t> request);

private:
    void makeBar();
    void finish(); ///< the runner has another run, or a reason
    bool refresh() override;
    void showLate(); ///< it works on it for so long that it should be said
    void showCaption();
    engine::ServingSpan exported() const; ///< what a table holds: the view or the whole, as asked
    void jump(const QString& text);

    Document* m_document;
    SimulationRunner* m_runner;
    QProgressBar* m_progress;
    QLineEdit* m_number;
    QToolButton* m_all;
    RequestsView* m_view;
    TextLabel* m_caption; ///< what was simulated, or the marked request
    RequestsStart* m_start;
    QTimer m_late;
    bool m_other = false; ///< another design was opened since the last refresh
    QString m_unknown;    ///< what was typed and is no request
};

} // namespace heteroscape::widgets
