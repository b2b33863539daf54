// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/command_palette.h"

#include "widgets/theme/theme.h"

#include <QHash>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

QStringList wordsOf(const QString& text) {
    QStringList words;
    QString word;
    for (const QChar c : text) {
        if (c.isLetterOrNumber())
            word += c;
        else if (!word.isEmpty())
            words << std::exchange(word, {});
    }
    if (!word.isEmpty())
        words << word;
    return words;
}

int rankWord(const SearchableLine& line, const QString& typed) {
    int best = 0;
    for (qsizetype i = 0; i < line.words.size(); ++i) {
        const auto& word = line.words[i];
        if (!word.startsWith(typed))
            continue;
        const bool own = i < line.own;
        best =
            std::max(best, (own ? 8 : 4) + (word.size() == typed.size() ? 4 : 0) + (own && i == 0 ? 1 : 0));
    }
    if (best > 0)
        return best;
    if (typed.size() > 1 && line.initials.contains(typed))
        return line.initials.startsWith(typed) ? 6 : 5;
    if (line.text.contains(typed))
        return 3;
    const auto holds = [&typed](const QString& word) { return word.contains(typed); };
    return holds(line.also) || std::any_of(line.words.begin(), line.words.end(), holds) ? 1 : 0;
}

} // namespace

SearchableLine searchable(const QString& text, const QString& group, const QString& also) {
    SearchableLine line;
    line.also = also.toLower();
    line.text = text.toLower();
    line.words = wordsOf(line.text);
    line.own = line.words.size();
    for (const auto& word : std::as_const(line.words))
        line.initials += word.front();
    line.words << wordsOf(group.toLower());
    return line;
}

int rankLine(const SearchableLine& line, const QStringList& typed) {
    int score = 1;
    for (const auto& word : typed) {
        const int one = rankWord(line, word);
        if (one == 0)
            return 0;
        score += one;
    }
    return line.text.startsWith(typed.join(QLatin1Char(' '))) ? score + 2
                                                              : score; // what was typed as it stands
}

namespace {

constexpr int kWidth = 600, kPaletteHeight = 420, kRowHeight = 30, kPage = 10;
constexpr std::size_t kMostRows = 300; ///< more are not looked through by eye
constexpr int kGroupWidth = 130;

/// Text at the left, shortcut and group at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    explicit EntryDelegate(CommandPalette& palette) : QStyledItemDelegate(&palette), m_palette(palette) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        return {100, kRowHeight};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const auto& theme = Theme::instance();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const auto body = option.rect.adjusted(2, 1, -2, -1);
        const bool current = option.state.testFlag(QStyle::State_Selected);
        if (current || option.state.testFlag(QStyle::State_MouseOver)) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.color(current ? ColorRole::Selection : ColorRole::Sunken));
            painter->drawRoundedRect(body, 4, 4);
        }
        if (const auto* entry = m_palette.entryAt(index.row()))
            paintEntry(*painter, body.adjusted(8, 0, -8, 0), *entry, m_palette.isRecent(index.row()));
        else
            write(*painter, body.adjusted(8, 0, -8, 0), index.data().toString(), TextSize::Body,
                  ColorRole::Muted, Qt::AlignLeft);
        painter->restore();
    }

private:
    static int write(QPainter& painter, const QRect& rect, const QString& text, TextSize size, ColorRole role,
                     Qt::AlignmentFlag side) {
        const auto font = Theme::instance().font(size);
        const QFontMetrics metrics(font);
        painter.setFont(font);
        painter.setPen(Theme::instance().color(role));
        painter.drawText(rect, static_cast<int>(side) | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(text, Qt::ElideRight, rect.width()));
        return metrics.horizontalAdvance(text);
    }

    static void paintEntry(QPainter& painter, QRect rect, const CommandPalette::Entry& entry, bool recent) {
        const QRect group(rect.right() - kGroupWidth, rect.top(), kGroupWidth, rect.height());
        write(painter, group, entry.group, TextSize::Caption, ColorRole::Muted, Qt::AlignRight);
        rect.setRight(group.left() - 8);
        if (!entry.shortcut.isEmpty()) {
            const int used =
                write(painter, rect, entry.shortcut, TextSize::Caption, ColorRole::Text2, Qt::AlignRight);
            rect.setRight(rect.right() - used - 12);
        }
        if (recent) {
            const auto& theme = Theme::instance();
            painter.drawPixmap(QPoint(rect.left(), rect.center().y() - 6),
                               theme.pixmap(QStringLiteral("clock"), theme.color(ColorRole::Muted), 13,
                                            painter.device()->devicePixelRatioF()));
            rect.setLeft(rect.left() + 20);
        }
        write(painter, rect, entry.text, TextSize::Body, ColorRole::Text, Qt::AlignLeft);
    }

    CommandPalette& m_palette;
};

} // namespace

