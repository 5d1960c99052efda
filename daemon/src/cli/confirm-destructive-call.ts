/** Confirmation of destructive calls. */
import { SettingsError } from '../config/settings-error.ts'
import type { Context } from './command.ts'

/** Resolves if the call is not destructive or the user confirmed it by typing its name. Throws SettingsError otherwise. */
export async function confirmDestructiveCall(name: string, { io, loaded: { settings } }: Context): Promise<void> {
  if (settings.yes) return
  // Imported here, because no other command needs the tables.
  const { deletionOf } = await import('../rpc/typed-call.ts')
  const deletion = deletionOf(name)
  if (deletion === undefined) return
  if (settings.nonInteractive || io.readLine === undefined) throw new SettingsError(`${deletion} Add --yes to call it from a script.`)
  const answer = await io.readLine(`${deletion}\nType the name of the command to continue: `)
  if (answer?.trim().toUpperCase() !== name) throw new SettingsError(`${name} was not called, because its name was not typed.`)
}
