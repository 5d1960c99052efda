/** A call that a person types, in a terminal or on the dashboard: what is checked before it is sent. Pure. */
import { commandArgsParser, COMMANDS, type CommandRow, isCommandName } from '@sallyport/protocol'
import { unknownIn } from './unknown-arguments.ts'
import { validArgs } from './validate.ts'

/** Throws INVALID_PAYLOAD for a name that the command does not have, with the nearest one that it has. The router checks all else. */
export function requireKnownNames(command: string, args: object): void {
  if (!isCommandName(command)) return
  const row: CommandRow = COMMANDS[command]
  const parsed = commandArgsParser(row)(args)
  if (parsed.success || unknownIn(parsed.error.issues).length === 0) return
  validArgs(parsed, args, row.args)
}

/** What a person who calls it should know before: a sentence. Undefined for a command that deletes nothing for good. */
export function deletionOf(command: string): string | undefined {
  if (!isCommandName(command)) return undefined
  const { destructive, summary }: CommandRow = COMMANDS[command]
  return destructive === undefined ? undefined : `${command} permanently deletes data: ${summary}`
}
