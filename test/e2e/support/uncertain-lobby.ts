/** A bridge whose lobby leaves the outcome of the first messages open, for the sample games. It honours no keys, so that a lost call ends. */
import { type Call, errorFor, type Peer, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'

const UNKNOWN_OUTCOME = { code: 6001, message: 'The bridge ended before the answer came.' }
const PLAYER = { id: '77', username: 'ada', global_name: 'Ada', discriminator: '0', avatar: null }
const LOBBY = { id: '7', application_id: '42', metadata: {}, members: [] }

/** What other commands get; the sample games need no more. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  AUTHENTICATE: { user: PLAYER, scopes: [], expires: '2099-01-01T00:00:00.000Z' },
  UPDATE_TOKEN: { user: PLAYER, scopes: [], expires: '2099-01-01T00:00:00.000Z' },
  AUTHORIZE: { code: 'c', redirect_uri: 'http://127.0.0.1/' },
  GET_TOKEN: { access_token: 'a', refresh_token: 'r', token_type: 1, expires_in: 600, scopes: '' },
  GET_RELATIONSHIPS: { relationships: [] },
  GET_GAME_RELATIONSHIPS: { relationships: [] },
  GET_CURRENT_USER_V2: PLAYER,
  CREATE_OR_JOIN_LOBBY: LOBBY,
}

/** Whose message each of five rounds sends. */
export const SHIPS = ['Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum']

/** How each of the first messages ends. Whether it is `kept` is what its game cannot know. */
interface Fate {
  readonly kept: boolean
  readonly end: 'unknown' | 'lost'
}
const FATES: readonly Fate[] = [
  { kept: true, end: 'unknown' },
  { kept: false, end: 'unknown' },
  { kept: true, end: 'lost' },
  { kept: false, end: 'lost' },
]

/** Answers what a sample game calls until it sends a message to its lobby. */
export async function nextMessage(peer: Peer, history: readonly object[] = []): Promise<Call> {
  for (;;) {
    const call = await peer.message()
    if (call.cmd === 'SEND_LOBBY_MESSAGE') return call
    peer.write(responseTo(call, call.cmd === 'GET_LOBBY_MESSAGES' ? history : (ANSWERS[call.cmd] ?? null)))
  }
}

export class UncertainLobby {
  /** The ship of each message that the lobby has. */
  readonly ships: string[] = []
  readonly #history: object[] = []
  readonly #server: ScriptedServer
  #sent = 0

  private constructor(server: ScriptedServer) {
    this.#server = server
  }

  static async listen(runtime: string): Promise<UncertainLobby> {
    const lobby = new UncertainLobby(await ScriptedServer.listen(runtime))
    // Ends with the server.
    void lobby.#serve().catch(() => {})
    return lobby
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  async #serve(): Promise<never> {
    for (;;) {
      const peer = await this.#server.peer()
      await peer.ready()
      // The connection ends it.
      await this.#play(peer).catch(() => {})
    }
  }

  async #play(peer: Peer): Promise<never> {
    for (;;) this.#send(peer, await nextMessage(peer, this.#history))
  }

  #send(peer: Peer, call: Call): void {
    const { content, metadata } = call.args as { readonly content: string; readonly metadata?: object }
    const fate = FATES[this.#sent]
    this.#sent += 1
    const message = { id: `${100 + this.#sent}`, lobby_id: '7', channel_id: '7', type: 0, content, author: PLAYER, metadata }
    if (fate?.kept !== false) {
      this.ships.push(content.slice(0, content.indexOf(':')))
      this.#history.unshift(message)
    }
    if (fate?.end === 'lost') peer.socket.destroy()
    else peer.write(fate === undefined ? responseTo(call, message) : errorFor(call, UNKNOWN_OUTCOME))
  }
}
