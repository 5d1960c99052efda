/**
 * The setup of Windows under Wine 10, on the desktop of a booted trixie: a Windows game on the pipe, from the installation to a purge. Prompts are
 * answered over the dashboard's interface, because a balloon of Wine takes no click here.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { execFileSync, spawn } from 'node:child_process'
import { TARGETS } from '#daemon/packaging/base-node.ts'
import { nsis } from '#daemon/packaging/installers/nsis.ts'
import { cleanEnvironment } from '../e2e/support/daemon.ts'
import { type Machine, SHARED } from '../e2e/systemd/machine.ts'
import { compiledBinding } from '../e2e/wine/programs.ts'
import { ROOT } from '../e2e/wine/wine.ts'
import type { Desktop } from './desktop.ts'
import { NEW, OLD } from './packagings.ts'
import { PROFILE } from './platform.ts'
import { type Moment, type Row, secondsText, type WalkReport } from './report.ts'
import { type Typed, type as typeLine } from './shell.ts'
import { type Folders, onStage } from './stage.ts'

const EXECUTABLE = join(ROOT, 'daemon/dist/package/sallyport-win-x64.exe')
const TIME = 1_767_225_600
const LOOK_MS = 500
/** Until a balloon is drawn. */
const DRAW_MS = 3_000
/** Wine is slow, and a machine of tests is busy. */
const SOON_MS = 120_000

const HOME = '/home/player'
const PREFIX = `${HOME}/.wine`
const USER = `${PREFIX}/drive_c/users/player`
const PROGRAMS = `${USER}/AppData/Local/Programs/Sallyport`
const DATA = `${USER}/AppData/Local/Sallyport`
const GAME_OUTPUT = `${HOME}/game.txt`
const PROGRAM = String.raw`"C:\users\player\AppData\Local\Programs\Sallyport\sallyport.exe"`

export const obstacleToSetup = (): string | undefined =>
  existsSync(EXECUTABLE) ? undefined : 'There is no executable for Windows; make it with: npm run package -- --target win-x64'

/** Packed by a fast method, which takes seconds instead of minutes. The settings of NSIS come before those of the script. */
async function makeSetups(folder: string, scratch: string): Promise<void> {
  const target = TARGETS.find(({ name }) => name === 'win-x64')
  if (target === undefined) throw new Error('the packaging targets know no win-x64')
  await writeFile(join(scratch, 'nsisconf.nsh'), 'SetCompressor /FINAL zlib\n')
  process.env['NSISCONFDIR'] = scratch
  for (const version of [OLD, NEW]) {
    const own = join(scratch, version)
    await mkdir(own, { recursive: true })
    await nsis.make({
      root: ROOT,
      notices: [],
      version,
      target,
      executable: EXECUTABLE,
      output: join(folder, `setup-${version}.exe`),
      scratch: own,
      time: TIME,
    })
  }
}

/** What a step took, and more words for the game. */
interface Done {
  readonly ms?: number
  readonly words?: string
}

class WindowsWalk {
  readonly #machine: Machine
  readonly #desktop: Desktop
  readonly #onStep: (step: string) => void
  readonly #pictures: string | undefined
  readonly rows: Row[] = []
  readonly moments: Moment[] = []
  #read = 0
  #isFirstMinute = true
  #wrong: string[] = []

  constructor(machine: Machine, desktop: Desktop, onStep: (step: string) => void, pictures: string | undefined) {
    this.#machine = machine
    this.#desktop = desktop
    this.#onStep = onStep
    this.#pictures = pictures
  }

