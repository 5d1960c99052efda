/** Rows that a property over their table proves. Every other row needs a vector. */
import { COMMANDS, type CommandRow, type EndpointRow, type EventRow, offeredTo } from '@sallyport/protocol'

/** `endpoints.test.ts`: the endpoint is a command of its name. */
export const isForwarded = ({ name }: EndpointRow): boolean => Object.hasOwn(COMMANDS, name)

/** `events.test.ts`: a game can subscribe to the event. */
export const isSubscribable = ({ delivery }: EventRow): boolean => delivery === 'subscription'

/** `endpoints.test.ts`: the HTTP API answers the command. */
export const isAnsweredByApi = ({ handledBy }: CommandRow): boolean => handledBy === 'api'

/** `desktop-commands.test.ts`: only the desktop client serves the command, and a game may call it. */
export const isOfDesktopClient = ({ handledBy, requires }: CommandRow): boolean =>
  handledBy === 'desktop-client' && offeredTo(requires).includes('program')
