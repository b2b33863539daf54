// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/glossary/glossary.h"

#include "engine/exporters/words.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QTableWidgetItem>
#include <QTextBrowser>
#include <QWhatsThis>
#include <QWidget>
#include <algorithm>

namespace heteroscape::widgets {

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_list(new QListWidget(this)),
      m_text(new QTextBrowser(this)) {
    setWindowTitle(tr("Glossary"));
    setObjectName(QStringLiteral("glossary"));
    m_search->setPlaceholderText(tr("Find a word"));
    m_search->setAccessibleName(tr("Find a word"));
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_list->setAccessibleName(tr("Words"));
    m_list->setMaximumWidth(230);
    m_text->setAccessibleName(tr("What it means"));
    m_text->setFrameShape(QFrame::NoFrame);
    connect(m_search, &QLineEdit::textChanged, this, &GlossaryDialog::narrow);
    connect(m_list, &QListWidget::currentRowChanged, this, &GlossaryDialog::showTerm);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* grid = new QGridLayout(this);
    grid->addWidget(m_search, 0, 0);
    grid->addWidget(m_list, 1, 0);
    grid->addWidget(m_text, 0, 1, 2, 1);
    grid->addWidget(buttons, 2, 0, 1, 2);
    grid->setColumnStretch(1, 1);
    resize(640, 460);
    narrow({});
}

void GlossaryDialog::show(const QString& term) {
    m_search->clear();
    const auto found = m_list->findItems(term, Qt::MatchFixedString);
    m_list->setCurrentItem(found.isEmpty() ? m_list->item(0) : found.front());
    m_search->setFocus();
    QDialog::show();
    raise();
    activateWindow();
}

void GlossaryDialog::narrow(const QString& text) {
    struct Line {
        int rank; ///< is called so, begins so, has it in its name, among its names, in what is said
        QString term;
    };
    std::vector<Line> lines;
    const auto wanted = text.trimmed();
    for (const auto& term : Glossary::instance().terms()) {
        const auto has = [&](const QString& where) { return where.contains(wanted, Qt::CaseInsensitive); };
        const bool named = std::any_of(term.names.begin(), term.names.end(), has);
        const int rank = term.names.contains(wanted, Qt::CaseInsensitive)    ? 0
                         : term.term.startsWith(wanted, Qt::CaseInsensitive) ? 1
                         : has(term.term)                                    ? 2
                         : named                                             ? 3
                         : has(term.text)                                    ? 4
                                                                             : 5;
        if (rank < 5)
            lines.push_back({rank, term.term});
    }
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.term.localeAwareCompare(b.term) < 0;
    });
    m_list->clear();
    for (const auto& line : lines)
        m_list->addItem(line.term);
    m_list->setCurrentRow(lines.empty() ? -1 : 0);
    showTerm();
}

void GlossaryDialog::showTerm() {
    const auto* item = m_list->currentItem();
    const auto* term = item ? Glossary::instance().find(item->text()) : nullptr;
    const auto& terms = Glossary::instance().terms();
    if (item) // a word may be among the names of another
        for (const auto& one : terms)
            if (one.term == item->text())
                term = &one;
    m_text->setHtml(term ? term->html() : tr("<p>No word is like that.</p>"));
}

void showGlossary(QWidget* window, const QString& term) {
    auto* dialog = window->findChild<GlossaryDialog*>(QString(), Qt::FindDirectChildrenOnly);
    (dialog ? dialog : new GlossaryDialog(window))->show(term);
}

void tellWhatThisIs() {
    auto* focused = QApplication::focusWidget();
    if (auto* table = qobject_cast<QAbstractItemView*>(focused); table && table->currentIndex().isValid())
        if (const auto text = table->currentIndex().data(Qt::WhatsThisRole).toString(); !text.isEmpty()) {
            QWhatsThis::showText(
                table->viewport()->mapToGlobal(table->visualRect(table->currentIndex()).bottomLeft()), text,
                table);
            return;
        }
    for (auto* widget = focused; widget; widget = widget->isWindow() ? nullptr : widget->parentWidget())
        if (!widget->whatsThis().isEmpty()) {
            QWhatsThis::showText(focused->mapToGlobal(focused->rect().bottomLeft()), widget->whatsThis(),
                                 focused);
            return;
        }
    QWhatsThis::enterWhatsThisMode();
}

