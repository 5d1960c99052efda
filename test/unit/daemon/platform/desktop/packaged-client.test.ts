/** Servers in the directories of packaged clients: whose they may be, and what is made of the others. */
import { beforeEach, describe, expect, test } from 'vitest'
import { ClientDiscovery } from '#daemon/src/platform/desktop/client-discovery.ts'
import { packagedClientAt, socketCandidates } from '#daemon/src/platform/desktop/socket-candidates.ts'
import { mayServeFor } from '#daemon/src/identity/packaged-server.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { MemoryClient } from '#test/support/memory-client.ts'
import { RecordingLog } from '#test/support/recording-log.ts'
import { procOf, statusOf, unconfinedLinks } from '../../identity/fake-proc.ts'

const PLACE = { directory: '/run/user/1000', ipcPrefix: 'discord-ipc', platform: 'linux' } as const
const FLATPAK_SOCKET = '/run/user/1000/app/com.discordapp.Discord/discord-ipc-0'
const CLIENT = { kind: 'flatpak', id: 'com.discordapp.Discord' } as const

test('the directory of a socket says which packaged client it belongs to', () => {
  const { paths } = socketCandidates(PLACE)
  expect(paths.map((path) => packagedClientAt(path)?.id)).toEqual([
    ...Array<undefined>(10).fill(undefined),
    ...Array<string>(10).fill('com.discordapp.Discord'),
    ...Array<string>(10).fill('discord'),
  ])
})

describe('a server in the directory of the Flatpak client', () => {
  const APPS = '/user.slice/user-1000.slice/user@1000.service/app.slice'
  const seen = (id: string, namespace = 'mnt:[2]') =>
    procOf({
      links: { ...unconfinedLinks(7), '/proc/7/ns/mnt': namespace },
      stats: { '/run/user/1000/.flatpak/12/.ref': { ino: 65n } },
      files: {
        '/proc/7/status': statusOf(),
        '/proc/self/status': statusOf(),
        '/proc/7/cgroup': `0::${APPS}/app-flatpak-${id}-4711.scope\n`,
        '/run/user/1000/.flatpak/12/info': `[Application]\nname=${id}\n`,
        '/run/user/1000/.flatpak/12/bwrapinfo.json': '{ "child-pid": 158, "mnt-namespace": 2 }',
        '/proc/locks': '1: POSIX  ADVISORY  READ 158 00:01:65 0 EOF\n',
      },
    })

  test('may be that application, and a program without confinement', () => {
    expect(mayServeFor(CLIENT, 7, seen('com.discordapp.Discord'))).toBe(true)
    expect(mayServeFor(CLIENT, 7, seen('org.example.Game', 'mnt:[1]'))).toBe(true)
  })

  test('may be no other container, no process that has ended, and none that the system does not name', () => {
    expect(mayServeFor(CLIENT, 7, seen('org.example.Game'))).toBe(false)
    expect(mayServeFor(CLIENT, 7, seen('com.discordapp.Discord', 'mnt:[5]'))).toBe(false)
    expect(mayServeFor(CLIENT, 8, seen('com.discordapp.Discord'))).toBe(false)
    expect(mayServeFor(CLIENT, undefined, seen('com.discordapp.Discord'))).toBe(false)
  })
})

describe('discovery', () => {
  let client: MemoryClient
  let log: RecordingLog
  const asked: unknown[] = []
  const found = (isClient: boolean) => {
    log = new RecordingLog()
    const discovery = new ClientDiscovery({
      candidates: { paths: [client.path] },
      dialer: client.dialer,
      clock: new FakeClock(),
      log,
      ownAddresses: () => [],
      isClient: ({ id }) => asked.push(id) > 0 && isClient,
      apiEndpoint: 'https://example.test/api/v10',
    })
    return discovery.find('1')
  }
  beforeEach(() => {
    asked.length = 0
    client = new MemoryClient(FLATPAK_SOCKET)
  })

  test('skips a program that is not the packaged client, and says so in the log', async () => {
    expect(await found(false)).toBe('not-found')
    expect(asked).toEqual(['com.discordapp.Discord'])
    expect(JSON.stringify(log)).toContain('a contained program that is not the packaged client')
  })
  test('takes the packaged client', async () => expect(await found(true)).toHaveProperty('ready'))
  test('asks nothing about a server in the runtime directory', async () => {
    client = new MemoryClient('/run/user/1000/discord-ipc-0')
    expect(await found(false)).toHaveProperty('ready')
    expect(asked).toEqual([])
  })
})
