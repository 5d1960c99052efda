/** A session bus with a real keyring on it, of its own, in a folder of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { ended } from '#test/support/ended.ts'
import { cleanEnvironment } from './daemon.ts'

const PROGRAMS = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon']

/** Why there is none here; undefined when there is. */
export const whyNoKeyring = (): string | undefined => {
  const missing = PROGRAMS.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  return missing.length === 0 ? undefined : `${missing.join(', ')} missing; on Debian: apt-get install gnome-keyring dbus`
}

export interface Keyring {
  /** What a process needs to find it. */
  readonly env: NodeJS.ProcessEnv
  stop(): Promise<void>
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code} before its first line`)))
  })

/** `home`: where the keyring keeps its files. With another password than the first time it stays locked. */
export async function startKeyring(home: string, password: string): Promise<Keyring> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const base = { ...cleanEnvironment(), HOME: home, DISPLAY: '' }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], { env: base, stdio: ['ignore', 'pipe', 'ignore'] })
  const env = { DBUS_SESSION_BUS_ADDRESS: await firstLine(bus) }
  const service = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { ...base, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  service.stdin.end(password)
  const ask = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets', 'org.freedesktop.DBus.Peer.Ping']
  const isThere = () => spawnSync('dbus-send', ask, { env: { ...base, ...env } }).status === 0
  // The bus would start one of its own for the first who asks.
  const owned = [
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/',
    'org.freedesktop.DBus.NameHasOwner',
    'string:org.freedesktop.secrets',
  ]
  while (!spawnSync('dbus-send', owned, { env: { ...base, ...env } }).stdout.includes('true')) await pause(20)
  if (!isThere()) throw new Error('the keyring does not answer')
  return {
    env,
    async stop() {
      service.kill('SIGKILL')
      bus.kill('SIGTERM')
      await Promise.all([ended(service), ended(bus)])
    },
  }
}

/** Paths of the entries of this program in a keyring, without their secrets. */
export function entriesIn({ env }: Keyring): readonly string[] {
  const search = ['org.freedesktop.Secret.Service.SearchItems', 'dict:string:string:service,sallyport']
  const words = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', '/org/freedesktop/secrets', ...search]
  const { stdout, status, stderr } = spawnSync('dbus-send', words, { env: { ...cleanEnvironment(), ...env }, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return [...stdout.matchAll(/object path "([^"]+)"/g)].map(([, path = '']) => path)
}
