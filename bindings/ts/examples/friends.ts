/** The friends list of Dockside: who plays here, who is online elsewhere, who is offline; and how friends join each other. */
import {
  CallError,
  type DataOf,
  type Friend,
  friendsByGroup,
  type FriendsList,
  type SallyportClient,
  withGameRelationship,
  withRelationship,
} from '@sallyport/client'

/** The type of a message that requests to join. */
const JOIN_REQUEST = 5

/** Errors of a server that knows no friends, or cannot reach them now. */
const WITHOUT_FRIENDS: ReadonlySet<string> = new Set(['INVALID_COMMAND', 'SERVICE_UNAVAILABLE'])

const GROUPS = [
  ['on this pier', 'onlinePlayingGame'],
  ['online elsewhere', 'onlineElsewhere'],
  ['offline', 'offline'],
] as const satisfies readonly (readonly [string, keyof FriendsList])[]

const shown = ({ name, joinableSession }: Friend): string => (joinableSession === undefined ? name : `${name} (can be joined)`)

export class Friends {
  readonly #client: SallyportClient
  readonly #applicationId: string
  readonly #say: (line: string) => void
  #relationships: DataOf<'GET_RELATIONSHIPS'> = { relationships: [] }
  #inGame: readonly DataOf<'GET_GAME_RELATIONSHIPS'>[number][] = []
  #printed: readonly string[] = []
  #isWatching = false

  constructor(client: SallyportClient, applicationId: string, say: (line: string) => void) {
    this.#client = client
    this.#applicationId = applicationId
    this.#say = say
    // A player who hosts lets every friend in. A game with a screen asks the player.
    client.on('ACTIVITY_JOIN_REQUEST', ({ user }) => {
      this.#say(`  ~ ${user.username} requests to join: let in`)
      client
        .call('SEND_ACTIVITY_JOIN_INVITE', { user_id: user.id })
        .catch((error: unknown) => this.#say(`  ~ not let in: ${String(error)}`))
    })
  }

  /** Reads the list of a signed-in player, and prints what changed. Events change it from then on. Some servers have no friends. */
  async read(): Promise<void> {
    try {
      this.#relationships = await this.#client.call('GET_RELATIONSHIPS')
      this.#inGame = await this.#client.call('GET_GAME_RELATIONSHIPS')
      this.#print('')
      this.#watch()
    } catch (error) {
      if (!(error instanceof CallError) || !WITHOUT_FRIENDS.has(error.errorName)) throw error
      this.#printOnce([`no friends list: ${error.message}`], '')
    }
  }

  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#client.on('RELATIONSHIP_UPDATE', (changed) => {
      this.#relationships = withRelationship(this.#relationships, changed)
      this.#print('  ~ ')
    })
    this.#client.on('GAME_RELATIONSHIP_UPDATE', (changed) => {
      this.#inGame = withGameRelationship(this.#inGame, changed)
      this.#print('  ~ ')
    })
  }

  /** Requests to join the friend with this name. Gives whether there is one on this pier who can be joined. */
  async join(name: string): Promise<boolean> {
    const friend = this.#list().onlinePlayingGame.find((one) => one.name === name)
    if (friend?.joinableSession === undefined) return false
    try {
      await this.#client.call('SEND_ACTIVITY_MESSAGE', { user_id: friend.id, activity: { type: JOIN_REQUEST } })
    } catch (error) {
      // The friend may have got it, and nothing says so. The player can ask again.
      if (!(error instanceof CallError) || error.errorName !== 'UNKNOWN_OUTCOME') throw error
    }
    return true
  }

  #list(): FriendsList {
    return friendsByGroup(this.#applicationId, this.#relationships, this.#inGame)
  }

  /** Prints the groups that changed. */
  #print(prefix: string): void {
    const list = this.#list()
    const lines = GROUPS.map(([words, group]) => `friends ${words}: ${list[group].map(shown).join(', ') || 'none'}`)
    this.#printOnce(list.leftOut > 0 ? [...lines, `${list.leftOut} more are not listed`] : lines, prefix)
  }

  #printOnce(lines: readonly string[], prefix: string): void {
    for (const line of lines) if (!this.#printed.includes(line)) this.#say(prefix + line)
    this.#printed = lines
  }
}
