/** The real daemon beside a desktop client that has the first slot: what each of them serves, when either ends, and what games see. */
import { existsSync, lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { BridgeState } from '@sallyport/protocol'
import type { SallyportClient } from '@sallyport/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { handshake } from '#test/support/frames.ts'
import { SOON } from '#test/support/soon.ts'
import { startStandIn, type StandInProcess } from '#test/support/stand-in-process.ts'
import { freePort } from '#test/support/worker-ports.ts'
import { connectedGame } from './support/connected-game.ts'
import { type Daemon, type Folders, folders, SMOKE_TARGETS, sallyport, startDaemon } from './support/daemon.ts'
import { RawClient } from './support/raw-client.ts'

const ADA = { id: '42', username: 'ada' }
const GAME = '777000401'

const detailsOf = (args: unknown): unknown => (args as { readonly activity?: { readonly details?: string } }).activity?.details

describe.skipIf(process.platform === 'win32').each(SMOKE_TARGETS)('$name', (target) => {
  let at: Folders
  let daemon: Daemon
  let client: StandInProcess
  const games: SallyportClient[] = []
  const slot = (number: number) => join(at.runtime, `discord-ipc-${number}`)

  let port: number

  /** It is there before the sandbox, whose address it names in READY. */
  const startClient = () => {
    const apiEndpoint = `//127.0.0.1:${port}/api`
    return startStandIn({ directory: at.runtime, slot: 'first', user: ADA, apiEndpoint, apiBase: `http:${apiEndpoint}/v10` })
  }
  const startBridge = () => startDaemon(target, at, ['--sandbox-port', String(port)])

  beforeEach(async () => {
    at = await folders()
    port = await freePort()
    client = await startClient()
    daemon = await startBridge()
  })
  afterEach(async () => {
    await Promise.all(games.splice(0).map((game) => game.close()))
    await client.kill()
    await daemon.stop()
    await at.remove()
  })

  /** A game that tries every slot, and takes the bridge. */
  const played = async (): Promise<SallyportClient> => {
    const game = await connectedGame({ applicationId: GAME, runtimeDir: at.runtime, requireBridge: true })
    games.push(game)
    return game
  }
  const state = async (): Promise<BridgeState> => {
    const { out } = await sallyport(target, ['status', '--json', '--runtime-dir', at.runtime, '--data-dir', at.data])
    return JSON.parse(out) as BridgeState
  }
  /** What a game gets that knows the first slot only. */
  const bridgeAtFirstSlot = async (): Promise<unknown> => {
    const game = await RawClient.open(slot(0))
    game.send(handshake({ contract: '1.0' }))
    const { data } = await game.message()
    game.hangUp()
    return data.bridge
  }
  const shown = async (): Promise<readonly unknown[]> =>
    (await client.calls()).flatMap(({ cmd, args }) => (cmd === 'SET_ACTIVITY' ? [detailsOf(args)] : []))

  test('passes presence on to the client, keeps its games when the client is killed, and has the first slot then', async () => {
    expect([client.path, daemon.socket]).toEqual([slot(0), slot(1)])
    const game = await played()
    await game.setActivity({ details: 'Before' })
    await expect.poll(shown, SOON).toContain('Before')

    await client.kill()
    await expect.poll(async () => (await state()).ipc, SOON).toEqual([slot(0)])
    expect(existsSync(slot(1))).toBe(false)
    expect(await bridgeAtFirstSlot()).toMatchObject({ name: 'sallyport' })
    expect((await game.call('GET_BRIDGE_STATUS')).pid).toBe(daemon.ready.pid)

    client = await startClient()
    expect(client.path).toBe(slot(1))
    await game.setActivity({ details: 'After' })
    await expect.poll(shown, SOON).toContain('After')
    expect(await bridgeAtFirstSlot()).toMatchObject({ name: 'sallyport' })
  })

  test('leaves the slot to the client while it runs, also when the bridge ends first', async () => {
    const { ino } = lstatSync(slot(0))
    await daemon.stop()
    expect(lstatSync(slot(0)).ino).toBe(ino)
    expect(existsSync(slot(1))).toBe(false)
    daemon = await startBridge()
    expect([daemon.socket, lstatSync(slot(0)).ino]).toEqual([slot(1), ino])
    await client.order('close')
    await expect.poll(async () => (await state()).ipc, SOON).toEqual([slot(0)])
  })
})
