/** A desktop for the tray: a real session bus, on which the test plays the watcher of panels and the service of notifications. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type InterfaceDescriptor, type MessageBus, sessionBus } from 'dbus-native'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from './daemon.ts'

export const hasBus = spawnSync('dbus-daemon', ['--version']).status === 0
export const NO_BUS = 'no dbus-daemon here; on Debian: apt-get install dbus'

const WATCHER = 'org.kde.StatusNotifierWatcher'
const NOTIFICATIONS = 'org.freedesktop.Notifications'

/** Of a message, and the number of one that gets no answer. */
const SIGNAL = 4
const DIRECT_SERIAL = 1_000_000

const WATCHER_INTERFACE: InterfaceDescriptor = {
  name: WATCHER,
  methods: { RegisterStatusNotifierItem: ['s', '', ['service'], []] },
}
const NOTIFICATIONS_INTERFACE: InterfaceDescriptor = {
  name: NOTIFICATIONS,
  methods: { Notify: ['susssasa{sv}i', 'u', [], []], CloseNotification: ['u', '', [], []] },
  signals: { ActionInvoked: ['us'], NotificationClosed: ['uu'] },
}

export interface Bus {
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

/** `env`: for services that the bus starts. */
export async function startBus(env: NodeJS.ProcessEnv = {}): Promise<Bus> {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env: { ...cleanEnvironment(), DISPLAY: '', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string]
  return {
    env: { DBUS_SESSION_BUS_ADDRESS: address },
    async stop() {
      bus.kill('SIGTERM')
      await ended(bus)
    },
  }
}

/** An item of a menu, read over D-Bus. */
export interface ShownItem {
  readonly id: number
  readonly label: string
  readonly isEnabled: boolean
  readonly isChecked: boolean
  readonly items: readonly ShownItem[]
}

export interface ShownNotice {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly actions: readonly string[]
}

type Layout = readonly [id: number, properties: Readonly<Record<string, unknown>>, children: readonly Layout[]]

const shown = ([id, properties, children]: Layout): ShownItem => ({
  id,
  label: (properties['label'] ?? properties['type'] ?? '') as string,
  isEnabled: properties['enabled'] !== false,
  isChecked: properties['toggle-state'] === 1,
  items: children.map(shown),
})

/** A panel and a notification service. */
export class Desktop {
  readonly #bus: MessageBus
  /** Services that registered, in order. */
  readonly registered: string[] = []
  readonly notices: ShownNotice[] = []
  readonly closed: number[] = []

  private constructor(bus: MessageBus) {
    this.#bus = bus
  }

  /** Reads the menu beside a real panel. */
  static besidePanel({ env }: Bus): Desktop {
    return new Desktop(sessionBus({ busAddress: env['DBUS_SESSION_BUS_ADDRESS'] ?? '' }))
  }

  static async open(of: Bus): Promise<Desktop> {
    const desktop = Desktop.besidePanel(of)
    const bus = desktop.#bus
    bus.exportInterface(
      {
        Notify: (_app: string, _replaces: number, _icon: string, title: string, body: string, actions: readonly string[]) => {
          const id = desktop.notices.length + 1
          desktop.notices.push({ id, title, body, actions })
          return id
        },
        CloseNotification: (id: number) => {
          desktop.closed.push(id)
          return null
        },
      },
      '/org/freedesktop/Notifications',
      NOTIFICATIONS_INTERFACE,
    )
    await bus.ownName(NOTIFICATIONS)
    return desktop
  }

  /** A panel appears: it owns the name of the watcher. */
  async showPanel(): Promise<void> {
    this.#bus.exportInterface(
      {
        RegisterStatusNotifierItem: (service: string) => {
          this.registered.push(service)
          return null
        },
      },
      '/StatusNotifierWatcher',
      WATCHER_INTERFACE,
    )
    await this.#bus.ownName(WATCHER)
  }

  /** A property of the item, as a panel reads it. */
  property(name: string): Promise<unknown> {
    return this.#call('/StatusNotifierItem', 'org.freedesktop.DBus.Properties', 'Get', 'ss', ['org.kde.StatusNotifierItem', name])
  }

