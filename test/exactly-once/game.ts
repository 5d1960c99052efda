/**
 * The game that is killed: it sends messages at a steady pace, stores each before it makes the call, and after a start repeats those without an end
 * with their keys. Prints a line when it is ready, and one at the end of each call. SIGTERM ends it between two calls.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CallError, newCallKey, NotSentError, SallyportClient } from '@sallyport/client'
import { type Intent, openIn, readIntents, storeEnd, storeIntent } from './intents.ts'

const setting = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

const file = setting('GAME_FILE')
const paceMs = Number(setting('GAME_PACE_MS'))
const client = new SallyportClient({ applicationId: setting('GAME_APPLICATION'), runtimeDir: setting('GAME_RUNTIME'), requireBridge: true })

const call = ({ id, command, key }: Intent): Promise<unknown> =>
  command === 'CREATE_MESSAGE'
    ? client.call(command, { channel_id: setting('GAME_CHANNEL'), content: id }, { key })
    : client.call(command, { lobby_id: setting('GAME_LOBBY'), content: id }, { key })

async function carryOut(intent: Intent): Promise<void> {
  const { id } = intent
  for (;;) {
    try {
      await call(intent)
      storeEnd(file, { id, end: 'ok' })
      break
    } catch (error) {
      if (error instanceof NotSentError) {
        await client.whenReady()
        continue
      }
      const isRefused = error instanceof CallError && error.errorName !== 'UNKNOWN_OUTCOME'
      storeEnd(file, { id, end: isRefused ? 'failed' : 'unknown', reason: String(error) })
      break
    }
  }
  process.stdout.write(`ended ${id}\n`)
}

const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
await client.connect({ timeoutMs: 20_000 })
await client.call('AUTHENTICATE', { access_token: setting('GAME_TOKEN') })
process.stdout.write('ready\n')
const stored = readIntents(file)
for (const intent of openIn(stored)) await carryOut(intent)
for (let number = stored.intents.length; !stop.signal.aborted; number++) {
  const intent: Intent = { id: `m${number}`, command: number % 2 === 0 ? 'SEND_LOBBY_MESSAGE' : 'CREATE_MESSAGE', key: newCallKey() }
  storeIntent(file, intent)
  await carryOut(intent)
  await pause(paceMs)
}
await client.close()
