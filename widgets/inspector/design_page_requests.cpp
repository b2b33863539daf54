// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/design_page.h"
#include "widgets/inspector/figure_row.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/trace_row.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

namespace heteroscape::widgets {

namespace {

using engine::Arrivals;
using engine::Batching;
using engine::Serving;

/// The arrivals or batching that a key of a choice names.
template <class Kind>
Kind named(std::span<const std::string_view> names, const std::string& key) {
    std::size_t i = 0;
    while (i + 1 < names.size() && names[i] != key)
        ++i;
    return static_cast<Kind>(i);
}

QString batchingText(Batching batching) {
    return batching == Batching::Static
               ? DesignPage::tr(
                     "Requests that wait are taken together, up to a batch of them, and stay together "
                     "until the longest output is done.")
               : DesignPage::tr("Each request joins and leaves a running batch at a token boundary.");
}

} // namespace

void DesignPage::addRequests() {
    auto* section = addSection(tr("Requests"));
    auto* arrivals = addChoice(section, "serving.arrivals");
    arrivals->field()->setTips(
        [](const std::string& key) { return arrivalsText(named<Arrivals>(engine::arrivalsNames(), key)); });
    arrivals->field()->setWriter([this](const std::string& key) {
        const auto chosen = named<Arrivals>(engine::arrivalsNames(), key);
        // Requests of a trace need a trace: it is asked for, and nothing changes until there is one.
        if (chosen == Arrivals::Trace && !document().scenario().serving.trace.requests)
            m_trace->choose();
        else
            setArrivals(document(), chosen);
    });
    auto* about = addNote(section, ColorRole::Muted);
    onRefresh([this, section, about] {
        const auto kind = document().scenario().serving.arrivals;
        about->setText(arrivalsText(kind));
        section->setSummary(kind == Arrivals::Steady ? QString() : tr("simulated"));
    });

    m_trace = new TraceRow(document(), this);
    section->addRow(m_trace);
    onRefresh([this] { m_trace->refresh(); });

    const auto simulated = [](const Serving& serving) { return serving.isSimulated(); };
    const auto poisson = [](const Serving& serving) { return serving.arrivals == Arrivals::Poisson; };
    const auto showWhen = [this](QWidget* row, bool (*applies)(const Serving&)) {
        onRefresh([this, row, applies] { row->setVisible(applies(document().scenario().serving)); });
    };
    showWhen(addFigure(section, "serving.rate_req_s"), poisson);
    addMostRate(section);
    showWhen(addFigure(section, "serving.requests"), simulated);
    showWhen(addFigure(section, "serving.seed"), poisson);
    auto* batching = addChoice(section, "serving.batching");
    batching->field()->setTips(
        [](const std::string& key) { return batchingText(named<Batching>(engine::batchingNames(), key)); });
    showWhen(batching, simulated);
    auto* chunk = addFigure(section, "serving.chunk_tokens");
    chunk->setUnsetText(tr("whole prompt"));
    showWhen(chunk, [](const Serving& serving) {
        return serving.isSimulated() && serving.batching == Batching::Continuous;
    });
    for (const auto* path : {"serving.ttft_limit_s", "serving.tpot_limit_s"}) {
        auto* limit = addFigure(section, path);
        limit->setUnsetText(tr("none"));
        showWhen(limit, simulated);
    }
}

void DesignPage::addMostRate(Section* section) {
    auto* note = addNote(section, ColorRole::Muted);
    onRefresh([this, note] {
        const auto& serving = document().scenario().serving;
        const double most = document().evaluation().metric(engine::Metric::RequestRate);
        const bool known = document().evaluation().feasible && most > 0.0;
        note->setVisible(serving.arrivals == Arrivals::Poisson && known);
        const bool over = known && serving.rate.value > most;
        note->setRole(over ? ColorRole::Warning : ColorRole::Muted);
        note->setText((over ? tr("More than the closed form serves, %1 req/s: the queue grows to the end.")
                            : tr("The closed form serves up to %1 req/s."))
                          .arg(shortNumber(most)));
    });
}

void DesignPage::loadTrace(const QString& path) {
    m_trace->load(path);
}

} // namespace heteroscape::widgets
