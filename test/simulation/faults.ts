/** What breaks, and how often: rows by weight. The seed chooses when, and which. */
import type { Daemon } from './daemon.ts'
import type { Game } from './game.ts'
import type { Machine } from './machine/machine.ts'
import type { Link } from './machine/socket.ts'
import { below, pick, type Random } from './machine/random.ts'
import type { Platform } from './platform.ts'

export interface Breakable {
  readonly machine: Machine
  readonly daemon: Daemon
  readonly platform: Platform
  readonly games: readonly Game[]
  /** Restarts after so many milliseconds. `how`: a stop signal, or SIGKILL. */
  readonly restart: (how: 'stop' | 'kill', pauseMs: number) => void
  /** Connections with a call that has no answer yet. */
  readonly waiting: () => readonly Link[]
  /** Looks at the calls of connections that have just ended. */
  readonly reviewCallsSoon: () => void
  /** Games write and edit messages in lobbies, so that the platform's gateway has events for them. */
  readonly chat: (random: Random) => void
  /** Some games make calls. */
  readonly callSome: (random: Random) => void
  /** Games whose users are signed in sign in by a page. */
  readonly signInAnew: () => void
  /** The events of this connection, or all for so many ms, may be late or lost. */
  readonly excuse: (link: Link) => void
  readonly excuseEvents: (ms: number) => void
  readonly later: (ms: number, work: () => void) => void
}

interface Fault {
  readonly name: string
  readonly weight: number
  readonly cause: (world: Breakable, random: Random) => Promise<void> | void
}

const STATUSES = [500, 502, 503, 429, 404] as const
const CLOSE_CODES = [1000, 1001, 4000, 4001, 4002, 4005, 4007, 4008, 4009] as const
const LONGEST_DELAY_MS = 20_000
const LONGEST_PAUSE_MS = 20_000
/** After two heartbeats without an answer, a connection is given up. */
const HALF_OPEN_MS = 3 * 60_000
const LONGEST_STUCK_MS = 90_000
const LONGEST_FULL_MS = 60_000
/** Of SQLite, and the most that it writes at once. */
const PAGE_BYTES = 4_096
/** Of the writes in which the daemon dies. */
const SQLITE_SHARE = 0.7
const SIGN_IN_MS = 2_000
const LONGEST_QUIT_MS = 60_000
/** About as long as a lost gateway connection takes to come back. */
const RECONNECT_MS = 2_500
/** Of a global limit. */
const LONGEST_GLOBAL_S = 5
/** A little more than the life of an access token. */
const TOKEN_LIFE_MS = 8 * 24 * 3_600_000
/** Of the system's time, as after a sleep or a correction; timers do not jump with it. The longer one outlives a token of the sandbox. */
const JUMPS_MS = [12 * 3_600_000, 20 * 24 * 3_600_000] as const
/** How many of the jumps go back. */
const BACK_SHARE = 0.3
/** How long a start and a stop take, about: most of their work takes no time here. */
const START_MS = 12
const STOP_MS = 20

const linksOfGames = ({ machine }: Breakable) => machine.network.links().filter(({ address }) => typeof address === 'string')
const linksOfPlatform = ({ machine }: Breakable) => machine.network.links().filter(({ address }) => typeof address === 'number')

const fail = (platform: Platform, random: Random, body: object): Promise<void> =>
  platform.control('faults', { times: 1 + below(random, 4), ...body })

/** Something happens before it breaks, and until it is back. */
async function gatewayBreaks({ platform, chat, later }: Breakable, random: Random, how: object): Promise<void> {
  chat(random)
  await platform.control('gateway', how)
  for (let burst = 0; burst < 3; burst++) later(below(random, RECONNECT_MS), () => chat(random))
}

