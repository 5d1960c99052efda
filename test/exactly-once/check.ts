/**
 * Judges a recorded history of calls with a key: each took effect 0 or 1 times, as its end says. Pure, and free of the system: a simulation can
 * use it too.
 */

/** `unknown`: the game was answered UNKNOWN_OUTCOME, or lost the call. `open`: it never ended. */
export type OperationEnd = 'ok' | 'failed' | 'unknown' | 'open'

export interface Operation {
  /** Unique; effects are counted by it. */
  readonly id: string
  readonly command: string
  /** The platform takes it once for its nonce, so that a repeat is sent again. */
  readonly isSentAgain: boolean
  readonly end: OperationEnd
  /** Of `failed` and `unknown`. */
  readonly reason?: string
}

export interface Kill {
  readonly victim: 'game' | 'daemon'
  /** Operations that were open then, by id. */
  readonly open: readonly string[]
}

export interface History {
  readonly operations: readonly Operation[]
  /** How often each took effect at the platform, by id; absent: never. */
  readonly effects: ReadonlyMap<string, number>
  readonly kills: readonly Kill[]
}

export interface Unknown {
  readonly id: string
  readonly command: string
  readonly reason: string
  readonly tookEffect: boolean
}

export interface Verdict {
  /** Took effect more than once. */
  readonly doubled: readonly string[]
  /** Ended well, and took no effect. */
  readonly lost: readonly string[]
  /** Was refused, and took effect. */
  readonly ghosts: readonly string[]
  /** The reasons of refused calls. */
  readonly refused: readonly string[]
  /** Never ended. */
  readonly open: readonly string[]
  readonly unknown: readonly Unknown[]
  /** Unknown although no kill of the daemon came while it was open, or although it is sent again. */
  readonly unexplained: readonly string[]
}

export function judge({ operations, effects, kills }: History): Verdict {
  const effectsOf = ({ id }: Operation): number => effects.get(id) ?? 0
  const idsOf = (fits: (one: Operation) => boolean): readonly string[] => operations.filter(fits).map(({ id }) => id)
  const openAtKill = new Set(kills.filter(({ victim }) => victim === 'daemon').flatMap(({ open }) => open))
  const unknown = operations.filter(({ end }) => end === 'unknown')
  return {
    doubled: idsOf((one) => effectsOf(one) > 1),
    lost: idsOf((one) => one.end === 'ok' && effectsOf(one) === 0),
    ghosts: idsOf((one) => one.end === 'failed' && effectsOf(one) > 0),
    refused: operations.filter(({ end }) => end === 'failed').map(({ reason }) => reason ?? ''),
    open: idsOf(({ end }) => end === 'open'),
    unknown: unknown.map((one) => ({
      id: one.id,
      command: one.command,
      reason: one.reason ?? '',
      tookEffect: effectsOf(one) > 0,
    })),
    unexplained: unknown.filter(({ id, isSentAgain }) => isSentAgain || !openAtKill.has(id)).map(({ id }) => id),
  }
}

/** Unknown outcomes of all kills. */
const MAX_UNKNOWN_SHARE = 0.05

/** What is wrong, as sentences; none: each call took effect once. */
export function problemsOf(verdict: Verdict, kills: number): readonly string[] {
  const { doubled, lost, ghosts, open, unknown, unexplained } = verdict
  const some = (what: string, ids: readonly string[]): readonly string[] => (ids.length === 0 ? [] : [`${what}: ${ids.join(', ')}`])
  const isTooOften = unknown.length > Math.ceil(kills * MAX_UNKNOWN_SHARE)
  return [
    ...some('took effect more than once', doubled),
    ...some('ended well without an effect', lost),
    ...some('were refused and took effect', ghosts),
    ...some('never ended', open),
    ...some('are unknown without a kill of the daemon between call and answer', unexplained),
    ...(isTooOften ? [`${unknown.length} outcomes are unknown after ${kills} kills; at most ${MAX_UNKNOWN_SHARE * 100} % may be`] : []),
  ]
}
