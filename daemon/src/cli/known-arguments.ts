/** The strict check of arguments that a person types. */
import { BridgeError } from '@sallyport/core/errors'
import type { CommandRow } from '@sallyport/protocol'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Refuses a name that the command does not have, with the nearest one that it has. The bridge checks all else. */
export async function requireKnownArguments(name: string, args: object): Promise<void> {
  // Imported here, because no other command needs the tables.
  const { commandArgsParser, COMMANDS, isCommandName } = await import('@sallyport/protocol')
  if (!isCommandName(name)) return
  const row: CommandRow = COMMANDS[name]
  const parsed = commandArgsParser(row)(args)
  if (parsed.success) return
  const { unknownIn } = await import('../rpc/unknown-arguments.ts')
  if (unknownIn(parsed.error.issues).length === 0) return
  const { validArgs } = await import('../rpc/validate.ts')
  try {
    validArgs(parsed, args, row.args)
  } catch (failure) {
    if (!(failure instanceof BridgeError)) throw failure
    const { code, message, ...rest } = failure.toWire()
    throw new CommandFailure(EXIT.refused, `${failure.error} (${code}): ${message}`, { ...rest, name: failure.error, code, message })
  }
}
