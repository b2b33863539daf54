// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/hint_card.h"

#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme_icons.h"

#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

constexpr int kHintWidth = 488;
constexpr int kMargin = 12;
constexpr int kBarWidth = 190;

QString plainPercent(double share) {
    return QString::fromStdString(engine::plainText(100 * share, 2));
}

QString percent(double share) {
    return HintCard::tr("%1\u2009%").arg(plainPercent(share));
}

/// A name, a bar and what it says; hatched from `share` to `most`.
class BarRow : public QWidget {
public:
    BarRow(const QString& name, const QString& value, double share, double most, ColorRole fill,
           QWidget* parent)
        : QWidget(parent), m_share(std::clamp(share, 0.0, 1.0)), m_most(std::clamp(most, m_share, 1.0)),
          m_fill(fill) {
        auto* row = makeRow(this, {}, 10);
        auto* label = new TextLabel(name, TextSize::Dense, ColorRole::Text, this);
        label->setElided(true);
        row->addWidget(label, 1);
        row->addSpacing(kBarWidth + 10);
        m_value = new TextLabel(value, TextSize::Dense, fill, QFont::Medium, this);
        m_value->setFixedWidth(96);
        m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row->addWidget(m_value);
        setAccessibleName(name + QStringLiteral(": ") + value);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const auto& theme = Theme::instance();
        const QRectF whole(m_value->x() - 10 - kBarWidth, height() / 2.0 - 4, kBarWidth, 8);
        painter.fillRect(whole, theme.color(ColorRole::Sunken));
        const auto upTo = [&](double share) {
            return QRectF(whole.topLeft(), QSizeF(whole.width() * share, whole.height()));
        };
        painter.save();
        painter.setClipRect(upTo(m_most)); // strokes are wider than the lines they follow
        strokeHatch(painter, upTo(m_most), QPen(theme.color(m_fill), 1.4), 5);
        painter.restore();
        painter.fillRect(upTo(m_share), theme.color(m_fill));
    }

private:
    double m_share;
    double m_most;
    ColorRole m_fill;
    TextLabel* m_value;
};

/// The throughput over a number, and where the design stands.
class Sparkline : public QWidget {
public:
    Sparkline(engine::SweepIdea sweep, QWidget* parent) : QWidget(parent), m_sweep(std::move(sweep)) {
        setFixedSize(140, 54);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const auto& theme = Theme::instance();
        const auto area = QRectF(rect()).adjusted(6, 8, -6, -8);
        painter.setPen(QPen(theme.color(ColorRole::BorderControl), 1));
        painter.drawLine(QPointF(area.left(), height() - 3.0), QPointF(area.right(), height() - 3.0));
        const double most = *std::max_element(m_sweep.throughput.begin(), m_sweep.throughput.end());
        const auto steps = static_cast<double>(std::max<std::size_t>(m_sweep.values.size() - 1, 1));
        const auto at = [&](std::size_t i) { // values double from one to the next
            return QPointF(area.left() + area.width() * static_cast<double>(i) / steps,
                           area.bottom() - area.height() * m_sweep.throughput[i] / most);
        };
        QPainterPath line(at(0));
        for (std::size_t i = 1; i < m_sweep.values.size(); ++i)
            line.lineTo(at(i));
        painter.setPen(QPen(theme.series(0), 2));
        painter.drawPath(line);
        const auto now = std::find(m_sweep.values.begin(), m_sweep.values.end(), m_sweep.now);
        if (now == m_sweep.values.end())
            return;
        painter.setBrush(theme.color(ColorRole::Surface));
        painter.drawEllipse(at(static_cast<std::size_t>(now - m_sweep.values.begin())), 4, 4);
    }

private:
    engine::SweepIdea m_sweep;
};

/// A line from edge to edge between two sections.
class Divider : public QWidget {
public:
    explicit Divider(QWidget* parent) : QWidget(parent) { setFixedHeight(11); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter(this).fillRect(0, height() / 2, width(), 1, Theme::instance().color(ColorRole::Border));
    }
};

TextLabel* caption(const QString& text, QWidget* parent) {
    return new TextLabel(text, TextSize::Caption, ColorRole::Text2, parent);
}

} // namespace

