/** The examples as whole programs, against a small bridge that is killed meanwhile. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answer, BRIDGE, FakeServer, temporaryDirectory } from './fake-server.ts'

const BINDING = join(import.meta.dirname, '../../../bindings/ts')

let dir = ''
let cleanup: (() => unknown)[] = []

beforeEach(async () => {
  const temporary = await temporaryDirectory()
  dir = temporary.dir
  cleanup = [temporary.remove]
})

afterEach(async () => {
  for (const undo of cleanup.toReversed()) await undo()
})

interface Program {
  readonly process: ChildProcess
  readonly output: () => string
  /** Resolves once the program has printed this. */
  printed(text: string): Promise<void>
  readonly exit: Promise<number | null>
}

function run(name: string, args: readonly string[]): Program {
  const child = spawn(process.execPath, ['--conditions=sallyport-source', join(BINDING, 'examples', name), ...args], {
    env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let waiting: { readonly expected: string; readonly met: () => void }[] = []
  const collect = (chunk: Buffer) => {
    text += chunk.toString()
    const met = waiting.filter(({ expected }) => text.includes(expected))
    waiting = waiting.filter((one) => !met.includes(one))
    for (const one of met) one.met()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  cleanup.push(() => child.kill('SIGKILL'))
  return {
    process: child,
    output: () => text,
    printed: (expected) => new Promise((met) => (text.includes(expected) ? met() : waiting.push({ expected, met }))),
    exit: new Promise((resolve) => child.once('close', resolve)),
  }
}

/** A platform that stores lobbies and messages, behind a daemon that may be killed. */
class Harbour {
  readonly #lobbies = new Map<string, string>()
  readonly #messages: { readonly id: string; readonly lobby: string; readonly content: string; readonly metadata: unknown }[] = []
  granted = false
  /** The relationships; undefined for a server that knows none. */
  friends: readonly object[] | undefined
  /** Whom the game requested to join. */
  readonly asked: string[] = []
  /** Whether it is unknown what became of such a request. */
  losesJoins = false
  /** Swallow the answer to the message with this number, as a crash between sending and answering does. */
  swallow: number | undefined
  /** The results of the next messages that the bridge lost, by whether they were sent. */
  readonly lostResults: boolean[] = []

  readonly answer: Answer = ({ cmd, args, evt }) => {
    const error = (code: number, message: string) => ({ evt: 'ERROR', data: { code, message } })
    switch (cmd) {
      case 'AUTHENTICATE':
        return this.granted
          ? { data: { user: { id: '42', username: 'ada' }, scopes: [], expires: '', application: { id: '1', name: 'x' } } }
          : error(4009, 'no grant')
      case 'AUTHORIZE':
        return { data: { code: `code-for-${String(args['code_challenge'])}`, redirect_uri: 'http://127.0.0.1/callback' } }
      case 'GET_TOKEN':
        this.granted = true
        return { data: {} }
      case 'SUBSCRIBE':
        return { data: { evt } }
      case 'SET_ACTIVITY':
        return { data: args['activity'] ?? null }
      case 'GET_RELATIONSHIPS':
        return this.friends === undefined ? error(4002, 'no friends here') : { data: { relationships: this.friends } }
      case 'GET_GAME_RELATIONSHIPS':
        return { data: [] }
      case 'SEND_ACTIVITY_MESSAGE':
        this.asked.push(String(args['user_id']))
        return this.losesJoins ? error(6001, 'the bridge was restarted') : { data: { id: '1' } }
      case 'CREATE_OR_JOIN_LOBBY': {
        const id = this.#lobbies.get(String(args['secret'])) ?? String(700 + this.#lobbies.size)
        this.#lobbies.set(String(args['secret']), id)
        return { data: { id } }
      }
      case 'SEND_LOBBY_MESSAGE': {
        if (![...this.#lobbies.values()].includes(String(args['lobby_id']))) return error(4013, 'no such lobby')
        const lost = this.lostResults.shift()
        if (lost === false) return error(6001, 'the bridge was restarted')
        const id = String(9_000 + this.#messages.length)
        this.#messages.push({ id, lobby: String(args['lobby_id']), content: String(args['content']), metadata: args['metadata'] })
        if (lost === true) return error(6001, 'the bridge was restarted')
        return this.#messages.length === this.swallow ? 'silence' : { data: { id } }
      }
      case 'GET_LOBBY_MESSAGES':
        return {
          data: this.#messages
            .filter(({ lobby }) => lobby === args['lobby_id'])
            .map((message) => ({ ...message, author: { id: '42', username: 'ada' } }))
            .toReversed(),
        }
      default:
        return error(4002, `no ${cmd}`)
    }
  }

  get said(): string[] {
    return this.#messages.map(({ content }) => content)
  }
}

const friend = (id: string, username: string, status: string, activity: object | null = null) => ({
  type: 1,
  user: { id, username, discriminator: '0', avatar: null },
  presence: { status, activity },
})
const PLAYING = { application_id: '1180000000000000042', flags: 2, session_id: 's1' }

async function serve(harbour: Harbour): Promise<FakeServer> {
  const server = await new FakeServer({ dir, bridge: BRIDGE, answer: harbour.answer }).start()
  cleanup.push(() => server.kill().catch(() => {}))
  return server
}

test('Dockside continues after the daemon is killed between a message and its response, and sends every message exactly once', async () => {
  const harbour = new Harbour()
  harbour.swallow = 2
  const server = await serve(harbour)
  const game = run('dockside.ts', ['--fast', '--rounds', '3'])
  await server.until(() => harbour.said.length === 2)
  await server.kill()
  await game.printed('connection to the bridge lost — waiting')
  const next = await serve(harbour)
  expect(await game.exit, game.output()).toBe(0)
  expect(game.output()).toMatch(/back after \d+\.\d s: signed in, subscribed, presence set/)
  expect(game.output()).toContain('signed in as ada')
  expect(game.output()).toContain('no friends list: no friends here')
  expect(harbour.said).toHaveLength(3)
  const history = game.output().slice(game.output().indexOf('the lobby remembers:'))
  for (const line of harbour.said) expect(history).toContain(`ada: ${line}`)
  expect(next.last.received.at(-1)).toMatchObject({ cmd: 'SET_ACTIVITY' })
  expect(next.last.received.at(-1)?.args).not.toHaveProperty('activity')
})

test('Dockside reads the history when the outcome of a message is unknown, and sends every message exactly once', async () => {
  const harbour = new Harbour()
  harbour.lostResults.push(true, false)
  await serve(harbour)
  const game = run('dockside.ts', ['--fast', '--rounds', '3'])
  expect(await game.exit, game.output()).toBe(0)
  expect(new Set(harbour.said).size).toBe(3)
  expect(harbour.said).toHaveLength(3)
})

test('Dockside requests to join once, and goes on when the outcome of the request is unknown', async () => {
  const harbour = new Harbour()
  harbour.friends = [friend('5', 'grace', 'online', PLAYING)]
  harbour.losesJoins = true
  await serve(harbour)
  const game = run('dockside.ts', ['--fast', '--rounds', '1', '--join', 'grace'])
  expect(await game.exit, game.output()).toBe(0)
  expect(harbour.asked).toEqual(['5'])
})

test('Dockside lists friends in three groups, and requests to join one who plays', async () => {
  const harbour = new Harbour()
  harbour.friends = [friend('5', 'grace', 'online', PLAYING), friend('6', 'linus', 'idle'), friend('7', 'mary', 'offline')]
  await serve(harbour)
  const game = run('dockside.ts', ['--fast', '--rounds', '2', '--join', 'grace'])
  expect(await game.exit, game.output()).toBe(0)
  for (const line of ['on this pier: grace (can be joined)', 'online elsewhere: linus', 'offline: mary'])
    expect(game.output().split(`friends ${line}`)).toHaveLength(2)
  expect(harbour.asked).toEqual(['5'])
})

test('Dockside prints how to start a daemon and waits for it', async () => {
  const game = run('dockside.ts', ['--fast', '--rounds', '1'])
  await game.printed('start one with npm start')
  await serve(new Harbour())
  expect(await game.exit, game.output()).toBe(0)
})

test('Dockside prints its error and exits with 1', async () => {
  const harbour = new Harbour()
  const server = await serve(harbour)
  server.answer = (message, peer) =>
    message.cmd === 'AUTHORIZE'
      ? { evt: 'ERROR', data: { code: 5000, message: 'OAuth2 Error: access_denied: the player declined' } }
      : harbour.answer(message, peer)
  const game = run('dockside.ts', ['--fast'])
  expect(await game.exit).toBe(1)
  expect(game.output()).toContain('Dockside failed: OAuth2 Error: access_denied: the player declined')
})

test('the example of the README equals the file, and runs', async () => {
  const [readme, source] = await Promise.all([
    readFile(join(BINDING, 'README.md'), 'utf8'),
    readFile(join(BINDING, 'examples/presence.ts'), 'utf8'),
  ])
  expect(readme).toContain(`\`\`\`ts\n${source}\`\`\``)
  const harbour = new Harbour()
  const server = await serve(harbour)
  const program = run('presence.ts', ['1'])
  expect(await program.exit, program.output()).toBe(0)
  for (const line of ['shown as: Unloading the Copper Wren', 'signed in as ada', 'said it in lobby 700'])
    expect(program.output()).toContain(line)
  expect(harbour.said).toEqual(['Ahoy'])
  expect(server.commands()[0]).toBe('SUBSCRIBE ACTIVITY_JOIN')
})
