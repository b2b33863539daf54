// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/design_file.h"

#include "engine/scenario/scenario_json.h"

#include <QFile>
#include <sys/stat.h>

namespace heteroscape::widgets {

DesignCatalog::DesignCatalog(std::shared_ptr<const engine::Catalog> base)
    : m_base(std::move(base)), m_catalog(m_base) {}

void DesignCatalog::setBase(std::shared_ptr<const engine::Catalog> base) {
    m_base = m_catalog = std::move(base);
    m_merged = {};
}

bool DesignCatalog::merge(const engine::OwnParts& own) {
    if (m_merged == own)
        return false;
    m_merged = own;
    m_catalog = m_merged.empty() ? m_base
                                 : std::make_shared<const engine::Catalog>(engine::withParts(
                                       *m_base, m_merged.devices, m_merged.models, m_merged.workloads));
    return true;
}

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

FileStamp FileStamp::of(const QString& path) {
    struct stat status {};
    if (::stat(QFile::encodeName(path).constData(), &status) != 0)
        return {};
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return {status.st_dev, status.st_ino, status.st_size,
            status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec};
}

DesignFile::DesignFile(std::function<void(const engine::Scenario&)> written, QObject* parent)
    : QObject(parent), m_written(std::move(written)) {
    connect(&m_job, &Job::failed, this, &DesignFile::failed);
}

void DesignFile::belongTo(const QString& path, const FileStamp& stamp, const std::string& origin,
                          const engine::Scenario& scenario) {
    m_path = path;
    m_stamp = stamp;
    m_origin.reset();
    if (!origin.empty())
        m_origin = {origin, scenario};
    ++m_opened;
}

bool DesignFile::isChanged() const {
    const auto now = m_path.isEmpty() ? FileStamp() : FileStamp::of(m_path);
    return now != FileStamp() && now != m_stamp;
}

void DesignFile::save(const engine::Scenario& scenario, const QString& path) {
    m_job.start([this, path, shared = std::make_shared<const engine::Scenario>(scenario),
                 opened = m_opened](JobRun&) -> Job::Show {
        engine::saveScenario(*shared, path.toStdString());
        return [this, path, shared, opened, stamp = FileStamp::of(path)] {
            if (opened != m_opened)
                return;
            m_path = path;
            m_stamp = stamp;
            m_origin = {path.toStdString(), *shared};
            m_written(*shared);
            emit saved(path);
        };
    });
}

} // namespace heteroscape::widgets

#include "moc_design_file.cpp"
