import { expect, test } from 'vitest'
import { type ChildKind, childEnvironment } from '@sallyport/core/os/child-environment'

const KINDS: readonly ChildKind[] = ['browser', 'game', 'keychain', 'tray']

const SECRETS = {
  SALLYPORT_BOT_TOKEN: 'the-token',
  SALLYPORT_PROXY: 'http://me:password@proxy.test',
  HTTPS_PROXY: 'http://me:password@proxy.test',
  AWS_SECRET_ACCESS_KEY: 'key',
  GITHUB_TOKEN: 'token',
  NODE_OPTIONS: '--require=/tmp/x',
  LD_PRELOAD: '/tmp/x.so',
  LISTEN_FDS: '1',
  NOTIFY_SOCKET: '/run/notify',
  OPENSSL_CONF: '/tmp/x.cnf',
  SSH_AUTH_SOCK: '/run/agent',
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  // Longer than a name of the table.
  HOME_SECRET: 'secret',
  MY_HOME: 'secret',
}

test.each(KINDS)('a %s gets only listed variables', (kind) => {
  expect(childEnvironment(kind, { ...SECRETS, HOME: '/home/ada', PATH: '/bin' }, 'linux')).toEqual({ HOME: '/home/ada', PATH: '/bin' })
})

test('a browser gets variables for display, session, language and network', () => {
  const env = {
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XAUTHORITY: '/run/x',
    XDG_CURRENT_DESKTOP: 'GNOME',
    XDG_RUNTIME_DIR: '/run/user/5',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/5/bus',
    KDE_FULL_SESSION: 'true',
    BROWSER: 'firefox',
    MOZ_ENABLE_WAYLAND: '1',
    LC_ALL: 'de_DE.UTF-8',
    https_proxy: 'http://proxy.test:3128',
    NO_PROXY: 'localhost',
    WSL_INTEROP: '/run/WSL/1_interop',
  }
  expect(childEnvironment('browser', env, 'linux')).toEqual(env)
})

test('a game gets variables for sound, graphics and Steam; the keychain helper does not', () => {
  const env = { SDL_VIDEODRIVER: 'wayland', PULSE_SERVER: 'x', STEAM_RUNTIME: '1', WINEPREFIX: '/p', VK_ICD_FILENAMES: '/i', DISPLAY: ':0' }
  expect(childEnvironment('game', env, 'linux')).toEqual(env)
  expect(childEnvironment('keychain', env, 'linux')).toEqual({})
})

test('on Windows names are case-insensitive, and system variables pass', () => {
  const env = { SystemRoot: 'C:\\Windows', Path: 'C:\\', 'ProgramFiles(x86)': 'C:\\P', LocalAppData: 'C:\\L', Sallyport_Bot_Token: 'x' }
  const { Sallyport_Bot_Token: _secret, ...passes } = env
  for (const kind of KINDS) expect(childEnvironment(kind, env, 'win32')).toEqual(passes)
})
