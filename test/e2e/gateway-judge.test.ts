/** A third-party gateway client uses the sandbox's gateway: it identifies, survives breaks, and receives each event once. */
import { CompressionMethod, WebSocketManager, WebSocketShardEvents } from '@discordjs/ws'
import { beforeAll, describe, expect, it } from 'vitest'
import { setApplication } from './support/application-settings.ts'
import { type Daemon, TARGETS } from './support/daemon.ts'
import { useDaemon } from './support/signed-in.ts'

const APPLICATION = '1234567890'
const TOKEN = `sandbox-bot-${APPLICATION}`
/** GUILDS, GUILD_MESSAGES and MESSAGE_CONTENT. */
const INTENTS = ((1 << 0) | (1 << 9) | (1 << 15)) as unknown as Options['intents']

/** The first heartbeat comes within it. Were it shorter, a busy machine would miss it, which ends the session. */
const SHORT_INTERVAL_MS = 3_000
const USUAL_INTERVAL_MS = 41_250

type Options = ConstructorParameters<typeof WebSocketManager>[0]

/** The manager with what it said of itself, in order, to be waited for. */
class Judge {
  readonly #manager: WebSocketManager
  readonly #said: string[] = []
  readonly #waiting = new Set<() => void>()
  readonly errors: Error[] = []
  readonly debug: string[] = []