  #expect(holds: boolean, sentence: string): void {
    if (!holds) this.#wrong.push(sentence)
  }

  #note(at: number, place: Moment['place'], text: string): void {
    if (this.#isFirstMinute) this.moments.push({ at, place, text })
  }

  /** Everything that the game printed. */
  get #printed(): string {
    const path = this.#machine.path(GAME_OUTPUT)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  async #until(holds: () => boolean): Promise<boolean> {
    for (const started = Date.now(); Date.now() - started < SOON_MS; await pause(LOOK_MS)) if (holds()) return true
    return false
  }

  /** Words before a shell command of the player's, for Wine. */
  get #inWine(): readonly [string, ...string[]] {
    const variables = ['DISPLAY=:7', 'WINEDEBUG=-all', 'WINEDLLOVERRIDES=mscoree=;mshtml=', 'XDG_CURRENT_DESKTOP=Openbox']
    return [...this.#machine.as('player'), 'env', `--chdir=${HOME}`, `HOME=${HOME}`, `WINEPREFIX=${PREFIX}`, ...variables]
  }

  /** Runs a Windows program to its end, with files as its streams, which Node under Wine needs. */
  async #type(command: string): Promise<Typed> {
    const typed = await typeLine(this.#inWine, `wine ${command} </dev/null >out.txt 2>&1; code=$?; cat out.txt; exit $code`)
    this.#note(typed.at, 'typed', command)
    for (const line of typed.lines) this.#note(line.at, 'terminal', line.text)
    this.#expect(typed.code === 0, `"${command}" ended with ${typed.code}: ${typed.lines.map(({ text }) => text).join(' ')}`)
    return typed
  }

  async #step(step: string, work: () => Promise<Done>): Promise<void> {
    this.#onStep(step)
    this.#wrong = []
    const done = await work().catch((failure: unknown): Done => {
      this.#wrong.push(String(failure))
      return {}
    })
    const said = this.#printed
      .slice(this.#read)
      .trim()
      .split(/\r?\n/)
      .filter((line) => /signed in|back after|connection|via|failed/i.test(line))
    this.#read = this.#printed.length
    for (const line of said) this.#note(Date.now(), 'game', line.trim())
    const words = [...(done.words === undefined ? [] : [done.words]), ...said.map((line) => line.trim())]
    this.rows.push({
      step,
      game: words.join('; ') || 'nothing',
      client: 'there is none',
      sockets: `programs: ${this.#processes().join(', ') || 'none'}`,
      seconds: done.ms === undefined ? '' : secondsText(done.ms),
      wrong: this.#wrong,
    })
    await this.#pictureOf(String(this.rows.length))
  }

  async #pictureOf(name: string): Promise<void> {
    if (this.#pictures === undefined) return
    await pause(DRAW_MS)
    this.#desktop.picture(join(this.#pictures, `setup-${name}.png`))
  }

  #processes(): readonly string[] {
    const list = `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -aoE 'sallyport[a-z-]*\\.exe$' | sort | uniq -c; :`
    return this.#machine
      .run('root', 'sh', '-c', list)
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [count, name] = line.trim().split(' ')
        return name === undefined ? [] : [count === '1' ? name : `${count} × ${name}`]
      })
  }

  /** Allows the prompt that waits, as the dashboard does. Resolves to its title. */
  async #allow(): Promise<string> {
    const ask = (path: string, method: string): string => {
      const address = readFileSync(this.#machine.path(`${DATA}/dashboard.address`), 'utf8').trim()
      const { origin, hash } = new URL(address)
      const script = `const [, address, key, method] = process.argv; fetch(address, { method, headers: { authorization: 'Bearer ' + key } }).then(async (reply) => console.log(await reply.text()))`
      const [enter, ...words] = this.#machine.inNetwork
      const node = [process.execPath, '-e', script, `${origin}${path}`, hash.replace('#token=', ''), method]
      return execFileSync(enter, [...words, ...node], { encoding: 'utf8', env: cleanEnvironment() })
    }
    interface Asked {
      readonly prompts: readonly { readonly id: string; readonly title: string }[]
    }
    for (const started = Date.now(); Date.now() - started < SOON_MS; await pause(LOOK_MS)) {
      const [prompt] = (JSON.parse(ask('/api/state', 'GET')) as Asked).prompts
      if (prompt === undefined) continue
      await this.#pictureOf('prompt')
      ask(`/api/prompts/${prompt.id}/allow`, 'POST')
      return prompt.title
    }
    throw new Error('the bridge asks nothing')
  }

  async firstMinute(): Promise<void> {
    await this.#step('a prefix of Wine', async () => {
      const { ms } = await typeLine(this.#inWine, 'wineboot -i >/dev/null 2>&1 && winecfg -v win10 >/dev/null 2>&1')
      return { ms }
    })
    this.#machine.write('player', `${USER}/AppData/Roaming/Sallyport/config.json`, JSON.stringify({ platform: `Z:${PROFILE}` }))
    await this.#step('install', async () => {
      const { ms } = await this.#type(`${SHARED}/setup-${OLD}.exe /S`)
      const hasAddress = await this.#until(() => existsSync(this.#machine.path(`${DATA}/dashboard.address`)))
      this.#expect(hasAddress, 'the bridge did not start')
      return { ms }
    })
    await this.#step('a game connects and asks to sign in', async () => {
      const before = Date.now()
      const [program, ...words] = this.#inWine
      const line = `exec wine ${SHARED}/dockside.exe --rounds 100 </dev/null >${GAME_OUTPUT} 2>&1`
      spawn(program, [...words, 'sh', '-c', line], { env: cleanEnvironment(), stdio: 'ignore' })
      const title = await this.#allow()
      this.#expect(await this.#until(() => this.#printed.includes('signed in as')), 'the game was not signed in')
      return { ms: Date.now() - before, words: `prompt "${title}", allowed on the dashboard` }
    })
    for (const { at, page, status } of this.#desktop.pages) this.#note(at, 'browser', `${page} (${status})`)
  }

  async #replace(step: string, version: string): Promise<void> {
    await this.#step(`${step} under the signed-in game`, async () => {
      const read = this.#printed.length
      const { ms } = await this.#type(`${SHARED}/setup-${version}.exe /S`)
      const isBack = await this.#until(() => this.#printed.slice(read).includes('back after'))
      this.#expect(isBack, 'the game was not back')
      return { ms }
    })
  }

  async rest(): Promise<void> {
    this.#isFirstMinute = false
    await this.#step('sallyport status', async () => {
      const { ms, lines } = await this.#type(`${PROGRAM} status`)
      return {
        ms,
        words: lines
          .map(({ text }) => text.trim())
          .slice(0, 6)
          .join(' / '),
      }
    })
    await this.#replace('upgrade', NEW)
    await this.#replace('downgrade', OLD)
    await this.#step('uninstall', async () => {
      const { ms } = await this.#type(String.raw`"C:\users\player\AppData\Local\Programs\Sallyport\uninstall.exe" /S`)
      const isGone = await this.#until(() => !existsSync(this.#machine.path(`${PROGRAMS}/sallyport.exe`)) && this.#processes().length === 0)
      this.#expect(isGone, `left: ${this.#processes().join(', ')}`)
      return { ms, words: `data ${existsSync(this.#machine.path(DATA)) ? 'kept' : 'gone'}` }
    })
    await this.#step('install again, and uninstall with /PURGE', async () => {
      await this.#type(`${SHARED}/setup-${OLD}.exe /S`)
      const { ms } = await this.#type(String.raw`"C:\users\player\AppData\Local\Programs\Sallyport\uninstall.exe" /S /PURGE`)
      const isGone = await this.#until(() => !existsSync(this.#machine.path(PROGRAMS)) && !existsSync(this.#machine.path(DATA)))
      this.#expect(isGone, 'the program or its data are left')
      return { ms, words: isGone ? 'nothing left' : 'something left' }
    })
  }
}

export async function walkWindows(onStep: (step: string) => void, pictures?: string): Promise<WalkReport> {
  const prepare = async ({ shared, scratch }: Folders) => {
    await compiledBinding({ outputs: shared, env: {} }, 'dockside', 'examples/dockside.c')
    await makeSetups(shared, scratch)
  }
  return onStage('trixie', prepare, async ({ machine, desktop }) => {
    const walked = new WindowsWalk(machine, desktop, onStep, pictures)
    await walked.firstMinute()
    await walked.rest()
    return { title: 'setup.exe on Wine 10, in trixie', rows: walked.rows, moments: walked.moments }
  })
}