bool GlossaryDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto key = static_cast<QKeyEvent*>(event)->key();
        if ((key == Qt::Key_Down || key == Qt::Key_Up) && m_list->count() > 0) {
            const int row = m_list->currentRow() + (key == Qt::Key_Down ? 1 : -1);
            m_list->setCurrentRow(std::clamp(row, 0, m_list->count() - 1));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

namespace {

struct GlossaryText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Glossary)
};

} // namespace

QString Term::html() const {
    auto html = QStringLiteral("<p>") + strongMarkup(term);
    if (!unit.isEmpty())
        html += QStringLiteral(" (%1)").arg(unit.toHtmlEscaped());
    html += QStringLiteral("</p><p>%1</p>").arg(text.toHtmlEscaped());
    if (!equation.isEmpty())
        html += QStringLiteral("<p>= %1</p>").arg(equation.toHtmlEscaped());
    if (!source.isEmpty())
        html += QStringLiteral("<p><i>%1</i></p>")
                    .arg(GlossaryText::tr("Source: %1").arg(source).toHtmlEscaped());
    return html;
}

const Glossary& Glossary::instance() {
    static const Glossary glossary;
    return glossary;
}

Glossary::Glossary() {
    Theme::instance(); // takes the resources in
    QFile file(QStringLiteral(":/heteroscape/glossary.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("The glossary is not built in");
    const auto glossary = QJsonDocument::fromJson(file.readAll()).object();
    for (const auto& value : glossary.value(QLatin1String("words")).toArray()) {
        const auto object = value.toObject();
        const auto text = [&](const char* key) { return object.value(QLatin1String(key)).toString(); };
        Term term{text("term"), text("text"), text("unit"), text("equation"), text("source"), {}};
        for (const auto& name : object.value(QLatin1String("names")).toArray())
            term.names << name.toString();
        m_terms.push_back(std::move(term));
    }
    const auto tables = engine::words();
    for (const auto& word : tables) {
        Term term{QString::fromStdString(word.label),
                  QString::fromStdString(word.about),
                  QString::fromStdString(word.unit),
                  {},
                  {},
                  {}};
        for (const auto& key : word.keys)
            term.names << QString::fromStdString(key);
        m_terms.push_back(std::move(term));
    }
    const auto own = m_terms.size() - tables.size();
    for (std::size_t i = 0; i < m_terms.size(); ++i) {
        const auto& names = m_terms[i].names;
        for (const auto& name : names)
            if (i < own || names.size() == 1 || name != names.back()) // of a table whole keys
                know(name, i);
    }
    for (std::size_t i = 0; i < m_terms.size(); ++i) // a name of another goes before
        know(m_terms[i].term, i);
    for (std::size_t i = own; i < m_terms.size(); ++i) // the last step of a key is that of others too
        for (const auto& name : m_terms[i].names)
            know(name, i);
    const auto others = glossary.value(QLatin1String("other_names")).toObject();
    for (auto other = others.begin(); other != others.end(); ++other) {
        const auto of = m_byName.value(other.value().toString());
        m_terms[of].names << other.key();
        know(other.key(), of);
    }
}

void Glossary::know(const QString& name, std::size_t term) {
    if (!m_byName.contains(name.toLower()))
        m_byName.insert(name.toLower(), term);
}

const Term* Glossary::find(const QString& name) const {
    auto wanted = name.toLower();
    if (wanted.endsWith(QStringLiteral(".enabled"))) // a technique's switch is the technique
        wanted.chop(8);
    for (;;) {
        if (const auto found = m_byName.constFind(wanted); found != m_byName.constEnd())
            return &m_terms[*found];
        const auto dot = wanted.indexOf(u'.');
        if (dot < 0)
            return nullptr;
        wanted = wanted.mid(dot + 1);
    }
}

QString Glossary::whatsThis(const QString& name) const {
    const auto* term = find(name);
    return term ? term->html() : QString();
}

void setTerm(QWidget* widget, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        widget->setWhatsThis(term->html());
}

void setTerm(QAction* action, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        action->setWhatsThis(term->html());
}

void setTerm(QTableWidgetItem* head, std::string_view name) {
    if (const auto* term = Glossary::instance().find(name))
        head->setWhatsThis(term->html());
}

} // namespace heteroscape::widgets

#include "moc_glossary.cpp"