  constructor(origin: string, options: Partial<Options>) {
    const rest = {
      get: async (path: string) => (await fetch(`${origin}/api/v10${path}`, { headers: { authorization: `Bot ${TOKEN}` } })).json(),
    } as unknown as Options['rest']
    // It would wait 5 seconds between two Identifies.
    const buildIdentifyThrottler = () => ({ waitForIdentify: () => Promise.resolve() })
    this.#manager = new WebSocketManager({ token: TOKEN, intents: INTENTS, rest, buildIdentifyThrottler, ...options })
    this.#manager
      .on(WebSocketShardEvents.Dispatch, ({ t, d }) => {
        const { content, name = '' } = (d ?? {}) as { readonly content?: string; readonly name?: string }
        this.#say(`${t} ${content ?? name}`.trim())
      })
      .on(WebSocketShardEvents.HeartbeatComplete, () => this.#say('heartbeat'))
      .on(WebSocketShardEvents.Closed, (code) => this.#say(`closed ${code}`))
      .on(WebSocketShardEvents.Debug, (message) => this.debug.push(message))
      .on(WebSocketShardEvents.Error, (error) => this.errors.push(error))
  }

  #say(what: string): void {
    this.#said.push(what)
    for (const wake of this.#waiting) wake()
  }

  connect = () => this.#manager.connect()
  stop = () => this.#manager.destroy({ reason: 'The test is over' })
  /** Its own names of operations stand in a package that we do not use otherwise. */
  send = (op: number, d: object) => this.#manager.send(0, { op, d } as unknown as Parameters<WebSocketManager['send']>[1])

  /** All that was said up to this, taken away; heartbeats come when they come. */
  async until(what: string): Promise<readonly string[]> {
    while (!this.#said.includes(what)) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting.add(resolve)
      await promise
      this.#waiting.delete(resolve)
    }
    return this.#said.splice(0, this.#said.indexOf(what) + 1).filter((one) => one !== 'heartbeat')
  }
}

describe.each(TARGETS)('$name', (target) => {
  let daemon: Daemon
  useDaemon(target, (opened) => {
    daemon = opened
  })
  beforeAll(() => setApplication(daemon.origin, APPLICATION, { approved_intents: ['MESSAGE_CONTENT'] }))

  const control = async (what: string, body: object): Promise<unknown> => {
    const reply = await fetch(`${daemon.origin}/sandbox/${what}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${what}: ${reply.status} ${await reply.text()}`)
    return reply.status === 204 ? undefined : reply.json()
  }
  /** The sandbox refuses a second Identify within 5 seconds, which are over then. */
  const pause = () => control('time', { advance_ms: 5_000 })
  const breakUp = async (action: string, more: object = {}): Promise<unknown> => {
    await pause()
    return control('gateway', { action, application_id: APPLICATION, ...more })
  }
  const write = (content: string) => control('messages', { channel: 'general', user: 'ada', content })

  const judged = async (options: Partial<Options>, run: (judge: Judge) => Promise<void>): Promise<void> => {
    const judge = new Judge(daemon.origin, options)
    await pause()
    try {
      await judge.connect()
      expect(await judge.until('GUILD_CREATE Lighthouse')).toEqual(['READY', 'GUILD_CREATE Harbour', 'GUILD_CREATE Lighthouse'])
      await run(judge)
      expect(judge.errors).toEqual([])
    } finally {
      await judge.stop()
    }
  }

  const compressions = [
    ['plain', null],
    ['zlib-stream', CompressionMethod.ZlibNative],
  ] as const
  it.each(compressions)('%s: identifies, receives its guilds, sends heartbeats, and requests members', async (_, compression) => {
    await control('gateway', { action: 'hello', heartbeat_interval: SHORT_INTERVAL_MS })
    try {
      await judged({ compression }, async (judge) => {
        await judge.until('heartbeat')
        await breakUp('heartbeat')
        await judge.until('heartbeat')
        await write('Ahoy')
        await judge.until('MESSAGE_CREATE Ahoy')
        const { guilds } = (await (await fetch(`${daemon.origin}/sandbox/state`)).json()) as { readonly guilds: readonly { id: string }[] }
        await judge.send(8, { guild_id: guilds[0]?.id ?? '', query: 'gr', limit: 1 })
        await judge.until('GUILD_MEMBERS_CHUNK')
      })
    } finally {
      await control('gateway', { action: 'hello', heartbeat_interval: USUAL_INTERVAL_MS })
    }
  })

  it.each(compressions)('%s: is dropped, resumes, and receives the missed events once', async (_, compression) => {
    await judged({ compression }, async (judge) => {
      expect(await breakUp('drop')).toEqual({ hit: 1 })
      await write('while away 1')
      await write('while away 2')
      const received = [...(await judge.until('RESUMED'))]
      expect(received.slice(0, 2)).toEqual(['closed 1006', 'MESSAGE_CREATE while away 1'])
      expect(judge.debug.some((line) => line.includes('/gateway/resume'))).toBe(true)
      await write('back')
      received.push(...(await judge.until('MESSAGE_CREATE back')))
      const messages = ['while away 1', 'while away 2', 'back'].map((content) => `MESSAGE_CREATE ${content}`)
      expect(received.filter((one) => one.startsWith('MESSAGE_CREATE'))).toEqual(messages)
    })
  })

  it('gets a reconnect request, and resumes', async () => {
    await judged({}, async (judge) => {
      expect(await breakUp('reconnect')).toEqual({ hit: 1 })
      expect(await judge.until('RESUMED')).toEqual(['closed 4200', 'RESUMED'])
    })
  })

  it.each([
    ['an invalid session', () => breakUp('invalid_session', { resumable: false })],
    ['a session that timed out', () => breakUp('close', { code: 4009 })],
  ])('identifies anew after %s', async (_, wreck) => {
    await judged({}, async (judge) => {
      expect(await wreck()).toEqual({ hit: 1 })
      const received = await judge.until('READY')
      expect(received).not.toContain('RESUMED')
      await write('anew')
      await judge.until('MESSAGE_CREATE anew')
    })
  })

  it('resumes after an invalid session that may be resumed', async () => {
    await judged({}, async (judge) => {
      await breakUp('invalid_session', { resumable: true })
      expect(await judge.until('RESUMED')).not.toContain('READY')
    })
  })

  it('identifies anew when resuming is refused', async () => {
    await judged({}, async (judge) => {
      await breakUp('refuse_resume')
      await breakUp('drop')
      expect(await judge.until('READY')).not.toContain('RESUMED')
    })
  })
})
