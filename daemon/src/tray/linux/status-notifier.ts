/**
 * The tray on Linux: a StatusNotifierItem with a menu, and notifications. Without a bus or a panel it waits, and appears when one comes. Of the
 * trays of a session, the first one shows; the others end.
 */
import type { Clock } from '@sallyport/core/clock'
import type { HostListener, Notice, TrayHost, TrayView } from '../host.ts'
import { iconPixels } from '../icon.ts'
import type { IconKind } from '../menu.ts'
import { BusMenu, MENU_PATH } from './bus-menu.ts'
import { Notifications } from './notifications.ts'
import { sessionBusAddress } from './bus-address.ts'
import { SessionBus } from './session-bus.ts'

const PATH = '/StatusNotifierItem'
const INTERFACE = 'org.kde.StatusNotifierItem'
const WATCHER = {
  destination: 'org.kde.StatusNotifierWatcher',
  path: '/StatusNotifierWatcher',
  interface: 'org.kde.StatusNotifierWatcher',
} as const
/** One tray per session. */
const OWN_NAME = 'sallyport.Tray'
const RETRY_MS = 15_000
const ICON_SIZES = [22, 32, 48] as const
/** Bytes of a pixel. */
const CHANNELS = 4

const DESCRIPTOR = {
  name: INTERFACE,
  methods: {
    Activate: ['ii', '', ['x', 'y'], []],
    SecondaryActivate: ['ii', '', ['x', 'y'], []],
    ContextMenu: ['ii', '', ['x', 'y'], []],
    Scroll: ['is', '', ['delta', 'orientation'], []],
  } satisfies Record<string, [string, string, string[], string[]]>,
  signals: { NewIcon: [], NewAttentionIcon: [], NewToolTip: [], NewStatus: ['s', 'status'] },
  properties: {
    Category: 's',
    Id: 's',
    Title: 's',
    Status: 's',
    WindowId: 'i',
    IconName: 's',
    IconPixmap: 'a(iiay)',
    AttentionIconName: 's',
    AttentionIconPixmap: 'a(iiay)',
    OverlayIconName: 's',
    OverlayIconPixmap: 'a(iiay)',
    ToolTip: '(sa(iiay)ss)',
    ItemIsMenu: 'b',
    Menu: 'o',
  },
}

/** Opacity, red, green, blue of each pixel. */
function pixmap(size: (typeof ICON_SIZES)[number], kind: IconKind): readonly [number, number, Buffer] {
  const pixels = iconPixels(size, kind)
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = pixels.subarray(at, at + CHANNELS)
    pixels.set([opacity, red, green, blue], at)
  }
  return [size, size, pixels]
}

const pixmapsOf = (kind: IconKind) => ICON_SIZES.map((size) => pixmap(size, kind))

const statusOf = ({ icon }: TrayView): string => (icon === 'prompt' ? 'NeedsAttention' : 'Active')

const ignored = (): null => null

export class StatusNotifier implements TrayHost {
  readonly #clock: Clock
  readonly #env: NodeJS.ProcessEnv
  readonly #listener: HostListener
  readonly #menu: BusMenu
  readonly #notifications: Notifications
  #view: TrayView = { icon: 'off', tip: 'Sallyport', menu: [] }
  #bus: SessionBus | undefined
  #cancelRetry = (): void => {}
  #isClosed = false

  constructor(clock: Clock, env: NodeJS.ProcessEnv, listener: HostListener) {
    this.#clock = clock
    this.#env = env
    this.#listener = listener
    this.#menu = new BusMenu((id) => listener.onChoice(id))
    this.#notifications = new Notifications(clock, (key, answer) => listener.onNotice(key, answer))
    void this.#connect()
  }

  show(view: TrayView): void {
    const before = this.#view
    this.#view = view
    this.#menu.show(view.menu)
    if (before.icon !== view.icon) {
      this.#bus?.signal(PATH, INTERFACE, 'NewIcon')
      this.#bus?.signal(PATH, INTERFACE, 'NewAttentionIcon')
      this.#bus?.signal(PATH, INTERFACE, 'NewStatus', 's', [statusOf(view)])
    }
    if (before.tip !== view.tip) this.#bus?.signal(PATH, INTERFACE, 'NewToolTip')
  }

  notify(notice: Notice): void {
    this.#notifications.notify(notice)
  }

  withdraw(key: string): void {
    this.#notifications.withdraw(key)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRetry()
    await this.#bus?.close()
  }

  /** Never rejects. */
  async #connect(): Promise<void> {
    const address = sessionBusAddress(this.#env)
    try {
      if (address === undefined) return this.#retryLater()
      const bus = await SessionBus.connect(address, () => this.#onLost())
      if (this.#isClosed) return await bus.close()
      if (!(await bus.own(OWN_NAME))) {
        await bus.close()
        this.#listener.onEnd('Another tray of Sallyport runs in this session.')
        return
      }
      await this.#serve(bus)
    } catch {
      // No bus, or one that went while it was set up.
      this.#retryLater()
    }
  }

  async #serve(bus: SessionBus): Promise<void> {
    this.#bus = bus
    bus.export(PATH, DESCRIPTOR, this.#object())
    this.#menu.export(bus)
    const register = () =>
      void bus.call({ ...WATCHER, member: 'RegisterStatusNotifierItem', signature: 's', body: [OWN_NAME] }).catch(() => {})
    const watcher = { isNew: false }
    await bus.onOwner(WATCHER.destination, (hasOwner) => {
      watcher.isNew = true
      if (hasOwner) register()
    })
    if ((await bus.hasOwner(WATCHER.destination)) && !watcher.isNew) register()
    await this.#notifications.start(bus)
  }

  #onLost(): void {
    this.#bus = undefined
    this.#notifications.stop()
    this.#retryLater()
  }

  #retryLater(): void {
    if (this.#isClosed) return
    this.#cancelRetry()
    this.#cancelRetry = this.#clock.after(RETRY_MS, () => void this.#connect())
  }

  /** Properties are read when the panel asks. */
  #object(): Readonly<Record<string, unknown>> {
    const view = () => this.#view
    return {
      Category: 'ApplicationStatus',
      Id: 'sallyport',
      Title: 'Sallyport',
      get Status() {
        return statusOf(view())
      },
      WindowId: 0,
      // Panels prefer a name, which could not show the state.
      IconName: '',
      get IconPixmap() {
        return pixmapsOf(view().icon)
      },
      AttentionIconName: '',
      get AttentionIconPixmap() {
        return pixmapsOf(view().icon)
      },
      OverlayIconName: '',
      OverlayIconPixmap: [],
      get ToolTip() {
        return ['', [], 'Sallyport', view().tip]
      },
      ItemIsMenu: true,
      Menu: MENU_PATH,
      Activate: ignored,
      SecondaryActivate: ignored,
      ContextMenu: ignored,
      Scroll: ignored,
    }
  }
}
