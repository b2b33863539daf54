// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/explanation_popup.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <set>

namespace heteroscape::widgets {

namespace {

/// Sees the keys before the view takes letters for a search.
class ExplainKeys : public QObject {
public:
    ExplainKeys(QAbstractItemView* view, ExplainCell cell, bool enter)
        : QObject(view), m_view(view), m_cell(std::move(cell)), m_enter(enter) {
        view->installEventFilter(this);
        view->viewport()->installEventFilter(this);
        if (enter)
            connect(view, &QAbstractItemView::doubleClicked, this,
                    [this](const QModelIndex& index) { explain(index); });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride && isMine(static_cast<QKeyEvent*>(event))) {
            event->accept(); // the key is a command of the window elsewhere
            return true;
        }
        if (event->type() == QEvent::KeyPress && isMine(static_cast<QKeyEvent*>(event)))
            return explain(m_view->currentIndex());
        if (event->type() == QEvent::ContextMenu)
            return menu(static_cast<QContextMenuEvent*>(event));
        return QObject::eventFilter(watched, event);
    }

private:
    QAbstractItemView* m_view;
    ExplainCell m_cell;
    bool m_enter;

    bool isMine(const QKeyEvent* event) const {
        if (event->modifiers() & ~Qt::KeypadModifier)
            return false;
        return event->key() == Qt::Key_E ||
               (m_enter && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter));
    }

    bool explain(const QModelIndex& index) {
        const auto target = index.isValid() ? m_cell(index) : std::nullopt;
        if (!target)
            return false;
        const auto rect = m_view->visualRect(index);
        ExplanationPopup::show(target->scenario, target->metric,
                               m_view->viewport()->mapToGlobal(rect.bottomLeft()), m_view);
        return true;
    }

    bool menu(const QContextMenuEvent* event) {
        const auto index = event->reason() == QContextMenuEvent::Mouse ? m_view->indexAt(event->pos())
                                                                       : m_view->currentIndex();
        if (!index.isValid() || !m_cell(index))
            return false;
        m_view->setCurrentIndex(index);
        QMenu menu(m_view);
        menu.addAction(tr("How it comes about"), this,
                       [this, at = QPersistentModelIndex(index)] { explain(at); });
        menu.exec(event->globalPos());
        return true;
    }
};

} // namespace

void explainCells(QAbstractItemView* view, ExplainCell cell, bool enter) {
    new ExplainKeys(view, std::move(cell), enter); // the view's child
}

namespace {

constexpr int kHeading = 22, kRow = 20, kName = 200, kBar = 120, kValue = 76, kShare = 52;

QString boundText(engine::Bound bound) {
    const auto label = engine::boundLabel(bound);
    return QString::fromUtf8(label);
}

} // namespace

