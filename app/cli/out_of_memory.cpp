// SPDX-License-Identifier: GPL-3.0-or-later
// Linked into a program, says that memory ran out where no handler is reached: before main(), in what may not
// throw, and where not even the exception finds room.

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <unistd.h>

namespace {

constexpr int kUnfinished = 3;

void tell(const char* text) {
    [[maybe_unused]] const auto told = ::write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void endOutOfMemory() {
    try {
        if (const auto failure = std::current_exception())
            std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
    } catch (...) {
        std::abort(); // a defect: leave what a debugger can read
    }
    tell(program_invocation_short_name);
    tell(": could not finish: out of memory. Make the study or the file smaller\n");
    ::_exit(kUnfinished);
}

/// Before anything of the program is initialised.
__attribute__((constructor(101))) void handleEnd() {
    std::set_terminate(endOutOfMemory);
}

} // namespace
