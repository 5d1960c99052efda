/** Programs that come and go beside the games: one row per kind. */
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { ERRORS } from '@sallyport/protocol/errors'
import { head, OP } from '#test/support/frames.ts'
import { below, type Random } from '../soak/schedule.ts'
import { activity } from './actions.ts'
import { FramedGame } from './framed-game.ts'
import { type Ground, Player, SUCCESS } from './player.ts'

const LONGEST_STAY_MS = 4_000
/** Beyond the time in which a handshake must be complete. */
export const LONGEST_HALF_MS = 13_000
const WRONG = [ERRORS.INVALID_TOKEN.code, ERRORS.RATE_LIMITED.code]

type Passer = (path: string, ground: Ground, random: Random) => Promise<void>

/** Bytes of a connection that says no more; resolves when it is over. */
const silent =
  (...said: readonly Buffer[]): Passer =>
  async (path, _ground, random) => {
    const socket = connect(path)
    socket.on('error', () => {})
    for (const bytes of said) socket.write(bytes)
    await pause(below(random, LONGEST_HALF_MS))
    socket.destroy()
  }

/** A game that connects, plays for a moment and leaves. */
const visitor =
  (politely: boolean, token: string | undefined): Passer =>
  async (path, ground, random) => {
    const plan = { name: 'visitor', kind: 'plain', encoding: 'json', applicationId: '42', user: 'ada', isListening: false } as const
    const player: Player = new Player(plan, { ...ground, gameOf: (own, listener) => new FramedGame(own, path, listener) })
    await player.game.open()
    ground.tally.count('connections')
    await player.ask('SET_ACTIVITY', SUCCESS, (game) => game.call('SET_ACTIVITY', activity('A visit')))
    if (token !== undefined)
      await player.ask('AUTHENTICATE', { codes: WRONG, isForwarded: true }, (game) => game.call('AUTHENTICATE', { access_token: token }))
    await pause(below(random, LONGEST_STAY_MS))
    await player.leave(politely)
  }

export const PASSERS = {
  'a game visits': visitor(true, undefined),
  'a game visits and is killed': visitor(false, undefined),
  'a game brings a wrong token': visitor(true, 'a-token-of-no-account'),
  'a connection says nothing': silent(),
  'a connection begins a frame': silent(head(OP.HANDSHAKE, 100), Buffer.from('{"v":1,')),
} as const satisfies Readonly<Record<string, Passer>>

export type PasserKind = keyof typeof PASSERS
export const PASSER_KINDS = Object.keys(PASSERS) as readonly PasserKind[]
