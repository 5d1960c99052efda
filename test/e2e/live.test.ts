/** Events that the daemon itself raises reach games: guild states, and the user's request to link the account; also after a kill. */
import type { EventDataOf } from '@sallyport/protocol'
import type { SallyportClient } from '@sallyport/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SOON } from '#test/support/soon.ts'
import { ALL_SCOPES, setApplication } from './support/application-settings.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, sallyport, startDaemon, SMOKE_TARGETS } from './support/daemon.ts'

describe.each(SMOKE_TARGETS)('$name', (target) => {
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

  const connect = (applicationId: string) => connectedGame({ applicationId, runtimeDir: at.runtime, requireBridge: true })
  const change = (json: object) =>
    fetch(`${daemon.origin}/sandbox/guilds`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
  const link = (...words: string[]) => sallyport(target, ['link', '--data-dir', at.data, ...words])

  async function killed(client: SallyportClient): Promise<void> {
    const isBack = new Promise<void>((resolve) => client.onState((state) => state.name === 'ready' && resolve()))
    await daemon.kill()
    daemon = await startDaemon(target, at)
    await isBack
  }

  test('a game gets the state of its guild at once, and the new state from the next daemon', { tags: ['6-18'] }, async () => {
    await setApplication(daemon.origin, '777000111', ALL_SCOPES)
    const client = await connect('777000111')
    await client.askToSignIn({ scopes: ['identify', 'guilds', 'rpc'] })
    const [guild] = await client.call('GET_CURRENT_USER_GUILDS')
    if (guild === undefined) throw new Error('the user is in no guild')
    const received: EventDataOf<'GUILD_STATUS'>[] = []
    await client.on('GUILD_STATUS', { guild_id: guild.id }, (status) => received.push(status)).active
    await vi.waitFor(() => expect(received).toHaveLength(1), SOON)
    expect(received[0]).toMatchObject({ guild: { id: guild.id, name: guild.name } })
    expect((await client.call('GET_BRIDGE_STATUS')).providers).toContainEqual({ name: 'guild-status-poll', state: 'active' })
    await expect(client.on('GUILD_STATUS', { guild_id: '1' }, () => {}).active).rejects.toMatchObject({ code: 4003 })

    expect((await change({ guild: guild.id, name: 'Renamed', online_count: 41 })).status).toBe(204)
    await killed(client)
    await vi.waitFor(() => expect(received).toHaveLength(2), SOON)
    expect(received[1]).toMatchObject({ guild: { id: guild.id, name: 'Renamed' }, online: 41 })
    await client.close()
  })

  test('a subscribed game gets AUTHORIZE_REQUEST exactly once, also after a kill of the daemon', { tags: ['5-24', '6-19'] }, async () => {
    const client = await connect('777000222')
    let asked = 0
    await client.on('AUTHORIZE_REQUEST', () => asked++).active
    expect(await link()).toMatchObject({ code: 0, out: expect.stringContaining('777000222') })
    await vi.waitFor(() => expect(asked).toBe(1), SOON)

    await killed(client)
    expect(await link('--application', '777000222', '--json')).toMatchObject({ code: 0, out: '{"asked":"777000222"}\n' })
    await vi.waitFor(() => expect(asked).toBe(2), SOON)
    // A second event would come before this answer.
    await client.call('GET_BRIDGE_STATUS')
    expect(asked).toBe(2)

    const other = await connect('777000333')
    await other.on('AUTHORIZE_REQUEST', () => {}).active
    expect(await link()).toMatchObject({ code: 2, err: expect.stringContaining('--application') })
    await other.close()
    await client.close()
  })

  test('without a subscribed game, link reports it', async () => {
    expect(await link()).toMatchObject({ code: 4, err: expect.stringContaining('AUTHORIZE_REQUEST') })
    expect(await link('--application', '777000222')).toMatchObject({ code: 4, err: expect.stringContaining('777000222') })
  })
})
