/**
 * Takes pictures of the tray: on Linux in a real panel, with its menu open and a notification; and of the helper for Windows under Wine. The game
 * is signed in and plays; a copy of it waits for approval. Prints the memory of the tray.
 */
import { ICONS } from '#daemon/packaging/icons.ts'
import { PLATFORM_NAMES } from '#daemon/src/config/platforms.ts'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SallyportClient } from '@sallyport/client'
import { createOperatorProof } from '@sallyport/core/storage/operator-proof'
import { openHelperHost } from '#daemon/src/tray/helper-host.ts'
import type { BridgeState } from '@sallyport/protocol'
import { Tray } from '#daemon/src/tray/tray.ts'
import { cleanEnvironment, type Daemon, SOURCE } from '../e2e/support/daemon.ts'
import { Desktop, startBus } from '../e2e/support/desktop.ts'
import { ended } from '#test/support/ended.ts'
import { BASE, ROOT, startGame, withDemo } from './demo.ts'
import { Display } from './display.ts'

const PICTURE = join(ROOT, 'daemon/docs/tray.png')
const WINDOWS_PICTURE = join(ROOT, '.cache/screenshot/tray-windows.png')
const MAX_BYTES = 60_000
const SIZE = { width: 1460, height: 380 }
/** The icon is at the left end of the panel. */
const ICON = { x: 16, y: 16 }
/** The item of the prompt, in both menus. */
const PROMPT = { linux: { x: 100, y: 76 }, windows: { x: 100, y: 52 } }

/** Longer than a new prefix of Wine needs. */
const MAX_TRIES = 12
const WITH_NOTIFICATION_BYTES = 2_500
/** A click closes it. */
const NOTIFICATION = { x: 150, y: 90 }

/** A panel with a tray and nothing else. */
const PANEL = `<?xml version="1.0" encoding="UTF-8"?>
<channel name="xfce4-panel" version="1.0">
  <property name="configver" type="int" value="2"/>
  <property name="panels" type="array">
    <value type="int" value="1"/>
    <property name="panel-1" type="empty">
      <property name="position" type="string" value="p=6;x=0;y=0"/>
      <property name="position-locked" type="bool" value="true"/>
      <property name="length" type="uint" value="100"/>
      <property name="size" type="uint" value="32"/>
      <property name="plugin-ids" type="array"><value type="int" value="1"/></property>
    </property>
  </property>
  <property name="plugins" type="empty">
    <property name="plugin-1" type="string" value="systray">
      <property name="square-icons" type="bool" value="true"/>
    </property>
  </property>
</channel>
`
const NOTIFICATION_SERVICE = '/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd'

function startPanel(display: Display, env: NodeJS.ProcessEnv): void {
  const icons = join(BASE, '.local/share/icons/hicolor/scalable/apps')
  mkdirSync(icons, { recursive: true })
  copyFileSync(ICONS.svg, join(icons, 'sallyport.svg'))
  const folder = join(BASE, 'config/xfce4/xfconf/xfce-perchannel-xml')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'xfce4-panel.xml'), PANEL)
  display.start('xfwm4', [], env)
  display.start('xfce4-panel', [], env)
  display.start(NOTIFICATION_SERVICE, [], env)
}

/** Memory in KiB by name, as the system counts it. */
function memoryOf(pid: number): Readonly<Record<string, number>> {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8') + readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const fields = [...text.matchAll(/^(VmRSS|RssAnon|RssFile|Pss):\s+(\d+) kB$/gm)]
  return Object.fromEntries(fields.map(([, name = '', kib]) => [name, Number(kib)]))
}

/** What an operator sees. */
async function stateOf(runtimeDir: string, data: string): Promise<BridgeState> {
  const client = new SallyportClient({ applicationId: '1000000000000000000', runtimeDir, requireBridge: true, reconnect: false })
  await client.connect()
  const proof = randomBytes(16).toString('hex')
  const removeProof = createOperatorProof(data, proof)
  try {
    return await client.call('WATCH_BRIDGE', { operator_proof: proof })
  } finally {
    removeProof()
    await client.close()
  }
}