HintCard::HintCard(Document* document, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_document(document),
      m_heading(new TextLabel({}, TextSize::Heading, ColorRole::Text, QFont::DemiBold, this)),
      m_pin(new QToolButton(this)) {
    setFixedWidth(kHintWidth);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_NoMousePropagation); // what is clicked here is not the canvas
    setAccessibleName(tr("Hints"));
    setTerm(this, "bound");
    m_heading->setWordWrap(true);
    auto* bulb = new QLabel(this);
    auto* close = new QToolButton(this);
    close->setToolTip(plainTip(tr("Close the hints")));
    close->setAccessibleName(tr("Close the hints"));
    connect(close, &QToolButton::clicked, this, &HintCard::closed);
    m_pin->setObjectName(QStringLiteral("pinHints"));
    m_pin->setCheckable(true);
    m_pin->setToolTip(plainTip(tr("Keep the hints open while other things are selected")));
    m_pin->setAccessibleName(tr("Pin the hints"));
    Theme::instance().follow(this, [this, bulb, close] {
        const auto& theme = Theme::instance();
        bulb->setPixmap(theme.pixmap(QStringLiteral("bulb"), theme.color(ColorRole::Warning), 18,
                                     bulb->devicePixelRatioF()));
        m_pin->setIcon(theme.icon(QStringLiteral("pin")));
        close->setIcon(theme.icon(QStringLiteral("close")));
    });
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(bulb, 0, Qt::AlignTop);
    head->addWidget(m_heading, 1);
    head->addWidget(m_pin, 0, Qt::AlignTop);
    head->addWidget(close, 0, Qt::AlignTop);
    m_rows = makeColumn(this, {kMargin, 10, kMargin, kMargin}, 8);
    m_rows->addLayout(head);
    connect(document, &Document::changed, this, &HintCard::find);
    connect(&m_job, &Job::failed, m_heading, &QLabel::setText);
    parent->installEventFilter(this);
}

void HintCard::find() {
    if (!isVisible())
        return;
    m_job.start([this, design = m_document->shared(),
                 catalog = m_document->sharedCatalog()](JobRun& run) -> Job::Show {
        auto found = engine::hints(*design, *catalog, run.stop());
        return [this, found = std::move(found)] { showHints(found); };
    });
}

void HintCard::showHints(engine::Hints found) {
    m_hints = std::move(found);
    delete m_body;
    m_body = new QWidget(this);
    m_rows->addWidget(m_body);
    auto* rows = makeColumn(m_body, {}, 5);
    if (m_hints.bound.empty()) {
        m_heading->setText(tr("Nothing runs yet: there is nothing to hint at"));
        return place();
    }
    const auto& working = m_hints.working;
    const auto limiting =
        std::find_if(working.begin(), working.end(), [](const auto& one) { return one.limits; });
    const auto bound = QString::fromStdString(m_hints.bound);
    m_heading->setText(limiting == working.end()
                           ? tr("Limited by %1").arg(bound)
                           : tr("Limited by %1, at work for %2").arg(bound, percent(limiting->share)));
    addSection(tr("What idles meanwhile, of its peak or its time"));
    for (const auto& one : working)
        rows->addWidget(new BarRow(QString::fromStdString(one.label),
                                   tr("idle %1").arg(percent(1 - one.share)), one.share, one.share,
                                   one.limits ? ColorRole::Hot : ColorRole::Ok, m_body));
    addChanges();
    if (m_hints.sweep)
        addSweep(*m_hints.sweep);
    rows->addWidget(
        caption(tr("%1 designs were tried, each in its steady state").arg(m_hints.tried), m_body));
    m_body->show(); // a layout leaves out what is not
    place();
}

void HintCard::addSection(const QString& text) {
    m_body->layout()->addWidget(new Divider(m_body));
    m_body->layout()->addWidget(caption(text, m_body));
}

