/** Which game is launched by what, how often, and who may say so. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { LaunchPlan } from '../../../../../daemon/src/social/launch/plan.ts'
import { Launches, PAUSE_MS } from '../../../../../daemon/src/social/launch/launches.ts'
import type { PeerIdentity } from '../../../../../daemon/src/transport/transport.ts'
import { FakeClock } from '../../../../support/fake-clock.ts'
import { RecordingLog } from '../../../../support/recording-log.ts'

const GAME: PeerIdentity = { trust: 'kernel', uid: 1000, pid: 7 }

let clock: FakeClock
let log: RecordingLog
let commands: Map<string, string>
let started: LaunchPlan[]
let startGame: (plan: LaunchPlan) => Promise<void>
let launches: Launches
beforeEach(() => {
  clock = new FakeClock()
  log = new RecordingLog()
  commands = new Map()
  started = []
  startGame = async () => {}
  launches = new Launches({
    store: { commandOf: (id) => commands.get(id), keep: (id, command) => void commands.set(id, command) },
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
    expect([...commands]).toEqual([['1', '/opt/game --second']])
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
    commands.set('1', '/opt/game --join')
    commands.set('3', 'steam://rungameid/480')
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
