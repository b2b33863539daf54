// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/spawn.h"

#include "engine/base/file.h"

#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heteroscape::engine::test {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const std::vector<std::pair<std::string, std::string>>& environment,
                         const std::string& folder) {
    const auto redirect = [&](int to, const std::string& name, int flags) {
        const int file = ::open(name.c_str(), flags, 0644);
        if (file < 0 || ::dup2(file, to) < 0)
            ::_exit(126);
        ::close(file);
    };
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, folder + "/stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, folder + "/stderr", O_WRONLY | O_CREAT | O_TRUNC);
    for (const auto& [name, value] : environment)
        ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv;
    for (const auto& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

} // namespace

Ended spawn(const std::vector<std::string>& arguments,
            const std::vector<std::pair<std::string, std::string>>& environment, const std::string& folder,
            std::chrono::milliseconds patience) {
    const auto begin = Clock::now();
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0)
        become(arguments, environment, folder);
    Ended ended;
    int status = 0;
    rusage used{};
    while (::wait4(child, &status, WNOHANG, &used) == 0) {
        if (Clock::now() - begin > patience) {
            ended.hung = true;
            ::kill(child, SIGKILL);
            ::wait4(child, &status, 0, &used);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ended.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ended.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (const auto& spent : {used.ru_utime, used.ru_stime})
        ended.seconds += static_cast<double>(spent.tv_sec) + 1e-6 * static_cast<double>(spent.tv_usec);
    ended.mebibytes = static_cast<double>(used.ru_maxrss) / 1024.0;
    ended.out = readFile(folder + "/stdout");
    ended.err = readFile(folder + "/stderr");
    return ended;
}

} // namespace heteroscape::engine::test
