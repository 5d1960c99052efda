/** Frames: the first bytes say where the others are cut. Pieces give the same frames as the whole, within the limit, and at most one refusal. */
import { FrameDecoder } from '#daemon/src/ipc/framing/decoder.ts'
import { frame } from '#test/support/frames.ts'
import { hold, type Target } from '../target.ts'

const LIMIT = 2000
const CUTS = 3

function decoded(chunks: readonly Buffer[]): string {
  const seen: string[] = []
  let refusals = 0
  const decoder = new FrameDecoder(LIMIT)
  for (const chunk of chunks)
    decoder.push(chunk, {
      onFrame(opcode, payload) {
        hold(payload.length <= LIMIT, 'a frame is within the limit')
        hold(refusals === 0, 'no frame follows a refusal')
        seen.push(`${opcode}:${payload.toString('hex')}`)
      },
      onOversize(declared) {
        refusals += 1
        seen.push(`too large: ${declared}`)
      },
    })
  hold(refusals <= 1, 'at most one refusal')
  hold(decoder.heldBytes <= LIMIT * 2 + 8, 'no more is held than a frame needs')
  return seen.join()
}

export const target: Target = {
  seeds: [
    Buffer.concat([Buffer.from([3, 9, 20]), frame(0, '{"v":1,"client_id":"1"}'), frame(1, '{"cmd":"A"}'), frame(3, '')]),
    Buffer.concat([Buffer.from([1, 8, 8]), frame(1, 'x'.repeat(40)), Buffer.from([2, 0, 0, 0, 0xff, 0xff, 0, 0])]),
  ],
  run(bytes) {
    const whole = bytes.subarray(CUTS)
    const cuts = [...bytes.subarray(0, CUTS)].map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b)
    const pieces = [0, ...cuts].map((from, index) => whole.subarray(from, cuts[index] ?? whole.length))
    hold(decoded(pieces) === decoded([whole]), 'pieces give what the whole gives')
    // A decoder that keeps bytes must copy them.
    hold(decoded([...whole].map((byte) => Buffer.from([byte]))) === decoded([whole]), 'single bytes give what the whole gives')
  },
}
