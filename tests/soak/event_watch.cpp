// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/soak/event_watch.h"

#include <QEvent>
#include <QThread>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <execinfo.h>
#include <map>
#include <memory>
#include <pthread.h>
#include <set>
#include <stop_token>
#include <time.h>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kNamesShown = 8;
constexpr std::chrono::milliseconds kSleep{3};
constexpr double kBetweenLooks = 4.0; ///< ms of work
EventWatch* watched = nullptr;

std::int64_t nowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// What a thread has worked, ms; this one if no other is named.
double worked(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// The function of a line of backtrace_symbols(), "file(mangled+0x12) [0x34]", without its parameters; empty
/// when it is none of this program's.
std::string functionOf(const std::string& line) {
    const auto open = line.find('(');
    const auto plus = line.find('+', open);
    if (open == std::string::npos || plus == std::string::npos || plus == open + 1)
        return {};
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> plain(
        abi::__cxa_demangle(line.substr(open + 1, plus - open - 1).c_str(), nullptr, nullptr, &status),
        &std::free);
    std::string name = status == 0 ? plain.get() : "";
    if (name.find("heteroscape::") == std::string::npos || name.find("EventWatch") != std::string::npos)
        return {};
    for (const std::string space : {"heteroscape::widgets::", "heteroscape::"})
        for (auto at = name.find(space); at != std::string::npos; at = name.find(space))
            name.erase(at, space.size());
    return name.substr(0, name.find('('));
}

/// The functions of the looks, those that are in most of them first and the inner one of two that are in as
/// many, with the part of the looks that they are in.
template <class Looks>
std::string placeOf(const Looks& looks) {
    struct Seen {
        int times = 0;
        long depth = 0; ///< sum over the looks
    };
    std::map<std::string, Seen> seen;
    for (const auto& look : looks) {
        const std::unique_ptr<char*, decltype(&std::free)> lines(
            backtrace_symbols(look.frames.data(), look.count), &std::free);
        std::set<std::string> here;
        for (int i = 0; lines && i < look.count; ++i)
            if (auto name = functionOf(lines.get()[i]); !name.empty() && here.insert(name).second) {
                ++seen[name].times;
                seen[name].depth += i;
            }
    }
    std::vector<std::pair<std::string, Seen>> all(seen.begin(), seen.end());
    std::erase_if(all, [](const auto& one) { return one.first == "main"; });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.second.times != b.second.times ? a.second.times > b.second.times
                                                : a.second.depth < b.second.depth;
    });
    std::string place;
    for (std::size_t i = 0; i < std::min(all.size(), kNamesShown); ++i)
        place += (i ? ", " : "") + all[i].first + " " +
                 std::to_string(100 * all[i].second.times / static_cast<int>(looks.size())) + " %";
    return place;
}

} // namespace

EventWatch::EventWatch(int& argc, char** argv, double allowedMs)
    : Application(argc, argv), m_allowedMs(allowedMs) {
    watched = this;
    backtrace(m_looks.front().frames.data(), kFrames); // what it loads at first is loaded now
    struct sigaction action {};
    action.sa_handler = &EventWatch::look;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    m_slept = nowNs();
    clockid_t clock{};
    pthread_getcpuclockid(pthread_self(), &clock);
    m_watcher = std::jthread([this, ui = pthread_self(), clock](const std::stop_token& stop) {
        std::int64_t asked = 0;
        double next = 0; // what the thread will have worked when it is looked at again
        while (!stop.stop_requested()) {
            m_slept = nowNs();
            std::this_thread::sleep_for(kSleep);
            m_late = std::max<std::int64_t>(m_late, overslept());
            const auto began = m_began.load();
            const double now = worked(clock);
            if (began == 0 || began != asked) {
                asked = began;
                next = now + kBetweenLooks;
            } else if (now >= next) {
                next = now + kBetweenLooks;
                pthread_kill(ui, SIGUSR2);
            }
        }
    });
}

EventWatch::~EventWatch() {
    m_watcher.request_stop();
    m_watcher.join();
    watched = nullptr;
}

void EventWatch::look(int) {
    const std::size_t at = watched->m_looked;
    if (watched->m_began == 0 || at == kLooks)
        return;
    auto& look = watched->m_looks[at];
    look.count = backtrace(look.frames.data(), kFrames);
    watched->m_looked = at + 1;
}

bool EventWatch::notify(QObject* receiver, QEvent* event) {
    if (m_began != 0 || QThread::currentThread() != thread())
        return Application::notify(receiver, event);
    const auto name = std::string(receiver->metaObject()->className()) + ", event " +
                      std::to_string(static_cast<int>(event->type()));
    const auto span = begin();
    const bool taken = Application::notify(receiver, event);
    end(span, name);
    return taken;
}

EventWatch::Span EventWatch::begin() {
    const Span span{m_began == 0, nowNs(), worked()};
    if (span.isEvent) {
        m_late = 0;
        m_looked = 0;
        m_began = span.began;
    }
    return span;
}

void EventWatch::end(const Span& span, const std::string& name) {
    const double ms = static_cast<double>(nowNs() - span.began) * 1e-6;
    const double work = worked() - span.worked;
    if (span.isEvent) {
        m_began = 0;
        ++m_events;
        m_longestWork = std::max(m_longestWork, work);
    }
    if (ms <= m_allowedMs)
        return;
    auto& kind = m_long[name];
    ++kind.times;
    kind.tooLong += work > m_allowedMs;
    if (ms > kind.longest) {
        kind.longest = ms;
        kind.stood = static_cast<double>(std::max<std::int64_t>(m_late, overslept())) * 1e-6;
    }
    if (work > kind.worked) {
        kind.worked = work;
        kind.looks.assign(m_looks.begin(), m_looks.begin() + static_cast<std::ptrdiff_t>(m_looked.load()));
    }
}

bool EventWatch::isKept() const {
    return std::none_of(m_long.begin(), m_long.end(),
                        [](const auto& kind) { return kind.second.tooLong > 0; });
}

std::int64_t EventWatch::overslept() const {
    return nowNs() - m_slept - kSleep / std::chrono::nanoseconds(1);
}

void EventWatch::print() const {
    std::vector<const std::pair<const std::string, Kind>*> kinds;
    for (const auto& kind : m_long)
        kinds.push_back(&kind);
    std::sort(kinds.begin(), kinds.end(),
              [](const auto* a, const auto* b) { return a->second.worked > b->second.worked; });
    const auto working =
        std::count_if(kinds.begin(), kinds.end(), [](const auto* kind) { return kind->second.tooLong > 0; });
    std::printf(
        "%llu events, at most %.0f ms of work; %td kinds of them over %.0f ms of work, %zu by the clock\n",
        m_events, m_longestWork, working, m_allowedMs, kinds.size());
    for (const auto* kind : kinds)
        std::printf(
            "  %-58s %5d times (%d by work), at most %6.0f ms of work, %6.0f ms, stood still %6.0f ms\n"
            "      %s\n",
            kind->first.c_str(), kind->second.times, kind->second.tooLong, kind->second.worked,
            kind->second.longest, kind->second.stood, placeOf(kind->second.looks).c_str());
}

} // namespace heteroscape::widgets
