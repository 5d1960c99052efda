/**
 * The player's desktop in the machine: a login of the kind x11, a screen, a panel with a tray, and dunst, which shows notifications. As desktops do,
 * it gives the display to the user's systemd and starts graphical-session.target, and with it the programs of the XDG autostart.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { cleanEnvironment } from '../e2e/support/daemon.ts'
import { type Machine, SHARED } from '../e2e/systemd/machine.ts'
import { ended } from '#test/support/ended.ts'

const DISPLAY = ':7'
const HOME = '/home/player'
const LOOK_MS = 250
/** Until the panel is there. */
const START_MS = 240_000

const SESSION = `
export XDG_RUNTIME_DIR=/run/user/1000 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus
# The panel of trixie finds no plugins where a folder ends in a slash, as Flatpak writes them.
export XDG_DATA_DIRS=/usr/local/share:/usr/share
Xvfb ${DISPLAY} -screen 0 1280x800x24 -nolisten tcp &
until [ -S /tmp/.X11-unix/X${DISPLAY.slice(1)} ]; do sleep 0.1; done
dbus-update-activation-environment --systemd DISPLAY XDG_CURRENT_DESKTOP XDG_SESSION_TYPE
dunst -conf ${SHARED}/desktop/dunstrc &
xfce4-panel --disable-wm-check &
systemctl --user start desktop.target
wait
`

/** What a desktop brings: its target takes the two targets of systemd with it. */
const TARGET = `[Unit]
Description=The desktop
BindsTo=graphical-session.target
Wants=xdg-desktop-autostart.target
Before=graphical-session.target
`

/** Each notification is noted when it is shown. The menu of its actions is answered by a file, in place of a click. */
const DUNSTRC = `[global]
    follow = none
    browser = /usr/bin/false
    dmenu = ${SHARED}/desktop/choose
    always_run_script = true
[note]
    summary = "*"
    script = ${SHARED}/desktop/note
`
const NOTE = `#!/bin/sh
printf '%s|%s|%s|%s\\n' "$(date +%s.%N)" "$DUNST_APP_NAME" "$DUNST_SUMMARY" "$(printf %s "$DUNST_BODY" | tr '\\n' '~')" >>${HOME}/notices
`
const CHOOSE = `#!/bin/sh
cat >${HOME}/menu
grep -m 1 -F -e "$(cat ${HOME}/choice)" ${HOME}/menu
`

export interface Notice {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly title: string
  readonly body: string
}

interface MenuItem {
  readonly id: number
  readonly label: string
  readonly items: readonly MenuItem[]
}

/** As `busctl --json=short` prints `(ia{sv}av)`. */
type Layout = readonly [
  id: number,
  properties: { readonly label?: { readonly data: string }; readonly type?: { readonly data: string } },
  items: readonly { readonly data: Layout }[],
]

const itemOf = ([id, { label, type }, items]: Layout): MenuItem => ({
  id,
  label: label?.data ?? type?.data ?? '',
  items: items.map(({ data }) => itemOf(data)),
})

const WATCHER = ['org.kde.StatusNotifierWatcher', '/StatusNotifierWatcher', 'org.kde.StatusNotifierWatcher']
const TRAY = 'sallyport.Tray'

export class Desktop {
  readonly #machine: Machine
  readonly #session: ChildProcess
  #trayAt: number | undefined
  #isOver = false

  private constructor(machine: Machine, session: ChildProcess) {
    this.#machine = machine
    this.#session = session
  }

