/** Tokens, codes, verifiers and join secrets of a whole match appear in no log line, no error, no page and no file in clear. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createPkce, SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Daemon, type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'

const APPLICATION = '888000111'
const JOIN_SECRET = 'join-secret-that-nobody-may-see'
const EXTERNAL_TOKEN = 'sandbox-external-somebody-elsewhere'
const BANNED_TOKEN = 'sandbox-external-banned'
const BOT_TOKEN = `sandbox-bot-${APPLICATION}`
const LINKED_TOKEN = 'sandbox-external-linked'

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : join(folder, entry.name),
  )

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
  })
  afterAll(async () => {
    await daemon.stop()
    await at.remove()
  })

  test('nothing leaks', async () => {
    const client = await SallyportClient.connect({ applicationId: APPLICATION, runtimeDir: at.runtime })
    const { verifier, challenge } = createPkce()
    const { code, redirect_uri = '' } = await client.call('AUTHORIZE', {
      scopes: ['identify', 'guilds'],
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const tokens = await client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri })
    await client.call('AUTHENTICATE', { access_token: tokens.access_token })
    await client.setActivity({ details: 'In a party', party: { id: 'pier', size: [1, 4] }, secrets: { join: JOIN_SECRET } })
    await client.call('GET_CURRENT_USER_GUILDS')
    const refreshed = await client.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' })
    const external = { external_auth_type: 'OIDC', external_auth_token: EXTERNAL_TOKEN } as const
    const child = await client.call('EXCHANGE_CHILD_TOKEN', { parent_token: refreshed.access_token, child_application_id: '999000111' })
    const provisional = await client.call('GET_PROVISIONAL_TOKEN', external)
    await client.call('UPDATE_TOKEN', { access_token: provisional.access_token })
    const operator = ['--runtime-dir', at.runtime, '--data-dir', at.data]
    const storing = [
      await sallyport(target, ['login', '--bot', '--json', ...operator], { SALLYPORT_BOT_TOKEN: BOT_TOKEN }),
      await sallyport(target, ['login', '--bot', '--application', '5', ...operator], { SALLYPORT_BOT_TOKEN: BOT_TOKEN }),
      await sallyport(target, ['login', '--bot', '--json', ...operator], { SALLYPORT_BOT_TOKEN: provisional.access_token }),
      await sallyport(target, ['status', '--json', ...operator.slice(0, 2)]),
      await sallyport(target, ['config'], { SALLYPORT_BOT_TOKEN: BOT_TOKEN }),
    ]
    expect(storing.map(({ code: exitCode }) => exitCode)).toEqual([0, 4, 4, 0, 0])
    expect(storing[3]?.out).toContain(`"bots":[{"application_id":"${APPLICATION}"`)
    expect(await client.call('GET_CURRENT_APPLICATION')).toMatchObject({ id: APPLICATION })
    // Things that fail are told with what they were given nearby.
    const failures = await Promise.allSettled([
      client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri }),
      client.request('GET_TOKEN', { code, code_verifier: verifier, redirect_uri, extra: 1 }),
      client.call('REFRESH_TOKEN', { refresh_token: tokens.refresh_token ?? '' }),
      client.request('AUTHENTICATE', { access_token: tokens.access_token, code }),
      client.call('GET_TOKEN', { code, code_verifier: verifier, redirect_uri, ...external, external_auth_token: BANNED_TOKEN }),
      client.call('GET_PROVISIONAL_TOKEN', { ...external, external_auth_token: LINKED_TOKEN }),
      client.request('GET_PROVISIONAL_TOKEN', { ...external, external_auth_type: EXTERNAL_TOKEN }),
      client.call('UNMERGE_PROVISIONAL_ACCOUNT', external),
      client.call('EXCHANGE_CHILD_TOKEN', { parent_token: child.access_token, child_application_id: '999000112' }),
      client.request('UPDATE_TOKEN', { access_token: child.access_token, code: provisional.access_token }),
      client.request('SET_BOT_TOKEN', { token: BOT_TOKEN, operator_proof: 'ab'.repeat(16) }),
      client.request('SET_BOT_TOKEN', { token: BOT_TOKEN, code: BOT_TOKEN }),
      client.request('SET_ACTIVITY', { pid: 1, activity: { secrets: { join: JOIN_SECRET, spectate: JOIN_SECRET } } }),
    ])
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true)

    const dashboard = new URL(daemon.ready.dashboard ?? '')
    const token = dashboard.hash.replace('#token=', '')
    const state = await (await fetch(new URL('/api/state', dashboard), { headers: { Authorization: `Bearer ${token}` } })).text()
    expect(state).toContain('In a party')
    const sandboxPages = await Promise.all(['/', '/sandbox/state'].map(async (path) => (await fetch(new URL(path, daemon.origin))).text()))
    await client.close()

    const secrets = [
      code,
      verifier,
      tokens.access_token,
      tokens.refresh_token,
      refreshed.access_token,
      refreshed.refresh_token,
      child.access_token,
      provisional.access_token,
      provisional.id_token,
      EXTERNAL_TOKEN,
      BANNED_TOKEN,
      LINKED_TOKEN,
      BOT_TOKEN,
      JOIN_SECRET,
    ]
    const places: Record<string, string> = {
      log: daemon.output().replace(JSON.stringify(daemon.ready), ''),
      errors: failures
        .map((failure) => JSON.stringify(failure.status === 'rejected' ? [String(failure.reason), failure.reason] : []))
        .join(''),
      dashboard: state,
      sandbox: sandboxPages.join(''),
      'command line': storing.map(({ out, err }) => out + err).join(''),
    }
    for (const file of filesBelow(at.data).filter((name) => !/sandbox\.sqlite/.test(name))) places[file] = readFileSync(file, 'latin1')
    const keyFile = join(at.data, 'vault', 'tokens.key')
    const key = readFileSync(keyFile)
    for (const encoding of ['latin1', 'hex', 'base64', 'base64url'] as const) {
      for (const [place, text] of Object.entries(places).filter(([name]) => name !== keyFile))
        expect(text.includes(key.toString(encoding)), `the key of the vault appears in ${place}`).toBe(false)
    }
    for (const secret of secrets) {
      expect(secret).toBeTruthy()
      for (const [place, text] of Object.entries(places)) expect(text.includes(secret ?? ''), `a secret appears in ${place}`).toBe(false)
    }
    expect(places['log']).toContain('session-ready')
    for (const file of filesBelow(at.data)) expect(statSync(file).mode & 0o077, file).toBe(0)
  })
})
