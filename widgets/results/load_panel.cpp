// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/load_panel.h"

#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_key.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/scrub_slider.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_pointer.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/requests/requests_start.h"
#include "widgets/results/load_curve.h"
#include "widgets/results/serving_facts.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

using engine::Metric;

namespace {

constexpr int kDelay = 120, kRest = 600; // ms
constexpr int kSideWidth = 300;
constexpr double kUsualTtft = 2.0, kUsualTpot = 0.05; ///< s, where the design has no limits

struct Limited {
    Metric metric;
    const char* path;
    double usual;
};
constexpr Limited kLimited[] = {{Metric::FirstTokenP99, "serving.ttft_limit_s", kUsualTtft},
                                {Metric::TokenP99, "serving.tpot_limit_s", kUsualTpot}};

QString shown(const engine::Evaluation& evaluation, Metric metric) {
    const auto& spec = engine::metricSpec(metric);
    const auto text = metricText(spec, engine::toEdge(evaluation.metric(metric), spec.scale));
    return withUnit(text.value, text.unit);
}

QString queued(double value) {
    return QString::fromStdString(engine::plainText(value, 3));
}

} // namespace

LoadPanel::LoadPanel(Document* document, SimulationRunner* runner, QWidget* parent)
    : DockPage(parent), m_document(document), m_runner(runner), m_plot(new PlotView(this)),
      m_start(new RequestsStart(document, this)) {
    setExport(new ExportButton([this] { return m_plot->chart(); },
                               {{tr("Data of this plot (CSV)\u2026"), QStringLiteral("csv"),
                                 [this] { return chartCsv(m_plot->chart()); }}},
                               QStringLiteral("load"), m_tools),
              tr("Export the curves over the load"));
    auto* row = makeBarRow(8);
    row->addStretch(1);
    row->addWidget(m_export);
    m_pages->addWidget(makeResults());
    m_pages->addWidget(m_start);
    for (auto* timer : {&m_delay, &m_rest})
        timer->setSingleShot(true);
    m_delay.setInterval(kDelay);
    m_rest.setInterval(kRest);
    connect(&m_delay, &QTimer::timeout, this, &LoadPanel::drawCurves);
    connect(&m_rest, &QTimer::timeout, this, [this] { ++m_gesture; });
    connect(document, &Document::changed, this, [this] { follow(); });
    connect(document, &Document::evaluated, this, [this] { follow(); });
    connect(document, &Document::reset, this, [this] { say({}, false); });
    connect(runner, &SimulationRunner::finished, this, [this] { follow(); });
    connect(&m_curves, &Job::failed, this, [this](const QString& message) { say(message, true); });
    connect(&m_seek, &Job::failed, this, [this](const QString& message) { say(message, true); });
    connect(&m_seek, &Job::finished, this, [this] { m_largest->setEnabled(true); });
    const auto& lines = m_plot->pointer().lines();
    connect(&lines, &PlotLines::moving, this, [this](int, double at) { moveTo(at); });
    connect(&lines, &PlotLines::moved, this, [this](int, double at) { moveTo(at); });
    refreshNow();
}

QWidget* LoadPanel::makeResults() {
    auto* page = new Surface(ColorRole::Surface, false, m_pages);
    m_side = new Surface(ColorRole::Surface, false);
    m_sliderPlace = new QWidget(m_side);
    makeColumn(m_sliderPlace);
    m_facts = new FactList(m_side);
    auto* limits = new QHBoxLayout;
    limits->setSpacing(5);
    const QString names[] = {tr("p99 TTFT \u2264"), tr("TPOT \u2264")};
    for (int i = 0; i < 2; ++i) {
        auto* edit = new NumberEdit(*m_document, kLimited[i].path, m_side);
        edit->setUnsetText(QString::number(kLimited[i].usual));
        auto* name = new TextLabel(names[i], TextSize::Caption, ColorRole::Text2, m_side);
        name->setBuddy(edit);
        limits->addWidget(name);
        limits->addWidget(edit, 1);
        limits->addWidget(new TextLabel(QStringLiteral("s"), TextSize::Caption, ColorRole::Muted, m_side));
    }
    m_largest = new QPushButton(tr("Largest load within limits"), m_side);
    m_largest->setToolTip(
        plainTip(tr("Simulates the design at one load after the other, and sets the largest that "
                    "keeps both limits. Without limits of its own: 2 s and 50 ms")));
    m_answer = new TextLabel(TextSize::Caption, ColorRole::Text, m_side);
    m_answer->setWordWrap(true);
    m_answer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_answer->hide();
    connect(m_largest, &QPushButton::clicked, this, &LoadPanel::seekLargest);
    auto* column = makeColumn(m_side, {14, 4, 8, 4}, 6);
    column->addWidget(m_sliderPlace);
    column->addLayout(limits);
    column->addWidget(m_largest);
    column->addWidget(m_answer);
    column->addWidget(m_facts);
    column->addStretch(1);
    auto* area = scrolled(m_side, page);
    area->setFixedWidth(kSideWidth);
    auto* row = makeRow(page, {0, 0, 4, 2}, 4);
    row->addWidget(area);
    row->addWidget(m_plot, 1);
    return page;
}

