/** What became of a message, read off a change of the state: what those are told of who may read it. */
import type { Change } from './store.ts'

export type MessageChange = 'CREATE' | 'UPDATE' | 'DELETE'

export interface MessageStep {
  readonly before: { readonly content: string } | undefined
  readonly after: { readonly content: string } | undefined
  /** All that changed at once. */
  readonly all: readonly Change[]
}

/** Undefined: nothing that anybody is told. `kind` is that of the messages in the store. */
export function messageChange(kind: string, { before, after, all }: MessageStep): MessageChange | undefined {
  if (before === undefined) return 'CREATE'
  // What moderation says of a message is told to nobody.
  if (after !== undefined) return before.content === after.content ? undefined : 'UPDATE'
  // A new message pushes old ones out of the history; nobody deleted those.
  return all.some((change) => change.kind === kind && change.after !== undefined) ? undefined : 'DELETE'
}
