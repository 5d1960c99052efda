/** The real daemon with a real keyring: the place of its vault key, and a missing keyring. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, type Target, SMOKE_TARGETS } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'
import { entriesIn, type Keyring, startKeyring, whyNoKeyring } from './support/keyring.ts'

const APPLICATION = '777000111'
const PASSWORD = 'a password'
const VAULT_MS = 60_000

const missing = whyNoKeyring()

type Step = { readonly do: string; readonly entry?: string }
const stepsIn = (plan: string) => (JSON.parse(plan) as { readonly steps: readonly Step[] }).steps
const outcomesIn = (done: string) =>
  (JSON.parse(done) as { readonly steps: readonly { readonly step: Step; readonly outcome: string }[] }).steps

describe.skipIf(missing !== undefined).each(SMOKE_TARGETS)(
  `a real keyring${missing === undefined ? '' : ` (${missing})`}: $name`,
  (target: Target) => {
    let at: Folders
    const open: { stop(): Promise<unknown> }[] = []
    beforeEach(async () => {
      at = await folders()
    })
    afterEach(async () => {
      for (const one of open.splice(0).toReversed()) await one.stop()
      await at.remove()
    })

    const keyring = async (password = PASSWORD): Promise<Keyring> => {
      const started = await startKeyring(join(at.base, 'keyring-home'), password)
      open.push(started)
      return started
    }
    const daemon = async (env: NodeJS.ProcessEnv = {}, store = 'auto'): Promise<Daemon> => {
      const started = await startDaemon(target, at, ['--vault', store], env)
      open.push(started)
      return started
    }
    const vault = () => readdirSync(join(at.data, 'vault')).filter((name) => !name.endsWith('.node'))
    /** One call on a connection of its own. */
    const asGame = async <T>(work: (game: SallyportClient) => Promise<T>): Promise<T> => {
      const game = await connectedGame({ applicationId: APPLICATION, runtimeDir: at.runtime })
      try {
        return await work(game)
      } finally {
        await game.close()
      }
    }
    const statusNow = async () => {
      const { out } = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
      return JSON.parse(out) as { readonly platform: string; readonly vault_problem?: string }
    }
    /** A keychain on a busy machine may take longer to answer than the daemon waits for it; the next use asks again. */
    const vaultOpens = () => vi.waitFor(() => asGame((game) => game.call('GET_BOT_TOKENS')), { ...SOON, timeout: VAULT_MS })
    const signIn = async () => {
      await vaultOpens()
      const signedIn = await asGame((game) => game.askToSignIn({ scopes: ['identify'] }))
      expect(signedIn, 'kept').not.toHaveProperty('kept')
    }
    const resume = async () => {
      await vaultOpens()
      return resumeNow()
    }
    const resumeNow = () => asGame(async (game) => (await game.call('AUTHENTICATE', {})).user.username)

    test('holds the key, and the tokens wait while it is away', async () => {
      const first = await keyring()
      let bridge = await daemon(first.env)
      await signIn()
      expect(vault(), 'no key lies beside the tokens').toEqual(['tokens.sealed'])
      for (const name of readdirSync(join(at.data, 'vault'))) expect(statSync(join(at.data, 'vault', name)).mode & 0o077).toBe(0)
      await expect.poll(bridge.output, SOON).toContain('"keyIn":"keychain"')
      await bridge.stop()

      bridge = await daemon(first.env)
      expect(await resume()).toBe('ada')
      await bridge.stop()
      await first.stop()

      bridge = await daemon()
      await expect(resumeNow()).rejects.toThrow(/keychain, which cannot be reached: this process has no session bus\..*nothing is lost/s)
      expect(await statusNow()).toMatchObject({ platform: 'sandbox', vault_problem: expect.stringContaining('--vault file') })
      const dashboard = new URL(bridge.ready.dashboard ?? '')
      const headers = { authorization: `Bearer ${dashboard.hash.replace('#token=', '')}` }
      const page = await fetch(new URL('/api/state', dashboard), { headers })
      expect([page.status, await page.json()], 'the dashboard says why, and shows the rest').toMatchObject([
        200,
        { accounts: [], vault_problem: expect.stringContaining('--vault file') as string, platform: 'sandbox' },
      ])
      expect(vault()).toEqual(['tokens.sealed'])
      await bridge.stop()

      const locked = await keyring('another password')
      bridge = await daemon(locked.env)
      await vi.waitFor(() => expect(resumeNow()).rejects.toThrow(/locked/), { ...SOON, timeout: VAULT_MS })
      await bridge.stop()
      await locked.stop()

      bridge = await daemon((await keyring()).env)
      expect(await resume()).toBe('ada')
    })

    test('takes the key over from the file, and gives it back when asked to', async () => {
      let bridge = await daemon()
      await signIn()
      expect(vault()).toEqual(['tokens.key', 'tokens.sealed'])
      await bridge.stop()

      const { env } = await keyring()
      bridge = await daemon(env)
      expect(await resume()).toBe('ada')
      expect(vault()).toEqual(['tokens.sealed'])
      await bridge.stop()

      bridge = await daemon(env, 'file')
      expect(await resume()).toBe('ada')
      expect(vault()).toEqual(['tokens.key', 'tokens.sealed'])
      await bridge.stop()

      bridge = await daemon({}, 'file')
      expect(await resume()).toBe('ada')
    })

    test('is empty of our keys after a purge', async () => {
      const first = await keyring()
      const bridge = await daemon(first.env)
      await signIn()
      await bridge.stop()
      expect(entriesIn(first)).toHaveLength(1)
      const home = join(at.base, 'home')
      await mkdir(join(home, '.config', 'sallyport'), { recursive: true, mode: 0o700 })
      const words = ['uninstall', '--purge', '--json', '--data-dir', at.data, '--runtime-dir', at.runtime]
      const planned = await sallyport(target, [...words, '--dry-run'], { ...first.env, HOME: home })
      const [{ entry = '' } = {}] = stepsIn(planned.out).filter((step) => step.do === 'forget-key')
      expect(entry).toMatch(/^[0-9a-f]{16,}$/)
      expect(entriesIn(first), 'a dry run').toHaveLength(1)

      const purged = await sallyport(target, words, { ...first.env, HOME: home })
      expect(outcomesIn(purged.out), purged.err).toContainEqual({ step: { do: 'forget-key', entry }, outcome: 'done' })
      expect(purged.code, purged.err).toBe(0)
      expect(entriesIn(first)).toEqual([])
      expect(existsSync(at.data)).toBe(false)
    })

    test.each(['away', 'locked'])('that is %s keeps the key, and the purge says which', async (state) => {
      const first = await keyring()
      const bridge = await daemon(first.env)
      await signIn()
      await bridge.stop()
      await first.stop()
      const now = state === 'locked' ? await keyring('another password') : { env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } }
      const words = ['uninstall', '--purge', '--data-dir', at.data, '--runtime-dir', at.runtime]
      const purged = await sallyport(target, words, { ...now.env, HOME: join(at.base, 'home') })
      expect(purged.code, purged.out).toBe(1)
      expect(purged.out).toMatch(
        /^failed {5}remove the key [0-9a-f]+ of Sallyport from the keychain \(.*remove the entry there yourself\)$/m,
      )
      expect(existsSync(at.data), 'the rest is removed').toBe(false)
    })

    test('holds bot tokens too, over a restart', async () => {
      const { env } = await keyring()
      let bridge = await daemon(env)
      const operator = ['--runtime-dir', at.runtime, '--data-dir', at.data]
      await vaultOpens()
      const stored = await sallyport(target, ['login', '--bot', ...operator], { SALLYPORT_BOT_TOKEN: `sandbox-bot-${APPLICATION}` })
      expect(stored).toMatchObject({ code: 0, out: expect.stringContaining(APPLICATION) })
      await bridge.stop()

      bridge = await daemon(env)
      await signIn()
      const application = () => asGame(async (game) => (await game.call('AUTHENTICATE', {}), game.call('GET_CURRENT_APPLICATION')))
      expect(await application()).toMatchObject({ id: APPLICATION })
      expect(await sallyport(target, ['logout', '--bot', ...operator])).toMatchObject({ code: 0 })
      await expect(application()).rejects.toThrow(/login --bot/)
    })
  },
)

