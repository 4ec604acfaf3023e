#!/usr/bin/env bash
# Installs on Debian, as root, what the tests in n8n need beside Node, where it is missing. CI alone runs it.
set -euo pipefail

missing=()
command -v chromium >/dev/null || missing+=(chromium fonts-liberation)
command -v redis-server >/dev/null || missing+=(redis-server)
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing+=(postgresql)
[ "${#missing[@]}" -eq 0 ] && exit

# No server of the packages is started: `man invoke-rc.d`. Tests run their own.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
