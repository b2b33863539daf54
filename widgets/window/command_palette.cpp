// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_palette.h"

#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kWidth = 520;
constexpr int kHeight = 380;

QString lineOf(const CommandPalette::Entry& entry) {
    return entry.group.isEmpty() ? entry.text : entry.group + QStringLiteral(": ") + entry.text;
}

/// How well a line answers to the words typed: 0 not at all, else more is better.
int rank(const CommandPalette::Entry& entry, const QStringList& words) {
    const auto line = lineOf(entry);
    int score = 1;
    for (const auto& word : words) {
        if (!line.contains(word, Qt::CaseInsensitive))
            return 0;
        if (entry.text.startsWith(word, Qt::CaseInsensitive))
            score += 2;
        else if (entry.text.contains(word, Qt::CaseInsensitive))
            ++score;
    }
    return score;
}

} // namespace

CommandPalette::CommandPalette(std::vector<Entry> entries, QWidget* window)
    : QFrame(window, Qt::Popup), m_entries(std::move(entries)), m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    m_search->setPlaceholderText(tr("Search or run a command"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus); // the arrows work from the field
    m_list->setAccessibleName(tr("Commands"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_search);
    column->addWidget(m_list);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
    narrow({});
}

void CommandPalette::open() {
    const auto* window = parentWidget();
    resize(std::min(kWidth, window->width() - 40), std::min(kHeight, window->height() - 80));
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 48)));
    show();
    m_search->setFocus();
}

void CommandPalette::narrow(const QString& text) {
    const auto words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const int score = rank(m_entries[i], words))
            ranked.emplace_back(-score, i);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    m_list->clear();
    m_shown.clear();
    for (const auto& [score, index] : ranked) {
        const auto& entry = m_entries[index];
        auto line = lineOf(entry);
        if (!entry.shortcut.isEmpty())
            line += QStringLiteral("   (%1)").arg(entry.shortcut);
        m_list->addItem(line);
        m_shown.push_back(index);
    }
    if (m_shown.empty()) {
        m_list->addItem(tr("Nothing is called that"));
        m_list->item(0)->setFlags(Qt::NoItemFlags);
        return;
    }
    m_list->setCurrentRow(0);
}

void CommandPalette::run() {
    const int row = m_list->currentRow();
    if (row < 0 || m_shown.empty())
        return;
    const auto action = m_entries[m_shown[static_cast<std::size_t>(row)]].run;
    close(); // first: what it does may open a dialog
    action();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int rows = static_cast<int>(m_shown.size());
        switch (key->key()) {
        case Qt::Key_Down:
        case Qt::Key_Up:
            if (rows > 0)
                m_list->setCurrentRow((m_list->currentRow() + (key->key() == Qt::Key_Down ? 1 : rows - 1)) %
                                      rows);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run();
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
