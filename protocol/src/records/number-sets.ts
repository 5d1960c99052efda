/** Names of the numbers that games write or compare: clients make enumerations of them. */

export interface NumberSet {
  readonly summary: string
  readonly numbers: Readonly<Record<string, number>>
}

export const NUMBER_SETS = {
  ActivityType: { summary: '`type` of an activity.', numbers: { PLAYING: 0, LISTENING: 2, WATCHING: 3, COMPETING: 5 } },
  StatusDisplayType: {
    summary: '`status_display_type` of an activity: which text the member list shows.',
    numbers: { NAME: 0, STATE: 1, DETAILS: 2 },
  },
  PartyPrivacy: { summary: '`privacy` of the party of an activity.', numbers: { PRIVATE: 0, PUBLIC: 1 } },
  RelationshipType: {
    summary: '`type` of a relationship. NONE is one that was removed.',
    numbers: { NONE: 0, FRIEND: 1, BLOCKED: 2, PENDING_INCOMING: 3, PENDING_OUTGOING: 4, IMPLICIT: 5 },
  },
} as const satisfies Readonly<Record<string, NumberSet>>

/** The numbers of a set, for the schema of its field. */
export const numbersOf = <N extends number>({ numbers }: { readonly numbers: Readonly<Record<string, N>> }): readonly N[] =>
  Object.values(numbers)