void HintCard::addChanges() {
    auto* rows = static_cast<QVBoxLayout*>(m_body->layout());
    if (m_hints.changes.empty()) {
        addSection(tr("No technique, link, precision or device of the catalogue gains 2 % here"));
        return;
    }
    addSection(tr("What a change would gain, throughput"));
    double most = 0;
    for (const auto& change : m_hints.changes)
        most = std::max(most, change.atBest - 1);
    bool hatched = false;
    for (const auto& change : m_hints.changes) {
        const auto least = percent(change.gain - 1), best = percent(change.atBest - 1);
        const bool ranges = least != best;
        hatched = hatched || ranges;
        rows->addWidget(new BarRow(
            QString::fromStdString(change.label),
            ranges ? tr("+%1 to +%2").arg(plainPercent(change.gain - 1), best) : QStringLiteral("+") + best,
            (change.gain - 1) / most, (change.atBest - 1) / most, ColorRole::Ok, m_body));
    }
    if (hatched)
        rows->addWidget(
            caption(tr("Solid: as it is first set. Hatched: with each of its shares at its best."), m_body));
    auto* buttons = new QHBoxLayout;
    auto* apply = new QPushButton(tr("Try the first"), m_body);
    apply->setProperty("primary", true);
    apply->setObjectName(QStringLiteral("tryHint"));
    connect(apply, &QPushButton::clicked, this,
            [this] { m_document->perform(engine::GraphEdit(m_hints.changes.front().edit)); });
    auto* compare = new QPushButton(tr("Compare all"), m_body);
    compare->setObjectName(QStringLiteral("compareHints"));
    connect(compare, &QPushButton::clicked, this, [this] {
        for (const auto& change : m_hints.changes) {
            auto design = m_document->scenario();
            engine::applyEdit(design, change.edit);
            emit compareRequested(QString::fromStdString(change.label), design);
        }
    });
    buttons->addWidget(apply);
    buttons->addWidget(compare);
    buttons->addStretch(1);
    rows->addLayout(buttons);
}

void HintCard::addSweep(const engine::SweepIdea& sweep) {
    addSection(tr("What to sweep next"));
    const auto number = [](double value) { return QString::fromStdString(engine::plainText(value)); };
    auto* words = new TextLabel(
        tr("%1, %2 to %3: throughput %4 to %5 tok/s")
                .arg(QString::fromStdString(sweep.label), number(sweep.values.front()),
                     number(sweep.values.back()),
                     QString::fromStdString(engine::shortText(sweep.throughput.front())),
                     QString::fromStdString(engine::shortText(sweep.throughput.back()))) +
            (sweep.next.empty() ? QString() : tr("; %1").arg(QString::fromStdString(sweep.next))),
        TextSize::Dense, ColorRole::Text, QFont::Normal, m_body);
    words->setWordWrap(true);
    auto* button = new QPushButton(tr("Sweep"), m_body);
    button->setObjectName(QStringLiteral("sweepHint"));
    connect(button, &QPushButton::clicked, this, [this, path = sweep.path] { emit sweepRequested(path); });
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    row->addWidget(new Sparkline(sweep, m_body));
    row->addWidget(words, 1);
    row->addWidget(button);
    static_cast<QVBoxLayout*>(m_body->layout())->addLayout(row);
}

bool HintCard::isPinned() const {
    return m_pin->isChecked();
}

void HintCard::selectionMoved(const QRect& selected) {
    m_selected = selected;
    if (!isVisible())
        return;
    if (!selected.isNull() && !isPinned())
        emit closed();
    else
        place();
}

void HintCard::place() {
    m_rows->activate();
    const auto room = parentWidget()->size();
    const int needed = m_rows->hasHeightForWidth() ? m_rows->totalHeightForWidth(kHintWidth)
                                                   : m_rows->totalSizeHint().height();
    resize(kHintWidth, std::min(needed, room.height() - 2 * kMargin));
    const int left = kMargin, right = std::max(kMargin, room.width() - kHintWidth - 16);
    const int top = 16, bottom = std::max(top, room.height() - height() - 16);
    const std::array corners{QPoint(right, top), QPoint(left, top), QPoint(right, bottom),
                             QPoint(left, bottom)};
    const auto clear = std::find_if(corners.begin(), corners.end(), [this](QPoint corner) {
        return !QRect(corner, size()).intersects(m_selected);
    });
    move(clear == corners.end() ? corners.front() : *clear);
    raise();
}

void HintCard::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    place();
    find();
}

void HintCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closed();
    else
        Surface::keyPressEvent(event);
}

bool HintCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
        place();
    return Surface::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_hint_card.cpp"
