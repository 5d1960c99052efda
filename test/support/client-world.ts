/** The desktop client provider, between a bridge with real sessions and clients in memory that the test starts and stops. */
import type { Session } from '#daemon/src/sessions/session.ts'
import { DesktopClientProvider } from '#daemon/src/events/providers/desktop/provider.ts'
import type { Places } from '#daemon/src/presence/places.ts'
import { createPublisher } from '#daemon/src/events/publisher.ts'
import { EventRouting } from '#daemon/src/events/routing.ts'
import { Game, testBridge } from './bridge.ts'
import { FakeClock, settled } from './fake-clock.ts'
import { MemoryClient } from './memory-client.ts'
import { tokenOf } from './tokens.ts'
import type { BridgeError } from '@sallyport/core/errors'
import { Secret } from '@sallyport/core/secret'

export const APPLICATION = '1234567890'
export const SCOPES = ['rpc', 'identify']
const FOLDER = '/run/user/7'

/** Waits until all work without timers is done. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 12; turn++) await settled()
}

/** One client per slot; only the first one runs. */
export async function clientWorld(slots = 1) {
  const clock = new FakeClock()
  const bridge = testBridge({ clock })
  const clients = Array.from({ length: slots }, (_, slot) => new MemoryClient(`${FOLDER}/discord-ipc-${slot}`))
  for (const client of clients.slice(1)) client.vanish()
  const at = (path: string) => clients.find((client) => client.path === path)?.dialer
  const routing = new EventRouting()
  const { hub, registry, lifecycle, log } = bridge
  /** Why tokens are unavailable. */
  const offline: { reason: BridgeError | undefined } = { reason: undefined }
  /** Where the user chose to show games. */
  const chosen: { places: Places } = { places: undefined }
  const provider = new DesktopClientProvider({
    place: { directory: FOLDER, ipcPrefix: 'discord-ipc', platform: 'linux' },
    dialer: {
      endpointAt: (path) => at(path)?.endpointAt(path),
      connect: (endpoint, receiverOf) => at(endpoint.path)?.connect(endpoint, receiverOf) ?? Promise.reject(new Error('no client')),
    },
    clock,
    log,
    hub,
    registry,
    lifecycle,
    publish: createPublisher({ hub, clock }),
    routing,
    tokenOf: async (caller) => {
      if (offline.reason !== undefined) throw offline.reason
      return caller.signedIn?.accessToken ?? new Secret('none')
    },
    onUser: () => false,
    ownAddresses: () => [],
    isClient: () => true,
    apiEndpoint: 'https://example.test/api/v10',
    placesOf: () => chosen.places,
  })
  routing.register(provider.routes)
  await provider.start()
  await settle()
  hub.changed.on(() => provider.reconcile(hub.selectors()))

  return {
    clock,
    bridge,
    clients,
    /** The client of the first slot. */
    client: clients[0] as MemoryClient,
    provider,
    routing,
    offline,
    chosen,
    async game(scopes?: readonly string[], applicationId = APPLICATION): Promise<Game> {
      const made = Game.connected(bridge, { client_id: applicationId, streams: true })
      if (scopes !== undefined) await made.ask('AUTHENTICATE', { access_token: tokenOf(scopes, { applicationId }) })
      await settle()
      return made
    },
    sessionOf: (applicationId = APPLICATION): Session => registry.of(applicationId)[0] as Session,
    async subscribe(of: Game, evt: string, args: object = {}): Promise<void> {
      of.call('SUBSCRIBE', args, evt)
      await settle()
    },
    /** Advances the clock in small steps, and settles after each. */
    async pass(ms: number, stepMs = 50): Promise<void> {
      for (let passed = 0; passed < ms; passed += stepMs) {
        clock.advance(stepMs)
        await settle()
      }
    },
  }
}

export type ClientWorld = Awaited<ReturnType<typeof clientWorld>>

/** Responds like a presence-only client: READY, a response to SET_ACTIVITY, and nothing else. */
export const presenceServer = ({ cmd }: { readonly cmd: string }): { readonly data?: unknown } | undefined =>
  cmd === 'SET_ACTIVITY' ? { data: {} } : undefined
