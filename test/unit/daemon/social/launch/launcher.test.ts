/** Which command launches a game, how often, and which peers may register it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { programOf } from '#daemon/src/identity/program.ts'
import type { LaunchSpec } from '#daemon/src/social/launch/spec.ts'
import { GameLauncher, type LaunchPrompt } from '#daemon/src/social/launch/launcher.ts'
import type { Registration } from '#daemon/src/social/launch/store.ts'
import type { PeerIdentity } from '#daemon/src/ipc/transport/transport.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordingLog } from '#test/support/recording-log.ts'

const RELAUNCH_COOLDOWN_MS = 10_000
const GAME: PeerIdentity = { trust: 'kernel', uid: 1000, pid: 7 }

let clock: FakeClock
let log: RecordingLog
let commands: Map<string, Registration>
let allowed: Map<string, string>
let files: Map<string, string>
let asked: LaunchPrompt[]
let decide: () => Promise<void>
let started: LaunchSpec[]
let startGame: (plan: LaunchSpec) => Promise<void>
let launches: GameLauncher
beforeEach(() => {
  clock = new FakeClock()
  log = new RecordingLog()
  commands = new Map()
  allowed = new Map()
  files = new Map([['/opt/game', 'one']])
  asked = []
  decide = async () => {}
  started = []
  startGame = async () => {}
  launches = new GameLauncher({
    store: {
      registrationOf: (id) => commands.get(id),
      save: (id, command, by) => void commands.set(id, { command, by }),
      allowedFor: (id) => allowed.get(id),
      allow: (id, what) => void allowed.set(id, what),
    },
    fileAt: (path) => files.get(path),
    prompt: (prompt) => {
      asked.push(prompt)
      return decide()
    },
    clock,
    log,
    platform: 'linux',
    spawn: (plan) => {
      started.push(plan)
      return startGame(plan)
    },
    addressOf: (id) => `platform-${id}:///`,
    localAccessDenial: ({ pid }) => (pid === undefined ? ' for a program in a container' : undefined),
    isProgram: (path) => path === '/opt/game',
  })
})

describe('a registration', () => {
  it('is stored for its application; the last one replaces others', () => {
    launches.register('1', GAME, '/opt/game --first')
    launches.register('1', GAME, ' /opt/game --second ')
    expect([...commands]).toEqual([['1', { command: '/opt/game --second', by: programOf(GAME) }]])
    expect(JSON.stringify(log)).not.toContain('--second')
  })

  it.each([
    ['from elsewhere', { trust: 'kernel', uid: 1000 } as const, '/opt/game', 'in a container'],
    ['that is no program', GAME, '/opt/nothing', 'can be run'],
    ['that a shell would need', GAME, 'game', 'absolute path'],
  ])('%s is rejected', (_, peer, command, why) => {
    expect(() => launches.register('1', peer, command)).toThrow(
      expect.objectContaining({ error: 'INVALID_PAYLOAD', message: expect.stringContaining(why) }),
    )
    expect(commands.size).toBe(0)
  })
})

describe('a launch', () => {
  it('uses the registered command, else the platform URI', async () => {
    commands.set('1', { command: '/opt/game --join', by: undefined })
    commands.set('3', { command: 'steam://rungameid/480', by: undefined })
    for (const id of ['1', '2', '3']) await launches.launch(id)
    expect(started).toEqual([
      { kind: 'program', program: '/opt/game', args: ['--join'] },
      { kind: 'uri', uri: 'platform-2:///' },
      { kind: 'uri', uri: 'steam://rungameid/480' },
    ])
  })

  it('happens once within the cooldown, for each application', async () => {
    await launches.launch('1')
    await launches.launch('1')
    await launches.launch('2')
    clock.advance(RELAUNCH_COOLDOWN_MS - 1)
    await launches.launch('1')
    expect(started).toHaveLength(2)
    clock.advance(1)
    await launches.launch('1')
    expect(started).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  it.each([3_600_000, -3_600_000])('is neither delayed nor repeated by a clock that is set back by %i ms', async (ms) => {
    await launches.launch('1')
    clock.setBack(ms)
    await launches.launch('1')
    expect(started).toHaveLength(1)
    clock.advance(RELAUNCH_COOLDOWN_MS)
    await launches.launch('1')
    expect(started).toHaveLength(2)
  })

  it('that fails is only logged, as a sentence', async () => {
    startGame = () => Promise.reject(new Error('spawn /opt/game EACCES'))
    await launches.launch('1')
    expect(log.lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'game-not-launched',
      fields: { application: '1', reason: expect.stringContaining('EACCES') },
    })
  })
})

describe('the user', () => {
  it('is prompted the first time, with the registering program, and not again', async () => {
    launches.register('1', GAME, '/opt/game --join')
    await launches.launch('1')
    clock.advance(RELAUNCH_COOLDOWN_MS)
    await launches.launch('1')
    expect(started).toHaveLength(2)
    expect(asked).toEqual([{ applicationId: '1', launch: '/opt/game --join', by: programOf(GAME), isChanged: false }])
  })

  it('is prompted again when the command or the file at its path changed', async () => {
    launches.register('1', GAME, '/opt/game')
    await launches.launch('1')
    clock.advance(RELAUNCH_COOLDOWN_MS)
    files.set('/opt/game', 'two')
    await launches.launch('1')
    clock.advance(RELAUNCH_COOLDOWN_MS)
    launches.register('1', GAME, '/opt/game --evil')
    await launches.launch('1')
    expect(asked.map(({ launch, isChanged }) => [launch, isChanged])).toEqual([
      ['/opt/game', false],
      ['/opt/game', true],
      ['/opt/game --evil', true],
    ])
  })

  it('is prompted for the platform URI too', async () => {
    await launches.launch('2')
    expect(asked).toEqual([{ applicationId: '2', launch: 'platform-2:///', by: undefined, isChanged: false }])
  })

  it('who denies it starts nothing, and is prompted the next time', async () => {
    decide = () => Promise.reject(new Error('The user did not allow it'))
    await launches.launch('1')
    expect(started).toEqual([])
    expect([...allowed]).toEqual([])
    clock.advance(RELAUNCH_COOLDOWN_MS)
    decide = async () => {}
    await launches.launch('1')
    expect(asked).toHaveLength(2)
    expect(started).toHaveLength(1)
  })
})
