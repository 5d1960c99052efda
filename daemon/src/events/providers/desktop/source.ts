/** The platform's own desktop client as a source of events, as the one that carries out commands, and as a way out for presence. */
import { COMMANDS, type CommandRow, type RpcUser, satisfies } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import type { Logger } from '@sallyport/core/logger'
import type { Secret } from '@sallyport/core/secret'
import type { CancelSignal } from '@sallyport/core/cancel'
import type { Session } from '../../../sessions/session.ts'
import type { SessionRegistry } from '../../../sessions/registry.ts'
import type { Presence } from '../../../presence/sink.ts'
import type { DesiredEvent, SubscriptionHub } from '../../hub.ts'
import type { Dialling } from '../../../ipc/transport/dial.ts'
import type { SourceHealth } from '@sallyport/core/source-health'
import type { Source } from '../../source.ts'
import type { Tell } from '../../telling.ts'
import { ApplicationLink } from './application-link.ts'
import { type ClientEventName, type ClientUsers, isClientEvent, isForClient, mayBeFor, mayHear, newsKeyOf } from './client-events.ts'
import { clientUser } from './client-user.ts'
import { type DesktopClient, noDesktopClient } from './desktop-client.ts'
import { Finder } from '../../../platform/desktop/finder.ts'
import { type FolderWatch, folderWatch } from '../../../platform/desktop/folder-watch.ts'
import { placesOf, type PlacesOptions } from '../../../platform/desktop/places.ts'
import { VoiceHold } from './voice-hold.ts'
import { wishesByApplication, wishOf } from './wishes.ts'

export interface DesktopClientParts {
  readonly place: PlacesOptions
  readonly dialling: Dialling
  readonly clock: Clock
  readonly log: Logger
  readonly hub: Pick<SubscriptionHub<Session>, 'subscribersOf'>
  readonly registry: Pick<SessionRegistry, 'of' | 'signedIn' | 'onChange'>
  readonly tell: Tell
  /** Whether a session hears of this from a gateway. */
  readonly isToldByGateway: (caller: Session, event: string) => boolean
  /** The token that stands for the user of a session now. Rejects with BridgeError. */
  readonly tokenOf: (caller: Session) => Promise<Secret<string>>
  /** The client named its user; true when that user is now who READY announces. */
  readonly onUser: (user: RpcUser) => boolean
  readonly ownAddresses: () => readonly string[]
  /** What READY of a client of our platform says: `//host/path`. */
  readonly apiEndpoint: string
}

const AWAY = "The platform's desktop client does not run, or is one of another platform; what only it can do waits for it."
const PRESENCE_ONLY = "What runs in place of the platform's desktop client takes presence and answers nothing else."

export class DesktopClientSource implements Source, DesktopClient {
  readonly name = 'desktop-client'
  readonly #parts: DesktopClientParts
  readonly #finder: Finder
  readonly #watch: FolderWatch
  readonly #hold = new VoiceHold()
  readonly #links = new Map<string, ApplicationLink>()
  readonly #listeners: ((applicationId: string) => void)[] = []
  #isRunning = false

  constructor(parts: DesktopClientParts) {
    const places = placesOf(parts.place)
    this.#parts = parts
    this.#finder = new Finder({ ...parts, places })
    this.#watch = folderWatch(places)
  }

  // --- source ----------------------------------------------------------------------------------------------------------------------

  async start(): Promise<void> {
    this.#isRunning = true
    this.#parts.registry.onChange(({ applicationId }) => this.#closeIfLeft(applicationId))
  }

