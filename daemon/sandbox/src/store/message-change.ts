/** Derives from a change of the state whether a message was created, updated or deleted. */
import type { Change } from './store.ts'

export type MessageChange = 'CREATE' | 'UPDATE' | 'DELETE'

interface ContentChange {
  readonly before: { readonly content: string } | undefined
  readonly after: { readonly content: string } | undefined
  /** All changes of the commit. */
  readonly all: readonly Change[]
}

/** Undefined when no event follows. `kind` is that of the messages in the store. */
export function messageChange(kind: string, { before, after, all }: ContentChange): MessageChange | undefined {
  if (before === undefined) return 'CREATE'
  // Moderation metadata sends no event.
  if (after !== undefined) return before.content === after.content ? undefined : 'UPDATE'
  // A new message removes old ones from the history. They are not deleted.
  return all.some((change) => change.kind === kind && change.after !== undefined) ? undefined : 'DELETE'
}
