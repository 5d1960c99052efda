/** The helper of the tray for Windows, under Wine: it starts, reads a menu with every kind of item, is there once, and ends with its input. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticeLine, QUIT_LINE, viewLines, withdrawLine } from '#daemon/src/tray/helper-protocol.ts'
import { trayMenu } from '#daemon/src/tray/menu.ts'
import { MenuNumbers } from '#daemon/src/tray/numbered-menu.ts'
import { EMPTY_STATE, GAME, GRANT, PROMPT } from '#test/support/bridge-state.ts'
import { Display } from '../../screenshot/display.ts'
import { ended } from '#test/support/ended.ts'
import { findWine, ROOT, type Wine } from './wine.ts'

const PREPARE_MS = 180_000
const COMPILER = 'x86_64-w64-mingw32-gcc'

let folder: string
let wine: Wine | undefined
let skipped: string | undefined
let helper: string
let display: Display | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sp-'))
  const found = await findWine()
  if ('missing' in found) skipped = found.missing
  else if (spawnSync(COMPILER, ['--version']).status !== 0) skipped = `${COMPILER} is missing; on Debian: gcc-mingw-w64-x86-64`
  else if (spawnSync('Xvfb', ['-help']).error !== undefined) skipped = 'Xvfb is missing, and windows need a screen; on Debian: xvfb'
  else {
    wine = found
    display = await Display.open({ width: 640, height: 480 })
    helper = join(folder, 'sallyport-tray.exe')
    const source = join(ROOT, 'daemon/packaging/tray/windows-tray.c')
    execFileSync(COMPILER, ['-Os', '-s', '-Wall', '-Wextra', '-Werror', '-municode', '-mwindows', '-o', helper, source])
  }
}, PREPARE_MS)
afterAll(async () => {
  await display?.close()
  rmSync(folder, { recursive: true })
})

async function start(): Promise<{ readonly process: ChildProcess; readonly first: string }> {
  const child = spawn('wine', [helper], { env: { ...wine?.env, DISPLAY: display?.name }, stdio: ['pipe', 'pipe', 'ignore'] })
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const first = await Promise.race([line, ended(child).then((code) => `ended with ${code}`)])
  return { process: child, first: first.trim() }
}

test('reads what the tray sends, is there once, and ends when it is asked to', { timeout: PREPARE_MS }, async (context) => {
  if (skipped !== undefined) return context.skip(skipped)
  const one = await start()
  expect(one.first).toBe('ready')
  const second = await start()
  expect(second.first).toBe('busy')
  expect(await ended(second.process)).toBe(1)

  const bridge = { ...EMPTY_STATE, games: [GAME], prompts: [PROMPT], grants: [GRANT] }
  const menu = new MenuNumbers().number(trayMenu({ kind: 'connected', bridge }, { names: ['sandbox', 'discord'], set: 'sandbox' }))
  for (const icon of ['ready', 'prompt', 'off'] as const) one.process.stdin?.write(viewLines({ icon, tip: 'Übersicht ✓', menu }))
  one.process.stdin?.write(
    noticeLine({ key: 'ab12', title: 'A prompt', body: `one\ntwo ${'x'.repeat(1000)}`, hint: 'Click to open it.', isAnswerable: false }),
  )
  // Lines that no tray sends change nothing.
  one.process.stdin?.write('item\t9\t1\t-\tdeep\nitem\t0\nend\nicon\t9000\t00\nnothing\n')
  one.process.stdin?.write(withdrawLine('ab12'))
  one.process.stdin?.write(QUIT_LINE)
  expect(await ended(one.process)).toBe(0)
})

test('ends when the tray does', { timeout: PREPARE_MS }, async (context) => {
  if (skipped !== undefined) return context.skip(skipped)
  const { process: child } = await start()
  child.stdin?.end()
  expect(await ended(child)).toBe(0)
})
