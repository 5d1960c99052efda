/**
 * The system's handle of the pipe that Node made last. Node gives no public way to the handle of a named pipe, but the loop keeps its handles in
 * the order in which they were made: within the event of a new connection, the last pipe is that connection. Exact, also when several come at once.
 */
import type * as ffiModule from 'node:ffi'

/** Called within the event of a new connection. Undefined when the last pipe cannot be found. */
export type NewestPipe = () => bigint | undefined

/** struct uv_loop_s { void *data; unsigned active_handles; struct { next, prev } handle_queue; … } of uv.h, which stays as it is for all of libuv 1. */
const LOOP = { queue: 16n, last: 24 }
/** struct uv_handle_s { void *data; uv_loop_t *loop; uv_handle_type type; uv_close_cb close_cb; struct { next, prev } handle_queue; … } */
const HANDLE = { loop: 8, queue: 32n, before: 40 }
const UV_NAMED_PIPE = 7
const HANDLE_BYTES = 8

/** Nothing but the connection is made between its event and the question; this is more than enough. */
const MOST_LOOKED_AT = 16

/** `library`: where the functions of libuv are; null for the running program itself, which Windows wants by its path. Throws where they are missing. */
export function openNewestPipe(ffi: typeof ffiModule, library: string | null): NewestPipe {
  const { functions: uv } = ffi.dlopen(library, {
    uv_handle_get_type: { arguments: ['pointer'], return: 'int32' },
    uv_fileno: { arguments: ['pointer', 'buffer'], return: 'int32' },
  })
  const loop = ffi.getCurrentEventLoop()
  const found = Buffer.alloc(HANDLE_BYTES)
  return () => {
    let entry = ffi.getUint64(loop, LOOP.last)
    for (let looked = 0; looked < MOST_LOOKED_AT && entry !== loop + LOOP.queue; looked++) {
      const handle = entry - HANDLE.queue
      // A libuv that keeps its handles in another way is not guessed at.
      if (ffi.getUint64(handle, HANDLE.loop) !== loop) return undefined
      if (uv.uv_handle_get_type(handle) === UV_NAMED_PIPE) {
        found.fill(0)
        return uv.uv_fileno(handle, found) === 0 ? found.readBigUInt64LE(0) : undefined
      }
      entry = ffi.getUint64(handle, HANDLE.before)
    }
    return undefined
  }
}
