// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/trace_reader.h"

#include "engine/scenario/scenario_json.h"

namespace heteroscape::widgets {

TraceReader::TraceReader(Design design, QObject* parent) : QObject(parent), m_design(std::move(design)) {
    connect(&m_job, &Job::failed, this, &TraceReader::refused);
    connect(&m_job, &Job::finished, this, &TraceReader::done);
}

void TraceReader::readAgain() {
    m_job.drop();
    read(engine::TraceRights::BelowFolder);
}

void TraceReader::read(engine::TraceRights rights) {
    auto serving = m_design.serving();
    if (serving.trace.requests || serving.trace.path.empty())
        return;
    const auto file = m_design.path();
    const auto folder = file.isEmpty() ? std::string() : engine::designFolder(file.toStdString());
    m_job.start([this, serving = std::move(serving), folder, rights](JobRun&) mutable -> Job::Show {
        engine::loadTrace(serving, folder, rights);
        return [this, read = std::move(serving.trace)] { m_design.arrived(read); };
    });
}

void TraceReader::choose(const QString& path) {
    m_job.start([this, file = path.toStdString()](JobRun&) -> Job::Show {
        auto requests = std::make_shared<const engine::RequestTrace>(engine::readRequestTrace(file));
        return [this, file, requests = std::move(requests)] { m_design.chosen({file, requests, {}}); };
    });
}

} // namespace heteroscape::widgets