DecisiveList::DecisiveList(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void DecisiveList::setPart(std::optional<engine::DecisivePart> part) {
    m_part = std::move(part);
    setVisible(m_part.has_value());
    setAccessibleName(heading());
    setAccessibleDescription(text());
    updateGeometry();
    update();
}

QString DecisiveList::heading() const {
    if (!m_part)
        return {};
    const auto name = QString::fromStdString(m_part->name);
    return m_part->phase == engine::Phase::Prefill
               ? tr("Decided by prefill on %1: %2").arg(name, boundText(m_part->bound))
               : tr("Decided by decode on %1: %2").arg(name, boundText(m_part->bound));
}

QString DecisiveList::text() const {
    if (!m_part)
        return {};
    auto lines = heading() + u'\n';
    for (const auto& work : m_part->works)
        lines += tr("  %1: %2, %3 of the step, bound by %4\n")
                     .arg(QString::fromStdString(work.label), secondsText(work.seconds),
                          shareText(work.share), boundText(work.bound));
    return lines;
}

QSize DecisiveList::sizeHint() const {
    return {560, m_part ? kHeading + kRow * static_cast<int>(m_part->works.size()) : 0};
}

void DecisiveList::paintEvent(QPaintEvent*) {
    if (!m_part)
        return;
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme.font(TextSize::Dense, QFont::Medium));
    painter.setPen(theme.color(ColorRole::Hot));
    painter.drawText(QRect(0, 0, width(), kHeading), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(heading(), Qt::ElideRight, width()));
    painter.setFont(theme.font(TextSize::Dense));
    const auto text = [&](QRect box, int alignment, const QString& what, ColorRole role) {
        painter.setPen(theme.color(role));
        painter.drawText(box, alignment | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(what, Qt::ElideRight, box.width()));
    };
    int y = kHeading;
    for (const auto& work : m_part->works) {
        int x = 0;
        const auto column = [&](int wide) {
            const QRect box(x, y, wide, kRow);
            x += wide + 8;
            return box;
        };
        text(column(kName), Qt::AlignLeft, QString::fromStdString(work.label), ColorRole::Text);
        const auto bar = QRectF(column(kBar)).adjusted(0, 7, 0, -7);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Track));
        painter.drawRoundedRect(bar, 2, 2);
        painter.setBrush(theme.series(0));
        painter.drawRoundedRect(
            QRectF(bar.left(), bar.top(), bar.width() * std::min(1.0, work.share), bar.height()), 2, 2);
        text(column(kShare), Qt::AlignRight, shareText(work.share), ColorRole::Text);
        text(column(kValue), Qt::AlignRight, secondsText(work.seconds), ColorRole::Text2);
        text(QRect(x, y, width() - x, kRow), Qt::AlignLeft, boundText(work.bound), ColorRole::Muted);
        y += kRow;
    }
}

namespace {

constexpr int kWidth = 760;
constexpr int kHeight = 440;

QString valueText(const engine::Term& term) {
    const auto unit = QString::fromStdString(term.unit());
    return shortNumber(term.shown()) +
           (unit.isEmpty() || !std::isfinite(term.value()) ? QString() : QLatin1Char(' ') + unit);
}

/// Rows of a tree in which a term stands once with what is below it, and elsewhere alone.
void fill(QTreeWidgetItem* item, const engine::Term& term, double ratio, std::set<const void*>& told) {
    item->setText(0, QString::fromStdString(term.name()));
    item->setToolTip(0, plainTip(item->text(0)));
    item->setText(1, valueText(term));
    item->setToolTip(1, plainTip(QString::fromStdString(engine::exactText(term.shown()))));
    const bool again = !term.terms().empty() && !told.insert(term.identity()).second;
    QStringList how;
    if (again)
        how << ExplanationPopup::tr("as above");
    for (const auto& part : {again ? std::string() : term.formula(), term.source(), term.remark()})
        if (!part.empty())
            how << QString::fromStdString(part);
    if (term.expectedError())
        how << QString::fromStdString(term.expectedError().text());
    item->setText(2, how.join(QStringLiteral(" \u2013 ")));
    item->setToolTip(2, plainTip(item->text(2)));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    if (const auto provenance = term.provenance()) {
        item->setIcon(2, Theme::instance().provenanceMark(*provenance, ratio));
        item->setToolTip(2, plainTip(provenanceLabel(*provenance) + QStringLiteral(": ") + item->text(2)));
    }
    if (!again)
        for (const auto& child : term.terms())
            fill(new QTreeWidgetItem(item), child, ratio, told);
}

} // namespace

