/** A `node:ffi` whose functions are written in the test: each takes what the daemon hands to the system and writes the answer where the system would. */
import type * as ffiModule from 'node:ffi'

type SystemFunction = (...args: never[]) => number | bigint

export interface FakeMemory {
  /** What stands at an address, 64 bits. */
  readonly words?: ReadonlyMap<bigint, bigint>
  readonly loop?: bigint
  /** Where every buffer lies. */
  readonly bufferAt?: bigint
}

export function fakeFfi(
  functions: Readonly<Record<string, SystemFunction>>,
  { words, loop = 0n, bufferAt = 0n }: FakeMemory = {},
): typeof ffiModule {
  const find = (name: string): SystemFunction => {
    const found = functions[name]
    if (found === undefined) throw new Error(`dlsym failed: ${name}`)
    return found
  }
  const fake = {
    dlopen: (_library: string | null, declared: Readonly<Record<string, unknown>>) => ({
      lib: { getFunction: find },
      functions: Object.fromEntries(Object.keys(declared).map((name) => [name, find(name)])),
    }),
    getCurrentEventLoop: () => loop,
    getRawPointer: () => bufferAt,
    getUint64: (pointer: bigint, offset = 0) => words?.get(pointer + BigInt(offset)) ?? 0n,
  }
  return fake as unknown as typeof ffiModule
}
