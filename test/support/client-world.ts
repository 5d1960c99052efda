/** The desktop client as a source, between a bridge with real sessions and clients in memory that come and go as a test says. */
import type { Session } from '../../daemon/src/sessions/session.ts'
import { DesktopClientSource } from '../../daemon/src/events/providers/desktop/source.ts'
import { tellOnce } from '../../daemon/src/events/once.ts'
import { Game, testBridge } from './bridge.ts'
import { FakeClock, settled } from './fake-clock.ts'
import { MemoryClient } from './memory-client.ts'
import { tokenOf } from './tokens.ts'
import type { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'

export const APPLICATION = '1234567890'
export const SCOPES = ['rpc', 'identify']
const FOLDER = '/run/user/7'

/** Lets everything that needs no time happen. */
export const quiet = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await settled()
}

/** As many clients as there are slots asked for; none runs yet but the first. */
export async function clientWorld(slots = 1) {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  const clients = Array.from({ length: slots }, (_, slot) => new MemoryClient(`${FOLDER}/discord-ipc-${slot}`))
  for (const client of clients.slice(1)) client.vanish()
  const at = (path: string) => clients.find((client) => client.path === path)?.dialling
  const { hub, registry, log } = bridge
  /** Why no token can be had now. */
  const offline: { reason: BridgeError | undefined } = { reason: undefined }
  const source = new DesktopClientSource({
    place: { directory: FOLDER, ipcPrefix: 'discord-ipc', platform: 'linux' },
    dialling: {
      doorAt: (path) => at(path)?.doorAt(path),
      dial: (door, receiverOf) => at(door.path)?.dial(door, receiverOf) ?? Promise.reject(new Error('nobody')),
    },
    clock,
    log,
    hub,
    registry,
    tell: tellOnce({ hub, clock }),
    isToldByGateway: () => false,
    tokenOf: async (caller) => {
      if (offline.reason !== undefined) throw offline.reason
      return caller.signedIn?.accessToken ?? new Secret('none')
    },
    onUser: () => false,
    ownAddresses: () => [],
    apiEndpoint: 'https://example.test/api/v10',
  })
  await source.start()
  await quiet()
  hub.onChange(() => source.apply(hub.desired()))

  return {
    clock,
    bridge,
    clients,
    /** Of the first slot. */
    client: clients[0] as MemoryClient,
    source,
    offline,
    async game(scopes?: readonly string[], applicationId = APPLICATION): Promise<Game> {
      const made = Game.greeted(bridge, { client_id: applicationId, streams: true })
      if (scopes !== undefined) await made.ask('AUTHENTICATE', { access_token: tokenOf(scopes, { applicationId }) })
      await quiet()
      return made
    },
    callerOf: (applicationId = APPLICATION): Session => registry.of(applicationId)[0] as Session,
    async wants(of: Game, evt: string, args: object = {}): Promise<void> {
      of.call('SUBSCRIBE', args, evt)
      await quiet()
    },
    /** Time passes in small steps, and all that follows from each happens. */
    async pass(ms: number, stepMs = 50): Promise<void> {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs)
        await quiet()
      }
    },
  }
}

export type ClientWorld = Awaited<ReturnType<typeof clientWorld>>

/** As servers of presence do: READY, an answer to SET_ACTIVITY, and not a word else. */
export const presenceServer = ({ cmd }: { readonly cmd: string }): { readonly data?: unknown } | undefined =>
  cmd === 'SET_ACTIVITY' ? { data: {} } : undefined
