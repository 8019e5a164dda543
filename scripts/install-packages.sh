#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Onepass authors
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing of the named sections of packages.txt (default: build). Where it cannot, it says so,
# and the build goes on with what is there.
set -eu
cd "$(dirname "$0")/.."

say() { echo "packages: $*" >&2; }

if ! command -v dpkg-query >/dev/null; then
  say "this is no Debian; packages.txt names what the build looks for, going on with what is there"
  exit 0
fi

missing=
for section in "${@:-build}"; do
  names=$(sed -e 's/[[:space:]]*#.*//' packages.txt | awk -v want="[$section]" '/^\[/ { on = $0 == want; next } on && NF')
  [ -n "$names" ] || { say "packages.txt has no section [$section]"; exit 2; }
  for name in $names; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $name"
  done
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
  as_root=sudo
  if ! command -v sudo >/dev/null; then
    say "missing:$missing; not root and no sudo, going on with what is there"
    exit 0
  fi
fi
if ! command -v apt-get >/dev/null; then
  say "missing:$missing; no apt-get, going on with what is there"
  exit 0
fi

say "installing$missing"
apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::http::Timeout=20 -o Dpkg::Use-Pty=0"
# Unquoted: lists of words.
# shellcheck disable=SC2086
if $apt update && $apt install -y --no-install-recommends $missing >/dev/null; then
  say "installed"
else
  say "apt-get failed; going on with what is there, missing:$missing"
fi