  /** `shared`: the folder that the machine shows as `SHARED`. */
  static async open(machine: Machine, shared: string): Promise<Desktop> {
    const folder = join(shared, 'desktop')
    mkdirSync(folder)
    for (const [name, text] of Object.entries({ 'session.sh': SESSION, dunstrc: DUNSTRC, note: NOTE, choose: CHOOSE }))
      writeFileSync(join(folder, name), text, { mode: 0o755 })
    machine.write('player', `${HOME}/.config/systemd/user/desktop.target`, TARGET)
    machine.run('root', 'ln', '-sf', `${SHARED}/browser`, '/usr/bin/x-www-browser')
    machine.run('player', 'systemctl', '--user', 'daemon-reload')
    const variables = { XDG_SESSION_TYPE: 'x11', DISPLAY, XDG_CURRENT_DESKTOP: 'Openbox' }
    const set = Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`)
    const [program, ...words] = machine.inLogin(set)
    const session = spawn(program, [...words, 'sh', `${SHARED}/desktop/session.sh`], { env: cleanEnvironment(), stdio: 'ignore' })
    const desktop = new Desktop(machine, session)
    const started = Date.now()
    while (desktop.#ask('get-property', ...WATCHER, 'IsStatusNotifierHostRegistered') !== true) {
      if (Date.now() - started > START_MS) throw new Error('the panel of the desktop did not start')
      await pause(LOOK_MS)
    }
    void desktop.#watchTray()
    return desktop
  }

  /** The value that a call or a property has; undefined when it fails. */
  #ask(...words: readonly string[]): unknown {
    try {
      const answer = JSON.parse(this.#machine.run('player', 'busctl', '--user', '--json=short', '--', ...words)) as {
        readonly data: unknown
      }
      return answer.data
    } catch {
      return undefined
    }
  }

  get hasTray(): boolean {
    return this.#ask('get-property', TRAY, '/StatusNotifierItem', 'org.kde.StatusNotifierItem', 'Status') !== undefined
  }

  /** When the panel first had our item; milliseconds since the epoch. */
  get trayAt(): number | undefined {
    return this.#trayAt
  }

  async #watchTray(): Promise<void> {
    while (!this.#isOver && this.#trayAt === undefined) {
      const items = this.#ask('get-property', ...WATCHER, 'RegisteredStatusNotifierItems')
      if (JSON.stringify(items ?? '').includes('StatusNotifierItem')) this.#trayAt = Date.now()
      await pause(LOOK_MS)
    }
  }

  get notices(): readonly Notice[] {
    return this.#machine
      .run('player', 'sh', '-c', `cat ${HOME}/notices 2>/dev/null || :`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [time = '', , title = '', body = ''] = line.split('|')
        return { at: Number(time) * 1000, title, body: body.replaceAll('~', '\n') }
      })
  }

  /** The notifications that come after that moment; waits for the first. */
  async nextNotice(after: number, withinMs: number): Promise<Notice | undefined> {
    for (const started = Date.now(); Date.now() - started < withinMs; await pause(LOOK_MS)) {
      const found = this.notices.find(({ at }) => at >= after)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Chooses an action of the notifications by its name, in the menu of dunst. Returns that menu. */
  async choose(action: string): Promise<string> {
    this.#machine.write('player', `${HOME}/choice`, action)
    this.#machine.write('player', `${HOME}/menu`, '')
    this.#machine.run('player', 'dunstctl', 'context')
    for (let tries = 12; tries > 0; tries--) {
      const menu = this.#machine.run('player', 'cat', `${HOME}/menu`)
      if (menu !== '') return menu
      await pause(LOOK_MS)
    }
    return ''
  }

  /** The menu of the tray, as the panel reads it. */
  get menu(): readonly MenuItem[] {
    const answer = this.#ask('call', TRAY, '/MenuBar', 'com.canonical.dbusmenu', 'GetLayout', 'iias', '0', '-1', '0') as
      | readonly [number, Layout]
      | undefined
    return answer === undefined ? [] : itemOf(answer[1]).items
  }

  /** Chooses an item of the tray's menu, at any depth. */
  chooseInTray(label: string): boolean {
    const find = (items: readonly MenuItem[]): MenuItem | undefined =>
      items.map((item) => (item.label === label ? item : find(item.items))).find((item) => item !== undefined)
    const item = find(this.menu)
    if (item === undefined) return false
    this.#ask('call', TRAY, '/MenuBar', 'com.canonical.dbusmenu', 'Event', 'isvu', String(item.id), 'clicked', 's', '', '0')
    return true
  }

  /** The pages that the browser was opened with, and those they led to. */
  get pages(): readonly { readonly at: number; readonly page: string; readonly status: number }[] {
    const text = this.#machine.run('player', 'sh', '-c', `cat ${HOME}/browser.log 2>/dev/null || :`)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { at: number; page: string; status: number })
  }

  /** Writes what the screen shows. */
  picture(file: string): void {
    this.#machine.run('player', 'env', `DISPLAY=${DISPLAY}`, 'scrot', '--overwrite', '/tmp/screen.png')
    this.#machine.run('root', 'chmod', 'a+r', '/tmp/screen.png')
    writeFileSync(file, Buffer.from(this.#machine.run('root', 'base64', '-w0', '/tmp/screen.png'), 'base64'))
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#session.kill('SIGKILL')
    await ended(this.#session)
  }
}