  apply(desired: readonly DesiredEvent[]): void {
    if (!this.#isRunning) return
    const { hub } = this.#parts
    const wanted = wishesByApplication(
      desired,
      (event) => hub.subscribersOf(event),
      (name, caller) => this.#isForClient(name, caller),
    )
    for (const [applicationId, link] of this.#links) if (!wanted.has(applicationId)) link.want(new Map())
    for (const [applicationId, wishes] of wanted) this.#linkOf(applicationId)?.want(wishes)
  }

  welcome(caller: Session, { name, args }: DesiredEvent): Promise<void> | undefined {
    if (!isClientEvent(name) || !this.#isForClient(name, caller)) return undefined
    return this.#linkOf(caller.applicationId)?.welcome(wishOf(name, args, caller))
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const link of this.#links.values()) link.close()
    this.#links.clear()
  }

  health(): SourceHealth {
    const links = [...this.#links.values()]
    if (links.some((link) => link.isUp))
      return links.some((link) => link.isPresenceOnly) ? { state: 'live', reason: PRESENCE_ONLY } : { state: 'live' }
    return links.some((link) => link.isWanted) ? { state: 'absent', reason: AWAY } : { state: 'idle' }
  }

  // --- commands --------------------------------------------------------------------------------------------------------------------

  isLinked(applicationId: string, userId: string | undefined): boolean {
    const link = this.#links.get(applicationId)
    return link?.isUp === true && !link.isPresenceOnly && link.serves(userId)
  }

  async call(caller: Session, cmd: string, args: unknown, stop?: CancelSignal): Promise<unknown> {
    const link = this.#linkOf(caller.applicationId)
    if (link === undefined) return noDesktopClient.call(caller, cmd, args)
    return link.call(caller, COMMANDS[cmd as keyof typeof COMMANDS], args, stop)
  }

  // --- presence --------------------------------------------------------------------------------------------------------------------

  onChange(listener: (applicationId: string) => void): void {
    this.#listeners.push(listener)
  }

  canShow(applicationId: string, userId: string | undefined): boolean {
    return this.#links.get(applicationId)?.canShow(userId) === true
  }

  /** The application shows something, or nothing any more, whoever carries it. */
  expect(applicationId: string, isShowing: boolean): void {
    const link = isShowing ? this.#linkOf(applicationId) : this.#links.get(applicationId)
    link?.expect(isShowing)
  }

  show(applicationId: string, presence: Presence | undefined): void {
    this.#links.get(applicationId)?.show(presence)
  }

  // --- links -----------------------------------------------------------------------------------------------------------------------

  #isHere(applicationId: string): boolean {
    return this.#parts.registry.of(applicationId).length > 0
  }

  /** Undefined for an application that nobody speaks for any more. */
  #linkOf(applicationId: string): ApplicationLink | undefined {
    const known = this.#links.get(applicationId)
    if (known !== undefined || !this.#isRunning || !this.#isHere(applicationId)) return known
    const { clock, log, tokenOf, onUser } = this.#parts
    // Whom READY announces is told by whoever announces them.
    let isAnnounced = false
    const link = new ApplicationLink({
      applicationId,
      clock,
      log,
      tokenOf,
      hold: this.#hold,
      finder: this.#finder,
      watch: this.#watch,
      speakerFor: (id, row) => this.#speakerFor(id, row),
      onEvent: (name, data, users) => {
        if (name !== 'CURRENT_USER_UPDATE' || !isAnnounced) this.#happened(applicationId, link, name, data, users)
      },
      onUser: (value) => {
        const user = clientUser(value)
        if (user !== undefined) isAnnounced = onUser(user)
        return user?.id
      },
      onChange: () => {
        for (const listener of this.#listeners) listener(applicationId)
      },
    })
    this.#links.set(applicationId, link)
    return link
  }

  #closeIfLeft(applicationId: string): void {
    const link = this.#links.get(applicationId)
    if (link === undefined || this.#isHere(applicationId)) return
    this.#links.delete(applicationId)
    link.close()
    this.#parts.log.info('desktop-client-unlinked', { application: applicationId })
  }

  #isForClient(name: ClientEventName, caller: Session): boolean {
    return isForClient(name, caller) && !this.#parts.isToldByGateway(caller, name)
  }

  #speakerFor(applicationId: string, { requires }: CommandRow): Session | undefined {
    return this.#parts.registry.signedIn(applicationId).findLast(({ scopes }) => satisfies(requires, scopes))
  }

  /** Each session hears it once, however many of its subscriptions it may be meant for. */
  #happened(applicationId: string, link: ApplicationLink, name: string, data: unknown, users: ClientUsers): void {
    if (!isClientEvent(name)) return
    const key = newsKeyOf(name, applicationId, users.authenticated ?? users.user, data)
    const told = new Set<Session>()
    const isFor = (caller: Session): boolean => {
      if (caller.applicationId !== applicationId || told.has(caller)) return false
      if (!mayHear(name, caller, users) || !this.#isForClient(name, caller)) return false
      told.add(caller)
      return true
    }
    for (const wish of link.wishes.values()) {
      if (wish.name === name && mayBeFor(wish.args, data)) this.#parts.tell({ name, args: wish.args, data, isFor, key, by: this.name })
    }
  }
}
