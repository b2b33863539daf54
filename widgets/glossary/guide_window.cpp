// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/guide_window.h"

#include "engine/base/error.h"
#include "engine/exporters/guide.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPdfWriter>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextDocumentFragment>
#include <QTextList>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

namespace heteroscape::widgets {

namespace {

constexpr int kListWidth = 260, kPageMargin = 24;
constexpr int kLinkRole = Qt::UserRole;

const engine::Guide& guide() {
    return engine::Guide::shipped();
}

QString markdownOf(const engine::GuidePage& page) {
    return QString::fromStdString(guide().markdown(page));
}

QString pathOf(const QString& picture) {
    return QString::fromStdString(guide().folder()) + u'/' + picture;
}

/// Colours of a page by their roles: the theme's, or of paper.
using Colours = QColor (*)(ColorRole);
QColor onScreen(ColorRole role) {
    return Theme::instance().color(role);
}

/// Calls back with the position, length and format of every stretch of text.
template <class Seen>
void eachFragment(QTextDocument& document, Seen seen) {
    for (auto block = document.begin(); block.isValid(); block = block.next())
        for (auto at = block.begin(); !at.atEnd(); ++at)
            seen(block, at.fragment());
}

/// Markdown as the style has it: weights that the font has, quiet tables, code that is told apart, pictures
/// of at most `width`.
void dress(QTextDocument& document, Colours colour, int width) {
    struct Stretch {
        int from, to;
        QTextCharFormat format;
    };
    std::vector<Stretch> stretches;
    eachFragment(document, [&](const QTextBlock& block, const QTextFragment& fragment) {
        QTextCharFormat format;
        const auto now = fragment.charFormat();
        if (now.isImageFormat()) {
            auto image = now.toImageFormat();
            const auto size = QImageReader(pathOf(image.name())).size();
            const int wide = std::min(width, size.width());
            image.setWidth(wide);
            image.setHeight(wide * size.height() / std::max(size.width(), 1));
            stretches.push_back({fragment.position(), fragment.position() + fragment.length(), image});
            return;
        }
        if (now.fontWeight() > QFont::DemiBold)
            format.setFontWeight(QFont::DemiBold);
        if (now.isAnchor())
            format.setForeground(colour(ColorRole::Accent));
        if (now.fontFixedPitch() && !block.blockFormat().hasProperty(QTextFormat::BlockCodeFence))
            format.setBackground(colour(ColorRole::Sunken));
        if (format.propertyCount() > 0)
            stretches.push_back({fragment.position(), fragment.position() + fragment.length(), format});
    });
    QTextCursor all(&document);
    all.beginEditBlock(); // else each change lays the page out
    for (const auto& stretch : stretches) {
        QTextCursor cursor(&document);
        cursor.setPosition(stretch.from);
        cursor.setPosition(stretch.to, QTextCursor::KeepAnchor);
        cursor.mergeCharFormat(stretch.format);
    }
    for (auto block = document.begin(); block.isValid(); block = block.next()) {
        auto format = block.blockFormat();
        if (format.hasProperty(QTextFormat::BlockCodeFence)) {
            format.setBackground(colour(ColorRole::Sunken));
            format.setNonBreakableLines(false);
            format.setLeftMargin(8);
        } else if (format.headingLevel() > 1)
            format.setTopMargin(format.headingLevel() == 2 ? 22 : 14);
        else if (!QTextCursor(block).currentTable()) {
            if (!block.text().contains(QChar::ObjectReplacementCharacter)) // a picture would get room below
                format.setLineHeight(135, QTextBlockFormat::ProportionalHeight);
            format.setBottomMargin(block.textList() ? 2 : 6);
        }
        QTextCursor(block).setBlockFormat(format);
    }
    for (auto* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            auto format = table->format();
            format.setBorder(1);
            format.setBorderCollapse(true);
            format.setBorderBrush(colour(ColorRole::Border));
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setCellPadding(5);
            format.setBottomMargin(8);
            table->setFormat(format);
        }
    all.endEditBlock();
}

} // namespace

GuideView::GuideView(QWidget* parent) : QTextBrowser(parent) {
    setObjectName(QStringLiteral("guidePage"));
    setAccessibleName(tr("Page of the guide"));
    setFrameShape(QFrame::NoFrame);
    document()->setDocumentMargin(kPageMargin);
    connect(&Theme::instance(), &Theme::changed, this, &GuideView::reload);
}

QVariant GuideView::loadResource(int type, const QUrl& name) {
    if (type == QTextDocument::ImageResource)
        return QImage(pathOf(name.path()));
    const auto* page = guide().page(name.path().toStdString());
    return page ? markdownOf(*page) : QString();
}

void GuideView::doSetSource(const QUrl& link, QTextDocument::ResourceType) {
    const auto path = link.path();
    if (!path.isEmpty() && !guide().page(path.toStdString()))
        return; // a script beside the pages
    QTextBrowser::doSetSource(link, QTextDocument::MarkdownResource);
    dress();
    scrollToHeading();
}

void GuideView::dress() {
    const int room = viewport()->width() - 2 * kPageMargin - 8;
    widgets::dress(*document(), onScreen, std::max(room, 200));
}

void GuideView::scrollToHeading() {
    const auto wanted = source().fragment().toStdString();
    if (wanted.empty())
        return;
    for (auto block = document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 &&
            engine::Guide::slug(block.text().toStdString()) == wanted) {
            setTextCursor(QTextCursor(block));
            verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect().top() - 16);
            return;
        }
}

