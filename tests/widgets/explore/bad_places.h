// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QString>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <unistd.h>

namespace heteroscape::widgets::test {

/// While it lives, no file of this program grows beyond some bytes: it stands for a full disk, for the
/// superuser too.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes) {
        // Else the signal ends the program where a full disk would give an error.
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        [&] { QCOMPARE(::getrlimit(RLIMIT_FSIZE, &m_before), 0); }();
        auto tight = m_before;
        tight.rlim_cur = bytes;
        [&] { QCOMPARE(::setrlimit(RLIMIT_FSIZE, &tight), 0); }();
    }
    ~FullDisk() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

private:
    struct rlimit m_before {};
    void (*m_handler)(int) = SIG_DFL;
};

/// While it lives, the rights of files bind this program, which they do not for the superuser. What such a
/// program shall reach then must be open to everybody.
class BoundByRights {
public:
    BoundByRights() : m_superuser(::geteuid() == 0) {
        constexpr uid_t nobody = 65534;
        if (m_superuser)
            [&] { QCOMPARE(::seteuid(nobody), 0); }();
    }
    ~BoundByRights() {
        if (m_superuser && ::seteuid(0) != 0)
            qFatal("the superuser's rights do not come back");
    }
    BoundByRights(const BoundByRights&) = delete;
    BoundByRights& operator=(const BoundByRights&) = delete;

private:
    bool m_superuser;
};

inline constexpr auto kReadByAll = QFile::ReadOwner | QFile::ReadUser | QFile::ReadGroup | QFile::ReadOther;
inline constexpr auto kWrittenByAll =
    QFile::WriteOwner | QFile::WriteUser | QFile::WriteGroup | QFile::WriteOther;
inline constexpr auto kEnteredByAll = QFile::ExeOwner | QFile::ExeUser | QFile::ExeGroup | QFile::ExeOther;

} // namespace heteroscape::widgets::test