describe.each(SMOKE_TARGETS)('without anything stored: $name', (target) => {
  test('the keychain is not asked: only the first stored sign-in opens the vault', async () => {
    const at = await folders()
    const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(at.base, 'no-bus')}` }
    const daemon = await startDaemon(target, at, ['--vault', 'auto', '--consent', 'allow'], env)
    try {
      const game = await RawClient.ready(daemon.socket, { client_id: APPLICATION })
      expect(await game.call('AUTHENTICATE', { access_token: 'made-up' })).toMatchObject({ evt: 'ERROR' })
      expect(await game.call('GET_BOT_TOKENS')).not.toMatchObject({ evt: 'ERROR' })
      // Opening the vault makes its folder before it asks the keychain.
      expect([existsSync(join(at.data, 'vault')), daemon.output().includes('vault-opened')]).toEqual([false, false])
      expect(await game.call('AUTHENTICATE', {})).not.toMatchObject({ evt: 'ERROR' })
      expect(readdirSync(join(at.data, 'vault')).filter((name) => !name.endsWith('.node'))).toEqual(['tokens.key', 'tokens.sealed'])
      await expect.poll(daemon.output, SOON).toContain('"keyIn":"file"')
      game.hangUp()
    } finally {
      await daemon.stop()
      await at.remove()
    }
  })
})