CommandPalette::CommandPalette(std::vector<Entry> entries, const QStringList& recent, QWidget* window)
    : QFrame(window, Qt::Popup), m_entries(std::move(entries)), m_search(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(tr("Search or run a command"));
    m_lines.reserve(m_entries.size());
    QHash<QString, int> recency;
    for (qsizetype i = 0; i < recent.size(); ++i)
        recency.insert(recent[i], static_cast<int>(recent.size() - i));
    for (const auto& entry : m_entries) {
        m_lines.push_back(searchable(entry.text, entry.group, entry.also));
        m_recency.push_back(entry.key.isEmpty() ? 0 : recency.value(entry.key));
    }
    m_search->setPlaceholderText(tr("Search or run a command"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setFocusPolicy(Qt::NoFocus); // the arrows work from the field
    m_list->setAccessibleName(tr("Commands"));
    m_list->setItemDelegate(new EntryDelegate(*this));
    m_list->setUniformItemSizes(true);
    m_list->setMouseTracking(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->addWidget(m_search);
    column->addWidget(m_list);
    connect(m_search, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_list, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { run(m_list->row(item)); });
    narrow({});
}

void CommandPalette::open() {
    const auto* window = parentWidget();
    resize(std::min(kWidth, window->width() - 40), std::min(kPaletteHeight, window->height() - 80));
    move(window->mapToGlobal(QPoint((window->width() - width()) / 2, 48)));
    show();
    m_search->setFocus();
}

const CommandPalette::Entry* CommandPalette::entryAt(int row) const {
    return row >= 0 && row < static_cast<int>(m_shown.size())
               ? &m_entries[m_shown[static_cast<std::size_t>(row)]]
               : nullptr;
}

bool CommandPalette::isRecent(int row) const {
    return entryAt(row) && m_recency[m_shown[static_cast<std::size_t>(row)]] > 0;
}

void CommandPalette::narrow(const QString& text) {
    const auto typed = text.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    struct Ranked {
        int score;
        int recency;
        std::size_t index;
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const int score = rankLine(m_lines[i], typed))
            ranked.push_back({score, m_recency[i], i});
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
        return a.score != b.score ? a.score > b.score : a.recency > b.recency;
    });
    const auto found = ranked.size();
    ranked.resize(std::min(found, kMostRows));
    m_list->setUpdatesEnabled(false);
    m_list->clear();
    m_shown.clear();
    QStringList names;
    for (const auto& one : ranked) {
        const auto& entry = m_entries[one.index];
        m_shown.push_back(one.index);
        names << entry.text + QStringLiteral(", ") + entry.group;
    }
    if (names.isEmpty()) {
        m_list->addItem(tr("Nothing is called that"));
        m_list->item(0)->setFlags(Qt::NoItemFlags);
    } else {
        m_list->addItems(names); // what screen readers say of each
        if (found > kMostRows) {
            m_list->addItem(tr("%1 more: go on typing").arg(found - kMostRows));
            m_list->item(m_list->count() - 1)->setFlags(Qt::NoItemFlags);
        }
        m_list->setCurrentRow(0);
        m_list->scrollToTop();
    }
    m_list->setUpdatesEnabled(true);
}

void CommandPalette::run(int row) {
    const auto* chosen = entryAt(row);
    if (!chosen)
        return;
    const auto action = chosen->run;
    if (!chosen->key.isEmpty())
        emit ran(chosen->key);
    close(); // first: what it does may open a dialog
    action();
}

void CommandPalette::step(int rows) {
    const int count = static_cast<int>(m_shown.size());
    if (count == 0)
        return;
    const int wanted = m_list->currentRow() + rows;
    const bool single = rows == 1 || rows == -1; // single steps go round, pages stop at the ends
    m_list->setCurrentRow(single ? (wanted + count) % count : std::clamp(wanted, 0, count - 1));
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down:
            step(1);
            return true;
        case Qt::Key_Up:
            step(-1);
            return true;
        case Qt::Key_PageDown:
            step(kPage);
            return true;
        case Qt::Key_PageUp:
            step(-kPage);
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            run(m_list->currentRow());
            return true;
        default:
            break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_command_palette.cpp"
