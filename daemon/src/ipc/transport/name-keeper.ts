/**
 * Removes the names of the daemon's sockets when the daemon was killed. Old clients take a refused connection as final, and a missing socket as one
 * to look for again. A process cannot remove anything after its own end, so a shell waits for it: the end of its input is the end of the daemon.
 */
import type { ChildProcess } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { probeSlot } from './address.ts'
import type { SlotName } from './slot-name.ts'
import { OWN_NAME, removeName, socketFileAt } from './socket-name.ts'

/**
 * Reads pairs of lines: a pin, and a name. While the pin exists, no other file has the number of the socket, so `-ef` cannot take another socket for
 * it. The pin is the name that the socket was bound at: a link that came later would change its time, and clients would take it for another one. A name is moved before it is removed, and looked at then, as in `removeName`.
 */
const SCRIPT = `
trap '' HUP INT TERM
while IFS= read -r pin && IFS= read -r name; do set -- "$@" "$pin" "$name"; done
for pass in names pins; do
  count=$#
  while [ $count -gt 0 ]; do
    pin=$1 name=$2; shift 2; set -- "$@" "$pin" "$name"; count=$((count - 2))
    if [ $pass = pins ]; then rm -f "$pin"; continue; fi
    [ "$name" -ef "$pin" ] || continue
    mv "$name" "$name.$$" || continue
    if [ "$name.$$" -ef "$pin" ] || ln "$name.$$" "$name"; then rm -f "$name.$$"; fi
  done
done
`

/** Not the user's own: programs in it could have any name. */
const PATH = '/usr/bin:/bin'
/** A daemon that starts binds its socket at such a name, and listens soon after. */
const OLD_MS = 60_000

export interface NameKeeper {
  /** Ends the shell, which finds no name any more. */
  close(): void
}

/** Undefined on Windows, whose pipes end with their server, and where no shell can be started. */
export async function keepNames(names: readonly SlotName[]): Promise<NameKeeper | undefined> {
  if (process.platform === 'win32' || names.length === 0) return undefined
  for (const folder of new Set(names.map(({ path }) => dirname(path)))) await sweep(folder)
  const { spawn } = await import('node:child_process')
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: { PATH } })
  if (!(await hasStarted(shell))) return undefined
  const { stdin } = shell
  stdin?.on('error', () => {})
  // Neither keeps the daemon from ending.
  shell.unref()
  if (stdin !== null && 'unref' in stdin) (stdin as { unref(): void }).unref()
  for (const name of names) {
    const { pin } = name
    // A path with a line break would be taken for two.
    if (pin !== undefined && !pin.includes('\n')) name.onNamed((path) => stdin?.write(`${pin}\n${path}\n`))
  }
  return { close: () => void stdin?.end() }
}

/** Removes the pins of daemons that were killed together with their shell. */
async function sweep(folder: string): Promise<void> {
  for (const path of readdirSync(folder)
    .filter((name) => name.startsWith(OWN_NAME))
    .map((name) => join(folder, name))) {
    const file = socketFileAt(path)
    if (file.isSocket() && Date.now() - file.ctimeMs > OLD_MS && (await probeSlot(path)) === 'stale') removeName(path, file)
  }
}

const hasStarted = (shell: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    shell.once('spawn', () => resolve(true))
    shell.once('error', () => resolve(false))
  })