std::string LoadPanel::path() const {
    const auto key = m_document->scenario().serving.arrivals->loadKey();
    return key.empty() ? std::string() : "serving." + std::string(key);
}

double LoadPanel::load() const {
    const auto quantity = engine::resolveQuantity(m_document->scenario(), path());
    return engine::shownValue(quantity.in(m_document->scenario()).value, quantity.spec.scale);
}

std::vector<engine::Limit> LoadPanel::limits() const {
    const auto& serving = m_document->scenario().serving;
    const engine::Quantity* const own[] = {&serving.ttftLimit, &serving.tpotLimit};
    const bool none = !own[0]->isSet() && !own[1]->isSet();
    std::vector<engine::Limit> limits;
    for (std::size_t i = 0; i < 2; ++i)
        if (own[i]->isSet() || none) {
            engine::Limit limit{std::string(engine::metricSpec(kLimited[i].metric).key)};
            limit.most = none ? kLimited[i].usual : own[i]->value;
            limits.push_back(std::move(limit));
        }
    return limits;
}

void LoadPanel::makeSlider(const std::string& path) {
    const auto& spec = engine::resolveQuantity(m_document->scenario(), path).spec;
    if (m_slider) // it may be what told of the change
        m_slider->deleteLater();
    ScrubRange range{path, QString::fromUtf8(spec.label), QString::fromUtf8(spec.unit)};
    range.value = load();
    range.least = spec.minimum;
    range.most = spec.maximum;
    range.integer = spec.integer;
    m_slider = new ScrubSlider(std::move(range), false, m_sliderPlace);
    m_slider->slider()->setObjectName(QStringLiteral("load"));
    m_sliderPlace->layout()->addWidget(m_slider);
    connect(m_slider, &ScrubSlider::moved, this, [this, slider = m_slider] {
        if (slider == m_slider)
            moveTo(slider->value());
    });
}

void LoadPanel::moveTo(double load) {
    const auto& spec = engine::resolveQuantity(m_document->scenario(), path()).spec;
    load = std::clamp(spec.integer ? std::round(load) : load, spec.minimum, spec.maximum);
    m_rest.start();
    stopSeeking();
    say({}, false);
    m_document->set(path(), engine::exactText(load), QStringLiteral("load:%1").arg(m_gesture));
}

bool LoadPanel::refresh() {
    const auto path = this->path();
    const bool runs = !path.empty() && m_runner->reason().isEmpty();
    const auto asked = path.empty() ? std::string() : question();
    if (asked != m_asked) {
        m_asked = asked;
        m_curve.reset();
        m_curves.drop();
        stopSeeking(); // of a design as it was
    }
    if (!asked.empty() && !m_curve && !m_curves.isBusy() && !m_delay.isActive())
        m_delay.start();
    m_pages->setCurrentIndex(runs ? 0 : 1);
    m_export->setVisible(runs);
    if (!runs) {
        m_start->present(path.empty() && !m_runner->isSteady()
                             ? tr("These requests have no load that could be moved: choose users, or a rate.")
                         : path.empty()
                             ? tr("Requests come as fast as they are served. Choose users or a rate to see "
                                  "what a load comes to.")
                             : m_runner->reason(),
                         path.empty());
        return true;
    }
    if (!m_slider || m_slider->path() != path)
        makeSlider(path);
    if (const auto span = loads(); !m_slider->slider()->isSliderDown())
        m_slider->setSpan(span.front(), span.back());
    m_slider->showValue(load());
    showFacts();
    showChart();
    return true;
}

std::vector<double> LoadPanel::loads() const {
    return loadsFor(engine::resolveQuantity(m_document->scenario(), path()).spec, load(),
                    m_document->evaluation().metric(Metric::RequestRate));
}

std::string LoadPanel::question() const {
    const auto path = this->path();
    auto other = m_document->scenario();
    const auto& spec = engine::resolveQuantity(other, path).spec;
    engine::applyEdit(other,
                      engine::SetQuantity{path, {spec.minimum * spec.scale, engine::Provenance::User, {}}});
    return engine::keyText(engine::scenarioKeyBytes(other)) + path + engine::exactText(loads().back());
}

