/**
 * A player's way over a Linux package in a booted system: from the installation, beside a client of the platform, to the removal. The machine has
 * two users. The player has a desktop, and the client is in the player's first slot; the guest has neither.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Machine, SHARED, type User } from '../e2e/systemd/machine.ts'
import type { SystemName } from '../e2e/systemd/root.ts'
import { Actor, type Said } from './actor.ts'
import type { Desktop } from './desktop.ts'
import { journalSince } from './journal.ts'
import { inMachine, makePackages, NEW, OLD, type Packaging, PACKAGINGS, type PackagingName } from './packagings.ts'
import { ORIGIN, type PlatformUser, PROFILE, userOf } from './platform.ts'
import { type Moment, type Row, secondsText, type WalkReport } from './report.ts'
import { clientText, counted, gameText, isReady } from './said-text.ts'
import { type Typed, type as typeLine } from './shell.ts'
import { slotsOf, slotsText } from './sockets.ts'
import { type Folders, onStage } from './stage.ts'

const APPLICATION = '888000557'
/** Of the game that knows the first slot only, and of the guest's. */
const OLD_APPLICATION = '888000666'
const RUNTIME = '/run/user/1000'

/** For something that must come. */
const SOON_MS = 30_000
/** What a terminal shows in one line, over and over. */
const PROGRESS = /^\(Reading database \.\.\. +(?:\d+%)?$/
/** A person has left by then. */
const NOTICE_MS = 15_000
/** For what comes in after a step, before the step is looked at. */
const SETTLE_MS = 1_500
const ANSWER_TRIES = 10

export interface WalkPlan {
  readonly packaging: PackagingName
  readonly system: Exclude<SystemName, 'plain'>
  /** How the client takes a slot. */
  readonly takes: 'bind' | 'rename'
  /** False: it quits and comes back before the upgrade. */
  readonly clientStays: boolean
  readonly onStep?: (step: string) => void
  /** A folder for what the screen showed at each step. */
  readonly pictures?: string | undefined
}

class Walk {
  readonly #plan: WalkPlan
  readonly #way: Packaging
  readonly #machine: Machine
  readonly #desktop: Desktop
  /** Of the platform and its client. */
  readonly #user: PlatformUser
  readonly #actors: Actor[] = []
  readonly #rows: Row[] = []
  readonly #moments: Moment[] = []
  readonly #read = new Map<Actor, number>()
  #client: Actor
  #clientInode: number | undefined
  /** Knows the first slot only, as old libraries do, and takes any server. */
  #oldGame: Actor | undefined
  /** Wants the bridge, wherever it is. */
  #game: Actor | undefined
  #guestGame: Actor | undefined
  #isFirstMinute = false
  #wrong: string[] = []

  constructor(plan: WalkPlan, machine: Machine, desktop: Desktop, user: PlatformUser, client: Actor) {
    this.#plan = plan
    this.#way = PACKAGINGS[plan.packaging]
    this.#machine = machine
    this.#desktop = desktop
    this.#user = user
    this.#client = client
  }

  get rows(): readonly Row[] {
    return this.#rows
  }

  /** Notes a sentence unless it holds. */
  #expect(holds: boolean, sentence: string): void {
    if (!holds) this.#wrong.push(sentence)
  }

  #note(at: number, place: Moment['place'], text: string): void {
    if (this.#isFirstMinute) this.#moments.push({ at, place, text })
  }

  /** What an actor said since it was last asked. */
  #news(actor: Actor | undefined): readonly Said[] {
    if (actor === undefined) return []
    const from = this.#read.get(actor) ?? 0
    this.#read.set(actor, actor.said.length)
    return actor.said.slice(from)
  }

  /** Does something, and writes the row of it. `work` resolves to the time it took and more words for the game. False: it could not be done. */
  async #step(step: string, work: () => Promise<{ readonly ms?: number; readonly words?: string } | void>): Promise<boolean> {
    this.#plan.onStep?.(step)
    this.#wrong = []
    let isDone = true
    let done: Awaited<ReturnType<typeof work>> = undefined
    try {
      done = await work()
    } catch (failure) {
      isDone = false
      this.#wrong.push(String(failure))
    }
    await pause(SETTLE_MS)
    const games = [
      { name: 'old game', actor: this.#oldGame },
      { name: 'game', actor: this.#game },
      { name: 'guest', actor: this.#guestGame },
    ]
    const saw = games.flatMap(({ name, actor }) => {
      const news = this.#news(actor)
      for (const line of news) this.#note(line.at, 'game', `${name}: ${gameText(line)}`)
      return news.length === 0 ? [] : [`${name}: ${counted(news.map(gameText), ', ')}`]
    })
    const heard = this.#news(this.#client)
    for (const line of heard) this.#note(line.at, 'client', clientText(line))
    this.#expect(!heard.some(({ event }) => event === 'lost'), 'the client lost the name of its socket')
    const { pictures, packaging, system } = this.#plan
    if (pictures !== undefined) this.#desktop.picture(join(pictures, `${packaging}-${system}-${this.#rows.length + 1}.png`))
    const slots = (user: User): string => slotsText(slotsOf(this.#machine, user), this.#clientInode)
    this.#rows.push({
      step,
      game: [...(done?.words === undefined ? [] : [done.words]), ...saw].join('; ') || 'nothing',
      client: counted(heard.map(clientText)),
      sockets: `player: ${slots('player')}\nguest: ${slots('guest')}`,
      seconds: done?.ms === undefined ? '' : secondsText(done.ms),
      wrong: this.#wrong,
    })
    return isDone
  }

  async #type(by: User | 'root', text: string): Promise<Typed> {
    const words = by === 'root' ? this.#machine.asRoot : this.#machine.as(by)
    const home = by === 'root' ? '/root' : `/home/${by}`
    const typed = await typeLine([...words, 'env', `--chdir=${home}`, `HOME=${home}`], text)
    this.#note(typed.at, 'typed', `${by}: ${text}`)
    for (const line of typed.lines) if (!PROGRESS.test(line.text)) this.#note(line.at, 'terminal', line.text)
    if (typed.code !== 0) throw new Error(`"${text}" ended with ${typed.code}: ${typed.lines.map((line) => line.text).join(' ')}`)
    return typed
  }

  #startGame(user: User, options: object): Actor {
    const run = ['systemd-run', '--user', '--quiet', '--collect', '--wait', '--pipe', '--working-directory=/', '--']
    const words = [...this.#machine.as(user), ...run, `${SHARED}/game`, JSON.stringify({ applicationId: APPLICATION, ...options })]
    const game = Actor.start(`game of ${user}`, words as [string, ...string[]])
    this.#actors.push(game)
    return game
  }

  /** Resolves to the milliseconds until the game was ready. */
  async #connect(game: Actor): Promise<number> {
    const before = Date.now()
    await game.order('connect')
    return Date.now() - before
  }

  /** Waits until the game is ready again after what was said before. Resolves to its milliseconds without a server. */
  async #back(game: Actor | undefined, from: number, name: string): Promise<Said | undefined> {
    const ready = await game?.heard(isReady, from, SOON_MS)
    this.#expect(ready !== undefined, `the ${name} was not back after ${SOON_MS / 1000} s`)
    return ready
  }

  static async startClient(machine: Machine, takes: WalkPlan['takes'], user: PlatformUser): Promise<{ client: Actor; inode: number }> {
    const place = { directory: RUNTIME, takes, user, apiEndpoint: `${ORIGIN.replace('http:', '')}/api`, apiBase: `${ORIGIN}/api/v10` }
    const client = Actor.start('client', [...machine.as('player'), `${SHARED}/client`, JSON.stringify(place)])
    const listening = await client.heard(({ event }) => event === 'listening', 0, SOON_MS)
    if (listening?.ino === undefined) throw new Error('the client did not take a slot')
    return { client, inode: listening.ino }
  }

  #expectClientIn(slot: number | undefined): void {
    const found = slotsOf(this.#machine, 'player').find(({ inode }) => inode === this.#clientInode)?.slot
    this.#expect(found === slot, `the client has ${found === undefined ? 'no slot' : `slot ${found}`}, not ${slot ?? 'none'}`)
  }

  #expectOurs(user: User, slot: number | undefined): void {
    const ours = slotsOf(this.#machine, user).filter(({ isOurs }) => isOurs)
    const text = ours.map((one) => one.slot).join(', ')
    this.#expect(
      text === String(slot ?? ''),
      `the bridge of the ${user} has ${text === '' ? 'no slot' : `slot ${text}`}, not ${slot ?? 'none'}`,
    )
  }

  /** From the installation to a signed-in game: what the transcript shows. False: nothing was installed. */
  async firstMinute(clientInode: number): Promise<boolean> {
    const { by, install, serves, program } = this.#way
    this.#clientInode = clientInode
    await this.#step('before', async () => {
      this.#oldGame = this.#startGame('player', { applicationId: OLD_APPLICATION, slot: 0 })
      return { ms: await this.#connect(this.#oldGame) }
    })
    this.#isFirstMinute = true
    const startedAt = Date.now()
    const isInstalled = await this.#step('install', async () => {
      const { ms } = await this.#type(by, install(inMachine(this.#plan.packaging, OLD)))
      await pause(SETTLE_MS)
      this.#expectClientIn(0)
      this.#expectOurs('player', 1)
      if (serves.includes('guest')) this.#expectOurs('guest', 0)
      return { ms }
    })
    if (!isInstalled) return false
    await this.#step('a game connects', async () => {
      this.#game = this.#startGame('player', { requireBridge: true })
      const ms = await this.#connect(this.#game)
      if (serves.includes('guest')) {
        this.#guestGame = this.#startGame('guest', { applicationId: OLD_APPLICATION, slot: 0 })
        await this.#connect(this.#guestGame)
      }
      return { ms }
    })
    await this.#step('the player names the platform of this machine', async () => {
      const from = this.#game?.said.length ?? 0
      const set = await this.#type('player', `${program} config set platform ${PROFILE}`)
      const restart = /systemctl --user restart \S+|sallyport \S+/.exec(set.lines.map(({ text }) => text).join(' '))?.[0]
      await this.#type('player', 'systemctl --user restart sallyport.service')
      const back = await this.#back(this.#game, from, 'game')
      return { ms: back?.outageMs ?? 0, words: `printed: ${restart ?? 'nothing'}` }
    })
    await this.#signIn()
    this.#collect(startedAt)
    this.#isFirstMinute = false
    return true
  }

  async #signIn(): Promise<void> {
    let asked: Promise<unknown> = Promise.resolve()
    let askedAt = 0
    await this.#step('the game asks to sign in', async () => {
      askedAt = Date.now()
      asked = this.#game?.order('signIn', ['identify']) ?? asked
      asked.catch(() => {})
      let notice = await this.#desktop.nextNotice(askedAt, NOTICE_MS)
      this.#expect(notice !== undefined, `no notification within ${NOTICE_MS / 1000} s`)
      if (notice === undefined) {
        await this.#type('player', `systemctl --user daemon-reload; systemctl --user start 'app-sallyport\\x2dtray@autostart.service'`)
        notice = await this.#desktop.nextNotice(askedAt, NOTICE_MS)
        this.#expect(notice !== undefined, `no notification after a new login either`)
      }
      return notice === undefined ? {} : { ms: notice.at - askedAt, words: `notification "${notice.title}"` }
    })
    await this.#step('the player answers', async () => {
      const before = Date.now()
      const answer = this.#answer()
      const result = (await Promise.race([asked, pause(SOON_MS)])) as { readonly user: string; readonly isKept: boolean } | undefined
      const ms = Date.now() - before
      const how = await answer
      this.#expect(result !== undefined, 'the game was not signed in')
      this.#expect(result?.isKept === true, 'the sign-in is not kept')
      await this.#game?.order('activity', 'Sorting crates')
      const shown = await this.#client.heard(({ event, cmd }) => event === 'call' && cmd === 'SET_ACTIVITY', 0, SOON_MS)
      this.#expect(shown !== undefined, 'the client did not get the presence of the game')
      return { ms, words: `${how}; signed in as ${result?.user ?? 'no user'}` }
    })
  }

  /** In the notification, or in the menu of the tray where the notification only opens the dashboard. Resolves to how. */
  async #answer(): Promise<string> {
    const pages = this.#desktop.pages.length
    let how = 'not answered'
    for (let tries = 0; tries < ANSWER_TRIES; tries++) {
      const menu = await this.#desktop.choose('Allow')
      if (menu.includes('Allow')) how = 'Allow in the notification'
      else if (this.#desktop.chooseInTray('Allow'))
        how = `Allow in the tray's menu; the notification has ${menu.trim().replaceAll('\n', ', ') || 'no action'}`
      // An answer that comes at once does not count, so it may take another.
      await pause(SETTLE_MS)
      if (this.#desktop.pages.length > pages) return how
    }
    this.#wrong.push('no page of the platform was opened')
    return how
  }

  /** What others showed since then. */
  #collect(since: number): void {
    for (const { at, title, body } of this.#desktop.notices) if (at >= since) this.#note(at, 'notification', `${title}\n${body}`)
    for (const { at, page, status } of this.#desktop.pages) this.#note(at, 'browser', `${page} (${status})`)
    if (this.#desktop.trayAt !== undefined) this.#note(this.#desktop.trayAt, 'tray', 'the icon is in the panel')
    for (const { at, text } of journalSince(this.#machine, since)) this.#note(at, 'journal', text)
  }

  async #clientLeavesAndReturns(): Promise<void> {
    await this.#step('the client quits', async () => {
      const from = this.#oldGame?.said.length ?? 0
      const started = Date.now()
      await this.#client.order('quit')
      await this.#client.end()
      this.#clientInode = undefined
      const back = await this.#back(this.#oldGame, from, 'old game')
      this.#expect(back?.bridge !== undefined, 'the old game did not find the bridge')
      await pause(SETTLE_MS)
      this.#expectOurs('player', 0)
      return { ms: (back?.at ?? started) - started }
    })
    await this.#step('the client starts again', async () => {
      const started = Date.now()
      const { client, inode } = await Walk.startClient(this.#machine, this.#plan.takes, this.#user)
      this.#client = client
      this.#clientInode = inode
      const presence = await client.heard(({ event, cmd }) => event === 'call' && cmd === 'SET_ACTIVITY', 0, SOON_MS)
      this.#expect(presence !== undefined, 'the client did not get the presence of the game')
      this.#expectOurs('player', 0)
      this.#expectClientIn(1)
      return presence === undefined ? {} : { ms: presence.at - started }
    })
  }

  async #replace(step: 'upgrade' | 'downgrade', version: typeof OLD | typeof NEW): Promise<void> {
    const ours = this.#plan.clientStays ? 1 : 0
    await this.#step(`${step} under the signed-in game`, async () => {
      const marks = [this.#game, this.#guestGame].map((game) => game?.said.length ?? 0) as [number, number]
      const { ms } = await this.#type(this.#way.by, this.#way[step](inMachine(this.#plan.packaging, version)))
      const back = await this.#back(this.#game, marks[0], 'game')
      const restored = back?.restored
      this.#expect(restored?.signIn === 'done', 'the game was not signed in again')
      this.#expect(restored?.presence === 'done', 'the presence was not set again')
      if (this.#guestGame !== undefined) await this.#back(this.#guestGame, marks[1], 'game of the guest')
      this.#expectClientIn(this.#plan.clientStays ? 0 : 1)
      this.#expectOurs('player', ours)
      return { ms, words: `without a server for ${secondsText(back?.outageMs ?? 0)} s` }
    })
  }

  /** Processes of the program, and files that are not the user's. */
  #leftBehind(): readonly string[] {
    const script = `readlink /proc/[0-9]*/exe | grep -E '${this.#way.program}' | sed 's/^/process /'
      find /usr /etc /home/player/.local/bin /home/player/.local/share /home/player/.config -iname '*sallyport*' -not -path '*/wants/*' 2>/dev/null | sed 's/^/file /'`
    return this.#machine
      .run('root', 'sh', '-c', `${script}; :`)
      .split('\n')
      .filter((line) => line !== '')
  }

  async rest(): Promise<void> {
    if (!this.#plan.clientStays) await this.#clientLeavesAndReturns()
    await this.#replace('upgrade', NEW)
    await this.#replace('downgrade', OLD)
    const { by, remove, purge, program } = this.#way
    const data = '/home/player/.local/share/sallyport'
    await this.#step('remove', async () => {
      const from = this.#game?.said.length ?? 0
      const { ms } = await this.#type(by, remove)
      const lost = await this.#game?.heard(({ state }) => state === 'waiting', from, SOON_MS)
      this.#expect(lost !== undefined, 'the game did not lose its connection')
      this.#expectClientIn(this.#plan.clientStays ? 0 : 1)
      this.#expectOurs('player', undefined)
      this.#expectOurs('guest', undefined)
      const left = this.#leftBehind()
      this.#expect(!left.some((one) => one.startsWith('process')), `a process goes on: ${left.join(', ')}`)
      return { ms, words: `left: ${left.map((one) => one.replace('file ', '')).join(', ') || 'nothing'}` }
    })
    if (purge === undefined) return
    await this.#step('purge', async () => {
      const { ms } = await this.#type(by, purge)
      const left = this.#leftBehind()
      // A purge of the system's package leaves what is in the home of a user.
      const ofOthers = by === 'root' ? left.filter((one) => !one.includes('/home/')) : left
      this.#expect(ofOthers.length === 0, `left after the purge: ${ofOthers.join(', ')}`)
      if (by === 'root')
        this.#expect(
          left.some((one) => one.endsWith(data)),
          `the data of the player is gone`,
        )
      return { ms, words: `left: ${left.map((one) => one.replace('file ', '')).join(', ') || 'nothing'} (${program} is gone)` }
    })
  }

  async end(): Promise<void> {
    await Promise.all([this.#client, ...this.#actors].map((actor) => actor.kill()))
  }

  report(): WalkReport {
    const { packaging, system, takes, clientStays } = this.#plan
    const client = `a client that takes its slot by ${takes}, and ${clientStays ? 'stays' : 'quits and returns'}`
    return { title: `${packaging} on ${system}, beside ${client}`, rows: this.#rows, moments: this.#moments }
  }
}

export function walk(plan: WalkPlan): Promise<WalkReport> {
  const prepare = ({ shared, scratch }: Folders) => makePackages(plan.packaging, shared, scratch)
  return onStage(plan.system, prepare, async ({ machine, desktop }) => {
    const user = userOf(machine)
    const { client, inode } = await Walk.startClient(machine, plan.takes, user)
    const walked = new Walk(plan, machine, desktop, user, client)
    try {
      if (await walked.firstMinute(inode)) await walked.rest()
      return walked.report()
    } finally {
      await walked.end()
    }
  })
}
