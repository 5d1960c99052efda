/** One step: a client in a process of its own, a server that the step scripts, and a folder that both meet in. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { event, type Call, type Peer, ScriptedServer } from '#test/support/scripted-server.ts'
import { Adapter, type Command, type ConnectRequest } from './adapter.ts'
import type { Claims, Feature } from './features.ts'

export interface Step {
  /** FEATURE/NAME. */
  readonly id: string
  /** What a client must do, after "the client …". */
  readonly title: string
  /** Features besides its own that it needs. */
  readonly needs?: readonly Feature[]
  /** Why it cannot be played on this system, if it cannot. */
  readonly obstacle?: string | false
  run(play: Play): Promise<void>
}

export class Play {
  readonly runtime: string
  readonly base: string
  readonly adapter: Adapter
  readonly claims: Claims
  readonly #servers: ScriptedServer[] = []

  private constructor(base: string, command: Command, claims: Claims) {
    this.base = base
    this.runtime = join(base, 'run')
    this.claims = claims
    this.adapter = new Adapter(command, this.runtime, base)
  }

  static async open(command: Command, claims: Claims): Promise<Play> {
    return new Play(await mkdtemp(join(tmpdir(), 'spk-')), command, claims)
  }

  has(feature: Feature): boolean {
    return this.claims.has.includes(feature)
  }

  /** `folder` is below the one where games look. */
  async listen(slot = 0, folder = '.'): Promise<ScriptedServer> {
    const server = await ScriptedServer.listen(join(this.runtime, folder), slot)
    this.#servers.push(server)
    return server
  }

  /** A server, and the client's first connection to it, before the handshake. */
  async met(options: ConnectRequest = {}): Promise<{ server: ScriptedServer; peer: Peer }> {
    const server = await this.listen()
    this.adapter.connect(options)
    return { server, peer: await server.peer() }
  }

  /** The same, ready for calls. */
  async connected(ready: object = {}): Promise<{ server: ScriptedServer; peer: Peer }> {
    const met = await this.met()
    await met.peer.ready(ready)
    await this.adapter.state('ready')
    return met
  }

  /** Subscribes, and returns the call that the server got. */
  async subscribed(peer: Peer, name: string, args?: object): Promise<Call> {
    this.adapter.do({ do: 'subscribe', name, ...(args === undefined ? {} : { args }) })
    const call = await peer.answer({ evt: name })
    await this.taken()
    return call
  }

  /** A call with its response: the connection works. */
  async works(peer: Peer): Promise<void> {
    const id = this.adapter.call('GET_LOBBY', { lobby_id: '7' })
    await peer.answer({ id: '7' })
    const { data } = await this.adapter.result(id)
    must(data?.id === '7', `the response must reach its call; it got ${JSON.stringify(data)}`)
  }

  /** Sends an event that the client has subscribed, and waits until it was delivered: everything before is processed. */
  async mark(peer: Peer, name: string): Promise<void> {
    const count = this.adapter.dispatched(name).length
    peer.write(event(name, { mark: count }))
    await this.adapter.wait(`the event ${name}`, () => this.adapter.dispatched(name).length > count)
  }

  /** The client has read what the server sent: it has obeyed twice since, and reads in between. */
  async taken(): Promise<void> {
    await this.adapter.echo()
    await this.adapter.echo()
  }

  /** What the client sent at once has arrived. */
  async settled(): Promise<void> {
    await this.adapter.echo()
    for (let left = 0; left < 4; left += 1) await turn()
  }

  async advance(ms: number): Promise<void> {
    this.adapter.do({ do: 'advance', ms })
    await this.adapter.echo()
  }

  async close(): Promise<void> {
    await this.adapter.kill()
    for (const server of this.#servers) await server.close()
    await rm(this.base, { recursive: true, force: true })
  }
}

/** Fails the step with a sentence that names what the client should have done. */
export function must(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence)
}

/** Writes pieces. The first arrives in a read of its own, the others as far as the system lets them. */
export async function writePieces(play: Play, peer: Peer, [first, ...rest]: readonly Buffer[]): Promise<void> {
  if (first !== undefined) peer.socket.write(first)
  await play.taken()
  for (const piece of rest) {
    peer.socket.write(piece)
    await turn()
  }
}
