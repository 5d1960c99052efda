/** kill -9 at any moment loses no acknowledged data: two hundred times for the writing parts of the daemon, five times for all of it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ConnectionLostError, createPkce, type SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '@sallyport/core/clock'
import { silentLogger } from '#test/support/silent-logger.ts'
import { recordAnswersOf } from '#test/conformance/answers/record.mjs'
import { holdSandboxPort } from '@sallyport/sandbox/addresses'
import { type Sandbox, startSandbox } from '@sallyport/sandbox/sandbox'
import { connectedGame } from './support/connected-game.ts'
import { cleanEnvironment, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { oneFile } from './support/one-file.ts'
import { seededRandom } from './support/seeded-random.ts'

const SEED = 20_260_710
const KILLS_EACH = 100
/** After how many lines about its deeds a writer dies, at most; and how long after, in ms. */
const LONGEST_LIFE = 12
const LONGEST_DELAY_MS = 3
/** Each writer is an application of its own: the platform keeps only so many sign-ins of one user to one application. */
const APPLICATIONS = ['888000601', '888000602'] as const

/** What must be there: by name of the thing, what was last acknowledged; and what was begun and not acknowledged when the process died. */
interface Expected {
  readonly done: Map<string, string>
  /** Refresh tokens that another has taken the place of. */
  readonly outdated: Set<string>
  pending: string | undefined
  /** A refresh started and got no answer. Until the next answer, the platform may have issued a token that the daemon never received. */
  isRefreshOpen: boolean
}

interface Life {
  readonly program: string
  readonly directory: string
  readonly sandbox: Sandbox
  readonly application: string
  readonly seed: number
  readonly firstToken: string
  /** Dies after that many lines about its deeds, and as many ms. */
  readonly lines: number
  readonly delayMs: number
}

/** One life of the writer: from its start to the kill. Gives its lines. */
function live({ program, directory, sandbox, application, seed, firstToken, lines, delayMs }: Life): Promise<string[]> {
  const words = [directory, JSON.stringify(sandbox.profile), application, sandbox.defaultUser.id, String(seed), firstToken]
  const child = spawn(process.execPath, [program, ...words], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let printed = ''
    let complaint = ''
    let isDue = false
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (isDue || (printed.match(/^(?:begin|done) /gm)?.length ?? 0) < lines) return
      isDue = true
      setTimeout(() => child.kill('SIGKILL'), delayMs)
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(printed.split('\n').slice(0, -1))
      else reject(new Error(`the writer ended by itself (${code}): ${complaint}`))
    })
  })
}

function note({ done, outdated }: Expected, name: string, value: string): void {
  const before = done.get(name) ?? ''
  if (name === 'tokens' && before !== '' && before !== value) outdated.add(before)
  done.set(name, value)
}

/** Reads one life: what it found against what must be there, then what it did. Gives whether the sign-in was lost before it was acknowledged. */
function check(lines: readonly string[], expected: Expected): boolean {
  let isLost = false
  const before = expected.pending
  if (before === 'tokens') expected.isRefreshOpen = true
  for (const line of lines) {
    const [verb = '', thing = '', ...rest] = line.split(' ')
    const name = thing === 'grant' ? `${thing} ${rest.shift() ?? ''}` : thing
    const value = rest.join(' ')
    if (verb === 'found') {
      // A started write may have happened or not. All else is as acknowledged, and no old value returns.
      expect(expected.outdated.has(value)).toBe(false)
      if (name === before) note(expected, name, value)
      else expect([name, value]).toEqual([name, expected.done.get(name) ?? ''])
    } else if (verb === 'begin') {
      expected.pending = name
    } else if (verb === 'done') {
      if (name === 'tokens') {
        expect(value, 'every refresh brings another token').not.toBe(expected.done.get(name))
        expected.isRefreshOpen = false
      }
      note(expected, name, value)
      expected.pending = undefined
    } else if (verb === 'lost') {
      expect([name, expected.isRefreshOpen]).toEqual(['tokens', true])
      expected.done.set(name, '')
      expected.pending = undefined
      expected.isRefreshOpen = false
      isLost = true
    }
  }
  return isLost
}

