/** Whether a user has a desktop, by the environment, the user's systemd and the bus. */
import { expect, test } from 'vitest'
import { desktopEnvironment } from '#daemon/src/tray/linux/desktop-session.ts'

const BUS = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }

interface Session {
  readonly manager?: unknown
  readonly owned?: readonly string[]
}

const find = (env: NodeJS.ProcessEnv, { manager, owned = [] }: Session = {}) => {
  const bus = {
    call: () => (manager === undefined ? Promise.reject(new Error('no systemd')) : Promise.resolve(manager)),
    hasOwner: async (name: string) => owned.includes(name),
    close: async () => {},
  }
  return desktopEnvironment(env, async () => bus)
}

test.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }])('%j is a desktop', async (env) => {
  expect(await find(env)).toEqual(env)
})

test('the user’s systemd knows the display, and what it knows is taken over', async () => {
  const manager = ['HOME=/home/other', 'WAYLAND_DISPLAY=wayland-0', 'XDG_CURRENT_DESKTOP=KDE=x', 'no variable', 7]
  expect(await find({ ...BUS, HOME: '/home/ada' }, { manager })).toEqual({
    ...BUS,
    HOME: '/home/ada',
    WAYLAND_DISPLAY: 'wayland-0',
    XDG_CURRENT_DESKTOP: 'KDE=x',
  })
})

test.each(['org.freedesktop.Notifications', 'org.kde.StatusNotifierWatcher'])('%s on the bus is one', async (name) => {
  expect(await find(BUS, { owned: [name] })).toEqual(BUS)
  expect(await find(BUS, { owned: [name], manager: ['HOME=/home/ada'] })).toEqual(BUS)
})

test('there is none without a bus, or where the bus has nothing that shows anything', async () => {
  expect(await find({ DISPLAY: '', XDG_RUNTIME_DIR: '/nowhere' }, { owned: ['org.freedesktop.Notifications'] })).toBeUndefined()
  expect(await find(BUS, { manager: ['HOME=/home/ada', 'DISPLAY='] })).toBeUndefined()
  expect(await desktopEnvironment(BUS, () => Promise.reject(new Error('no bus')))).toBeUndefined()
})
