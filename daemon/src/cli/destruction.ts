/** What a call takes away for good is asked for by name first. */
import type { CommandRow } from '@sallyport/protocol'
import { SettingsError } from '../config/settings-error.ts'
import type { Context } from './command.ts'

/** Resolves when the call takes nothing away, or whoever makes it confirmed it. Throws SettingsError otherwise. */
export async function confirmDestruction(name: string, { io, loaded: { settings } }: Context): Promise<void> {
  if (settings.yes) return
  // Loaded here: no other command needs the tables.
  const { COMMANDS, isCommandName } = await import('@sallyport/protocol')
  if (!isCommandName(name)) return
  const { destructive, summary }: CommandRow = COMMANDS[name]
  if (destructive === undefined) return
  if (settings.nonInteractive || io.readLine === undefined)
    throw new SettingsError(`${name} takes something away for good: ${summary} Add --yes to call it from a script.`)
  const answer = await io.readLine(`${name} takes something away for good: ${summary}\nType the name of the command to go on: `)
  if (answer?.trim().toUpperCase() !== name) throw new SettingsError(`${name} was not called: its name was not typed.`)
}
