/** Ids that a shell completes, from the state of the running bridge. */
import type { BridgeState } from '@sallyport/protocol'
import { knownGames } from '@sallyport/core/known-games'

interface Id {
  readonly id: string
  /** What it is, in a few words. */
  readonly what: string
}

/** By the command that takes them, and applications for --application. */
export const ID_KINDS = {
  grants: ({ grants }) =>
    grants.map(({ id, program_name: program, application_name: name, application_id: application }) => ({
      id,
      what: `${program}: ${name ?? application}`,
    })),
  prompts: ({ prompts }) => prompts.map(({ id, title }) => ({ id, what: title })),
  games: (state) => knownGames(state).map(({ id, name, program_name: program }) => ({ id, what: `${program}: ${name}` })),
  applications: ({ applications }) => applications.map(({ id, name, claimed_name: claimed }) => ({ id, what: name ?? claimed ?? '' })),
} as const satisfies Record<string, (state: BridgeState) => readonly Id[]>

export type IdKind = keyof typeof ID_KINDS
