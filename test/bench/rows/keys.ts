/**
 * What a key adds to a forwarded call in a daemon: it is stored before the request, and its result after the answer. A program may keep a thousand
 * keys in ten minutes, so each turn is that of another program.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LIMITS } from '@sallyport/protocol'
import { Part } from '../contestants/part.ts'
import { APPLICATION } from '../frames.ts'
import { placeNote, shareProcessor } from '../one-processor.ts'
import { cpuMicroseconds } from '../process-figures.ts'
import type { Row } from '../row.ts'
import { median } from '../statistics.ts'
import { atMost } from '../targets.ts'

const MOST_US = 80
const TOKEN = 'bench-access-token'
/** Fewer than a program may keep: at the end the others leave less than twice that. */
const CALLS = 0.8 * LIMITS.callKeys.value
const SIDES = ['without', 'with'] as const
const SCOPES = ['openid', 'sdk.social_layer']
const CALLER = pathToFileURL(join(import.meta.dirname, '../contestants/keyed-caller.ts')).href

export const keys: Row = {
  name: 'keys',
  async run({ ground, effort }) {
    const upstream = new Part('upstream-server.ts', [APPLICATION, ...SCOPES])
    const daemon = await ground.start('sallyport', { apiBase: await upstream.line() })
    const folder = ground.folder()

    /** CPU that a key adds to a call, in µs. */
    const turn = async (number: number): Promise<number> => {
      const script = join(folder, `game-${number}.mjs`)
      writeFileSync(script, `import ${JSON.stringify(CALLER)}\n`)
      const game = new Part(script, [daemon.path, TOKEN])
      const place = shareProcessor([game.pid])
      try {
        await game.line()
        const spent = { without: 0, with: 0 }
        for (const side of number % 2 === 0 ? SIDES : SIDES.toReversed()) {
          const before = cpuMicroseconds(daemon.pid)
          await game.ask(`${side} ${CALLS}`)
          spent[side] = (cpuMicroseconds(daemon.pid) - before) / CALLS
        }
        return spent.with - spent.without
      } finally {
        place.release()
        await game.stop()
      }
    }

    const place = shareProcessor([upstream.pid, daemon.pid])
    const added: number[] = []
    try {
      for (let number = 0; number < effort.keyedWarmTurns + effort.keyedTurns; number++) {
        const more = await turn(number)
        if (number >= effort.keyedWarmTurns) added.push(more)
      }
    } finally {
      place.release()
      await daemon.stop()
      await upstream.stop()
    }
    return [
      {
        what: 'a key, CPU per forwarded call',
        unit: 'µs',
        sallyport: median(added),
        target: atMost(MOST_US, 'µs'),
        note: `what a key adds: it is stored before the request, and the result after the answer; ${placeNote(place.isShared)}`,
      },
    ]
  },
}
