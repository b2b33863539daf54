// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/drop_slot.h"

#include "engine/study/study.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/document/choice_name.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/study_setup.h"
#include "widgets/theme/theme.h"

#include <QDragEnterEvent>
#include <QDragLeaveEvent>
#include <QDragMoveEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// The CSV that is dragged; empty: none, or more than one file.
QString csvOf(const QMimeData& data) {
    const auto urls = data.urls();
    const auto path = urls.size() == 1 ? urls.front().toLocalFile() : QString();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

/// What lands here at all, whatever comes of it; another file or a text is nobody's business here.
bool isOurs(const QMimeData& data) {
    const auto formats = data.formats();
    return !csvOf(data).isEmpty() || std::any_of(formats.begin(), formats.end(), [](const QString& format) {
        return format.startsWith(QStringLiteral("application/x-heteroscape."));
    });
}

} // namespace

StudySetup::Drop StudySetup::readDrop(const QMimeData& dragged) const {
    const auto& scenario = m_document->scenario();
    const auto& catalog = m_document->catalog();
    QString reason;
    if (const auto file = csvOf(dragged); !file.isEmpty())
        return {{}, {}, tr("Points of %1").arg(QFileInfo(file).fileName()), false, file};
    if (dragged.hasFormat(propertyMimeType())) {
        const auto path = decodeProperty(dragged, scenario, catalog, &reason);
        if (!path)
            return {{}, {}, reason, true};
        const auto name = QString::fromStdString(engine::axisLabel(scenario, *path));
        return {
            *path, {}, rowOf(*path) ? tr("%1 is an axis already").arg(name) : tr("New axis: %1").arg(name)};
    }
    const auto part = decodePart(dragged, catalog, &reason);
    if (!part)
        return {{}, {}, reason, true};
    const auto value = [&](const char* path, const QString& words) {
        return Drop{path, part->id, words.arg(choiceName(catalog, path, part->id))};
    };
    switch (part->kind) {
    case PartKind::Model:
        return value("model", tr("Another model: %1"));
    case PartKind::Workload:
        return value("workload", tr("Another workload: %1"));
    case PartKind::Preset:
        if (std::find(catalog.systems.begin(), catalog.systems.end(), part->id) != catalog.systems.end())
            return value("system", tr("Another system: %1"));
        break;
    case PartKind::Technique: {
        const auto path = "techniques." + part->id + ".enabled";
        return {path, {}, tr("New axis: %1").arg(QString::fromStdString(engine::axisLabel(scenario, path)))};
    }
    case PartKind::Group:
    case PartKind::Device:
    case PartKind::Runtime:
    case PartKind::Layout:
        break;
    }
    return {{}, {}, tr("It belongs to a node. Add that node's property as an axis and tick it there."), true};
}

void StudySetup::dragEnterEvent(QDragEnterEvent* event) {
    if (!isOurs(*event->mimeData())) {
        event->ignore();
        return;
    }
    // Accepted even when it cannot land: only then do the moves follow that say why.
    event->acceptProposedAction();
    const auto drop = readDrop(*event->mimeData());
    drop.refused ? m_slot->refuse(drop.words) : m_slot->offer(drop.words);
}

void StudySetup::dragMoveEvent(QDragMoveEvent* event) {
    event->setAccepted(!readDrop(*event->mimeData()).refused);
}

void StudySetup::dragLeaveEvent(QDragLeaveEvent* event) {
    m_slot->hide();
    QWidget::dragLeaveEvent(event);
}

void StudySetup::dropEvent(QDropEvent* event) {
    m_slot->hide();
    const auto drop = readDrop(*event->mimeData());
    if (drop.refused) {
        event->ignore();
        return;
    }
    event->acceptProposedAction();
    activateWindow(); // the drag came from elsewhere: what is typed next is meant for the new field
    if (!drop.file.isEmpty())
        openPoints(drop.file);
    else if (drop.choice.empty())
        addAxis(QString::fromStdString(drop.path));
    else
        addChoice(QString::fromStdString(drop.path), QString::fromStdString(drop.choice));
}

namespace {
constexpr int kPadding = 8;
constexpr int kLeast = 30;
constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;
} // namespace

DropSlot::DropSlot(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Caption, QFont::Medium));
    auto policy = sizePolicy();
    policy.setHeightForWidth(true);
    policy.setVerticalPolicy(QSizePolicy::Fixed);
    setSizePolicy(policy);
    hide();
}

void DropSlot::offer(const QString& text) {
    take(text, false);
}

void DropSlot::refuse(const QString& text) {
    take(text, true);
}

void DropSlot::take(const QString& text, bool refused) {
    if (isVisible() && text == m_text && refused == m_refused)
        return;
    m_text = text;
    m_refused = refused;
    setAccessibleName(text);
    updateGeometry();
    update();
    show();
}

QSize DropSlot::sizeHint() const {
    return {160, heightForWidth(160)};
}

int DropSlot::heightForWidth(int width) const {
    const auto box = fontMetrics().boundingRect(QRect(0, 0, width - 2 * kPadding, 1000), kFlags, m_text);
    return std::max(kLeast, box.height() + 2 * kPadding);
}

void DropSlot::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(m_refused ? ColorRole::Error : ColorRole::Accent), 1.5,
                        m_refused ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(theme.color(m_refused ? ColorRole::ErrorSoft : ColorRole::AccentSoft));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    painter.setPen(theme.color(m_refused ? ColorRole::Error : ColorRole::Text));
    painter.setFont(font());
    painter.drawText(rect().adjusted(kPadding, 0, -kPadding, 0), kFlags, m_text);
}

} // namespace heteroscape::widgets

#include "moc_drop_slot.cpp"
