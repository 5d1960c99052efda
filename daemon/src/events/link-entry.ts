/** Our own entry "Link account": what the platform's client has a button for, raised from the dashboard and the command line. */
import type { Session } from '../sessions/session.ts'
import type { SubscriptionHub } from './hub.ts'

const LINK_EVENT = { name: 'AUTHORIZE_REQUEST', args: {} } as const

/** Asks the games of an application that listen to begin signing in. Gives how many sessions were told. */
export const requestLink = (hub: SubscriptionHub<Session>, applicationId: string): number =>
  hub.publish(LINK_EVENT, null, (caller) => caller.applicationId === applicationId)
