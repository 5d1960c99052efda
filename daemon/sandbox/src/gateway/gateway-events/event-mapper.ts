/** Types that map a change of the state to the events of each viewer. */
import type { Platform } from '../../platform.ts'
import type { Change } from '../../store/store.ts'
import type { PresenceRegistry } from '../presence-registry.ts'
import type { Viewer } from '../viewer.ts'

export interface GatewayEvent {
  readonly t: string
  readonly d: unknown
}

/** Returns the events that one viewer receives. */
export type EventMapper = (viewer: Viewer) => readonly GatewayEvent[]

export interface EventContext {
  readonly platform: Platform
  readonly presences: PresenceRegistry
}

interface DocumentChange<Stored> {
  readonly id: string
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  /** All changes of the commit. */
  readonly all: readonly Change[]
}

/** Maps a change to events; undefined when no viewer receives one. */
export type ChangeMapper<Stored> = (step: DocumentChange<Stored>, world: EventContext) => EventMapper | undefined

export const NO_EVENTS: readonly GatewayEvent[] = []

/** Compares wire values by their JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
