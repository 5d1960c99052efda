/** Third-party client libraries, unmodified, against the real daemon and its sandbox platform. */
import { Client as Xhayper } from '@xhayper/discord-rpc'
import { Client as DiscordRpc } from 'discord-rpc'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'

/** Where the library keeps the base of the HTTP API; private by its types only. */
const restOf = (client: Xhayper) => (client as unknown as { readonly rest: { readonly options: object } }).rest

const FIRST = '223344556677889900'
const SECOND = '223344556677889911'
const ACTIVITY = { details: 'Mending nets', state: 'At the pier' }

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon

  beforeAll(async () => {
    at = await folders()
    daemon = await startDaemon(target, at)
    for (const id of [FIRST, SECOND]) await setApplication(daemon.origin, id, ALL_SCOPES)
    vi.stubEnv('XDG_RUNTIME_DIR', at.runtime)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await daemon.stop()
    await at.remove()
  })

  test('discord-rpc connects, authorizes, authenticates, sets, clears and subscribes', { tags: ['1-1'] }, async () => {
    const client = new DiscordRpc({ transport: 'ipc' })
    // The library's own setting for where the HTTP API is.
    Object.assign(client.fetch, { endpoint: `${daemon.origin}/api` })
    await client.login({
      clientId: FIRST,
      clientSecret: `sandbox-secret-${FIRST}`,
      scopes: ['rpc', 'identify'],
      redirectUri: 'http://localhost',
    })

    expect(client.user.username).toBe('ada')
    expect(client.application.id).toBe(FIRST)
    expect(await client.setActivity({ ...ACTIVITY, startTimestamp: Date.now() })).toMatchObject({ ...ACTIVITY, type: 0 })
    expect(await client.clearActivity()).toBeNull()
    const subscription = await client.subscribe('ACTIVITY_JOIN', () => {})
    await subscription.unsubscribe()
    await expect(client.subscribe('NO_SUCH_EVENT', () => {})).rejects.toMatchObject({ code: 4004 })
    await client.destroy()
  })

  test('@xhayper/discord-rpc connects, authorizes, authenticates, sets, clears and subscribes', async () => {
    const client = new Xhayper({ clientId: SECOND, clientSecret: `sandbox-secret-${SECOND}` })
    Object.assign(restOf(client).options, { api: `${daemon.origin}/api` })
    await client.login({ scopes: ['rpc', 'identify'] })

    expect(client.user?.username).toBe('ada')
    expect(client.application?.id).toBe(SECOND)
    expect(await client.user?.setActivity(ACTIVITY)).toMatchObject(ACTIVITY)
    await client.user?.clearActivity()
    await client.subscribe('ACTIVITY_JOIN')
    await expect(client.request('SET_ACTIVITY', { pid: process.pid, activity: { ...ACTIVITY, type: 1 } })).rejects.toMatchObject({
      code: 4000,
    })
    expect(await client.user?.setActivity(ACTIVITY)).toMatchObject(ACTIVITY)
    await client.destroy()
  })
})
