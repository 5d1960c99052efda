/** What lives through a scenario: the platform, whose requests no fault touches; the folders of one user; a game, and the user at the dashboard. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPkce, SallyportClient } from '@sallyport/client'
import { systemClock } from '@sallyport/core/clock'
import type { BridgeState } from '@sallyport/protocol'
import { holdSandboxPort } from '@sallyport/sandbox/addresses'
import { startSandbox } from '@sallyport/sandbox/sandbox'
import { silentLogger } from '#test/support/silent-logger.ts'
import { type Folders, folders } from '../e2e/support/daemon.ts'
import { type Bridge, type Disk, startBridge } from './daemon.ts'

const CONNECT_MS = 15_000

export interface Platform {
  /** Tokens of these applications expire at once, so each use refreshes them. */
  readonly profile: object
  readonly shortLived: Set<string>
  close(): Promise<void>
}

/** A relaxed sandbox in this process, whose tokens a server between it and the daemon can make short. */
export async function startPlatform(): Promise<Platform> {
  const sandbox = await startSandbox({
    held: await holdSandboxPort(0),
    activityPort: 0,
    isOwnPeer: async () => true,
    seed: 'disk',
    mode: 'relaxed',
    data: undefined,
    autoConsent: true,
    clock: systemClock,
    log: silentLogger,
  })
  const shortLived = new Set<string>()
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const headers: Record<string, string> = { 'content-type': request.headers['content-type'] ?? '' }
    if (request.headers.authorization !== undefined) headers['authorization'] = request.headers.authorization
    const answer = await fetch(sandbox.profile.tokenUrl, { method: 'POST', headers, body })
    const text = await answer.text()
    const application = new URLSearchParams(body.toString()).get('client_id') ?? ''
    const isShort = answer.ok && shortLived.has(application)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(isShort ? JSON.stringify({ ...(JSON.parse(text) as object), expires_in: 0 }) : text)
  }
  const between = createServer((request, response) => void pass(request, response))
  between.listen(0, '127.0.0.1')
  await new Promise((resolve) => between.once('listening', resolve))
  const { port } = between.address() as AddressInfo
  return {
    profile: { ...sandbox.profile, name: 'disk', tokenUrl: `http://127.0.0.1:${port}/token` },
    shortLived,
    async close() {
      between.close()
      between.closeAllConnections()
      await sandbox.close()
    },
  }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string | null | undefined
  readonly kept?: false | undefined
}

/** The game has tokens that the daemon did not store, and knows that. */
export class NotKept extends Error {}

export class World {
  readonly at: Folders
  readonly application: string
  readonly #profile: string
  #bridge: Bridge | undefined
  #game: SallyportClient | undefined
  /** The newest one that the game has. */
  refreshToken = ''
  /** What the daemon did not store. */
  #ownToken: { readonly access_token?: string } = {}

  private constructor(at: Folders, application: string, profile: string) {
    this.at = at
    this.application = application
    this.#profile = profile
  }

  /** `from`: a data folder to begin with. */
  static async create({ profile }: Platform, application: string, from?: string): Promise<World> {
    const at = await folders()
    mkdirSync(join(at.base, 'home'))
    if (from !== undefined) await cp(from, at.data, { recursive: true })
    const file = join(at.base, 'platform.json')
    writeFileSync(file, JSON.stringify(profile))
    return new World(at, application, file)
  }

  async start(disk?: Disk): Promise<Bridge> {
    this.#ownToken = {}
    this.#bridge = await startBridge(this.at, this.#profile, disk)
    return this.#bridge
  }

  get bridge(): Bridge {
    if (this.#bridge === undefined) throw new Error('the daemon was not started')
    return this.#bridge
  }

  /** The connected game. Each connection has its own client, so that none comes back by itself. */
  async game(): Promise<SallyportClient> {
    if (this.#game?.state.name === 'ready') return this.#game
    await this.#game?.close()
    this.#game = new SallyportClient({ applicationId: this.application, runtimeDir: this.at.runtime, requireBridge: true })
    await this.#game.connect({ timeoutMs: CONNECT_MS })
    return this.#game
  }

  async signIn(): Promise<void> {
    const game = await this.game()
    const { verifier, challenge } = createPkce()
    const asked = { scopes: ['identify'], code_challenge: challenge, code_challenge_method: 'S256' as const }
    const { code, redirect_uri = '' } = await game.call('AUTHORIZE', asked)
    this.#took(await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri }))
  }

  async refresh(): Promise<void> {
    this.#took(await (await this.game()).call('REFRESH_TOKEN', { refresh_token: this.refreshToken }))
  }

  /** The answer says when the daemon did not store what it hands out. */
  #took({ access_token, refresh_token, kept }: Tokens): void {
    this.refreshToken = refresh_token ?? ''
    this.#ownToken = kept === false ? { access_token } : {}
    if (kept === false) throw new NotKept(/.*"tokens-not-stored".*/.exec(this.bridge.said())?.[0])
  }

  /** Signs in with what is stored, or with what the game has to bring itself, and uses it. */
  async useStored(): Promise<'stored' | 'own'> {
    const game = await this.game()
    await game.call('AUTHENTICATE', this.#ownToken)
    await game.call('GET_CURRENT_USER')
    return this.#ownToken.access_token === undefined ? 'stored' : 'own'
  }

  async state(): Promise<BridgeState> {
    return (await (await this.#ask('GET', '/api/state')).json()) as BridgeState
  }

  /** Presses a button of the dashboard. Rejects with what the dashboard then says. */
  async press(path: string): Promise<void> {
    const answer = await this.#ask('POST', `/api/${path}`)
    const said = await answer.text()
    if (!answer.ok) throw new Error(said)
  }

  /** What the dashboard has of the game: its grant, its connection, its account. */
  async #rows() {
    const { grants, games, accounts } = await this.state()
    const isOurs = ({ application_id: id }: { readonly application_id: string }) => id === this.application
    const grant = grants.find(isOurs)
    // A connected game without a grant is chosen by its connection.
    return { grant, chosen: grant?.id ?? games.find(isOurs)?.connection ?? 'none', account: accounts.find(isOurs) }
  }

  async choose(choice: 'hide' | 'show'): Promise<void> {
    await this.press(`programs/${(await this.#rows()).chosen}/${choice}`)
  }

  /** Without a grant there is nothing to revoke. */
  async revoke(): Promise<void> {
    const { grant } = await this.#rows()
    if (grant === undefined) return this.#signOut()
    await this.press(`grants/${grant.id}/revoke`)
  }

  async block(): Promise<void> {
    const { grant, chosen } = await this.#rows()
    if (grant?.basis === 'blocked') return this.#signOut()
    await this.press(`programs/${chosen}/block`)
  }

  /** What the user does about an account whose grant has ended, but whose tokens could not be deleted. */
  async #signOut(): Promise<void> {
    const { account } = await this.#rows()
    if (account !== undefined) await this.press(`accounts/${account.id}/sign-out`)
  }

  /** Lets go of the game, and ends the daemon if it still runs. */
  async leave(): Promise<Awaited<Bridge['ended']>> {
    await this.#game?.close()
    this.#game = undefined
    return this.bridge.stop()
  }

  async #ask(method: string, path: string): Promise<Response> {
    const page = new URL(this.bridge.ready?.dashboard ?? 'http://127.0.0.1:1')
    return fetch(new URL(path, page), { method, headers: { authorization: `Bearer ${page.hash.replace('#token=', '')}` } })
  }
}
