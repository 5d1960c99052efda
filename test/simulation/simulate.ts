/** One run: a seed, some hours, the whole daemon. Loaded only after `enterSimulation`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Checks } from './checks.ts'
import { Daemon, type Leftovers, watchAccounting } from './daemon.ts'
import { type Breakable, FAULTS } from './faults.ts'
import { Game, type GamePlan } from './game.ts'
import { bootMachine, type Machine } from './machine/machine.ts'
import { below, pick, type Random } from './machine/random.ts'
import { Person } from './person.ts'
import { Platform } from './platform.ts'
import { RunRecord } from './record.ts'
import { storedIn } from './stored.ts'
import { randomOf, scheduleOf, type Step, type StepKind } from './schedule.ts'

const DISK_FULL = /disk is full|ENOSPC/
/** As the service that is installed (RestartSec). */
const START_AGAIN_MS = 3_000
/** The operator must hear of a full disk. */
const OF_FULL_DISK = /error (?:data-not-read|call-key-not-stored) .*(?:disk is full|ENOSPC)/
/** What a broken connection leaves behind is gone by then. */
const SOON_MS = 1_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Calls that begin just before something breaks, and just after; and how long one takes, about. */
const CALLS_AT_FAULT = 3
const CALL_MS = 12
/** How long everything is left alone at the end, so that all that waits is over: longer than any deadline and any backoff. */
const QUIET_MS = 15 * 60_000

const APPLICATIONS = ['9101000000000000001', '9101000000000000002', '9101000000000000003'] as const
/** Who changes what, and toward which of the person's accounts. */
const FRIENDS = { ada: 'linus', grace: 'mary' } as const

/** Two programs run twice, so that what one of their connections leaves behind is not cleared with the program. */
const PLANS: readonly GamePlan[] = [
  { name: 'ferry', encoding: 'json', applicationId: APPLICATIONS[0], user: 'ada' },
  { name: 'ferry twice', encoding: 'msgpack', applicationId: APPLICATIONS[0], user: 'ada' },
  { name: 'tug', encoding: 'json', applicationId: APPLICATIONS[1], user: 'ada' },
  { name: 'barge', encoding: 'msgpack', applicationId: APPLICATIONS[1], user: 'grace' },
  { name: 'buoy', encoding: 'json', applicationId: APPLICATIONS[2], user: undefined },
  { name: 'buoy twice', encoding: 'msgpack', applicationId: APPLICATIONS[2], user: undefined },
]

export interface RunOptions {
  readonly seed: number
  readonly hours: number
  /** Instead of those of the seed. */
  readonly steps?: readonly Step[] | undefined
  /** Gets every line that is hashed. */
  readonly onLine?: ((line: string) => void) | undefined
}

export interface RunReport {
  readonly seed: number
  /** Hours under load; the quiet end comes on top. */
  readonly hours: number
  readonly games: number
  readonly calls: number
  readonly events: number
  /** How often each fault came. */
  readonly faults: Readonly<Record<string, number>>
  readonly checked: number
  readonly failures: readonly string[]
  readonly hash: string
}

watchAccounting()

