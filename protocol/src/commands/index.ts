/** The COMMANDS table: all that a game can ask of the bridge. */
import type { z } from 'zod'
import { ENDPOINTS } from '../endpoints/index.ts'
import { asCommand } from '../endpoints/as-command.ts'
import { tableOf } from '../table.ts'
import { authenticate, authorize } from './authorization.ts'
import { setActivity } from './presence.ts'
import { subscribe, unsubscribe } from './subscription.ts'

export const COMMANDS = {
  ...tableOf([authorize, authenticate, subscribe, unsubscribe, setActivity]),
}

export type CommandName = keyof typeof COMMANDS
/** What a caller may pass. */
export type ArgsOf<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]['args']>
/** What a handler receives. */
export type ParsedArgsOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['args']>
export type DataOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['data']>
/** Commands that the daemon itself must have a handler for. */
export type BridgeCommandName = { [Name in CommandName]: (typeof COMMANDS)[Name]['answeredBy'] extends 'bridge' ? Name : never }[CommandName]

export const isCommandName = (text: string): text is CommandName => Object.hasOwn(COMMANDS, text)
