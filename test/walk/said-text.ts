/** What games and the client said, in words for the tables. */
import type { Said } from './actor.ts'

export const isReady = ({ event, state }: Said): boolean => event === 'state' && state === 'ready'

export function gameText({ event, account, state, reason, bridge, slot, user, restored }: Said): string {
  if (event === 'account') return `account ${account}`
  if (state !== 'ready') return `${state}${reason === undefined ? '' : ` (${reason})`}`
  return [
    `READY of ${bridge === undefined ? 'the client' : 'the bridge'} in slot ${slot} as ${user}`,
    ...(restored?.signIn === 'done' ? ['signed in again'] : []),
    ...(restored?.presence === 'done' ? ['presence set again'] : []),
  ].join(', ')
}

export function clientText({ event, application, cmd, evt, args, path }: Said): string {
  const of = application === undefined ? '' : ` of ${application}`
  if (event === 'call') return `${[cmd, evt, args?.activity?.details].filter((one) => typeof one === 'string').join(' ')}${of}`
  if (event === 'connected') return `HANDSHAKE${of}`
  if (event === 'listening') return `takes ${path?.split('/').at(-1)}`
  if (event === 'lost') return `LOST ITS NAME ${path}`
  return `${event}${of}`
}

/** The same several times is said once. */
export function counted(texts: readonly string[], between = '; '): string {
  const groups = Object.entries(Object.groupBy(texts, (text) => text))
  return groups.length === 0
    ? 'nothing'
    : groups.map(([text, all = []]) => (all.length === 1 ? text : `${text} (${all.length} times)`)).join(between)
}
