/** Checks that the table of routes lists exactly the events that the providers bring. */
import { EVENTS, type EventRow } from '@sallyport/protocol'
import { describe, expect, it } from 'vitest'
import { LINK_EVENT } from '#daemon/src/events/account-link.ts'
import { CLIENT_EVENTS } from '#daemon/src/events/providers/desktop/client-events.ts'
import { DISPATCH_MAPPINGS } from '#daemon/src/events/providers/gateway/dispatch-mappings/dispatch-mappings.ts'
import { STATUS_EVENT } from '#daemon/src/events/providers/gateway/guild-statuses.ts'
import { POLL_EVENT } from '#daemon/src/events/providers/poll/guild-status-poll.ts'
import { WEBHOOK_EVENTS } from '#daemon/src/events/providers/webhook/event-handlers.ts'
import { ALSO_FROM, type AssignedRoute, type OtherRoute, PREFERENCE } from '#daemon/src/events/routes.ts'
import { LOCAL_USER_EVENT } from '#daemon/src/sessions/local-user.ts'
import { INVITE_EVENTS } from '#daemon/src/social/game-invites.ts'

const subscribable = Object.values<EventRow>(EVENTS).flatMap(({ name, delivery }) => (delivery === 'subscription' ? [name] : []))
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted()
const GATEWAY_EVENTS = [STATUS_EVENT, ...DISPATCH_MAPPINGS.map(({ event }) => event)]

/** The events whose row names one of these routes. */
const listed = (...routes: readonly (AssignedRoute | OtherRoute)[]): readonly string[] =>
  [PREFERENCE, ALSO_FROM].flatMap((table) =>
    Object.entries<readonly string[]>(table).flatMap(([event, names]) => (routes.some((route) => names.includes(route)) ? [event] : [])),
  )

describe('the routes of events', () => {
  it('have a row for every event that can be subscribed, in order, and for no other', () => {
    expect(Object.keys(PREFERENCE)).toEqual(sorted(subscribable))
    const unassigned = Object.entries<readonly string[]>(PREFERENCE).flatMap(([event, routes]) => (routes.length === 0 ? [event] : []))
    expect(unassigned.filter((event) => !Object.hasOwn(ALSO_FROM, event))).toEqual([])
  })

  it.each<readonly [string, readonly (AssignedRoute | OtherRoute)[], Iterable<string>]>([
    ['the gateway', ['bot', 'user'], GATEWAY_EVENTS],
    // What the bot brings, the user's own connection brings where there is no bot; except interactions, which are the application's.
    ['the connection of a user', ['user'], GATEWAY_EVENTS.filter((event) => event !== 'INTERACTION_CREATE')],
    ['the poll', ['poll'], [POLL_EVENT]],
    ['the desktop client', ['client'], Object.keys(CLIENT_EVENTS)],
    ['webhooks', ['webhook'], WEBHOOK_EVENTS],
    ['invites', ['invites'], INVITE_EVENTS],
    ['the bridge', ['bridge'], [LINK_EVENT.name, LOCAL_USER_EVENT]],
  ])('list what %s brings, and nothing else', (provider, routes, events) => {
    const [inRoutes, brought] = [new Set(listed(...routes)), new Set(events)]
    expect([...inRoutes.difference(brought)], `routes.ts names ${provider} for these, but it has no mapping for them`).toEqual([])
    expect([...brought.difference(inRoutes)], `${provider} brings these; name it in routes.ts`).toEqual([])
  })
})
