/** Plays a sample game with a bridge that does not know whether two of its lines were sent. */
import type { Command } from '../../conformance/clients/adapter.ts'
import { type Call, errorFor, responseTo, ScriptedServer } from '#test/support/scripted-server.ts'
import { playDockside } from './dockside.ts'

const UNKNOWN_OUTCOME = { code: 6001, message: 'The bridge ended before the answer came.' }
const ADA = { id: '77', username: 'ada', discriminator: '0' }
const SIGNED_IN = {
  user: ADA,
  scopes: [],
  expires: '2030-01-01T00:00:00.000Z',
  application: { id: '42', name: 'x' },
  access_token: 'of-a-test',
}
/** The outcome of the first two lines is unknown: one took effect, one did not. */
const UNKNOWN = [{ isSent: true }, { isSent: false }]

interface Chatted {
  /** What the game printed. */
  readonly text: string
  /** The first words of the lines in the lobby. */
  readonly lines: readonly string[]
  /** Of each call that sends a line. */
  readonly keys: readonly unknown[]
}

/** Resolves when the game has ended, or printed `last`. */
export async function playUnknownOutcome(command: Command, runtime: string, last?: RegExp): Promise<Chatted> {
  const history: object[] = []
  const lines: string[] = []
  const keys: unknown[] = []
  const send = (call: Call): Buffer => {
    const unknown = UNKNOWN[keys.length]
    keys.push(call.key)
    const id = String(keys.length)
    const message = { id, type: 0, lobby_id: '900', channel_id: '900', author: ADA, flags: 0, ...call.args }
    if (unknown?.isSent !== false) {
      history.push(message)
      lines.push(String(call.args.content).split(':')[0] ?? '')
    }
    return unknown === undefined ? responseTo(call, message) : errorFor(call, UNKNOWN_OUTCOME)
  }
  const answers: Readonly<Record<string, (call: Call) => Buffer>> = {
    AUTHENTICATE: (call) => responseTo(call, SIGNED_IN),
    CREATE_OR_JOIN_LOBBY: (call) => responseTo(call, { id: '900' }),
    GET_LOBBY_MESSAGES: (call) => responseTo(call, history),
    SEND_LOBBY_MESSAGE: send,
  }
  const server = await ScriptedServer.listen(runtime)
  const serve = async (): Promise<void> => {
    const peer = await server.peer()
    await peer.ready({ call_keys: true })
    for (;;) {
      const call = await peer.message()
      peer.write((answers[call.cmd] ?? ((other) => responseTo(other, null)))(call))
    }
  }
  // It ends with the connection of the game.
  serve().catch(() => {})
  try {
    const text = await playDockside(command, { env: { XDG_RUNTIME_DIR: runtime }, ...(last && { last }) })
    return { text, lines, keys }
  } finally {
    await server.close()
  }
}
