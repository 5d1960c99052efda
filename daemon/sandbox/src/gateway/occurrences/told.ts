/** How a change of the state becomes events: each viewer is told its own form of it, or nothing. */
import type { Platform } from '../../platform.ts'
import type { Change } from '../../store/store.ts'
import type { Presences } from '../presences.ts'
import type { Viewer } from '../viewer.ts'

export interface Told {
  readonly t: string
  readonly d: unknown
}

/** What one viewer is told of something that happened. */
export type Tell = (viewer: Viewer) => readonly Told[]

export interface World {
  readonly platform: Platform
  readonly presences: Presences
}

export interface Step<Stored> {
  readonly id: string
  readonly before: Stored | undefined
  readonly after: Stored | undefined
  /** All that changed at once. */
  readonly all: readonly Change[]
}

/** Undefined: nobody is told. */
export type Occurrence<Stored> = (step: Step<Stored>, world: World) => Tell | undefined

export const NOTHING: readonly Told[] = []

/** Values of the wire are equal when their texts are. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
