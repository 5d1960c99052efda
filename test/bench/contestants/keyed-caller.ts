/**
 * A game that sends messages to a lobby, one call at a time. A line `with COUNT` or `without COUNT` of its input says how many, and whether each
 * has a key; it answers each line with one. node keyed-caller.ts SOCKET TOKEN
 */
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { BenchClient } from '../client.ts'
import { command, contractHandshake, frame, nonceAt, OPCODE } from '../frames.ts'

const ARGS = { lobby_id: '1350184413060661332', content: 'The lighthouse is on the left.', metadata: { team: 'blue', round: '7' } }
const KEY_BYTES = 16

const [path = '', token = ''] = process.argv.slice(2)
const client = await BenchClient.open(path, contractHandshake())

/** Throws when the daemon answers with an error: then there is nothing to measure. */
async function ask(bytes: Buffer): Promise<void> {
  const { evt, data } = (await client.ask(bytes)) as { readonly evt: unknown; readonly data: unknown }
  if (evt !== null) throw new Error(`the call was answered ${JSON.stringify(data)}`)
}

const newCall = (hasKey: boolean, index: number): Buffer =>
  frame(
    OPCODE.FRAME,
    JSON.stringify({
      cmd: 'SEND_LOBBY_MESSAGE',
      args: ARGS,
      nonce: nonceAt(index),
      ...(hasKey ? { key: randomBytes(KEY_BYTES).toString('hex') } : {}),
    }),
  )

await ask(command('AUTHENTICATE', { access_token: token }, 'sign-in'))
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const [side, count] = line.split(' ')
  const calls = Array.from({ length: Number(count) }, (_, index) => newCall(side === 'with', index))
  for (const call of calls) await ask(call)
  process.stdout.write('done\n')
}
