#!/usr/bin/env bash
# What `make run` does: builds and opens the window where there is a screen and
# the window can be built; else it builds the headless program, serves, and
# prints the address of the pages.
set -euo pipefail
cd "$(dirname "$0")/.."

has_screen() {
  case $(uname -s) in
    Linux) [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] ;;
    *) true ;;
  esac
}

if has_screen && build/setup.sh window && make --no-print-directory window; then
  exec build/out/tidemark-window "$@"
fi
has_screen || echo "There is no screen: the pages are served instead." >&2
make --no-print-directory build
exec build/out/tidemark serve "$@"
