#!/usr/bin/env bash
# Connects standard input and output with a new shell of the shell server (shell-server.ts) on a port of this machine.
exec 3<>"/dev/tcp/127.0.0.1/$1"
printf '%s\n' "$HOME" >&3
cat <&3 &
exec cat >&3
