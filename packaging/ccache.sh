#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# ccache.sh FOLDER COMPILER [ARGUMENT...]: compiles through ccache, for any checkout: FOLDER is left out of what it compares.
set -eu
export CCACHE_BASEDIR="$1" CCACHE_NOHASHDIR=1
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
shift
# ccache would read the old precompiled header in place of the headers that the new one is made of. Of these
# comments count too: the compiler knows a header again by its bytes.
for argument; do
    case $argument in
    *.gch)
        rm -f "$argument"
        export CCACHE_COMMENTS=1
        ;;
    esac
done
exec ccache "$@"
