// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/design_file.h"

#include "engine/scenario/scenario_json.h"

namespace heteroscape::widgets {

DesignFile::DesignFile(std::function<void(const engine::Scenario&)> written, QObject* parent)
    : QObject(parent), m_written(std::move(written)) {
    connect(&m_job, &Job::failed, this, &DesignFile::failed);
}

void DesignFile::belongTo(const QString& path, const FileStamp& stamp) {
    m_path = path;
    m_stamp = stamp;
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
            m_written(*shared);
            emit saved(path);
        };
    });
}

} // namespace heteroscape::widgets
