/**
 * Whether this user has a desktop that can show a question, and how its programs are reached. A daemon of systemd, a package's script and a remote
 * terminal have no display in their environment, though the user may sit before one: then the user's systemd, or the bus, knows of it.
 */
import { SessionBus } from './session-bus.ts'
import { sessionBusAddress } from './bus-address.ts'

const SHOWS = ['org.freedesktop.Notifications', 'org.kde.StatusNotifierWatcher'] as const

const MANAGER = {
  destination: 'org.freedesktop.systemd1',
  path: '/org/freedesktop/systemd1',
  interface: 'org.freedesktop.DBus.Properties',
  member: 'Get',
  signature: 'ss',
  body: ['org.freedesktop.systemd1.Manager', 'Environment'],
} as const

const isGraphical = (env: NodeJS.ProcessEnv): boolean => Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])

/** `NAME=value` each. */
function environmentFrom(lines: unknown): NodeJS.ProcessEnv {
  const texts: readonly unknown[] = Array.isArray(lines) ? lines : []
  return Object.fromEntries(
    texts.flatMap((text) => {
      const [, name, value] = typeof text === 'string' ? (/^([^=]+)=(.*)$/s.exec(text) ?? []) : []
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

type AskedBus = Pick<SessionBus, 'call' | 'hasOwner' | 'close'>

/** The environment for programs of the desktop; undefined if this user has no desktop now. Never rejects. */
export async function desktopEnvironment(
  env: NodeJS.ProcessEnv,
  connect: (address: string) => Promise<AskedBus> = (address) => SessionBus.connect(address, () => {}),
): Promise<NodeJS.ProcessEnv | undefined> {
  if (isGraphical(env)) return env
  const address = sessionBusAddress(env)
  const bus = address === undefined ? undefined : await connect(address).catch(() => undefined)
  if (bus === undefined) return undefined
  try {
    const manager = environmentFrom(await bus.call(MANAGER).catch(() => undefined))
    if (isGraphical(manager)) return { ...manager, ...env }
    const owned = await Promise.all(SHOWS.map((name) => bus.hasOwner(name)))
    return owned.includes(true) ? env : undefined
  } catch {
    return undefined // The bus went.
  } finally {
    await bus.close()
  }
}
