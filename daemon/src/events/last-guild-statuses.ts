/** The last GUILD_STATUS that each session received for each guild, from any provider, so that a change of provider alone publishes nothing. */
import type { EventDataOf } from '@sallyport/protocol'
import type { Session } from '../sessions/session.ts'

export type GuildStatusData = EventDataOf<'GUILD_STATUS'>

interface LastStatus {
  readonly userId: string | undefined
  /** Name and icon. */
  readonly text: string
  readonly online: number | undefined
}

export class LastGuildStatuses {
  readonly #bySession = new WeakMap<Session, Map<string, LastStatus>>()
  /** Serialized once, because one change goes to many sessions. */
  #lastText: { readonly status: GuildStatusData; readonly text: string } | undefined

  /** Records the status; returns whether it differs from the last one for the current user of the session. A missing `online` is not a difference. */
  recordIfChanged(session: Session, status: GuildStatusData): boolean {
    let statuses = this.#bySession.get(session)
    if (statuses === undefined) this.#bySession.set(session, (statuses = new Map<string, LastStatus>()))
    const userId = session.signedIn?.userId
    const text = this.#textOf(status)
    const before = statuses.get(status.guild.id)
    const known = before?.userId === userId ? before : undefined
    const online = status.online ?? known?.online
    if (known?.text === text && known.online === online) return false
    statuses.set(status.guild.id, { userId, text, online })
    return true
  }

  /** Deletes the last status of one guild, or of all, so that the next one is published. */
  forget(session: Session, guildId?: string): void {
    if (guildId === undefined) this.#bySession.delete(session)
    else this.#bySession.get(session)?.delete(guildId)
  }

  #textOf(status: GuildStatusData): string {
    if (this.#lastText?.status !== status) this.#lastText = { status, text: JSON.stringify(status.guild) }
    return this.#lastText.text
  }
}
