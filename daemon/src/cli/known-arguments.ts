/** The strict check of arguments that a person types. */
import { BridgeError } from '@sallyport/core/errors'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

/** Refuses a name that the command does not have, with the nearest one that it has. The bridge checks all else. */
export async function requireKnownArguments(name: string, args: object): Promise<void> {
  // Imported here, because no other command needs the tables.
  const { requireKnownNames } = await import('../rpc/typed-call.ts')
  try {
    requireKnownNames(name, args)
  } catch (failure) {
    if (!(failure instanceof BridgeError)) throw failure
    const { code, message, ...rest } = failure.toWire()
    throw new CommandFailure(EXIT.refused, `${failure.error} (${code}): ${message}`, { ...rest, name: failure.error, code, message })
  }
}
