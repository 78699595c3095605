#!/usr/bin/env bash
# Installs what is missing: `setup.sh build` for building the headless program,
# `setup.sh window` for the one with a window, `setup.sh test` for testing both.
# On Debian and Ubuntu it uses apt-get; as an ordinary user it asks before it
# uses sudo. Elsewhere it says what to install.
set -euo pipefail

need_go=1.26
say() { printf '%s\n' "$*" >&2; }

version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

if ! command -v go >/dev/null; then
  say "Go is missing. Install Go $need_go or newer from https://go.dev/dl/ and call make again."
  exit 1
fi
have_go=$(go env GOVERSION | sed 's/^go//; s/ .*//')
version_at_least "$need_go" "$have_go" || { say "Go $have_go is too old: install $need_go or newer from https://go.dev/dl/."; exit 1; }
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  say "Node.js is missing. Install version 20 or newer from https://nodejs.org/ and call make again."
  exit 1
fi
have_node=$(node --version | sed 's/^v//')
version_at_least 20.19.0 "$have_node" || { say "Node.js $have_node is too old: install 20.19 or newer from https://nodejs.org/."; exit 1; }

what=${1:-build}
[ "$what" != build ] || exit 0

missing=()
# What the window is made of: GTK and WebKit on Linux; macOS and Windows have theirs.
if [ "$(uname -s)" = Linux ]; then
  command -v gcc >/dev/null || missing+=(gcc)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  if ! command -v pkg-config >/dev/null || ! pkg-config --exists webkit2gtk-4.1 gtk+-3.0; then
    missing+=(libgtk-3-dev libwebkit2gtk-4.1-dev)
  fi
fi
if [ "$what" = test ]; then
  for browser in chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null && { found=$browser; break; }
  done
  [ -n "${found:-}" ] || missing+=(chromium)
  if command -v fc-list >/dev/null; then
    fc-list ':lang=zh-cn' | grep -q . || missing+=(fonts-noto-cjk)
  else
    missing+=(fontconfig fonts-noto-cjk)
  fi
  if [ "$(uname -s)" = Linux ]; then # the window is started on a screen of its own
    command -v Xvfb >/dev/null || missing+=(xvfb)
    command -v xdotool >/dev/null || missing+=(xdotool)
    command -v import >/dev/null || missing+=(imagemagick)
  fi
  why="The tests need"
else
  why="The window needs"
fi
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  say "$why ${missing[*]} (names of Debian's packages). Install them with your package manager and call make again."
  exit 1
fi
run=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { say "$why ${missing[*]}. Install them as root: apt-get install ${missing[*]}"; exit 1; }
  if [ ! -t 0 ]; then
    say "$why ${missing[*]}. Install them: sudo apt-get install ${missing[*]}"
    exit 1
  fi
  printf '%s %s. Install them with sudo apt-get? [y/N] ' "$why" "${missing[*]}" >&2
  read -r answer
  case $answer in [yY]*) run=(sudo) ;; *) say "Nothing was installed."; exit 1 ;; esac
fi
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq
"${run[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