describe('the vault, the grants and the refresh', () => {
  let at: Folders
  let sandbox: Sandbox
  beforeEach(async () => {
    at = await folders()
    sandbox = await startSandbox({
      held: await holdSandboxPort(0),
      activityPort: 0,
      isOwnPeer: async () => true,
      seed: 'kills',
      // Tokens are refreshed faster than the platform lets a game.
      mode: 'relaxed',
      data: undefined,
      autoConsent: true,
      clock: systemClock,
      log: silentLogger,
    })
    recordAnswersOf(sandbox.origin)
  })
  afterEach(async () => {
    await sandbox.close()
    await at.remove()
  })

  async function freshToken(application: string): Promise<string> {
    const query = new URLSearchParams({
      client_id: application,
      response_type: 'code',
      scope: 'identify',
      redirect_uri: 'http://127.0.0.1/c',
    })
    const { headers } = await fetch(`${sandbox.origin}/oauth2/authorize?${query.toString()}`, { redirect: 'manual' })
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: application,
      client_secret: `sandbox-secret-${application}`,
    })
    const answer = await fetch(sandbox.profile.tokenUrl, { method: 'POST', body: form })
    return ((await answer.json()) as { refresh_token: string }).refresh_token
  }

  /** Lives one after the other over one folder. Gives how much was acknowledged, and how often a kill hit something unacknowledged. */
  async function lives(program: string, directory: string, application: string, seed: number): Promise<{ deeds: number; hits: number }> {
    const random = seededRandom(seed)
    const expected: Expected = { done: new Map(), outdated: new Set(), pending: undefined, isRefreshOpen: false }
    let isSignedIn = false
    let deeds = 0
    let hits = 0
    for (let kill = 0; kill < KILLS_EACH; kill++) {
      const firstToken = isSignedIn ? '' : await freshToken(application)
      const length = { lines: 1 + Math.floor(random() * LONGEST_LIFE), delayMs: random() * LONGEST_DELAY_MS }
      const lines = await live({ program, directory, sandbox, application, seed: seed + kill, firstToken, ...length })
      const isLost = check(lines, expected)
      isSignedIn = !isLost && (expected.done.get('tokens') ?? '') !== ''
      deeds += lines.filter((line) => line.startsWith('done')).length
      if (expected.pending !== undefined) hits++
    }
    return { deeds, hits }
  }

  test('two hundred kills', { timeout: 600_000 }, async () => {
    const program = await oneFile(join(import.meta.dirname, 'support', 'acknowledging-writer.ts'), at.data)
    // Side by side, since each mostly waits for its process to start.
    const writers = APPLICATIONS.map((application, index) => lives(program, join(at.data, application), application, SEED + index * 1000))
    for (const { deeds, hits } of await Promise.all(writers)) {
      // Enough happened, and enough kills hit a write under way, for the test to mean something.
      expect(deeds).toBeGreaterThan(KILLS_EACH)
      expect(hits).toBeGreaterThan(KILLS_EACH / 4)
    }
  })
})

/** Tokens are refreshed faster than the platform lets a game. */
const RELAXED = ['--sandbox', 'relaxed'] as const

describe.each(TARGETS)('the whole daemon ($name)', (target) => {
  let at: Folders
  beforeEach(async () => {
    at = await folders()
  })
  afterEach(() => at.remove())

  interface SignIn {
    readonly applicationId: string
    refreshToken: string
    /** A refresh was asked for and not answered, so that the token may be used up. */
    isPending: boolean
  }

  const connect = (applicationId: string) => connectedGame({ applicationId, runtimeDir: at.runtime })

  async function signIn(game: SallyportClient, applicationId: string): Promise<SignIn> {
    const { verifier, challenge } = createPkce()
    const { code, redirect_uri = '' } = await game.call('AUTHORIZE', { scopes: ['identify'], code_challenge: challenge })
    const { refresh_token } = await game.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    return { applicationId, refreshToken: refresh_token ?? '', isPending: false }
  }

  async function refresh(game: SallyportClient, signedIn: SignIn): Promise<void> {
    signedIn.isPending = true
    const { refresh_token } = await game.call('REFRESH_TOKEN', { refresh_token: signedIn.refreshToken })
    signedIn.refreshToken = refresh_token ?? ''
    signedIn.isPending = false
  }

  /** Refreshes until the daemon is gone. */
  async function refreshOn(game: SallyportClient, signedIn: SignIn): Promise<void> {
    try {
      for (;;) await refresh(game, signedIn)
    } catch (failure) {
      if (!(failure instanceof ConnectionLostError)) throw failure
    }
  }

  test('five kills: every acknowledged sign-in is still there, with the newest tokens', async () => {
    const random = seededRandom(SEED)
    const signIns: SignIn[] = []
    for (let kill = 0; kill <= 5; kill++) {
      const daemon = await startDaemon(target, at, RELAXED)
      for (const signedIn of signIns) {
        const game = await connect(signedIn.applicationId)
        // Stored tokens and the grant for them: no prompt.
        expect((await game.call('AUTHENTICATE', {})).user.username).toBe('ada')
        if (!signedIn.isPending) await refresh(game, signedIn)
        await game.close()
      }
      const game = await connect(String(888_000_610 + kill))
      const signedIn = await signIn(game, String(888_000_610 + kill))
      signIns.push(signedIn)
      const end = refreshOn(game, signedIn)
      await new Promise((resolve) => setTimeout(resolve, 20 + random() * 60))
      await daemon.kill()
      await end
      await game.close()
    }
    expect(signIns.length).toBe(6)
  })
})
