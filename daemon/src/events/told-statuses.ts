/** What each session was told last of each guild, by whichever source: so that a change of the source alone is no news. */
import type { EventDataOf } from '@sallyport/protocol'
import type { Session } from '../sessions/session.ts'

export type GuildStatusData = EventDataOf<'GUILD_STATUS'>

interface Told {
  readonly userId: string | undefined
  /** Name and icon. */
  readonly text: string
  readonly online: number | undefined
}

export class ToldStatuses {
  readonly #told = new WeakMap<Session, Map<string, Told>>()
  /** One change is news to many: what it says is written once. */
  #last: { readonly status: GuildStatusData; readonly text: string } | undefined

  /** Whether the session, for the user it has now, has not been told this; from now on it has. A number that is not given is no other one. */
  isNews(caller: Session, status: GuildStatusData): boolean {
    let told = this.#told.get(caller)
    if (told === undefined) this.#told.set(caller, (told = new Map<string, Told>()))
    const userId = caller.signedIn?.userId
    const text = this.#textOf(status)
    const before = told.get(status.guild.id)
    const known = before?.userId === userId ? before : undefined
    const online = status.online ?? known?.online
    if (known?.text === text && known.online === online) return false
    told.set(status.guild.id, { userId, text, online })
    return true
  }

  /** It is to be told anew: of one guild, or of all. */
  forget(caller: Session, guildId?: string): void {
    if (guildId === undefined) this.#told.delete(caller)
    else this.#told.get(caller)?.delete(guildId)
  }

  #textOf(status: GuildStatusData): string {
    if (this.#last?.status !== status) this.#last = { status, text: JSON.stringify(status.guild) }
    return this.#last.text
  }
}
