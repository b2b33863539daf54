// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/recovery_list.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace heteroscape::widgets {

namespace {

struct TimeTextText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimeText)
};

} // namespace

QString timeText(const QDateTime& when, const QDateTime& now) {
    const QLocale english(QLocale::English); // as the rest of the window
    const auto days = when.date().daysTo(now.date());
    if (days == 0)
        return TimeTextText::tr("today %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    if (days == 1)
        return TimeTextText::tr("yesterday %1").arg(english.toString(when.time(), QStringLiteral("HH:mm")));
    return english.toString(when.date(), when.date().year() == now.date().year()
                                             ? QStringLiteral("d MMM")
                                             : QStringLiteral("d MMM yyyy"));
}

RecoveryList::RecoveryList(QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_column(new QVBoxLayout),
      m_title(new TextLabel(TextSize::Heading, ColorRole::Text, this, QFont::DemiBold)),
      m_recoverAll(new QPushButton(tr("Recover all"), this)),
      m_discardAll(new QPushButton(tr("Discard all"), this)) {
    auto* about = new TextLabel(
        tr("Heteroscape ended before these designs were saved. They stay here until you decide."),
        TextSize::Dense, ColorRole::Text2, this);
    about->setWordWrap(true);
    m_recoverAll->setObjectName(QStringLiteral("recoverAll"));
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_title);
    words->addWidget(about);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addLayout(words, 1);
    head->addWidget(m_recoverAll, 0, Qt::AlignTop);
    head->addWidget(m_discardAll, 0, Qt::AlignTop);
    m_column->setSpacing(6);
    auto* all = makeColumn(this, {16, 12, 16, 12}, 10);
    all->addLayout(head);
    all->addLayout(m_column);
    connect(m_recoverAll, &QPushButton::clicked, this, [this] {
        std::vector<RecoveryEntry> readable;
        for (const auto& entry : m_entries)
            if (entry.problem.isEmpty())
                readable.push_back(entry);
        emit recoverRequested(readable);
    });
    connect(m_discardAll, &QPushButton::clicked, this, [this] { discard(m_entries); });
    m_confirm = [this](int count) {
        return QMessageBox::question(this, tr("Discard"),
                                     count == 1 ? tr("Delete this autosaved design for good?")
                                                : tr("Delete %1 autosaved designs for good?").arg(count),
                                     QMessageBox::Discard | QMessageBox::Cancel,
                                     QMessageBox::Cancel) == QMessageBox::Discard;
    };
    hide();
}

void RecoveryList::setEntries(std::vector<RecoveryEntry> entries) {
    m_entries = std::move(entries);
    for (auto* row : m_rows) {
        row->hide();
        row->deleteLater(); // one of its buttons may be the sender
    }
    m_rows.clear();
    bool anyReadable = false;
    for (const auto& entry : m_entries) {
        addRow(entry);
        anyReadable = anyReadable || entry.problem.isEmpty();
    }
    m_title->setText(m_entries.size() == 1 ? tr("Recover a design")
                                           : tr("Recover %1 designs").arg(m_entries.size()));
    m_recoverAll->setVisible(m_entries.size() > 1);
    m_recoverAll->setEnabled(anyReadable);
    m_discardAll->setVisible(m_entries.size() > 1);
    setVisible(!m_entries.empty());
}

void RecoveryList::addRow(const RecoveryEntry& entry) {
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("recoverable"));
    auto* line = makeRow(row, {}, 8);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    auto* name = new TextLabel(entry.title, TextSize::Body, ColorRole::Text, QFont::Medium, row);
    const auto nodes = entry.nodes == 1 ? tr("1 node") : tr("%1 nodes").arg(entry.nodes);
    const auto where = entry.originalPath.isEmpty() ? tr("never saved") : entry.originalPath;
    const auto when = timeText(entry.saved, QDateTime::currentDateTime());
    const bool broken = !entry.problem.isEmpty();
    const auto what = broken ? tr("%1 \u00b7 cannot be read: %2").arg(when, entry.problem)
                             : tr("%1 \u00b7 %2 \u00b7 %3").arg(when, nodes, where);
    auto* facts = new TextLabel(what, TextSize::Caption, broken ? ColorRole::Error : ColorRole::Muted,
                                QFont::Normal, row);
    if (broken)
        facts->setWordWrap(true);
    else
        facts->setElided(true);
    name->setElided(true);
    facts->setToolTip(plainTip(broken ? entry.file : where));
    words->addWidget(name);
    words->addWidget(facts);
    auto* recover = new QPushButton(tr("Recover"), row);
    recover->setObjectName(QStringLiteral("recover"));
    recover->setProperty("primary", true);
    recover->setEnabled(!broken);
    recover->setAccessibleName(tr("Recover %1").arg(entry.title));
    auto* discards = new QPushButton(tr("Discard"), row);
    discards->setObjectName(QStringLiteral("discard"));
    discards->setAccessibleName(tr("Discard %1").arg(entry.title));
    line->addLayout(words, 1);
    line->addWidget(recover);
    line->addWidget(discards);
    m_column->addWidget(row);
    connect(recover, &QPushButton::clicked, this, [this, entry] { emit recoverRequested({entry}); });
    connect(discards, &QPushButton::clicked, this, [this, entry] { discard({entry}); });
    m_rows.push_back(row);
}

void RecoveryList::discard(const std::vector<RecoveryEntry>& entries) {
    // The list may be made anew meanwhile. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const auto chosen = entries;
    if (m_confirm(static_cast<int>(chosen.size())))
        emit discardRequested(chosen);
}

} // namespace heteroscape::widgets

#include "moc_recovery_list.cpp"
