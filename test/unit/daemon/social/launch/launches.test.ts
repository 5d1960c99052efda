/** Which game is launched by what, how often, and who may say so. */
import { beforeEach, describe, expect, it } from 'vitest'
import { programOf } from '../../../../../daemon/src/identity/program.ts'
import type { LaunchPlan } from '../../../../../daemon/src/social/launch/plan.ts'
import { Launches, type LaunchQuestion, PAUSE_MS } from '../../../../../daemon/src/social/launch/launches.ts'
import type { Registration } from '../../../../../daemon/src/social/launch/store.ts'
import type { PeerIdentity } from '../../../../../daemon/src/ipc/transport/transport.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

const GAME: PeerIdentity = { trust: 'kernel', uid: 1000, pid: 7 }

let clock: FakeClock
let log: RecordingLog
let commands: Map<string, Registration>
let allowed: Map<string, string>
let files: Map<string, string>
let asked: LaunchQuestion[]
let decide: () => Promise<void>
let started: LaunchPlan[]
let startGame: (plan: LaunchPlan) => Promise<void>
let launches: Launches
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
  launches = new Launches({
    store: {
      registrationOf: (id) => commands.get(id),
      keep: (id, command, by) => void commands.set(id, { command, by }),
      allowedFor: (id) => allowed.get(id),
      allow: (id, what) => void allowed.set(id, what),
    },
    fileAt: (path) => files.get(path),
    ask: (question) => {
      asked.push(question)
      return decide()
    },
    clock,
    log,
    platform: 'linux',
    start: (plan) => {
      started.push(plan)
      return startGame(plan)
    },
    addressOf: (id) => `platform-${id}:///`,
    outsider: ({ pid }) => (pid === undefined ? ' for a program in a container' : undefined),
    isProgram: (path) => path === '/opt/game',
  })
})

describe('a registration', () => {
  it('is kept for its application, the last one', () => {
    launches.register('1', GAME, '/opt/game --first')
    launches.register('1', GAME, ' /opt/game --second ')
    expect([...commands]).toEqual([['1', { command: '/opt/game --second', by: programOf(GAME) }]])
    expect(JSON.stringify(log)).not.toContain('--second')
  })

  it.each([
    ['from elsewhere', { trust: 'kernel', uid: 1000 } as const, '/opt/game', 'in a container'],
    ['that is no program', GAME, '/opt/nothing', 'can be run'],
    ['that a shell would need', GAME, 'game', 'absolute path'],
  ])('%s is refused', (_, peer, command, why) => {
    expect(() => launches.register('1', peer, command)).toThrow(
      expect.objectContaining({ error: 'INVALID_PAYLOAD', message: expect.stringContaining(why) }),
    )
    expect(commands.size).toBe(0)
  })
})

describe('a launch', () => {
  it('is by what was registered, else by the address of the platform', async () => {
    commands.set('1', { command: '/opt/game --join', by: undefined })
    commands.set('3', { command: 'steam://rungameid/480', by: undefined })
    for (const id of ['1', '2', '3']) await launches.launch(id)
    expect(started).toEqual([
      { kind: 'program', program: '/opt/game', args: ['--join'] },
      { kind: 'uri', uri: 'platform-2:///' },
      { kind: 'uri', uri: 'steam://rungameid/480' },
    ])
  })

  it('comes once in a while, for each application', async () => {
    await launches.launch('1')
    await launches.launch('1')
    await launches.launch('2')
    clock.advance(PAUSE_MS - 1)
    await launches.launch('1')
    expect(started).toHaveLength(2)
    clock.advance(1)
    await launches.launch('1')
    expect(started).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })

  it('is not held up by a clock that is set back', async () => {
    await launches.launch('1')
    clock.setBack(3_600_000)
    await launches.launch('1')
    expect(started).toHaveLength(2)
  })

  it('that fails is a sentence in the log, and nothing else', async () => {
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
  it('is asked the first time, with who registered it, and not again', async () => {
    launches.register('1', GAME, '/opt/game --join')
    await launches.launch('1')
    clock.advance(PAUSE_MS)
    await launches.launch('1')
    expect(started).toHaveLength(2)
    expect(asked).toEqual([{ applicationId: '1', launch: '/opt/game --join', by: programOf(GAME), isChanged: false }])
  })

  it('is asked again when the command or the file at its path is another one', async () => {
    launches.register('1', GAME, '/opt/game')
    await launches.launch('1')
    clock.advance(PAUSE_MS)
    files.set('/opt/game', 'two')
    await launches.launch('1')
    clock.advance(PAUSE_MS)
    launches.register('1', GAME, '/opt/game --evil')
    await launches.launch('1')
    expect(asked.map(({ launch, isChanged }) => [launch, isChanged])).toEqual([
      ['/opt/game', false],
      ['/opt/game', true],
      ['/opt/game --evil', true],
    ])
  })

  it('is asked about the address of the platform too', async () => {
    await launches.launch('2')
    expect(asked).toEqual([{ applicationId: '2', launch: 'platform-2:///', by: undefined, isChanged: false }])
  })

  it('who says no starts nothing, and is asked the next time', async () => {
    decide = () => Promise.reject(new Error('The user did not allow it'))
    await launches.launch('1')
    expect(started).toEqual([])
    expect([...allowed]).toEqual([])
    clock.advance(PAUSE_MS)
    decide = async () => {}
    await launches.launch('1')
    expect(asked).toHaveLength(2)
    expect(started).toHaveLength(1)
  })
})
