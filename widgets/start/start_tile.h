// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/catalog/device.h"
#include "engine/claims/claims.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/surface.h"

#include <QAbstractButton>
#include <QObject>
#include <memory>
#include <optional>

namespace heteroscape::widgets {

class TextLabel;

/// The claim that says in one number what a paper gains: a factor among its headlines. Nothing when it has
/// none.
std::optional<engine::Claim> headlineClaim(const engine::Paper& paper);

/// Works out this program's own numbers for the headline claims of papers, one after the other on a thread of
/// its own. A number that the engine cannot give is not told. UI thread.
class HeadlineNumbers : public QObject {
    Q_OBJECT
public:
    HeadlineNumbers(std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    void start(const std::vector<engine::Paper>& papers); ///< once
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void found(const std::string& paper, double model);

private:
    std::shared_ptr<const engine::Catalog> m_catalog;
    Job m_job{Job::Order::Each};
};

/// Something to open on the start page: a tile with an icon, a name, and a small second line. UI thread.
class StartTile : public QAbstractButton {
    Q_OBJECT
public:
    /// `kind`: tints the icon's tile; without, it is grey. `framed`: a card by itself, else a row of a list.
    StartTile(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
              const QString& about, bool framed, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString m_icon;
    std::optional<engine::DeviceKind> m_kind;
    QString m_about;
    bool m_framed;
};

/// A paper on the start page: a drawing of its chief design, what it shows in one line, what it gains by this
/// program's own reckoning once that is known, and its designs to open. UI thread.
class PaperStartCard : public Surface {
    Q_OBJECT
public:
    PaperStartCard(const engine::Paper& paper, const engine::Catalog& catalog, QWidget* parent = nullptr);

    const std::string& paperId() const { return m_id; }
    void showGain(double factor);

signals:
    void openRequested(const std::string& preset);

protected:
    void mouseReleaseEvent(QMouseEvent* event) override; ///< anywhere on the card opens its design

private:
    std::string m_id;
    std::string m_preset; ///< the chief design
    TextLabel* m_factor;
    TextLabel* m_meaning;
};

} // namespace heteroscape::widgets