void GuideView::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    dress();
}

void GuideView::showEvent(QShowEvent* event) {
    QTextBrowser::showEvent(event);
    scrollToHeading(); // as wide as it is now
}

GuideWindow::GuideWindow(QWidget* parent)
    : QDialog(parent), m_back(new QToolButton(this)), m_forward(new QToolButton(this)),
      m_home(new QToolButton(this)), m_search(new QLineEdit(this)), m_list(new QTreeWidget(this)),
      m_view(new GuideView(this)) {
    setWindowTitle(tr("Guide"));
    setObjectName(QStringLiteral("guide"));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    m_search->setPlaceholderText(tr("Search the guide"));
    m_search->setAccessibleName(tr("Search the guide"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setAccessibleName(tr("Contents"));
    m_list->setHeaderHidden(true);
    m_list->setRootIsDecorated(false);
    m_list->setIndentation(0);
    const auto button = [this](QToolButton* made, const QString& words, QKeySequence::StandardKey key) {
        made->setAutoRaise(true);
        made->setToolTip(plainTip(words));
        made->setAccessibleName(words);
        if (key != QKeySequence::UnknownKey)
            made->setShortcut(key);
    };
    button(m_back, tr("Back"), QKeySequence::Back);
    button(m_forward, tr("Forward"), QKeySequence::Forward);
    button(m_home, tr("Contents"), QKeySequence::UnknownKey);
    connect(m_back, &QToolButton::clicked, m_view, &GuideView::backward);
    connect(m_forward, &QToolButton::clicked, m_view, &GuideView::forward);
    connect(m_home, &QToolButton::clicked, this, [this] { show({}); });
    connect(m_view, &GuideView::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_view, &GuideView::forwardAvailable, m_forward, &QWidget::setEnabled);
    connect(m_view, &GuideView::sourceChanged, this, &GuideWindow::follow);
    connect(m_search, &QLineEdit::textChanged, this, &GuideWindow::narrow);
    const auto open = [this](const QTreeWidgetItem* item) {
        if (const auto link = item ? item->data(0, kLinkRole).toString() : QString(); !link.isEmpty())
            m_view->setSource(QUrl(link));
    };
    connect(m_list, &QTreeWidget::currentItemChanged, this, open);
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    Theme::instance().follow(this, [this] { setIcons(); });

    auto* left = new QWidget(this);
    auto* column = makeColumn(left, {12, 12, 12, 12}, 8);
    auto* row = new QHBoxLayout;
    row->setSpacing(2);
    for (auto* one : {m_back, m_forward, m_home})
        row->addWidget(one);
    row->addWidget(m_search, 1);
    column->addLayout(row);
    column->addWidget(m_list, 1);
    auto* halves = new QSplitter(this);
    halves->addWidget(left);
    halves->addWidget(m_view);
    halves->setSizes({kListWidth, 3 * kListWidth});
    halves->setStretchFactor(1, 1);
    halves->setChildrenCollapsible(false);
    makeRow(this)->addWidget(halves);
    resize(1020, 680);
    listContents();
}

void GuideWindow::setIcons() {
    auto& theme = Theme::instance();
    m_back->setIcon(theme.icon(QStringLiteral("chevron-left")));
    m_forward->setIcon(theme.icon(QStringLiteral("chevron-right")));
    m_home->setIcon(theme.icon(QStringLiteral("book")));
}

void GuideWindow::show(const QString& link) {
    m_search->clear();
    m_view->setSource(QUrl(link.isEmpty() ? QStringLiteral("index.md") : link));
    m_search->setFocus();
    QDialog::show();
    raise();
    activateWindow();
}

void GuideWindow::addEntry(QTreeWidgetItem* parent, const QString& title, const QString& link) {
    auto* item = new QTreeWidgetItem(parent, {title});
    item->setData(0, kLinkRole, link);
    item->setToolTip(0, plainTip(title));
    if (link.isEmpty()) {
        item->setFlags(Qt::NoItemFlags);
        item->setFont(0, Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    }
}

void GuideWindow::listContents() {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    QString part;
    for (const auto& page : guide().pages()) {
        const auto of = QString::fromStdString(page.part);
        if (of != part && !of.isEmpty())
            addEntry(m_list->invisibleRootItem(), of, {});
        part = of;
        addEntry(m_list->invisibleRootItem(), QString::fromStdString(page.title),
                 QString::fromStdString(page.file));
    }
    follow(m_view->source());
}

void GuideWindow::follow(const QUrl& shown) {
    if (!m_search->text().isEmpty())
        return;
    const QSignalBlocker quiet(m_list);
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (m_list->topLevelItem(i)->data(0, kLinkRole).toString() == shown.path())
            m_list->setCurrentItem(m_list->topLevelItem(i));
}

void GuideWindow::narrow(const QString& text) {
    if (text.trimmed().isEmpty())
        return listContents();
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        for (const auto& found : guide().search(text.trimmed().toStdString()))
            addEntry(m_list->invisibleRootItem(),
                     found.page.empty()
                         ? QString::fromStdString(found.title)
                         : QStringLiteral("%1 \u2013 %2")
                               .arg(QString::fromStdString(found.title), QString::fromStdString(found.page)),
                     QString::fromStdString(found.link));
        if (m_list->topLevelItemCount() == 0)
            addEntry(m_list->invisibleRootItem(), tr("Nothing found. Try one word."), {});
    }
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

bool GuideWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up) {
            QCoreApplication::sendEvent(m_list, event);
            return true;
        }
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            m_view->setFocus();
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void showGuide(QWidget* window, const QString& link) {
    if (auto* waiting = QApplication::activeModalWidget())
        window = waiting;
    while (window && window->parentWidget() && !window->isModal())
        window = window->parentWidget();
    auto* made = window->findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
    (made ? made : new GuideWindow(window))->show(link);
}

void writeGuidePdf(const QString& file) {
    constexpr double kDots = 96.0, kMillimetres = 25.4; // an inch of the layout
    constexpr double kMargin = 20.0;                    // mm, which print() leaves around
    QPdfWriter writer(file);
    writer.setTitle(QCoreApplication::translate("heteroscape::widgets::GuideWindow", "Guide to Heteroscape"));
    writer.setCreator(QStringLiteral("Heteroscape"));
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins({});
    const double paper = writer.pageLayout().fullRect(QPageLayout::Millimeter).width();
    const int width = static_cast<int>((paper - 2 * kMargin) / kMillimetres * kDots);
    QTextDocument all;
    auto font = Theme::instance().font(TextSize::Body);
    font.setPointSizeF(10.0); // pixels would be those of the printer
    all.setDefaultFont(font);
    QTextCursor end(&all);
    for (const auto& page : guide().pages()) {
        QTextDocument one;
        one.setDefaultFont(all.defaultFont());
        one.setMarkdown(markdownOf(page));
        eachFragment(one, [&](const QTextBlock&, const QTextFragment& fragment) {
            if (const auto format = fragment.charFormat(); format.isImageFormat()) {
                const auto name = format.toImageFormat().name();
                all.addResource(QTextDocument::ImageResource, QUrl(name), QImage(pathOf(name)));
            }
        });
        dress(one, Theme::lightColor, width);
        QTextBlockFormat fresh;
        if (&page != &guide().pages().front())
            fresh.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        end.movePosition(QTextCursor::End);
        if (end.position() > 0)
            end.insertBlock(QTextBlockFormat(), QTextCharFormat()); // else its heading ends the page before
        const int begin = end.position();
        end.insertFragment(QTextDocumentFragment(&one));
        QTextCursor first(&all);
        first.setPosition(begin);
        first.mergeBlockFormat(fresh);
    }
    all.print(&writer);
    if (!QFile::exists(file))
        throw engine::Error(engine::ErrorCode::Io, file.toStdString(), "the guide cannot be written",
                            "Choose another file name ending in .pdf");
}

} // namespace heteroscape::widgets

#include "moc_guide_window.cpp"
