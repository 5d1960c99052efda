/** What a signed-in game shows reaches the platform, by the HTTP API where nothing better carries it, and ends with the game. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, startDaemon, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'

const SHOWN = '/api/v10/users/@me/headless-sessions'
const ENDED = `${SHOWN}/delete`

interface State {
  readonly requests: readonly { readonly method: string; readonly path: string; readonly status: number }[]
}

describe.each(TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  useDaemon(target, (opened, inFolders) => {
    daemon = opened
    at = inFolders
  })

  /** Requests about presence that the platform got, oldest first. */
  async function asked({ origin } = daemon): Promise<string[]> {
    const { requests } = (await (await fetch(`${origin}/sandbox/state`)).json()) as State
    return requests
      .filter(({ path }) => path.startsWith(SHOWN))
      .map(({ path, status }) => `${path === ENDED ? 'ended' : 'shown'} ${status}`)
      .toReversed()
  }
  const game = async (applicationId: string) => {
    const client = await connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })
    await client.askToSignIn({ scopes: ['identify', 'activities.write'] })
    return client
  }
  const faults = (body: object) =>
    fetch(`${daemon.origin}/sandbox/faults`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })

  test('shown, changed and ended in the name of the user, each once', { tags: ['9.1-42'] }, async () => {
    const client = await game('777000333')
    await client.setActivity({ details: 'Mending nets' })
    await vi.waitFor(async () => expect(await asked()).toEqual(['shown 200']), SOON)
    await client.setActivity({ details: 'At sea' })
    await vi.waitFor(async () => expect(await asked()).toEqual(['shown 200', 'shown 200']), SOON)
    await client.close()
    await vi.waitFor(async () => expect(await asked()).toEqual(['shown 200', 'shown 200', 'ended 204']), SOON)
  })

  test('a presence from before the sign-in is shown after it', async () => {
    const before = (await asked()).length
    const client = await connectedGame({ applicationId: '777000444', runtimeDir: at.runtime, requireBridge: true })
    await client.setActivity({ details: 'Mending nets' })
    await client.askToSignIn({ scopes: ['identify', 'activities.write'] })
    await vi.waitFor(async () => expect((await asked()).slice(before)).toEqual(['shown 200']), SOON)
    await client.close()
    await vi.waitFor(async () => expect((await asked()).slice(before)).toEqual(['shown 200', 'ended 204']), SOON)
  })

  test('a refusal of the platform is in the status, and never reaches the game', async () => {
    const client = await game('777000555')
    await faults({
      match: { path: '/users/@me/headless-sessions' },
      times: 1,
      status: 403,
      body: '{"code":50001,"message":"Missing Access"}',
    })
    expect(await client.setActivity({ details: 'Mending nets' })).toMatchObject({ details: 'Mending nets' })
    await vi.waitFor(async () => {
      const { providers } = await client.call('GET_BRIDGE_STATUS')
      const reason = expect.stringContaining('Missing Access') as string
      expect(providers).toContainEqual({ name: 'headless-sessions', state: 'failing', reason })
    }, SOON)
    await client.close()
  })

  test('a bridge that stops ends what it shows, though its game is still there', async () => {
    const own = await folders()
    const second = await startDaemon(target, own)
    const client = await connectedGame({ applicationId: '777000666', runtimeDir: own.runtime, requireBridge: true })
    try {
      await client.askToSignIn({ scopes: ['identify', 'activities.write'] })
      await client.setActivity({ details: 'Mending nets' })
      await vi.waitFor(async () => expect(await asked(second)).toEqual(['shown 200']), SOON)
    } finally {
      expect(await second.stop()).toBe(0)
      await client.close()
    }
    const platform = new DatabaseSync(join(own.data, 'sandbox.sqlite'))
    expect(platform.prepare("SELECT id FROM documents WHERE kind = 'headless-session'").all()).toEqual([])
    platform.close()
    await own.remove()
  })
})
