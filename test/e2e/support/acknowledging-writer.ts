/**
 * A process to be killed: the real vault, grants and token store over one data folder. It prints what it found, what it will do next and what
 * it has done. It writes each line before it continues, so that the test knows what must survive the kill.
 *
 * Arguments: data folder, profile of the platform as JSON, application, user, seed of the order of its deeds, and a refresh token to
 * begin with ('' to go on with what is stored).
 */
import { mkdirSync, writeSync } from 'node:fs'
import { request as startRequest } from 'node:http'
import { join } from 'node:path'
import type { TokenAccount } from '#daemon/src/auth/auth.ts'
import { createTokenEndpoint } from '#daemon/src/auth/oauth/token-endpoint.ts'
import { createTokenStore } from '#daemon/src/auth/tokens/token-store.ts'
import { openVault } from '#daemon/src/auth/vault/encrypted-file.ts'
import type { WebSend } from '#daemon/src/auth/oauth/web.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { silentLogger } from '#test/support/silent-logger.ts'
import { Secret } from '@sallyport/core/secret'
import { Grants } from '#daemon/src/auth/grants/grants.ts'
import { openGrantStore } from '#daemon/src/auth/grants/store.ts'
import { seededRandom } from './seeded-random.ts'

const [directory = '', profileText = '', applicationId = '', userId = '', seed = '', firstToken = ''] = process.argv.slice(2)
const profile = JSON.parse(profileText) as PlatformProfile
const random = seededRandom(Number(seed))
const PLACES = 12

/** Straight to the descriptor: nothing waits in a buffer when the process dies. */
const say = (...words: readonly (string | number)[]) => writeSync(1, `${words.join(' ')}\n`)

/** The HTTP port without the daemon's client, which takes longer to load than a writer lives. */
const send: WebSend = ({ url, method, headers, body }) =>
  new Promise((resolve, reject) => {
    const outgoing = startRequest(url, { method, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }))
      incoming.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

let now = Date.now()
const clock: Clock = { now: () => now, elapsed: () => now, sinceBoot: () => now, after: () => () => {} }
const noKeychain = { read: async () => undefined, write: async () => {}, remove: async () => false }

mkdirSync(directory, { recursive: true, mode: 0o700 })
const vault = await openVault({ dataDirectory: directory, store: 'file', keychain: noKeychain })
const grants = new Grants({
  platform: profile.name,
  store: openGrantStore(join(directory, 'grants.sqlite')),
  clock: { now: Date.now, elapsed: Date.now, sinceBoot: Date.now, after: clock.after },
  newId: () => Math.random().toString(36).slice(2, 10),
})
const tokenStore = createTokenStore({
  platform: profile.name,
  vault: vault.tokens,
  tokenEndpoint: createTokenEndpoint({
    profile,
    send,
    platformRefusal: () => undefined,
    nonces: { of: () => undefined },
  }),
  clock,
  log: silentLogger,
  random: () => 0,
  onEnded: () => {},
  onDeleted: () => {},
})

const account: TokenAccount = { applicationId, uid: 1000, userId }
const program = { kind: 'native', uid: 1000, executable: '/games/one', file: '1:2' } as const
const placeOf = (index: number) => ({ program, applicationId: String(1000 + index), userId })
const stored = async () => vault.tokens.get((await vault.tokens.keys())[0] ?? '')
const refreshTokenNow = async (): Promise<string | undefined> => (await stored())?.refreshToken?.reveal()

async function begin(refreshToken: string): Promise<void> {
  say('begin', 'tokens')
  await tokenStore.store(account, {
    applicationId,
    userId,
    accessToken: new Secret('almost expired'),
    refreshToken: new Secret(refreshToken),
    scopes: ['identify'],
    expiresAt: now,
  })
  say('done', 'tokens', refreshToken)
}

async function refresh(): Promise<void> {
  const held = await stored()
  if (held === undefined) return
  // Every use finds the token at its end, also one that a process before got in its own time.
  now = Math.max(now, held.expiresAt)
  say('begin', 'tokens')
  try {
    await tokenStore.current(account, new AbortController().signal)
  } catch (failure) {
    // The platform had given out the next token, and the process before died with it. Any other failure ends this process.
    if (!(failure instanceof BridgeError) || failure.error !== 'INVALID_TOKEN') throw failure
    say('lost', 'tokens')
    return
  }
  say('done', 'tokens', (await refreshTokenNow()) ?? '')
}

function changeGrant(count: number): void {
  const index = Math.floor(random() * PLACES)
  const place = placeOf(index)
  say('begin', 'grant', index)
  const known = grants.find(place)
  if (known !== undefined && random() < 0.3) {
    grants.remove(known.id)
    say('done', 'grant', index)
  } else {
    say('done', 'grant', index, grants.allow(place, [`scope.${count}`], {})?.scopes.join(',') ?? '')
  }
}

say('found', 'tokens', (await refreshTokenNow()) ?? '')
for (let index = 0; index < PLACES; index++) say('found', 'grant', index, grants.find(placeOf(index))?.scopes.join(',') ?? '')
say('ready')

if (firstToken !== '') await begin(firstToken)
for (let count = 0; ; count++) {
  if (random() < 0.5) await refresh()
  else changeGrant(count)
  // Lets the event loop turn, as it does between the calls of games.
  await new Promise((resolve) => setImmediate(resolve))
}