ExplanationPopup::ExplanationPopup(engine::Scenario scenario, const std::string& metricKey, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_heading(new TextLabel(tr("How it comes about"), TextSize::Body,
                                                         ColorRole::Text, QFont::DemiBold, this)),
      m_decisive(new DecisiveList(this)), m_tree(new QTreeWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(m_heading->text());
    m_heading->setElided(true);
    m_decisive->hide();
    m_tree->setHeaderLabels({tr("Term"), tr("Value"), tr("Formula or source")});
    m_tree->setAccessibleName(m_heading->text());
    m_tree->header()->setStretchLastSection(true);
    m_tree->setColumnWidth(0, 260);
    m_tree->setColumnWidth(1, 110);
    auto* copyText = new QPushButton(tr("Copy as text"), this);
    connect(copyText, &QPushButton::clicked, this, &ExplanationPopup::copy);
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading, 1);
    head->addWidget(copyText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addLayout(head);
    column->addWidget(m_decisive);
    column->addWidget(m_tree, 1);
    resize(kWidth, kHeight);

    const auto* spec = engine::findMetric(metricKey);
    const bool simulated = spec && engine::isSimulated(spec->metric);
    if (!simulated) {
        present(work(scenario, metricKey));
        return;
    }
    m_heading->setText(tr("Simulating, to see how it comes about"));
    m_job.start([this, scenario = std::move(scenario), metricKey](JobRun& run) -> Job::Show {
        return [this, content = work(scenario, metricKey, run.stop())] { present(content); };
    });
}

ExplanationPopup::Content ExplanationPopup::work(const engine::Scenario& scenario,
                                                 const std::string& metricKey, const std::stop_token& stop) {
    Content content;
    try {
        content.explanation = engine::explain(scenario, metricKey, stop);
        if (engine::hasExpectedErrors(scenario))
            content.expected = engine::expectedError(content.explanation);
        if (const auto* spec = engine::findMetric(metricKey))
            content.decisive = engine::decisivePart(scenario, engine::evaluate(scenario), spec->metric);
    } catch (const std::exception& error) {
        content.explanation = engine::Term::counted(metricKey, engine::kUnset, {}, error.what());
    }
    return content;
}

void ExplanationPopup::present(Content content) {
    m_explanation = std::move(content.explanation);
    const auto value = std::isfinite(m_explanation.value()) ? valueText(m_explanation) : QString();
    const auto name = QString::fromStdString(m_explanation.name());
    m_heading->setText(value.isEmpty() ? tr("How %1 comes about").arg(name)
                       : content.expected
                           ? tr("How it comes about: %1 %2, %3")
                                 .arg(name, value, QString::fromStdString(content.expected.text()))
                           : tr("How it comes about: %1 %2").arg(name, value));
    m_decisive->setPart(std::move(content.decisive));
    m_tree->clear();
    auto* root = new QTreeWidgetItem(m_tree);
    std::set<const void*> told;
    fill(root, m_explanation, devicePixelRatioF(), told);
    root->setExpanded(true);
    for (int i = 0; i < root->childCount(); ++i)
        root->child(i)->setExpanded(true);
    m_tree->setCurrentItem(root);
}

QString ExplanationPopup::text() const {
    const auto decisive = m_decisive->text();
    return QString::fromStdString(engine::termText(m_explanation)) +
           (decisive.isEmpty() ? QString() : u'\n' + decisive);
}

void ExplanationPopup::copy() {
    QApplication::clipboard()->setText(text());
}

void ExplanationPopup::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QFrame::keyPressEvent(event);
}

void ExplanationPopup::show(const engine::Scenario& scenario, const std::string& metricKey, QWidget* anchor) {
    show(scenario, metricKey, anchor->mapToGlobal(QPoint(0, anchor->height())), anchor);
}

void ExplanationPopup::show(const engine::Scenario& scenario, const std::string& metricKey,
                            QPoint globalPoint, QWidget* parent) {
    auto* popup = new ExplanationPopup(scenario, metricKey, parent->window());
    if (const auto* screen = parent->screen()) {
        const auto room = screen->availableGeometry();
        const auto within = [](int at, int low, int high) { return std::max(low, std::min(at, high)); };
        globalPoint = {within(globalPoint.x(), room.left(), room.right() - kWidth),
                       within(globalPoint.y(), room.top(), room.bottom() - kHeight)};
    }
    popup->move(globalPoint);
    popup->QFrame::show();
    popup->m_tree->setFocus();
}

} // namespace heteroscape::widgets

#include "moc_explanation_popup.cpp"
