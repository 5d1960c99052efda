/** The tray on Windows and macOS: a small native program shows it, and this process writes and reads its lines. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { childEnvironment } from '@sallyport/core/os/child-environment'
import { helperMessage, noticeLine, QUIT_LINE, viewLines, withdrawLine } from './helper-protocol.ts'
import type { HostListener, TrayHost } from './host.ts'

/** `program`: the path of the helper. */
export function openHelperHost(program: string, listener: HostListener): TrayHost {
  const child = spawn(program, [], { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true, env: childEnvironment('tray') })
  let isClosing = false
  let reason = 'The helper of the tray has ended. Start it again with: sallyport tray'
  child.once('error', (failure) => {
    reason = `The helper of the tray cannot start: ${failure.message}.`
  })
  child.once('close', () => {
    if (!isClosing) listener.onEnd(reason)
  })
  // A helper that ended is reported by its end.
  child.stdin.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (text) => {
    const message = helperMessage(text)
    if (message?.event === 'busy') reason = 'Another tray of Sallyport runs in this session.'
    if (message?.event === 'choice') listener.onChoice(message.id)
    if (message?.event === 'notice') listener.onNotice(message.key, 'open')
  })
  const write = (lines: string): void => void child.stdin.write(lines)
  return {
    show: (view) => write(viewLines(view)),
    notify: (notice) => write(noticeLine(notice)),
    withdraw: (key) => write(withdrawLine(key)),
    async close() {
      isClosing = true
      if (child.exitCode !== null || child.pid === undefined) return
      const ended = once(child, 'close')
      child.stdin.end(QUIT_LINE)
      await ended
    },
  }
}
