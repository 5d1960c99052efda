/** What a game does in one turn, one row per kind: how often against the others, and what it may be answered. */
import { setTimeout as pause } from 'node:timers/promises'
import { ERRORS } from '@sallyport/protocol/errors'
import { below, pick, type Random } from '../soak/schedule.ts'
import type { Deliveries } from './deliveries.ts'
import { FramedGame } from './framed-game.ts'
import type { Game } from './game.ts'
import { FORWARDED, type Player, SUCCESS } from './player.ts'
import type { Tally } from './tally.ts'

export interface Scene {
  readonly tally: Tally
  readonly deliveries: Deliveries
  /** A game at the floor server, whose times say how busy the machine is. */
  readonly floor: FramedGame
  /** By application. */
  readonly lobbies: ReadonlyMap<string, string>
}

interface Action {
  readonly weight: number
  readonly run: (player: Player, scene: Scene, random: Random) => Promise<void>
}

const { INVALID_PAYLOAD, INVALID_COMMAND, INVALID_EVENT } = ERRORS
const BURST = 8
/** Characters of an argument: of a game that names no contract, whose frames may have 64 KiB, and of the others. */
const LARGE = { plain: 60_000, contract: 400_000 } as const
const SLOW_PINGS = 12
const LONGEST_SLOWNESS_MS = 6_000
const LONGEST_ABSENCE_MS = 3_000

export const activity = (details: string): object => ({
  pid: process.pid,
  activity: {
    state: 'In a group',
    details,
    timestamps: { start: 1_790_000_000_000 },
    assets: { large_image: 'harbour_night', large_text: 'Harbour at night' },
    party: { id: `party of ${details}`, size: [2, 4] },
    secrets: { join: `join ${details}` },
  },
})

const setActivity = (details: string) => (game: Game) => game.call('SET_ACTIVITY', activity(details))

/** Forwarded reads whose result is a list that has something in it. */
const READS = ['GET_CURRENT_USER_GUILDS', 'GET_CURRENT_USER_CONNECTIONS'] as const

const isFramed = (game: Game): game is FramedGame => game instanceof FramedGame

async function present(player: Player, { tally, floor }: Scene, details: string): Promise<void> {
  const from = performance.now()
  const answer = await player.ask('SET_ACTIVITY', SUCCESS, setActivity(details))
  const now = performance.now()
  tally.time('call', now - from, now)
  if (answer?.code === undefined && answer !== undefined && (answer.data as { details?: string }).details !== details)
    tally.unexpected(`${player.name}: SET_ACTIVITY was answered with another activity`)
  await setActivity(details)(floor)
  const after = performance.now()
  tally.time('floor', after - now, after)
}

export const ACTIONS = {
  'sets its presence': {
    weight: 30,
    run: (player, scene, random) => present(player, scene, `Wave ${below(random, 1_000_000)}`),
  },
  'sets its presence many times at once': {
    weight: 1,
    async run(player, scene, random) {
      const wave = below(random, 1_000_000)
      await Promise.all(
        Array.from({ length: BURST }, (_, index) => player.ask('SET_ACTIVITY', SUCCESS, setActivity(`Wave ${wave}.${index}`))),
      )
    },
  },
  'reads from the platform': {
    weight: 12,
    async run(player, { tally }, random) {
      const command = pick(random, READS)
      const from = performance.now()
      const answer = await player.ask(command, FORWARDED, (game) => game.call(command, {}))
      if (answer === undefined || answer.code !== undefined) return
      tally.time('forwarded', performance.now() - from, performance.now())
      if (!Array.isArray(answer.data) || answer.data.length === 0) tally.unexpected(`${player.name}: ${command} brought nothing`)
    },
  },
  'writes to the platform': {
    weight: 0.3,
    async run(player, { deliveries, lobbies }, random) {
      const lobby = lobbies.get(player.account.applicationId) ?? ''
      const content = deliveries.mark(`message ${below(random, 1000)}`)
      deliveries.raise(content, ({ account }) => account.applicationId === player.account.applicationId)
      const answer = await player.ask('SEND_LOBBY_MESSAGE', FORWARDED, (game) =>
        game.call('SEND_LOBBY_MESSAGE', { lobby_id: lobby, content }),
      )
      // It may have been sent although the answer was lost.
      if (answer === undefined || answer.code !== undefined) deliveries.forgive(content)
    },
  },
  'asks for the status': {
    weight: 3,
    run: async (player) => void (await player.ask('GET_BRIDGE_STATUS', SUCCESS, (game) => game.call('GET_BRIDGE_STATUS', {}))),
  },
  'sends a PING': {
    weight: 3,
    async run(player) {
      const { game } = player
      if (isFramed(game)) await player.ask('PING', SUCCESS, () => game.ping())
    },
  },
  'makes a mistake': {
    weight: 4,
    async run(player, _scene, random) {
      const mistake = pick(random, [
        { code: INVALID_PAYLOAD.code, make: (game: Game) => game.call('SET_ACTIVITY', { pid: 1, activity: { buttons: 'x' } }) },
        { code: INVALID_COMMAND.code, make: (game: Game) => game.call('NO_SUCH_COMMAND', {}) },
        { code: INVALID_EVENT.code, make: (game: Game) => game.call('SUBSCRIBE', { evt: 'NO_SUCH_EVENT' }) },
      ])
      await player.ask('a mistake', { codes: [mistake.code] }, mistake.make)
    },
  },
  'sends much': {
    weight: 0.5,
    async run(player) {
      const state = 'x'.repeat(LARGE[player.game.plan.kind === 'plain' ? 'plain' : 'contract'])
      await player.ask('a large SET_ACTIVITY', { codes: [INVALID_PAYLOAD.code] }, (game) =>
        game.call('SET_ACTIVITY', { pid: 1, activity: { state } }),
      )
    },
  },
  'subscribes and unsubscribes': {
    weight: 2,
    async run(player) {
      await player.ask('SUBSCRIBE ACTIVITY_JOIN', FORWARDED, (game) => game.subscribe('ACTIVITY_JOIN', {}))
      await player.ask('UNSUBSCRIBE ACTIVITY_JOIN', FORWARDED, (game) => game.unsubscribe('ACTIVITY_JOIN', {}))
    },
  },
  'signs in again': {
    weight: 0.5,
    // Its player notices at once.
    run: (player) => Promise.resolve(player.signInAgain()),
  },
  'stops reading': {
    weight: 0.4,
    async run(player, _scene, random) {
      const { game } = player
      if (!isFramed(game)) return
      const comesBack = random() < 0.7
      const pings = await player.away(async () => {
        game.setReading(false)
        const sent = Array.from({ length: SLOW_PINGS }, () => player.ask('a large PING', SUCCESS, () => game.ping(LARGE.plain)))
        await pause(below(random, LONGEST_SLOWNESS_MS))
        if (!comesBack) await player.leave(false)
        game.setReading(true)
        return sent
      })
      await Promise.all(pings)
      if (!comesBack) await player.arrive()
    },
  },
  'leaves and returns': {
    weight: 0.7,
    async run(player, _scene, random) {
      await player.leave(random() < 0.5)
      await pause(below(random, LONGEST_ABSENCE_MS))
      await player.arrive()
    },
  },
} as const satisfies Readonly<Record<string, Action>>

export type ActionKind = keyof typeof ACTIONS
export const ACTION_KINDS = (Object.keys(ACTIONS) as readonly ActionKind[]).map((kind) => ({ kind, weight: ACTIONS[kind].weight }))
