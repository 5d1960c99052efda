#!/bin/sh
# Installs Sallyport for this user, without root; a newer version over an older one too.
#   ./install.sh [--prefix DIR]                          default: ~/.local
#   ./install.sh --uninstall [--purge] [--prefix DIR]    --purge: also your data and settings
set -eu

prefix="$HOME/.local"
action=install
purge=
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix) prefix="${2:?--prefix needs a folder}"; shift ;;
    --uninstall) action=uninstall ;;
    --purge) purge=--purge ;;
    *) sed -n '2,4s/^# //p' "$0" >&2; exit 2 ;;
  esac
  shift
done
here="$(cd "$(dirname "$0")" && pwd)"
program="$prefix/bin/sallyport"
library="$prefix/lib/sallyport"
wine_bridge="$library/sallyport-wine.exe"
package="$library/sallyport-package.json"

# The processes of trays of the replaced program.
old_trays() {
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe" 2>/dev/null)" = "$program (deleted)" ] || continue
    if tr '\0' '\n' <"$process/cmdline" 2>/dev/null | sed -n 2p | grep -qx tray; then echo "${process#/proc/}"; fi
  done
}

if [ "$action" = uninstall ]; then
  # The program of this archive does what an installed one would do, also when that is gone.
  if [ -x "$program" ]; then "$program" uninstall $purge; else "$here/sallyport" uninstall $purge; fi
  rm -f "$program" "$wine_bridge" "$package"
  rmdir "$library" 2>/dev/null || :
  (cd "$here/share" && find . ! -type d) | while read -r file; do rm -f "$prefix/share/$file"; done
  echo "Sallyport is removed from $prefix." >&2
  if [ -z "$purge" ]; then echo "To remove your data and settings too: $0 --uninstall --purge" >&2; fi
  exit 0
fi

mkdir -p "$prefix/bin" "$library" "$prefix/share"
# Before the program, which looks for it.
cp "$here/sallyport-package.json" "$package"
# Beside its place first: a running program cannot be written to, but it can be replaced.
# Its name is nobody's to foresee, because others may write to a shared folder.
new="$(mktemp "$program.XXXXXX")"
trap 'rm -f "$new"' EXIT
cat "$here/sallyport" >"$new"
chmod 755 "$new"
mv -f "$new" "$program"
if [ -e "$here/sallyport-wine.exe" ]; then cp "$here/sallyport-wine.exe" "$wine_bridge"; fi
cp -R "$here/share/." "$prefix/share"
# The replaced daemon ends, and its games connect to the new one. No program may look into the process of a daemon, so the
# new one asks it. Where systemd has started it, systemd ends it: that daemon may have other folders. Once only: the next
# connection starts the new daemon at once.
if systemctl --user is-active --quiet sallyport.service 2>/dev/null; then
  systemctl --user stop sallyport.service
else
  "$program" stop || echo "The old version may still run. Log out and in again to end it." >&2
fi
# The new tray must not meet the old one.
for tray in $(old_trays); do kill -TERM "$tray" 2>/dev/null || :; done
tries=50
while [ "$tries" -gt 0 ] && [ -n "$(old_trays)" ]; do tries=$((tries - 1)); sleep 0.1; done
"$program" install
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to PATH to use the command sallyport." >&2 ;;
esac
