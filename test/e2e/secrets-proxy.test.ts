/** The password of a proxy is used, and reaches no other place. */
import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createPkce } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectedGame } from './support/connected-game.ts'
import { type Folders, folders, sallyport, startDaemon, TARGETS } from './support/daemon.ts'
import { Leaks } from './support/leaks.ts'

const USER = 'proxy-user-name'
const PASSWORD = 'proxy p@ss/word'
const CREDENTIALS = `${USER}:${encodeURIComponent(PASSWORD)}`

const BASE = 'https://platform.invalid/api/v10'
const PROFILE = {
  name: 'elsewhere',
  ipcPrefix: 'discord-ipc',
  baseUrl: BASE,
  authorizeUrl: 'https://platform.invalid/oauth2/authorize',
  tokenUrl: `${BASE}/oauth2/token`,
  revokeUrl: `${BASE}/oauth2/token/revoke`,
  cdnHost: 'cdn.platform.invalid',
  activityProxyHost: 'activities.platform.invalid',
  userAgent: 'Test (sallyport)',
  customSchemePrefix: 'elsewhere',
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let profile: string
  let proxy: Server
  /** How the proxy answers; it remembers what it was shown. */
  let answer = ''
  const shown: (string | undefined)[] = []

  beforeAll(async () => {
    at = await folders()
    profile = join(at.base, 'elsewhere.json')
    await mkdir(at.base, { recursive: true })
    writeFileSync(profile, JSON.stringify(PROFILE))
    proxy = createServer()
    proxy.on('connect', (request, socket) => {
      shown.push(request.headers['proxy-authorization'])
      socket.on('error', () => {})
      socket.end(answer)
    })
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    proxy.close()
    await at.remove()
  })

  const address = () => `http://${CREDENTIALS}@127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const planted = () => {
    const leaks = new Leaks()
    leaks.plant('the password', PASSWORD)
    leaks.plant('the name', USER)
    leaks.plant('both', `${USER}:${PASSWORD}`)
    return leaks
  }

  test.each([
    ['by flag', (url: string) => ({ flags: ['--proxy', url], env: {} }), 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'],
    ['by variable', (url: string) => ({ flags: [], env: { HTTPS_PROXY: url } }), 'HTTP/1.1 200 OK\r\n\r\nthis is no TLS'],
  ])('%s', async (_, given, reply) => {
    answer = reply
    const leaks = planted()
    const { flags, env } = given(address())
    const daemon = await startDaemon(target, at, ['--platform', profile, '--consent', 'deny', ...flags], env)
    const game = await connectedGame({ applicationId: '42', runtimeDir: at.runtime })
    const { verifier } = createPkce()
    const exchange = { code: 'a-code-without-a-user', code_verifier: verifier, redirect_uri: 'http://127.0.0.1/callback' }
    const failure: unknown = await game.call('GET_TOKEN', exchange).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 1001 })
    expect(shown.at(-1)).toBe(`Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`)
    leaks.watch('the error', failure)
    leaks.watch('the status', await game.call('GET_BRIDGE_STATUS', {}))
    const dashboard = new URL(daemon.ready.dashboard ?? '')
    const headers = { Authorization: `Bearer ${dashboard.hash.replace('#token=', '')}` }
    leaks.watch('the dashboard', await (await fetch(new URL('/api/state', dashboard), { headers })).text())
    leaks.watchFiles(at.base, 'while it runs')
    await game.close()
    await daemon.stop()
    leaks.watch('the log', daemon.output())
    leaks.watchFiles(at.base, 'after the end')
    expect(leaks.found()).toEqual([])
  })

  test('on the command line', async () => {
    const leaks = planted()
    const bad = `ftp://${CREDENTIALS}@proxy.invalid`
    const unusable = `http://${CREDENTIALS}@`
    const lines: readonly (readonly [number, NodeJS.ProcessEnv, ...string[]])[] = [
      [0, {}, 'config', '--platform', profile, '--proxy', address()],
      [0, { SALLYPORT_PROXY: address() }, 'config', '--json', '--platform', profile],
      [2, {}, 'config', '--platform', profile, '--proxy', bad],
      [2, {}, 'config', '--platform', profile, '--json', `--proxy=${unusable}`],
      [2, { SALLYPORT_PROXY: bad }, 'config', '--platform', profile],
      [2, { HTTPS_PROXY: bad }, 'config', '--platform', profile],
      [2, {}, 'status', '--proxy', address()],
      [2, {}, 'run', address()],
    ]
    for (const [exitCode, env, ...words] of lines) {
      const { code, out, err } = await sallyport(target, words, { HOME: at.data, ...env })
      expect([code, err]).toEqual([exitCode, err])
      leaks.watch(`what is printed by ${words[0]}`, out + err)
    }
    expect(leaks.found()).toEqual([])
  })
})
