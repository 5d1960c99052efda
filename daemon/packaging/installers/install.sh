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
icon="$prefix/share/icons/hicolor/scalable/apps/sallyport.svg"

# The bridge of the replaced program ends; its games connect to the new one.
stop_replaced() {
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe" 2>/dev/null)" = "$program (deleted)" ] || continue
    [ "$(readlink "$process/ns/mnt" 2>/dev/null)" = "$(readlink /proc/self/ns/mnt)" ] || continue
    tr '\0' '\n' <"$process/cmdline" 2>/dev/null | sed -n 2p | grep -qx run || continue
    pid="${process#/proc/}"
    kill -TERM "$pid" 2>/dev/null || continue
    tries=100
    while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do tries=$((tries - 1)); sleep 0.1; done
  done
}

if [ "$action" = uninstall ]; then
  if [ -x "$program" ]; then "$program" uninstall $purge; fi
  rm -f "$program" "$icon" "$wine_bridge" "$package"
  rmdir "$library" 2>/dev/null || :
  (cd "$here/share" && find . ! -type d) | while read -r file; do rm -f "$prefix/share/$file"; done
  exit 0
fi

mkdir -p "$prefix/bin" "$library" "$(dirname "$icon")"
# Before the program, which looks for it.
cp "$here/sallyport-package.json" "$package"
# Beside its place first: a running program cannot be written to, but it can be replaced.
# Its name is nobody's to foresee, because others may write to a shared folder.
new="$(mktemp "$program.XXXXXX")"
trap 'rm -f "$new"' EXIT
cat "$here/sallyport" >"$new"
chmod 755 "$new"
mv -f "$new" "$program"
cp "$here/sallyport.svg" "$icon"
if [ -e "$here/sallyport-wine.exe" ]; then cp "$here/sallyport-wine.exe" "$wine_bridge"; fi
cp -R "$here/share/." "$prefix/share"
stop_replaced
"$program" install
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "Add $prefix/bin to PATH to use the command sallyport." >&2 ;;
esac