export const FAULTS: readonly Fault[] = [
  {
    name: 'the connection of a game is cut',
    weight: 4,
    cause(world, random) {
      const links = linksOfGames(world)
      if (links.length > 0) pick(random, links).cut()
    },
  },
  {
    name: 'games are cut while they wait for the platform',
    weight: 3,
    async cause({ platform, waiting, later, reviewCallsSoon }, random) {
      await fail(platform, random, { latency_ms: LONGEST_DELAY_MS })
      later(below(random, LONGEST_DELAY_MS), () => {
        for (const link of waiting()) link.cut()
        reviewCallsSoon()
      })
    },
  },
  {
    name: 'a program quits, and starts again',
    weight: 3,
    cause({ games }, random) {
      const [program] = pick(random, games).owner.name.split(' ')
      for (const game of games) if (game.owner.name.split(' ')[0] === program) void game.quit(below(random, LONGEST_QUIT_MS))
    },
  },
  {
    name: 'the connections of all games are cut',
    weight: 1,
    cause: (world) => linksOfGames(world).forEach((link) => link.cut()),
  },
  {
    name: 'a connection to the platform is cut',
    weight: 2,
    cause(world, random) {
      const links = linksOfPlatform(world)
      if (links.length > 0) pick(random, links).cut()
    },
  },
  {
    name: 'a connection to the platform is half-open',
    weight: 2,
    cause(world, random) {
      const links = linksOfPlatform(world)
      if (links.length === 0) return
      pick(random, links).isSilent = true
      world.excuseEvents(HALF_OPEN_MS)
    },
  },
  {
    name: 'the machine sleeps',
    weight: 2,
    cause(world, random) {
      // The platform has given up its connections, and nothing has heard of it.
      for (const link of linksOfPlatform(world)) link.isSilent = true
      const sleptMs = below(random, JUMPS_MS[0])
      world.machine.sleptMs += sleptMs
      world.machine.wallOffsetMs += sleptMs
      world.excuseEvents(HALF_OPEN_MS)
    },
  },
  {
    name: 'a game reads nothing',
    weight: 2,
    cause(world, random) {
      const links = linksOfGames(world)
      if (links.length === 0) return
      const link = pick(random, links)
      link.up.stick(below(random, LONGEST_STUCK_MS))
      world.excuse(link)
    },
  },
  { name: 'the platform refuses', weight: 3, cause: ({ platform }, random) => fail(platform, random, { status: pick(random, STATUSES) }) },
  {
    name: 'the platform is slow',
    weight: 2,
    cause: ({ platform }, random) => fail(platform, random, { latency_ms: 1 + below(random, LONGEST_DELAY_MS) }),
  },
  {
    name: 'the platform drops a request',
    weight: 2,
    cause: ({ platform }, random) => fail(platform, random, { drop: pick(random, ['before-reply', 'mid-reply'] as const) }),
  },
  {
    name: 'the gateway closes',
    weight: 2,
    cause: (world, random) => gatewayBreaks(world, random, { action: 'close', code: pick(random, CLOSE_CODES) }),
  },
  {
    name: 'the gateway drops its connections',
    weight: 2,
    cause: (world, random) => gatewayBreaks(world, random, { action: 'drop' }),
  },
  {
    name: 'the gateway wants a reconnect',
    weight: 1,
    cause: (world, random) => gatewayBreaks(world, random, { action: 'reconnect' }),
  },
  {
    name: 'the gateway ends the session',
    weight: 1,
    cause: (world, random) => gatewayBreaks(world, random, { action: 'invalid_session', resumable: random() < 0.5 }),
  },
  {
    name: 'the platform refuses all calls of a user for some seconds',
    weight: 2,
    async cause({ platform, callSome }, random) {
      const seconds = 1 + below(random, LONGEST_GLOBAL_S)
      const headers = { 'retry-after': String(seconds), 'x-ratelimit-global': 'true', 'x-ratelimit-scope': 'global' }
      await platform.control('faults', { match: { path: '/users' }, times: 1 + below(random, 2), status: 429, headers })
      // More than one call of the user waits, and more come while they do.
      for (let burst = 0; burst < 3; burst++) callSome(random)
    },
  },
  {
    name: 'the clock goes back while games wait',
    weight: 1,
    async cause({ machine, platform, callSome, later }, random) {
      await fail(platform, random, { times: 3, latency_ms: 2 * LONGEST_DELAY_MS })
      callSome(random)
      later(below(random, LONGEST_DELAY_MS), () => {
        machine.wallOffsetMs -= below(random, JUMPS_MS[0])
      })
    },
  },
  {
    name: 'tokens expire while games sign in anew',
    weight: 2,
    async cause({ machine, platform, signInAnew, callSome }, random) {
      machine.wallOffsetMs += TOKEN_LIFE_MS
      await platform.control('faults', { match: { path: '/oauth2/token' }, times: 2, latency_ms: LONGEST_DELAY_MS + below(random, 10_000) })
      callSome(random)
      signInAnew()
    },
  },
  {
    name: 'the clock jumps',
    weight: 2,
    cause({ machine }, random) {
      machine.wallOffsetMs += (random() - BACK_SHARE) * pick(random, JUMPS_MS)
    },
  },
  { name: 'the daemon stops', weight: 1, cause: ({ restart }, random) => restart('stop', below(random, LONGEST_PAUSE_MS)) },
  {
    name: 'the daemon is killed while it stops',
    weight: 1,
    cause({ restart, daemon, later }, random) {
      restart('stop', below(random, LONGEST_PAUSE_MS))
      later(below(random, STOP_MS), () => daemon.kill())
    },
  },
  {
    name: 'the daemon is killed while it starts',
    weight: 1,
    cause({ restart, daemon, later }, random) {
      const pauseMs = below(random, LONGEST_PAUSE_MS)
      restart('kill', pauseMs)
      later(pauseMs + below(random, START_MS), () => {
        daemon.kill()
        restart('kill', 0)
      })
    },
  },
  {
    name: 'a user removes an application',
    weight: 2,
    async cause({ platform, games }, random) {
      const { applicationId, user } = pick(random, games).plan
      if (user !== undefined) await platform.control('deauthorize', { user, application_id: applicationId })
    },
  },
  {
    name: 'the disk is full',
    weight: 2,
    cause({ machine: { disk }, signInAnew, later }, random) {
      disk.isFull = true
      signInAnew()
      later(below(random, LONGEST_FULL_MS), () => {
        disk.isFull = false
      })
    },
  },
  {
    name: 'the daemon is killed in a write',
    weight: 4,
    async cause({ machine: { disk }, platform, games, restart, signInAnew, later }, random) {
      disk.tear({
        isSqlite: random() < SQLITE_SHARE,
        nth: 1 + below(random, 6),
        bytes: below(random, PAGE_BYTES),
        onDeath: () => restart('kill', below(random, LONGEST_PAUSE_MS)),
      })
      // What is stored of a user goes, and comes again.
      const { applicationId, user } = pick(random, games).plan
      if (user !== undefined) await platform.control('deauthorize', { user, application_id: applicationId })
      later(SIGN_IN_MS, signInAnew)
    },
  },
  { name: 'the daemon is killed', weight: 2, cause: ({ restart }, random) => restart('kill', below(random, LONGEST_PAUSE_MS)) },
]
