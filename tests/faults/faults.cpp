// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into a program (LD_PRELOAD), lets one call of the system fail:
//   HETEROSCAPE_FAULT=write:17     the 17th write, and no other
//   HETEROSCAPE_FAULT=write:17+    the 17th and all that follow
//   HETEROSCAPE_FAULT_MARK=FILE    a file that is made when a call has failed
// Kinds: open, read, write, fsync, rename, mmap, malloc, thread. Without exceptions, and allocating nothing.

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

struct Kind {
    const char* name;
    int reason; ///< errno
};

constexpr Kind kOpen{"open", EMFILE};
constexpr Kind kRead{"read", EIO};
constexpr Kind kWrite{"write", ENOSPC};
constexpr Kind kFsync{"fsync", EIO};
constexpr Kind kRename{"rename", EIO};
constexpr Kind kMmap{"mmap", ENOMEM};
constexpr Kind kMalloc{"malloc", ENOMEM};
constexpr Kind kThread{"thread", EAGAIN};

const char* chosen = nullptr; ///< "write:17+"
long wanted = 0;
bool lasting = false;
std::atomic<long> calls = 0;
std::atomic<bool> told = false;

__attribute__((constructor(101))) void readPlan() {
    chosen = std::getenv("HETEROSCAPE_FAULT");
    const char* colon = chosen ? std::strchr(chosen, ':') : nullptr;
    if (!colon) {
        chosen = nullptr;
        return;
    }
    wanted = std::atol(colon + 1);
    lasting = chosen[std::strlen(chosen) - 1] == '+';
}

void tell() {
    const char* mark = std::getenv("HETEROSCAPE_FAULT_MARK");
    if (!mark || told.exchange(true))
        return;
    const long file = ::syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file >= 0)
        ::syscall(SYS_close, file);
}

/// Whether this call fails; errno says why.
bool fails(const Kind& kind) {
    const auto length = std::strlen(kind.name);
    if (!chosen || std::strncmp(chosen, kind.name, length) != 0 || chosen[length] != ':')
        return false;
    const long number = ++calls;
    if (lasting ? number < wanted : number != wanted)
        return false;
    tell();
    errno = kind.reason;
    return true;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

mode_t modeOf(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? static_cast<mode_t>(va_arg(rest, int)) : 0;
}

} // namespace

#define REAL(name) static auto* const real = next<decltype(name)>(#name)

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    REAL(open);
    return fails(kOpen) ? -1 : real(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = modeOf(flags, rest);
    va_end(rest);
    REAL(open64);
    return fails(kOpen) ? -1 : real(path, flags, mode);
}
int mkstemp(char* path) {
    REAL(mkstemp);
    return fails(kOpen) ? -1 : real(path);
}
char* mkdtemp(char* path) {
    REAL(mkdtemp);
    return fails(kOpen) ? nullptr : real(path);
}

ssize_t read(int file, void* bytes, size_t count) {
    REAL(read);
    return fails(kRead) ? -1 : real(file, bytes, count);
}
ssize_t pread64(int file, void* bytes, size_t count, off64_t at) {
    REAL(pread64);
    return fails(kRead) ? -1 : real(file, bytes, count, at);
}
ssize_t pread(int file, void* bytes, size_t count, off_t at) {
    REAL(pread);
    return fails(kRead) ? -1 : real(file, bytes, count, at);
}

ssize_t write(int file, const void* bytes, size_t count) {
    REAL(write);
    return file != STDERR_FILENO && fails(kWrite) ? -1 : real(file, bytes, count);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t at) {
    REAL(pwrite64);
    return fails(kWrite) ? -1 : real(file, bytes, count, at);
}
ssize_t pwrite(int file, const void* bytes, size_t count, off_t at) {
    REAL(pwrite);
    return fails(kWrite) ? -1 : real(file, bytes, count, at);
}
int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    return fails(kWrite) ? -1 : real(file, length);
}
int ftruncate(int file, off_t length) {
    REAL(ftruncate);
    return fails(kWrite) ? -1 : real(file, length);
}

int fsync(int file) {
    REAL(fsync);
    return fails(kFsync) ? -1 : real(file);
}
int fdatasync(int file) {
    REAL(fdatasync);
    return fails(kFsync) ? -1 : real(file);
}
int rename(const char* from, const char* to) {
    REAL(rename);
    return fails(kRename) ? -1 : real(from, to);
}

void* mmap64(void* address, size_t length, int protection, int flags, int file, off64_t at) {
    REAL(mmap64);
    return fails(kMmap) ? MAP_FAILED : real(address, length, protection, flags, file, at);
}
void* mmap(void* address, size_t length, int protection, int flags, int file, off_t at) {
    REAL(mmap);
    return fails(kMmap) ? MAP_FAILED : real(address, length, protection, flags, file, at);
}

// Looking these up would allocate.
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) {
    return fails(kMalloc) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    return fails(kMalloc) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return fails(kMalloc) ? nullptr : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) {
    *result = fails(kMalloc) ? nullptr : __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) {
    REAL(pthread_create);
    return fails(kThread) ? EAGAIN : real(thread, attributes, work, argument);
}

} // extern "C"
