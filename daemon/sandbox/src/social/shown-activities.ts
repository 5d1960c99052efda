/** Joinable activities of the users' gateway sessions, with their join secrets. Kept in memory, like the sessions. */
import { type Fields, fieldsOf, nonEmptyTextOf as textOf } from '@sallyport/core/json-read'

interface Shown {
  readonly personId: string
  readonly applicationId: string
  readonly partyId: string | null
  readonly flags: number
  readonly joinSecret: string
  /** Without secrets. */
  readonly shown: Fields
}

export class ShownActivities {
  readonly #bySession = new Map<string, readonly Shown[]>()

  /** Sets the activities of a session; empty when it ended. They belong to this application unless they name another. */
  set(sessionId: string, personId: string, applicationId: string, activities: readonly Fields[]): void {
    const joinable = activities.flatMap((activity): Shown[] => {
      const joinSecret = textOf(fieldsOf(activity['secrets'])['join'])
      if (joinSecret === undefined) return []
      const partyId = textOf(fieldsOf(activity['party'])['id']) ?? null
      const flags = typeof activity['flags'] === 'number' ? activity['flags'] : 0
      const { secrets: _, ...shown } = activity
      return [{ personId, applicationId: textOf(activity['application_id']) ?? applicationId, partyId, flags, joinSecret, shown }]
    })
    this.#bySession.delete(sessionId)
    if (joinable.length > 0) this.#bySession.set(sessionId, joinable)
  }

  /** The newest last. */
  of(applicationId: string, personId: string): readonly (Shown & { readonly sessionId: string })[] {
    return [...this.#bySession].flatMap(([sessionId, all]) =>
      all.filter((one) => one.applicationId === applicationId && one.personId === personId).map((one) => ({ ...one, sessionId })),
    )
  }
}
