/** Pages of lists by id. */
import { compareIds } from '../snowflake.ts'

export interface Page {
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** Sorted by id. With `before`, the page ends directly before it. */
export function pageOf<T extends { readonly id: string }>(items: readonly T[], { before, after, limit = items.length }: Page): T[] {
  const within = items
    .filter(({ id }) => (before === undefined || compareIds(id, before) < 0) && (after === undefined || compareIds(id, after) > 0))
    .toSorted((a, b) => compareIds(a.id, b.id))
  return before !== undefined && after === undefined ? within.slice(Math.max(0, within.length - limit)) : within.slice(0, limit)
}
