/** The COMMANDS table: all commands of the bridge. */
import type * as z from 'zod'
import { ENDPOINT_COMMANDS } from '../endpoints/as-command.ts'
import { ENDPOINT_FAMILIES } from '../endpoints/index.ts'
import { tableOf } from '../table.ts'
import * as accountTokens from './account-tokens.ts'
import * as authorization from './authorization.ts'
import * as authorize from './authorize.ts'
import * as botTokens from './bot-tokens.ts'
import * as bridge from './bridge.ts'
import * as currentUser from './current-user.ts'
import * as deviceAuthorization from './device-authorization.ts'
import * as embedded from './embedded.ts'
import * as gateway from './gateway.ts'
import * as guildsChannels from './guilds-channels.ts'
import * as inspection from './inspection.ts'
import * as launch from './launch.ts'
import * as overlayStore from './overlay-store.ts'
import * as platformFacts from './platform-facts.ts'
import * as presence from './presence.ts'
import * as privateCommands from './private.ts'
import * as social from './social.ts'
import * as subscription from './subscription.ts'
import * as uploads from './uploads.ts'
import * as voice from './voice.ts'

/** The rows by family, without the endpoints. */
export const COMMAND_FAMILIES = {
  'account-tokens': accountTokens,
  authorization,
  authorize,
  'bot-tokens': botTokens,
  bridge,
  'current-user': currentUser,
  'device-authorization': deviceAuthorization,
  embedded,
  gateway,
  'guilds-channels': guildsChannels,
  inspection,
  launch,
  'overlay-store': overlayStore,
  'platform-facts': platformFacts,
  presence,
  private: privateCommands,
  social,
  subscription,
  uploads,
  voice,
} as const

export const COMMANDS = { ...tableOf(COMMAND_FAMILIES), ...ENDPOINT_COMMANDS }

export type CommandName = keyof typeof COMMANDS
/** Arguments that a caller passes. */
export type ArgsOf<Name extends CommandName> = z.input<(typeof COMMANDS)[Name]['args']>
/** Arguments that a handler receives. */
export type ParsedArgsOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['args']>
export type DataOf<Name extends CommandName> = z.output<(typeof COMMANDS)[Name]['data']>
/** Commands with a handler in the daemon. */
export type BridgeCommandName = {
  [Name in CommandName]: (typeof COMMANDS)[Name]['handledBy'] extends 'bridge' ? Name : never
}[CommandName]

/** The family of a command, which is the name of its page in the reference; undefined for an unknown command. */
export function familyOf(command: string): string | undefined {
  if (!Object.hasOwn(COMMANDS, command)) return undefined
  const families: Readonly<Record<string, Readonly<Record<string, { readonly name: string }>>>>[] = [COMMAND_FAMILIES, ENDPOINT_FAMILIES]
  const all = families.flatMap((one) => Object.entries(one))
  return all.find(([, rows]) => Object.values(rows).some(({ name }) => name === command))?.[0]
}

export const isCommandName = (text: string): text is CommandName => Object.hasOwn(COMMANDS, text)
