/** One row per kind of break: its target, its frequency, and how to break and heal it. */
import { setTimeout as pause } from 'node:timers/promises'
import { below, pick, type Random } from './schedule.ts'
import { HEARTBEAT_MS, quickenHeartbeats, type World } from './world.ts'

/** What two breaks must not touch at the same time. */
type Part = 'games' | 'daemon' | 'platform' | 'client'

export interface Break {
  readonly weight: number
  /** How long everything is mostly left alone after it, milliseconds. */
  readonly restMs?: number
  readonly touches: readonly Part[]
  /** Resolves when it is healed, as far as it is for us to heal it: from then on everything must come back by itself. */
  readonly run: (world: World, random: Random) => Promise<void>
}

const LONGEST_ABSENCE_MS = 1_500
const LONGEST_SLEEP_MS = 4_000
/** A link to the gateway that breaks again before it lived so long is made anew later and later, which is right, and would leave time for few breaks. */
const CALM_MS = 10_500
/** One to send, one to miss its answer, and some room. */
const SILENT_HEARTBEATS = 2.5

const absence = (random: Random, longestMs = LONGEST_ABSENCE_MS): Promise<void> => pause(below(random, longestMs))

const gateway = (weight: number, order: (random: Random) => object): Break => ({
  weight,
  restMs: CALM_MS,
  touches: ['platform'],
  run: async ({ platform }, random) => void (await platform.control('gateway', order(random))),
})

/** Close codes after which a client of the gateway must come back, by resuming or anew. */
const PASSING_CLOSE_CODES = [1000, 1001, 4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009]

const forged = (random: Random): object =>
  pick(random, [{ signature: 'wrong' }, { signature: 'missing' }, { timestamp_offset_s: -301 }, { timestamp_offset_s: 301 }])

export const BREAKS = {
  'one game cut': {
    weight: 4,
    touches: ['games'],
    async run({ games }, random) {
      pick(random, games).cut(random() < 0.5)
    },
  },
  'all games cut': {
    weight: 2,
    touches: ['games'],
    async run({ games }, random) {
      for (const game of games) game.cut(random() < 0.2)
    },
  },
  'daemon killed': {
    weight: 1,
    touches: ['daemon'],
    async run({ bridge }, random) {
      await bridge.end('SIGKILL')
      await absence(random)
      await bridge.start()
    },
  },
  'daemon restarted': {
    weight: 0.5,
    touches: ['daemon'],
    async run({ bridge }, random) {
      await bridge.end('SIGTERM')
      await absence(random)
      await bridge.start()
    },
  },
  'daemon asleep': {
    weight: 2,
    restMs: CALM_MS,
    touches: ['daemon'],
    async run({ bridge }, random) {
      bridge.running.signal('SIGSTOP')
      await absence(random, LONGEST_SLEEP_MS)
      bridge.running.signal('SIGCONT')
    },
  },
  'platform killed': {
    weight: 1,
    restMs: CALM_MS,
    touches: ['platform'],
    async run({ platformProcess, platform }, random) {
      await platformProcess.end('SIGKILL')
      await absence(random)
      await platformProcess.startAgain()
      await quickenHeartbeats(platform)
    },
  },
  'platform in trouble while the games return': {
    weight: 2,
    touches: ['platform', 'games'],
    async run({ platform, games }, random) {
      await platform.control('faults', { times: 1 + below(random, 6), status: pick(random, [500, 502, 503]) })
      for (const game of games) game.cut(false)
      await absence(random)
      await platform.clearFaults()
    },
  },
  'desktop client restarted': {
    weight: 3,
    touches: ['client'],
    async run({ client }, random) {
      await client.order('close')
      await absence(random)
      await client.order('open')
    },
  },
  'desktop client killed': {
    weight: 2,
    touches: ['client'],
    async run({ client }, random) {
      await client.kill()
      await absence(random)
      await client.startAgain()
    },
  },
  'desktop client cut': {
    weight: 3,
    touches: ['client'],
    run: async ({ client }) => void (await client.order('dropConnections')),
  },
  'webhooks forged': {
    weight: 2,
    touches: ['platform', 'daemon'],
    async run({ platform, applications, users, skuId }, random) {
      const data = { id: '1', sku_id: skuId, application_id: applications.main, user_id: users.grace, type: 4, deleted: false }
      const order = { application_id: applications.main, type: 'ENTITLEMENT_UPDATE', data, times: 1 + below(random, 3), ...forged(random) }
      const { statuses } = (await platform.control('webhooks', order)) as { readonly statuses: readonly number[] }
      if (statuses.some((status) => status !== 401)) throw new Error(`forged webhooks were answered ${statuses.join()}`)
    },
  },
  'gateway dropped': gateway(2, () => ({ action: 'drop' })),
  'gateway closed': gateway(2, (random) => ({ action: 'close', code: pick(random, PASSING_CLOSE_CODES) })),
  'gateway asks to reconnect': gateway(1, () => ({ action: 'reconnect' })),
  'gateway session invalid': gateway(1, (random) => ({ action: 'invalid_session', resumable: random() < 0.5 })),
  'gateway refuses to resume': {
    weight: 1,
    restMs: CALM_MS,
    touches: ['platform'],
    async run({ platform }, random) {
      await platform.control('gateway', { action: 'refuse_resume', times: 1 + below(random, 4) })
      await platform.control('gateway', { action: 'drop' })
      await absence(random)
      await platform.control('gateway', { action: 'refuse_resume', times: 0 })
    },
  },
  'gateway acknowledges nothing': {
    weight: 1,
    restMs: CALM_MS,
    touches: ['platform'],
    async run({ platform }) {
      await platform.control('gateway', { action: 'slow_ack', ms: 'never' })
      await pause(SILENT_HEARTBEATS * HEARTBEAT_MS)
      await platform.control('gateway', { action: 'slow_ack', ms: 0 })
    },
  },
} as const satisfies Readonly<Record<string, Break>>

export type BreakKind = keyof typeof BREAKS
export const BREAK_KINDS = Object.keys(BREAKS) as readonly BreakKind[]