  async menu(): Promise<readonly ShownItem[]> {
    const path = (await this.property('Menu')) as string
    const reply = await this.#invoke(path, 'com.canonical.dbusmenu', 'GetLayout', 'iias', [0, -1, []])
    return shown(reply[1] as Layout).items
  }

  /** Sends a call to the tray that no panel would send. Resolves with the name of the error, or undefined for a result. */
  malformed(path: string, iface: string, member: string, signature: string | undefined, body: unknown[]): Promise<string | undefined> {
    const given = { destination: 'sallyport.Tray', path, interface: iface, member, ...(signature === undefined ? {} : { signature, body }) }
    return new Promise((resolve) => {
      this.#bus.invoke(given, (failure: { readonly dbusName?: string; readonly message?: string } | null | undefined) =>
        resolve(failure === null || failure === undefined ? undefined : (failure.dbusName ?? failure.message)),
      )
    })
  }

  /** Chooses the item with this label, at any depth. */
  async choose(label: string): Promise<void> {
    const find = (items: readonly ShownItem[]): ShownItem | undefined =>
      items.map((item) => (item.label === label ? item : find(item.items))).find((item) => item !== undefined)
    const item = find(await this.menu())
    if (item === undefined) throw new Error(`the menu has no item ${label}`)
    await this.#call('/MenuBar', 'com.canonical.dbusmenu', 'AboutToShow', 'i', [item.id])
    await this.#call('/MenuBar', 'com.canonical.dbusmenu', 'Event', 'isvu', [item.id, 'clicked', ['s', ''], 0])
  }

  /** The user clicks a notification, or a button of it. */
  clickNotice(id: number, action = 'default'): void {
    this.#bus.sendSignal('/org/freedesktop/Notifications', NOTIFICATIONS, 'ActionInvoked', 'us', [id, action])
  }

  /** Another program of the session says that the user clicked: to all that listen, or to the tray alone. */
  async forgeClick(of: Bus, id: number, action: string): Promise<void> {
    const forger = sessionBus({ busAddress: of.env['DBUS_SESSION_BUS_ADDRESS'] ?? '' })
    const [path, iface, member] = ['/org/freedesktop/Notifications', NOTIFICATIONS, 'ActionInvoked'] as const
    forger.sendSignal(path, iface, member, 'us', [id, action])
    await new Promise((resolve) =>
      forger.invoke({ destination: 'sallyport.Tray', path: '/', interface: 'org.freedesktop.DBus.Peer', member: 'Ping' }, resolve),
    )
    forger.connection.message({
      type: SIGNAL,
      serial: DIRECT_SERIAL,
      destination: 'sallyport.Tray',
      path,
      interface: iface,
      member,
      signature: 'us',
      body: [id, action],
    })
    // The tray has read what came before.
    await new Promise((resolve) =>
      forger.invoke({ destination: 'sallyport.Tray', path: '/', interface: 'org.freedesktop.DBus.Peer', member: 'Ping' }, resolve),
    )
    await forger.close()
  }

  /** The service of notifications ends, and another one begins: its ids begin anew. */
  async restartNotifications(): Promise<void> {
    await this.#bus.releaseName(NOTIFICATIONS)
    this.notices.length = 0
    await this.#bus.ownName(NOTIFICATIONS)
  }

  async close(): Promise<void> {
    await this.#bus.close()
  }

  async #call(path: string, iface: string, member: string, signature: string, body: unknown[]): Promise<unknown> {
    return (await this.#invoke(path, iface, member, signature, body))[0]
  }

  /** All values of the response. */
  #invoke(path: string, iface: string, member: string, signature: string, body: unknown[]): Promise<readonly unknown[]> {
    const message = { destination: 'sallyport.Tray', path, interface: iface, member, signature, body }
    return new Promise((resolve, reject) => {
      this.#bus.invoke(message, (failure: unknown, ...values: readonly unknown[]) => {
        if (failure === null || failure === undefined) resolve(values)
        else reject(failure instanceof Error ? failure : new Error(JSON.stringify(failure)))
      })
    })
  }
}
