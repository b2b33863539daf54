// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/tour.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/document/document.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/inspector/inspector.h"
#include "widgets/palette/palette_panel.h"
#include "widgets/settings/settings.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/dock_layout.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/metrics_strip.h"
#include "widgets/window/top_bar.h"
#include "widgets/window/window_pieces.h"

#include <QKeyEvent>
#include <QMainWindow>
#include <QPainter>
#include <QPushButton>

#include <algorithm>
#include <functional>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr auto kTourDesign = "glitches/a100-7u280";
constexpr int kTourWidth = 340, kTourGap = 14, kRing = 3;

/// A frame around what the tour points at; clicks go through it.
class TourRing : public QWidget {
public:
    explicit TourRing(QWidget* window) : QWidget(window) {
        setObjectName(QStringLiteral("tourRing"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().color(ColorRole::Accent), kRing));
        const auto inset = kRing / 2.0;
        painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 6, 6);
    }
};

struct TourStep {
    QString title, text;
    std::function<QWidget*(const WindowPieces&)> show; ///< brings it in sight, and gives it
};

QWidget* design(const WindowPieces& window, QWidget* part) {
    window.workspaces->show(Workspace::Design);
    return part;
}

std::vector<TourStep> tourSteps() {
    return {
        {Tour::tr("A system on the canvas"),
         Tour::tr("This is GLITCHES, a published design: one A100 reads prompts, seven U280 write answers. "
                  "Cards are devices, lines are links. Drag from port to port to link two."),
         [](const WindowPieces& w) {
             w.document->select({});
             return design(w, w.canvas);
         }},
        {Tour::tr("Parts"),
         Tour::tr("Drag a device, a server, a model or a technique from here onto the canvas. Dropped on its "
                  "own card, a device is one more of it."),
         [](const WindowPieces& w) { return design(w, w.palette); }},
        {Tour::tr("The work"),
         Tour::tr("Choose the model, the batch and the lengths of prompt and answer. Everything follows as "
                  "you type."),
         [](const WindowPieces& w) { return design(w, w.context); }},
        {Tour::tr("What it comes to"),
         Tour::tr("Throughput, latencies, cost and power, and what limits them. Click a number to see how it "
                  "comes about, down to constants with their sources."),
         [](const WindowPieces& w) { return design(w, w.metrics); }},
        {Tour::tr("Every property"),
         Tour::tr("What is selected on the canvas is shown here: each number with unit, range and source. "
                  "Change one, and look at the tiles."),
         [](const WindowPieces& w) {
             auto* part = design(w, w.inspector);
             w.docks->showInspector();
             w.document->select({{w.document->scenario().nodes.front().id}, {}});
             return part;
         }},
        {Tour::tr("Techniques"),
         Tour::tr("These chips switch ideas of the papers on and off. One that cannot act here says why."),
         [](const WindowPieces& w) {
             auto* menu = w.context->findChild<QWidget*>(QStringLiteral("techniques"));
             for (auto* chip : w.context->findChildren<QPushButton*>())
                 if (chip->isVisible() && chip->property("chip").toBool())
                     return design(w, chip);
             return design(w, menu);
         }},
        {Tour::tr("Where the time goes"),
         Tour::tr("One step of a device, lane by lane. Beside it: requests that are simulated one by one, "
                  "their latencies, and the load that the design bears."),
         [](const WindowPieces& w) {
             auto* part = design(w, w.bottom);
             w.bottom->showPage(BottomDock::Page::Timeline);
             return part;
         }},
        {Tour::tr("Explore"),
         Tour::tr("Sweep any number of the design and read the landscape off plots. Find looks for the best "
                  "design within limits. Ctrl+Shift+R in a field begins a sweep of it."),
         [](const WindowPieces& w) {
             w.workspaces->show(Workspace::Explore);
             return static_cast<QWidget*>(w.explore);
         }},
        {Tour::tr("How far to trust it"),
         Tour::tr("Compare holds the model against what papers state and what was measured, misfits "
                  "included."),
         [](const WindowPieces& w) {
             w.workspaces->show(Workspace::Compare);
             return static_cast<QWidget*>(w.compare);
         }},
        {Tour::tr("Find anything"),
         Tour::tr("Ctrl+K finds every command, part, number and word. F1 opens the guide at what you point "
                  "at. Ctrl+Z takes anything back."),
         [](const WindowPieces& w) { return design(w, w.top); }}};
}

} // namespace

