/** The page that says where events come from says what the tables of the sources say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENTS, type EventRow, WEBHOOK_EVENT_TYPES } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { CLIENT_EVENTS } from '../../daemon/src/events/providers/desktop/client-events.ts'
import { DISPATCH_MAPPINGS } from '../../daemon/src/events/providers/gateway/dispatch-mappings/dispatch-mappings.ts'
import { type EventProviderName, PROVIDERS_OF } from '../../protocol/coverage/event-providers.ts'
import { ROOT } from './source-tree.ts'

const subscribable = Object.values<EventRow>(EVENTS).flatMap(({ name, delivery }) => (delivery === 'subscription' ? [name] : []))

const said = (source: EventProviderName): readonly string[] =>
  Object.entries<readonly EventProviderName[]>(PROVIDERS_OF).flatMap(([event, sources]) => (sources.includes(source) ? [event] : []))

/** Names of events in the code of a file. */
const named = (file: string): readonly string[] => {
  const code = readFileSync(join(ROOT, 'daemon/src', file), 'utf8')
  return subscribable.filter((name) => code.includes(`'${name}'`))
}

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted()

describe('where events come from', () => {
  it('is said of every event that can be subscribed, in order, and of no other', () => {
    expect(Object.keys(PROVIDERS_OF)).toEqual(sorted(subscribable))
    expect(Object.entries<readonly EventProviderName[]>(PROVIDERS_OF).filter(([, sources]) => sources.length === 0)).toEqual([])
  })

  it.each<readonly [EventProviderName, readonly string[]]>([
    ['bot', DISPATCH_MAPPINGS.flatMap(({ event, providedBy: by }) => (by === 'application' ? [event] : []))],
    ['user', ['GUILD_STATUS', ...DISPATCH_MAPPINGS.map(({ event }) => event)]],
    ['webhook', WEBHOOK_EVENT_TYPES.filter((type) => subscribable.includes(type))],
    ['client', Object.keys(CLIENT_EVENTS)],
  ])('%s is what its table says', (source, events) => {
    expect(said(source)).toEqual(sorted(events))
  })

  it.each<readonly [EventProviderName, readonly string[]]>([
    ['webhook', ['events/providers/webhook/event-handlers.ts']],
    ['poll', ['events/providers/poll/guild-status-poll.ts']],
    ['invites', ['social/game-invites.ts']],
    ['bridge', ['events/account-link.ts', 'app/bridge.ts']],
  ])('%s names these events in its code, and no others', (source, files) => {
    expect(said(source)).toEqual(sorted(files.flatMap(named)))
  })
})