void LoadPanel::drawCurves() {
    if (path().empty())
        return;
    m_curves.start([this, design = m_document->shared(), path = path(), loads = loads(),
                    asked = question()](JobRun& job) -> Job::Show {
        const auto curve =
            std::make_shared<const LoadCurve>(simulatedLoads(*design, path, loads, job.stop()));
        return [this, curve, asked] {
            if (asked != m_asked)
                return;
            m_curve = curve;
            follow();
        };
    });
}

void LoadPanel::showFacts() {
    const auto run = m_runner->run();
    std::vector<ServingFact> facts;
    if (run) {
        const auto& evaluation = run->evaluation;
        const auto spread = [&](const QString& name, Metric middle, Metric high) {
            facts.push_back({name,
                             tr("%1 p50, %2 p99").arg(shown(evaluation, middle), shown(evaluation, high)),
                             {},
                             false});
        };
        spread(tr("TTFT"), Metric::FirstTokenP50, Metric::FirstTokenP99);
        spread(tr("TPOT"), Metric::TokenP50, Metric::TokenP99);
        facts.push_back({tr("Queue"),
                         tr("%1 in mean, %2 at most")
                             .arg(queued(evaluation.metric(Metric::QueueMean)),
                                  queued(evaluation.metric(Metric::QueueMost))),
                         {},
                         false});
        for (auto& fact : servingFacts(*run))
            facts.push_back(std::move(fact));
    }
    m_facts->setFacts(facts, m_runner->isBusy());
}

void LoadPanel::showChart() {
    const auto& spec = engine::resolveQuantity(m_document->scenario(), path()).spec;
    const auto& serving = m_document->scenario().serving;
    const bool isLimited = serving.ttftLimit.isSet() || serving.tpotLimit.isSet();
    auto chart = loadChart(m_curve.get(), spec, isLimited ? limits() : std::vector<engine::Limit>());
    ChartReference here{QString::fromStdString(engine::plainText(load())), load(),
                        ChartColor::role(ColorRole::Accent), ChartDash::Solid, true};
    here.pill = here.movable = true;
    chart.references.push_back(std::move(here));
    m_export->setEnabled(m_curve != nullptr);
    const bool keepsView = m_plot->chart().hasData() && m_plot->chart().x.label == chart.x.label;
    m_plot->setChart(std::move(chart), keepsView);
}

void LoadPanel::seekLargest() {
    if (path().empty())
        return;
    m_largest->setEnabled(false);
    say(tr("Seeking the largest load\u2026"), false);
    m_isSeeking = true;
    m_seek.start([this, design = m_document->shared(), path = path(), limits = limits(),
                  asked = question()](JobRun& job) -> Job::Show {
        auto found =
            std::make_shared<engine::LargestWithin>(engine::largestWithin(*design, path, limits, job.stop()));
        return [this, asked, found] {
            m_isSeeking = false;
            if (!this->path().empty() && asked == question()) // the same design, but for its load
                takeLargest(*found);
            else // while this page was not seen
                say({}, false);
        };
    });
}

void LoadPanel::stopSeeking() {
    m_seek.drop();
    m_largest->setEnabled(true);
    if (m_isSeeking)
        say({}, false);
}

void LoadPanel::takeLargest(const engine::LargestWithin& found) {
    ++m_gesture;
    m_document->set(path(), engine::exactText(found.value), QStringLiteral("load:%1").arg(m_gesture));
    ++m_gesture;
    const auto& spec = engine::resolveQuantity(m_document->scenario(), path()).spec;
    const auto value =
        withUnit(QString::fromStdString(engine::plainText(found.value)), QString::fromUtf8(spec.unit));
    const auto kept =
        tr("%1 %2: p99 TTFT %3, TPOT %4.")
            .arg(QString::fromUtf8(spec.label), value, shown(found.evaluation, Metric::FirstTokenP99),
                 shown(found.evaluation, Metric::TokenP99));
    say(found.stop.empty() ? tr("%1 No limit is met up to there.").arg(kept)
                           : tr("%1 One step on, %2.").arg(kept, QString::fromStdString(found.stop)),
        false);
}

void LoadPanel::say(const QString& answer, bool isProblem) {
    m_isSeeking = false;
    m_answer->setText(answer);
    m_answer->setRole(isProblem ? ColorRole::Error : ColorRole::Text);
    m_answer->setVisible(!answer.isEmpty());
}

QString LoadPanel::answer() const {
    return m_answer->text();
}

QString LoadPanel::reason() const {
    return m_pages->currentIndex() == 1 ? m_start->text() : QString();
}

} // namespace heteroscape::widgets

#include "moc_load_panel.cpp"
