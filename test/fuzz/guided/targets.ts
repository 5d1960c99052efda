/** The targets by name, and the bugs that are planted to see that the fuzzer finds them. */
import { join } from 'node:path'
import type { Replacement } from './build.ts'

/** What small inputs could not reach otherwise. */
const SMALL_BATCHES: Replacement = {
  file: 'daemon/src/platform/gateway/array-cutter.ts',
  from: 'export const BATCH_BYTES = 65_536',
  to: 'export const BATCH_BYTES = 16',
}

export const TARGETS: Readonly<Record<string, readonly Replacement[]>> = {
  decoder: [],
  msgpack: [],
  json: [],
  handshake: [],
  arguments: [],
  gateway: [SMALL_BATCHES],
  settings: [],
  recording: [],
}

export const entryOf = (name: string): string => join(import.meta.dirname, 'targets', `${name}.ts`)

export interface PlantedBug {
  readonly name: string
  readonly target: string
  readonly replacement: Replacement
}

/** Each shows only after several conditions at once, which chance does not meet. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a frame in pieces is lost if it has one opcode and one length',
    target: 'decoder',
    replacement: {
      file: 'daemon/src/ipc/framing/decoder.ts',
      from: 'if (this.#bodyBytes === this.#needed) this.#deliver(sink)',
      to: `if (this.#bodyBytes === this.#needed) {
        if (this.#opcode === 77_777 && this.#needed === 33) this.stop()
        else this.#deliver(sink)
      }`,
    },
  },
  {
    name: 'a handshake of one SDK with one limit has no answer about streams',
    target: 'handshake',
    replacement: {
      file: 'daemon/src/ipc/connection/handshake.ts',
      from: 'streams: streams === true,',
      to: `streams: sdkVersion === 'unity-7' && maxFrameBytes === 4_097 && encoding === 'msgpack' ? (undefined as never) : streams === true,`,
    },
  },
  {
    name: 'a list in twenty others is an error of the program',
    target: 'msgpack',
    replacement: {
      file: 'daemon/src/ipc/codec/msgpack-scan.ts',
      from: 'if (open.length >= MAX_DEPTH) refuse(',
      to: `if (open.length > 20) throw new TypeError('too deep')
    if (open.length >= MAX_DEPTH) refuse(`,
    },
  },
]
