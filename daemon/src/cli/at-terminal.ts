/** Whether a person can be there: `call` and `login` use an account for whoever starts them, and a program may not do so unseen. */
import { readFileSync } from 'node:fs'
import { SettingsError } from '../config/settings-error.ts'
import { isAtTerminal, parseStat } from '../identity/terminal-session.ts'
import type { Context } from './command.ts'

/** `streams`: the standard streams, asked where the system says nothing of processes. */
export function atTerminal(
  streams: readonly { readonly isTTY?: boolean }[],
  readStat: () => string = () => readFileSync('/proc/self/stat', 'utf8'),
): boolean {
  let text: string
  try {
    text = readStat()
  } catch {
    return streams.some(({ isTTY }) => isTTY === true)
  }
  const stat = parseStat(text)
  return stat !== undefined && isAtTerminal(stat)
}

/** Throws SettingsError when nobody can be there and the command line does not say that nobody is. */
export function requirePerson(command: string, { io, loaded: { settings } }: Context): void {
  if (settings.nonInteractive || io.isAtTerminal()) return
  throw new SettingsError(
    `${command} uses an account, and runs in the foreground of a terminal only, where a person sees it. ` +
      'For a script add --non-interactive: the user is asked about the program that starts it.',
  )
}