async function pictureLinux(display: Display, daemon: Daemon, closers: (() => Promise<unknown>)[]): Promise<void> {
  const home = { HOME: BASE, XDG_CONFIG_HOME: join(BASE, 'config') }
  // The settings of the panel are read by a service that the bus starts.
  const bus = await startBus({ ...home, DISPLAY: display.name })
  closers.unshift(() => bus.stop())
  startPanel(display, { ...bus.env, ...home, NO_AT_BRIDGE: '1' })
  const [program, ...before] = SOURCE.command
  const tray = spawn(program, [...before, 'tray', '--data-dir', join(BASE, 'data')], {
    env: { ...cleanEnvironment(), ...bus.env, HOME: BASE },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  closers.unshift(() => {
    tray.kill('SIGTERM')
    return ended(tray)
  })
  closers.unshift(await startGame('downloads/dockside', daemon.socket))
  const desktop = Desktop.besidePanel(bus)
  closers.unshift(() => desktop.close())
  const isReady = () =>
    desktop.menu().then(
      (items) => items.some(({ label }) => label.startsWith('Prompt')),
      () => false,
    )
  while (!(await isReady())) await display.settle()
  await display.settle()
  await display.click(ICON.x, ICON.y)
  await display.moveTo(PROMPT.linux.x, PROMPT.linux.y)
  await display.picture(PICTURE)
  const { size } = statSync(PICTURE)
  if (size > MAX_BYTES) throw new Error(`${PICTURE} has ${size} bytes; the documents allow ${MAX_BYTES}`)
  // Memory is released when it has been quiet for six seconds.
  for (let waited = 0; waited < 4; waited++) await display.settle()
  console.log(JSON.stringify({ picture: PICTURE, bytes: size, trayKiB: memoryOf(tray.pid ?? 0) }))
}

const NEEDED = ['Xvfb', 'xfwm4', 'xfce4-panel', NOTIFICATION_SERVICE, 'xdotool', 'scrot', 'mogrify']
const NEEDED_FOR_WINDOWS = ['wine', 'trayer', 'x86_64-w64-mingw32-gcc']

const missingOf = (programs: readonly string[]): readonly string[] =>
  programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

/** The helper for Windows, with the same menu. */
async function pictureWindows(): Promise<void> {
  const missing = missingOf(NEEDED_FOR_WINDOWS)
  if (missing.length > 0) return console.log(`No picture of Windows: ${missing.join(', ')} missing.`)
  const display = await Display.open(SIZE)
  const bridge = await stateOf(join(BASE, 'run'), join(BASE, 'data'))
  const helper = join(BASE, 'sallyport-tray.exe')
  const source = join(ROOT, 'daemon/packaging/tray/windows-tray.c')
  execFileSync('x86_64-w64-mingw32-gcc', ['-Os', '-s', '-municode', '-mwindows', '-o', helper, source])
  const prefix = join(ROOT, '.cache/screenshot/prefix')
  mkdirSync(prefix, { recursive: true })
  const wine = { WINEPREFIX: prefix, WINEDEBUG: '-all', WINEDLLOVERRIDES: 'mscoree=;mshtml=', DISPLAY: display.name }
  execFileSync('wineboot', ['-i'], { env: { ...cleanEnvironment(), ...wine }, stdio: 'ignore' })
  const starter = join(BASE, 'helper')
  const exports = Object.entries(wine).map(([name, value]) => `export ${name}='${value}'`)
  writeFileSync(starter, `#!/bin/sh\n${exports.join('\n')}\nexec wine '${helper}'\n`, { mode: 0o755 })
  display.start('trayer', ['--edge', 'top', '--align', 'left', '--height', '32', '--widthtype', 'request'])
  await display.settle()
  const tray = new Tray(
    (listener) => openHelperHost(starter, listener),
    () => {},
    (reason) => console.error(reason),
  )
  tray.show({ kind: 'connected', bridge }, { names: PLATFORM_NAMES, set: bridge.platform })
  // A screen with the icon alone is a smaller file.
  const notification = WINDOWS_PICTURE.replace('.png', '-notification.png')
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await display.settle()
    await display.picture(notification)
    if (statSync(notification).size > WITH_NOTIFICATION_BYTES) break
  }
  await display.click(NOTIFICATION.x, NOTIFICATION.y)
  await display.click(ICON.x, ICON.y)
  await display.moveTo(PROMPT.windows.x, PROMPT.windows.y)
  await display.picture(WINDOWS_PICTURE)
  console.log(JSON.stringify({ picture: WINDOWS_PICTURE }))
  await tray.close()
  await display.close()
  spawnSync('wineserver', ['-k'], { env: { ...cleanEnvironment(), ...wine } })
}

export async function pictureTray(): Promise<void> {
  const missing = missingOf(NEEDED)
  // A program that cannot be started would leave the others running.
  if (missing.length > 0) throw new Error(`The picture of the tray needs ${missing.join(', ')}. Install what is missing.`)
  await withDemo(async ({ daemon, closers }) => {
    const display = await Display.open(SIZE)
    closers.unshift(() => display.close())
    await pictureLinux(display, daemon, closers)
    await pictureWindows()
  })
}