export async function simulate(options: RunOptions): Promise<RunReport> {
  const base = mkdtempSync(join(tmpdir(), 'sallyport-simulation-'))
  try {
    return await new Run({ ...options, base }).go()
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

class Run {
  readonly #seed: number
  readonly #hours: number
  readonly #base: string
  readonly #steps: readonly Step[]
  readonly #machine: Machine
  readonly #record: RunRecord
  readonly #checks: Checks
  readonly #failures: string[] = []
  readonly #faults: Record<string, number> = {}
  /** What is wrong is said once, although it is looked at again and again. */
  readonly #said = new Set<string>()
  #checked = 0

  constructor({ seed, hours, base, onLine, steps }: RunOptions & { readonly base: string }) {
    this.#seed = seed
    this.#hours = hours
    this.#base = base
    this.#steps = steps ?? scheduleOf(seed, hours).steps
    const now = (): number => this.#machine.timeline.now
    this.#record = new RunRecord(now, [[base, '<folder>']], onLine)
    this.#checks = new Checks(now, (game) => PLANS.find(({ name }) => name === game)?.applicationId ?? '')
    this.#machine = bootMachine(seed, {
      onBytes: (link, direction, bytes) => {
        this.#record.onBytes(link, direction, bytes)
        this.#checks.onBytes(link, direction, bytes)
      },
    })
  }

  async go(): Promise<RunReport> {
    const games = await this.#machine.timeline.until(this.#play())
    for (const { owner, failure } of this.#machine.failures)
      this.#failures.push(`${owner}: an exception that nothing catches: ${failure instanceof Error ? failure.stack : String(failure)}`)
    this.#failures.push(
      ...this.#checks.failures,
      ...this.#record.errors.filter((line) => !OF_FULL_DISK.test(line)).map((line) => `an error in the log: ${line}`),
    )
    return {
      seed: this.#seed,
      hours: this.#hours,
      games,
      calls: this.#checks.wire.calls,
      events: this.#checks.wire.events,
      faults: this.#faults,
      checked: this.#checked + this.#checks.checked,
      failures: this.#failures,
      hash: this.#record.digest,
    }
  }

  /** As a service manager does: a daemon that cannot start on a full disk is started again. */
  async #startAgain(daemon: Daemon): Promise<void> {
    for (;;) {
      try {
        return await daemon.start()
      } catch (failure) {
        if (!DISK_FULL.test(String(failure))) throw failure
        this.#record.note(`the daemon ended: ${String(failure)}`)
        await this.#wait(START_AGAIN_MS)
      }
    }
  }

  async #play(): Promise<number> {
    const machine = this.#machine
    const { timeline, network } = machine
    const runtimeDir = join(this.#base, 'runtime')
    const dataDir = join(this.#base, 'data')
    const platform = await Platform.start(this.#seed, this.#record)
    const users = await platform.users()
    const person = new Person({
      machine,
      seed: this.#seed,
      quit: (program) => {
        for (const link of network.links()) if (link.up.owner?.name.split(' ')[0] === program) link.cut()
      },
      onFailure: (what) => this.#failures.push(what),
    })
    const daemon = new Daemon({ person, machine, record: this.#record, profile: platform.profile, runtimeDir, dataDir })
    await daemon.start()
    const games = PLANS.map(
      (plan) =>
        new Game(plan, {
          runtimeDir,
          idOf: (user) => users.get(user) ?? '',
          exists: (path) => network.has(path),
          onUnexpected: (what) => this.#failures.push(what),
          writes: this.#checks.writes,
        }),
    )
    const pending = new Set<Promise<void>>()
    const begin = (work: () => Promise<void>): void => {
      const running = work().catch((failure: unknown) => void this.#failures.push(`the script: ${String(failure)}`))
      pending.add(running)
      void running.then(() => pending.delete(running))
    }
    const callSome = (random: Random): void => {
      for (let call = 0; call < CALLS_AT_FAULT; call++) begin(() => pick(random, games).act(random))
    }
    let edits = 0
    let restarts = Promise.resolve()
    const world: Breakable = {
      machine,
      daemon,
      platform,
      games,
      restart: (how, pauseMs) => {
        if (how === 'kill') daemon.kill()
        restarts = restarts.then(async () => {
          if (how === 'stop') this.#expectNothingLeft('after a stop', await daemon.stop())
          await this.#wait(pauseMs)
          await this.#startAgain(daemon)
        })
        begin(() => restarts)
      },
      waiting: () => this.#checks.wire.waiting(),
      reviewCallsSoon: () => void timeline.at(timeline.now + SOON_MS, 'script', () => this.#checks.calls.review()),
      chat: (random) => {
        for (let message = 0; message < 2; message++) begin(() => pick(random, games).chat(random))
        const { latest } = this.#checks.events
        // The lobby may be gone.
        if (latest !== undefined)
          begin(() => platform.control('lobby-messages', { message_id: latest, content: `edited ${++edits}` }).catch(() => {}))
      },
      callSome,
      excuse: (link) => this.#checks.events.excuse(link),
      excuseEvents: (ms) => this.#checks.events.excuseAll(ms),
      signInAnew: () => games.forEach((game) => begin(() => game.signInAnew())),
      later: (ms, work) => void timeline.at(timeline.now + ms, 'script', work),
    }
    for (const game of games) begin(() => game.start())
    const run: Readonly<Record<StepKind, (random: Random, step: Step) => Promise<void>>> = {
      call: (random) => pick(random, games).act(random),
      change: (random) => happen(platform, random),
      fault: async (random, step) => {
        const fault = FAULTS.find(({ name }) => name === step.fault)
        if (fault === undefined) throw new Error(`there is no fault ${step.fault}`)
        this.#faults[fault.name] = (this.#faults[fault.name] ?? 0) + 1
        this.#record.note(fault.name)
        // What breaks while nothing is on its way breaks little.
        callSome(random)
        await this.#wait(random() * CALL_MS)
        await fault.cause(world, random)
        callSome(random)
      },
    }
    for (const step of this.#steps) timeline.at(step.at, 'script', () => begin(() => run[step.kind](randomOf(this.#seed, step), step)))
    for (let passed = 0; passed < this.#hours * HOUR_MS; passed += MINUTE_MS) {
      await this.#wait(MINUTE_MS)
      await this.#checks.review(dataDir)
      this.#reviewCounts(daemon)
    }
    person.isWilling = true
    for (let passed = 0; passed < QUIET_MS; passed += MINUTE_MS) {
      await this.#wait(MINUTE_MS)
      for (const game of games) begin(() => game.ensureSignedIn())
    }
    await this.#wait(QUIET_MS)
    await restarts
    this.#review(games)
    await Promise.all(games.map((game) => game.stop()))
    await this.#wait(QUIET_MS)
    await Promise.all(pending)
    await this.#checks.review(dataDir)
    this.#checks.writes.review()
    this.#expectNothingLeft('when all games have left', daemon.held())
    this.#expectNothingLeft('after the last stop', await daemon.stop())
    for (const line of storedIn(dataDir)) this.#record.note(`stored ${line}`)
    await platform.stop()
    for (const { owner, begun, ended } of games) this.#expect(begun === ended, `${owner.name} waits for ${begun - ended} calls for ever`)
    return games.length
  }

  /** What a call holds is given back with its answer, or with its connection. */
  #reviewCounts(daemon: Daemon): void {
    const overfull = daemon.overfull()
    this.#expect(overfull.length === 0, `more is held than all may have: ${overfull.join(', ')}`)
    if (this.#checks.wire.waiting().length > 0) return
    const { shown, charged } = daemon.prompts()
    this.#expect(shown === charged, `${charged} prompts are charged while ${shown} are open`)
    const { pendingCalls = 0, pendingCallBytes = 0, unfinishedFrameBytes = 0 } = daemon.held()
    this.#expectNothingLeft('while no call is on its way', { pendingCalls, pendingCallBytes, unfinishedFrameBytes })
  }

  /** After a quiet time, all is back. */
  #review(games: readonly Game[]): void {
    for (const { client, owner, plan } of games) {
      this.#expect(client.state.name === 'ready', `${owner.name} is ${client.state.name} after a quiet time`)
      if (plan.user !== undefined) this.#expect(client.account === 'signed-in', `${owner.name} is ${client.account} after a quiet time`)
    }
  }

  #expectNothingLeft(when: string, left: Leftovers): void {
    for (const [name, count] of Object.entries(left)) this.#expect(count === 0, `${count} ${name} ${when}`)
  }

  #expect(isRight: boolean, sentence: string): void {
    this.#checked += 1
    if (isRight || this.#said.has(sentence)) return
    this.#said.add(sentence)
    this.#failures.push(`${(this.#machine.timeline.now / 1_000).toFixed(3)} s: ${sentence}`)
  }

  #wait(ms: number): Promise<void> {
    const { timeline } = this.#machine
    return new Promise((resolve) => void timeline.at(timeline.now + ms, 'script', resolve))
  }
}

/** What other users do. */
async function happen(platform: Platform, random: Random): Promise<void> {
  const account = pick(random, ['ada', 'grace'] as const)
  const friend = FRIENDS[account]
  const kind = below(random, 2)
  if (kind === 0)
    await platform.control('relationships', { user: account, other: friend, type: pick(random, ['friend', 'none', 'blocked'] as const) })
  else
    await platform.control('presences', {
      user: friend,
      application_id: pick(random, APPLICATIONS),
      activity: { details: `quay ${below(random, 100)}` },
    })
}
