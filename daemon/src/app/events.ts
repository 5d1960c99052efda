/** Opens subscriptions: who subscribed to what, and which route brings an event to whom. */
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import { GuildStatusPoll } from '../events/providers/poll/guild-status-poll.ts'
import { createPublisher } from '../events/publisher.ts'
import { EventRouting } from '../events/routing.ts'
import { SubscriptionRegistry } from '../events/subscription-registry.ts'
import { LOCAL_USER_EVENT } from '../sessions/local-user.ts'
import type { Session } from '../sessions/session.ts'
import type { Host } from './host.ts'
import type { OpenedSessions } from './sessions.ts'

export interface EventsParts {
  readonly host: Pick<Host, 'clock' | 'log' | 'meter' | 'random'>
  readonly accounting: Pick<Accounting, 'share'>
  readonly profile: Pick<PlatformProfile, 'baseUrl' | 'cdnHost'>
  readonly sessions: Pick<OpenedSessions, 'api' | 'lifecycle' | 'localUser' | 'participants'>
}

export type OpenedEvents = ReturnType<typeof openEvents>

/** The platform serves images by the same scheme as the API: https, except for a sandbox. */
const imageOriginOf = ({ baseUrl, cdnHost }: EventsParts['profile']): string => `${new URL(baseUrl).protocol}//${cdnHost}`

export function openEvents({ host, accounting, profile, sessions }: EventsParts) {
  const { clock, log, random } = host
  const { api, lifecycle, localUser, participants } = sessions
  const hub = new SubscriptionRegistry<Session>(({ program }) => accounting.share('subscriptions', program), host.meter)
  const routing = new EventRouting()
  const imageOrigin = imageOriginOf(profile)
  lifecycle.on('tokenRevokedSent', ({ session, data }) => hub.traceSent(session, 'TOKEN_REVOKED', () => data))
  localUser.changed.on((user) => hub.publish({ name: LOCAL_USER_EVENT, args: {} }, user))
  participants.changed.on(({ applicationId, participants: all }) =>
    hub.publish(
      { name: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', args: {} },
      { participants: all },
      (session) => session.applicationId === applicationId,
    ),
  )
  return Object.freeze({
    hub,
    routing,
    publish: createPublisher({ hub, clock }),
    /** Where the platform serves images. */
    imageOrigin,
    poll: new GuildStatusPoll({ hub, clock, log: log.child({ part: 'guild-status-poll' }), random, imageOrigin, routing, api }),
  })
}
