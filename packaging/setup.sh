# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run and test: installs what the build needs and builds. POSIX sh; expects $root, the project's folder.

say() {
    printf '%s\n' "heteroscape: $*"
}

fail() {
    printf '%s\n' "heteroscape: $*" >&2
    exit 1
}

# Debian package names: compiler and tools, then libraries, then what the window needs at run time.
packages="g++ cmake ninja-build
    nlohmann-json3-dev libtbb-dev libsqlite3-dev libxxhash-dev libcli11-dev doctest-dev
    qt6-base-dev qt6-svg-dev libqcustomplot-dev libgraphviz-dev"

# Prints the packages of "$@" that are not installed.
missing_packages() {
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^ii  *//p')
    for package in "$@"; do
        printf '%s\n' "$installed" | grep -qx "$package" || printf '%s ' "$package"
    done
}

# Installs packages with apt, as root or through sudo; does nothing when all are there.
install_packages() {
    command -v dpkg-query >/dev/null 2>&1 ||
        fail "this script installs Debian packages; on another system install the like of: $*"
    missing=$(missing_packages "$@")
    [ -n "$missing" ] || return 0
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "needs root to install: $missing. Run as root, or install sudo"
        as_root=sudo
    fi
    say "installing what the build needs and is not here, with apt${as_root:+ through sudo}: $missing"
    wait_for_lock="-o DPkg::Lock::Timeout=900"
    # shellcheck disable=SC2086 # lists of words
    {
        $as_root apt-get $wait_for_lock -qq update || say "apt-get update failed; trying with the lists there are"
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get $wait_for_lock -y -qq --no-install-recommends \
            install $missing >/dev/null || fail "apt-get could not install: $missing"
    }
}

# Builds the release into $root/build: the targets of "$@", or all of it.
build_release() {
    [ -f "$root/build/build.ninja" ] || {
        say "configuring the release build in build/"
        cmake --preset release -S "$root" >/dev/null || fail "cmake failed; see above"
    }
    say "building (a first build takes some minutes, later ones seconds)"
    # Ninja's own list is long; it matters only when something fails.
    [ $# -gt 0 ] || set -- all
    cmake --build "$root/build" --target "$@" -- --quiet || fail "the build failed; see above"
}