Tour::Tour(const WindowPieces& window)
    : QFrame(window.widget), m_window(window), m_ring(new TourRing(window.widget)),
      m_title(new TextLabel({}, TextSize::Heading, ColorRole::Text, QFont::DemiBold, this)),
      m_text(new TextLabel({}, TextSize::Body, ColorRole::Text2, QFont::Normal, this)),
      m_count(new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal, this)),
      m_leave(new QPushButton(this)), m_back(new QPushButton(tr("Back"), this)),
      m_next(new QPushButton(this)) {
    setObjectName(QStringLiteral("tour"));
    setAccessibleName(tr("Tour"));
    setFixedWidth(kTourWidth);
    m_text->setWordWrap(true);
    m_next->setProperty("primary", true);
    m_leave->setObjectName(QStringLiteral("leaveTour"));
    m_next->setObjectName(QStringLiteral("nextOfTour"));
    auto* column = makeColumn(this, {16, 14, 16, 12}, 6);
    column->addWidget(m_title);
    column->addWidget(m_text);
    column->addSpacing(4);
    auto* row = new QHBoxLayout;
    row->addWidget(m_count, 1);
    for (auto* button : {m_leave, m_back, m_next})
        row->addWidget(button);
    column->addLayout(row);
    connect(m_leave, &QPushButton::clicked, this, &Tour::leave);
    connect(m_back, &QPushButton::clicked, this, [this] { showStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_step < 0)
            begin();
        else if (m_step + 1 < kSteps)
            showStep(m_step + 1);
        else
            leave();
    });
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    // Who begins by himself has answered.
    const auto answered = [this] {
        if (m_step < 0)
            leave();
    };
    connect(window.workspaces, &Workspaces::changed, this, answered);
    connect(window.document, &Document::changed, this, answered);
    hide();
}

void Tour::offer() {
    if (m_window.settings->wasTourOffered())
        return;
    m_window.settings->setTourOffered();
    m_title->setText(tr("New here?"));
    m_text->setText(tr("Ten steps over a real design take two minutes. Later: Help, Tour."));
    m_count->clear();
    m_leave->setText(tr("Not now"));
    m_back->hide();
    m_next->setText(tr("Take the tour"));
    m_target = nullptr;
    m_step = -1;
    show();
    place();
    m_next->setFocus();
}

void Tour::begin() {
    if (!m_window.files->openPreset(kTourDesign))
        return;
    m_leave->setText(tr("Leave"));
    showStep(0);
}

void Tour::leave() {
    const bool wasOn = m_step >= 0;
    hide();
    m_ring->hide();
    m_target = nullptr;
    m_window.widget->removeEventFilter(this);
    if (!wasOn)
        return;
    m_window.workspaces->show(Workspace::Design);
    m_window.canvas->setFocus();
}

void Tour::showStep(int step) {
    static const auto steps = tourSteps();
    m_step = step;
    const auto& shown = steps[static_cast<std::size_t>(step)];
    m_target = shown.show(m_window);
    m_title->setText(shown.title);
    m_text->setText(shown.text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(kSteps));
    m_back->setVisible(step > 0);
    m_next->setText(step + 1 < kSteps ? tr("Next") : tr("Done"));
    m_window.widget->installEventFilter(this);
    show();
    place();
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // once its parts have moved
    m_next->setFocus();
}

void Tour::place() {
    layout()->activate();
    resize(kTourWidth, layout()->heightForWidth(kTourWidth));
    const QRect all = m_window.widget->rect();
    QRect at(QPoint(), size());
    const bool points = m_target && m_target->isVisible();
    m_ring->setVisible(points);
    if (!points)
        at.moveCenter(all.center());
    else {
        const QRect of(m_target->mapTo(m_window.widget, QPoint()), m_target->size());
        m_ring->setGeometry(of.adjusted(-kRing, -kRing, kRing, kRing).intersected(all));
        m_ring->raise();
        if (of.bottom() + kTourGap + height() < all.bottom())
            at.moveTopLeft({of.left() + kTourGap, of.bottom() + kTourGap});
        else if (of.right() + kTourGap + width() < all.right())
            at.moveTopLeft({of.right() + kTourGap, of.top() + kTourGap});
        else if (of.left() - kTourGap - width() > 0)
            at.moveTopRight({of.left() - kTourGap, of.top() + kTourGap});
        else if (of.top() - kTourGap - height() > 0)
            at.moveBottomLeft({of.left() + kTourGap, of.top() - kTourGap});
        else // within it
            at.moveBottomRight(of.bottomRight() - QPoint(2 * kTourGap, 2 * kTourGap));
    }
    at.moveLeft(std::clamp(at.left(), kTourGap, all.right() - width() - kTourGap));
    at.moveTop(std::clamp(at.top(), kTourGap, all.bottom() - height() - kTourGap));
    setGeometry(at);
    raise();
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection); // once its parts have moved
    return QFrame::eventFilter(watched, event);
}

void Tour::keyPressEvent(QKeyEvent* event) {
    event->key() == Qt::Key_Escape ? leave() : QFrame::keyPressEvent(event);
}

void Tour::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(ColorRole::Accent), 1));
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

} // namespace heteroscape::widgets

#include "moc_tour.cpp"
