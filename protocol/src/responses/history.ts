/** Message histories: newest first by id, with a maximum count and age. */
import { LIMITS } from '../limits.ts'
import { compareIds, snowflakeTime } from '../schema/snowflake.ts'

const HOUR_MS = 3_600_000

/** Returns the time of the oldest message in a history. `now` in ms since the epoch. */
export const historyStart = (now: number, hours: number): number => now - hours * HOUR_MS

const recent = <M extends { readonly id: string }>(messages: readonly M[], now: number, hours: number, most: number): M[] => {
  const start = historyStart(now, hours)
  return messages
    .filter(({ id }) => snowflakeTime(id) >= start)
    .toSorted((one, other) => compareIds(other.id, one.id))
    .slice(0, most)
}

/** Returns the history of a lobby; the input can be in any order. */
export const lobbyHistory = <M extends { readonly id: string }>(messages: readonly M[], now: number): M[] =>
  recent(messages, now, LIMITS.lobbyMessageAge.value, LIMITS.lobbyMessages.value)

/** Returns the history of the direct messages with one user. */
export const userHistory = <M extends { readonly id: string }>(messages: readonly M[], now: number): M[] =>
  recent(messages, now, LIMITS.userMessageAge.value, LIMITS.userMessages.value)
