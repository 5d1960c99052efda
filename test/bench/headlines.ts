/** The ten rows of the README: what a player or a developer feels, and its targets. A row of the bench names its aim here. */
import { atMost, both, exactly, ratioAtMost } from './targets.ts'

export const AIMS = {
  listening: ratioAtMost(1.4),
  'first answer': ratioAtMost(3.4),
  'sign-in': atMost(20, 'ms'),
  'processes of a sign-in': exactly(0),
  'cold call': both(ratioAtMost(1.6), atMost(0.8, 'ms')),
  'CPU of a cold call': ratioAtMost(1.6),
  'idle game': atMost(6, 'KiB'),
  handshake: atMost(65, 'µs'),
  'call with many grants': ratioAtMost(1.3),
  'block by a first call': atMost(10, 'ms'),
  'block by a large account': atMost(60, 'ms'),
  'forwarded call': ratioAtMost(1.4),
  'pipelined call': ratioAtMost(1.5),
  'memory of everything': atMost(25, 'MiB'),
} as const

export type Aim = keyof typeof AIMS

interface Headline {
  /** A part for each aim. */
  readonly says: string
  readonly aims: readonly Aim[]
}

export const HEADLINES: readonly Headline[] = [
  {
    says: 'Start, × an empty Node program: it listens; a game has its first answer',
    aims: ['listening', 'first answer'],
  },
  { says: 'First sign-in after a start: time; processes started', aims: ['sign-in', 'processes of a sign-in'] },
  {
    says: 'Call now and then, × a bare Node server: time; the same in ms; CPU',
    aims: ['cold call', 'CPU of a cold call'],
  },
  { says: 'Memory that each of the first 1,000 idle games adds', aims: ['idle game'] },
  { says: 'CPU for a native game that connects, until its READY', aims: ['handshake'] },
  { says: 'CPU of SET_ACTIVITY with 10,000 stored grants, × with none', aims: ['call with many grants'] },
  {
    says: 'Longest wait of other games: any first call; 100,000 relationships',
    aims: ['block by a first call', 'block by a large account'],
  },
  { says: 'CPU of a call to the platform, × a program that only relays it', aims: ['forwarded call'] },
  { says: 'CPU of a call among 64 in a write, × a bare server with one write', aims: ['pipelined call'] },
  { says: 'Memory at rest after everything was used', aims: ['memory of everything'] },
]
