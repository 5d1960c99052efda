/** Detects a terminal: `call` and `login` use an account, so the user must see it when a program starts them. */
import { readFileSync } from 'node:fs'
import { SettingsError } from '../config/settings-error.ts'
import { isAtTerminal, parseStat } from '../identity/process-stat.ts'
import type { Context } from './command.ts'

/** `streams`: the standard streams, used on systems without /proc. */
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

/** Throws SettingsError without a terminal, unless --non-interactive is set. */
export function requireTerminal(command: string, { io, loaded: { settings } }: Context): void {
  if (settings.nonInteractive || io.isAtTerminal()) return
  throw new SettingsError(
    `${command} uses an account and therefore runs only in the foreground of a terminal. ` +
      'In a script, add --non-interactive: the bridge then prompts the user about the program that starts it.',
  )
}

/** The same for a command that gives a program back what the user took from it. */
export function requirePerson(command: string, { io, loaded: { settings } }: Context): void {
  if (settings.nonInteractive || io.isAtTerminal()) return
  throw new SettingsError(
    `${command} gives a program back what you took from it, and therefore runs only in the foreground of a terminal. ` +
      'In a script, add --non-interactive.',
  )
}
