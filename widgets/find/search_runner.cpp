// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/search_runner.h"

#include "engine/base/error.h"
#include "engine/base/file.h"

#include <QCryptographicHash>
#include <QDir>
#include <nlohmann/json.hpp>

#include <chrono>

namespace heteroscape::widgets {

namespace {

constexpr std::chrono::seconds kKeepEvery{10};

/// One file a search: the same one finds it again.
QString keptPath(const QString& folder, engine::SearchRecord asked) {
    asked.state = nullptr;
    const auto text = engine::writeSearch(asked).dump();
    const auto hash = QCryptographicHash::hash(
        QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha256);
    return QDir(folder).filePath(QString::fromLatin1(hash.toHex().left(20)) + QStringLiteral(".search"));
}

} // namespace

SearchRunner::SearchRunner(QString folder, std::shared_ptr<const engine::Catalog> catalog, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_catalog(std::move(catalog)) {
    connect(&m_job, &Job::failed, this, &SearchRunner::failed);
    connect(&m_job, &Job::finished, this, &SearchRunner::finished);
}

void SearchRunner::run(engine::SearchRecord asked) {
    m_job.start([this, asked = std::move(asked), folder = m_folder,
                 catalog = m_catalog](JobRun& job) mutable -> Job::Show {
        engine::checkProblem(asked.problem);
        QDir().mkpath(folder); // where it fails, writing says so
        engine::SearchCheckpoint file(keptPath(folder, asked).toStdString(), asked);
        bool mayWrite = true;
        const auto guarded = [&](auto&& work) {
            try {
                work();
            } catch (const engine::Error& error) {
                if (std::exchange(mayWrite, false))
                    job.tell([this, message = QString::fromUtf8(error.what())] { emit notKept(message); });
            }
        };
        if (!asked.state)
            guarded([&] { asked.state = file.read(*catalog); });
        auto options = asked.options();
        options.stop = job.stop();
        options.progress = [&](const engine::SearchProgress& now) {
            job.progress([this, now] { emit progressed(now); });
        };
        std::shared_ptr<const engine::SearchState> last = asked.state;
        auto next = std::chrono::steady_clock::now() + kKeepEvery;
        options.soFar = [&](const std::shared_ptr<const engine::SearchState>& state) {
            last = state;
            auto record = asked;
            record.state = state;
            job.tell([this, part = foundSearch(std::move(record), catalog)] { emit found(part); });
            if (mayWrite && std::chrono::steady_clock::now() >= next) {
                guarded([&] { file.write(state); });
                next = std::chrono::steady_clock::now() + kKeepEvery;
            }
        };
        try {
            auto whole = std::make_shared<engine::SearchState>(asked.method->run(asked.problem, options));
            whole->done = asked.total();
            asked.state = std::move(whole);
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::Cancelled)
                throw;
            if (last && mayWrite)
                guarded([&] { file.write(last); });
            return {};
        }
        file.remove();
        return [this, whole = foundSearch(std::move(asked), catalog)] { emit found(whole); };
    });
}

void SearchRunner::pause() {
    m_job.cancel();
}

void SearchRunner::forget(const engine::SearchRecord& asked) {
    QFile::remove(keptPath(m_folder, asked));
}

void SearchRunner::lookForCutOff(const engine::Scenario& design) {
    m_looking.start([this, key = engine::scenarioKey(design), folder = m_folder,
                     catalog = m_catalog](JobRun& job) -> Job::Show {
        for (const auto& file :
             QDir(folder).entryInfoList({QStringLiteral("*.search")}, QDir::Files, QDir::Time)) {
            if (job.isStopped())
                return {};
            try {
                const auto path = file.filePath().toStdString();
                auto record =
                    engine::readSearch(engine::parseJson(engine::readFile(path), path), *catalog, path);
                if (record.isCurrent && record.state && !record.isDone() &&
                    engine::scenarioKey(record.problem.study.base) == key)
                    return [this, part = foundSearch(std::move(record), catalog)] { emit cutOff(part); };
            } catch (const engine::Error&) {
                continue; // what cannot be read is not gone on from
            }
        }
        return {};
    });
}

} // namespace heteroscape::widgets
