/** Messages of the gateway: read in parts, they are what they are when read at once. Batches have 16 bytes here, so that small messages have several. */
import { isDeepStrictEqual } from 'node:util'
import { parseLargePayload } from '#daemon/src/platform/gateway/large-payload.ts'
import { parsePayload } from '#daemon/src/platform/gateway/payload.ts'
import { hold, type Target } from '../target.ts'

export const target: Target = {
  seeds: [
    '{"op":0,"t":"GUILD_CREATE","s":2,"d":{"id":"1","members":[{"user":{"id":"2"}},{"user":{"id":"3"}},{"user":{"id":"4"}}],"name":"x"}}',
    '{"d":{"a":[1,2,3,4,5,6,7,8,9,10,11,12],"b":["x,]}\\"",[],{}],"a":[ ]},"op":0,"s":null,"t":"READY"}',
    '{"op":10,"d":{"heartbeat_interval":41250}}',
  ],
  words: ['"op"', '"d"', '"t"', '"s"', '\\"', '\\\\', '[ ]', '},{', '],['],
  run(bytes) {
    // The gateway sends text, so the bytes are UTF-8.
    const text = bytes.toString('utf8')
    const whole = Buffer.from(text)
    const steps = parseLargePayload(whole, () => undefined)
    let step = steps.next()
    for (let count = 0; step.done !== true; step = steps.next()) hold(++count <= whole.length + 8, 'it comes to an end')
    hold(isDeepStrictEqual(step.value, parsePayload(text)), 'parts give what the whole gives')
  },
}
