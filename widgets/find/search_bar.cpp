// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/search_bar.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QCryptographicHash>
#include <QDir>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

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

namespace {
constexpr int kProgressSteps = 1000;
} // namespace

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent), m_kept(new QComboBox(this)), m_keep(new QPushButton(tr("Keep"), this)),
      m_remove(new QPushButton(tr("Remove"), this)),
      m_place(new TextLabel(TextSize::Caption, ColorRole::Text, this, QFont::DemiBold)),
      m_rate(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_bar(new QProgressBar(this)),
      m_run(new QPushButton(tr("Search"), this)), m_pause(new QPushButton(tr("Pause"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)) {
    m_kept->setObjectName(QStringLiteral("keptSearches"));
    m_kept->setAccessibleName(tr("Searches that the design keeps"));
    m_kept->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kept->setMinimumContentsLength(14);
    m_keep->setObjectName(QStringLiteral("keepSearch"));
    m_keep->setToolTip(tr("Keeps what was asked and found with the design, in its file"));
    m_remove->setObjectName(QStringLiteral("removeSearch"));
    m_remove->setToolTip(tr("Takes the search that is shown out of the design"));
    m_run->setObjectName(QStringLiteral("search"));
    m_run->setProperty("primary", true);
    m_pause->setObjectName(QStringLiteral("pauseSearch"));
    m_pause->setToolTip(tr("Stops and keeps what was found; Go on continues from there"));
    m_cancel->setObjectName(QStringLiteral("cancelSearch"));
    m_cancel->setToolTip(tr("Stops: the next search begins anew"));
    m_bar->setRange(0, kProgressSteps);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setAccessibleName(tr("Progress of the search"));
    m_place->setElided(true);
    auto* words = new QHBoxLayout;
    words->addWidget(m_place, 1);
    words->addWidget(m_rate);
    auto* progress = new QVBoxLayout;
    progress->setSpacing(3);
    progress->addLayout(words);
    progress->addWidget(m_bar);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_kept);
    row->addWidget(m_keep);
    row->addWidget(m_remove);
    row->addLayout(progress, 1);
    row->addWidget(m_run);
    row->addWidget(m_pause);
    row->addWidget(m_cancel);
    connect(m_run, &QPushButton::clicked, this, &SearchBar::runRequested);
    connect(m_pause, &QPushButton::clicked, this, &SearchBar::pauseRequested);
    connect(m_cancel, &QPushButton::clicked, this, &SearchBar::cancelRequested);
    connect(m_keep, &QPushButton::clicked, this, &SearchBar::keepRequested);
    connect(m_remove, &QPushButton::clicked, this, &SearchBar::removeRequested);
    connect(m_kept, &QComboBox::activated, this, [this](int index) {
        if (const int kept = m_kept->itemData(index).toInt(); kept >= 0)
            emit keptChosen(kept);
    });
    setKept({}, -1);
    setKeepable(false);
    setState(State::Idle);
}

void SearchBar::setState(State state) {
    const bool focused = m_run->hasFocus() || m_pause->hasFocus() || m_cancel->hasFocus();
    m_state = state;
    m_run->setText(state == State::Paused ? tr("Go on") : tr("Search"));
    m_run->setVisible(state != State::Running);
    m_run->setEnabled(m_runnable || state == State::Paused);
    m_pause->setVisible(state == State::Running);
    m_cancel->setVisible(state != State::Idle);
    m_rate->setVisible(state == State::Running);
    if (focused)
        (state == State::Running ? m_pause : m_run)->setFocus();
}

void SearchBar::setRunnable(bool runnable) {
    m_runnable = runnable;
    m_run->setEnabled(runnable || m_state == State::Paused);
}

void SearchBar::setKeepable(bool keepable) {
    m_keep->setEnabled(keepable);
}

void SearchBar::showProgress(const engine::SearchProgress& progress, std::uint64_t begunAt) {
    showPlace(progress.done, progress.total);
    const double fresh = static_cast<double>(progress.done - std::min(begunAt, progress.done));
    const double rate = progress.seconds > 0.0 ? fresh / progress.seconds : 0.0;
    m_rate->setText(rate > 0.0
                        ? tr("%1/s, %2")
                              .arg(pointRateText(rate),
                                   timeLeftWords(static_cast<double>(progress.total - progress.done) / rate))
                        : QString());
}

void SearchBar::showPlace(std::uint64_t done, std::uint64_t total) {
    m_place->setText(total == 0 ? QString() : tr("%1 of %2 points").arg(countText(done), countText(total)));
    m_bar->setVisible(total > 0);
    m_bar->setValue(total == 0 ? 0
                               : static_cast<int>(kProgressSteps * static_cast<double>(done) /
                                                  static_cast<double>(total)));
}

void SearchBar::setKept(const QStringList& names, int current) {
    const QSignalBlocker quiet(m_kept);
    m_kept->clear();
    if (current < 0)
        m_kept->addItem(names.isEmpty() ? tr("New search") : tr("Not kept"), -1);
    for (int i = 0; i < names.size(); ++i)
        m_kept->addItem(names[i], i);
    m_kept->setCurrentIndex(m_kept->findData(current));
    m_remove->setVisible(current >= 0);
}

void SearchBar::addTool(QWidget* tool) {
    static_cast<QHBoxLayout*>(layout())->addWidget(tool);
}

} // namespace heteroscape::widgets

#include "moc_search_bar.cpp"
