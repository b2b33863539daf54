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
#include <memory>
#include <pthread.h>
#include <stop_token>
#include <time.h>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kNamesShown = 5;
constexpr std::chrono::milliseconds kSleep{4};
EventWatch* watched = nullptr;

std::int64_t nowNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/// What this thread has worked, ms.
double worked() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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

std::string placeOf(void* const* frames, int count) {
    const std::unique_ptr<char*, decltype(&std::free)> lines(backtrace_symbols(frames, count), &std::free);
    std::string place;
    std::size_t shown = 0;
    for (int i = 0; lines && i < count && shown < kNamesShown; ++i)
        if (const auto name = functionOf(lines.get()[i]); !name.empty())
            place += (shown++ ? " < " : "") + name;
    return place;
}

} // namespace

EventWatch::EventWatch(int& argc, char** argv, double allowedMs)
    : Application(argc, argv), m_allowedMs(allowedMs) {
    watched = this;
    backtrace(m_stack.data(), kFrames); // what it loads at first is loaded now
    struct sigaction action {};
    action.sa_handler = &EventWatch::look;
    action.sa_flags = SA_RESTART;
    sigaction(SIGUSR2, &action, nullptr);
    m_slept = nowNs();
    m_watcher = std::jthread([this, ui = pthread_self()](const std::stop_token& stop) {
        std::int64_t asked = 0;
        double next = m_allowedMs; // then after twice the time each: where it is for the most part
        while (!stop.stop_requested()) {
            m_slept = nowNs();
            std::this_thread::sleep_for(kSleep);
            m_late = std::max<std::int64_t>(m_late, overslept());
            const auto began = m_began.load();
            if (began != asked)
                next = m_allowedMs;
            asked = began;
            if (began == 0 || static_cast<double>(nowNs() - began) * 1e-6 < next)
                continue;
            next *= 2.0;
            pthread_kill(ui, SIGUSR2);
        }
    });
}

EventWatch::~EventWatch() {
    m_watcher.request_stop();
    m_watcher.join();
    watched = nullptr;
}

void EventWatch::look(int) {
    watched->m_stackFrames = backtrace(watched->m_stack.data(), kFrames);
    watched->m_seen = nowNs();
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
        m_began = span.began;
    }
    return span;
}

void EventWatch::end(const Span& span, const std::string& name) {
    const double ms = static_cast<double>(nowNs() - span.began) * 1e-6;
    if (span.isEvent) {
        m_began = 0;
        ++m_events;
    }
    if (ms <= m_allowedMs)
        return;
    auto& kind = m_long[name];
    ++kind.times;
    kind.mostWorked = std::max(kind.mostWorked, worked() - span.worked);
    if (ms <= kind.longest)
        return;
    kind.longest = ms;
    kind.stood = static_cast<double>(std::max<std::int64_t>(m_late, overslept())) * 1e-6;
    kind.frames = m_seen >= span.began ? m_stackFrames.load() : 0;
    kind.where = m_stack;
}

std::int64_t EventWatch::overslept() const {
    return nowNs() - m_slept - kSleep / std::chrono::nanoseconds(1);
}

void EventWatch::print() const {
    std::vector<const std::pair<const std::string, Kind>*> kinds;
    for (const auto& kind : m_long)
        kinds.push_back(&kind);
    std::sort(kinds.begin(), kinds.end(),
              [](const auto* a, const auto* b) { return a->second.longest > b->second.longest; });
    std::printf("%llu events, %zu kinds of them over %.0f ms\n", m_events, kinds.size(), m_allowedMs);
    for (const auto* kind : kinds)
        std::printf("  %-58s %5d times, at most %6.0f ms, of work at most %6.0f ms, stood still %6.0f ms\n"
                    "      %s\n",
                    kind->first.c_str(), kind->second.times, kind->second.longest, kind->second.mostWorked,
                    kind->second.stood, placeOf(kind->second.where.data(), kind->second.frames).c_str());
}

} // namespace heteroscape::widgets
