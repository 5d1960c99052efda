/**
 * The system handle of the newest named pipe. Node has no public API for it, but the event loop lists its handles in order of creation.
 * During the event of a new connection the last pipe is that connection, also when several arrive at once.
 */
import type * as ffiModule from 'node:ffi'

/** Call it during the event of a new connection. Undefined when the last pipe is not found. */
type NewestPipe = () => bigint | undefined

/** struct uv_loop_s { void *data; unsigned active_handles; struct { next, prev } handle_queue; … } of uv.h; stable in libuv 1. */
const LOOP = { queue: 16n, last: 24 }
/** struct uv_handle_s { void *data; uv_loop_t *loop; uv_handle_type type; uv_close_cb close_cb; struct { next, prev } handle_queue; … } */
const HANDLE = { loop: 8, queue: 32n, before: 40 }
const UV_NAMED_PIPE = 7
const HANDLE_BYTES = 8

/** Maximum number of handles to check; few are created after the connection. */
const MAX_CHECKED = 16

/** `library`: the library with libuv; null for the running program (Windows needs its path). Throws when functions are missing. */
export function openNewestPipe(ffi: typeof ffiModule, library: string | null): NewestPipe {
  const { functions: uv } = ffi.dlopen(library, {
    uv_handle_get_type: { arguments: ['pointer'], return: 'int32' },
    uv_fileno: { arguments: ['pointer', 'buffer'], return: 'int32' },
  })
  const loop = ffi.getCurrentEventLoop()
  const found = Buffer.alloc(HANDLE_BYTES)
  return () => {
    let entry = ffi.getUint64(loop, LOOP.last)
    for (let checked = 0; checked < MAX_CHECKED && entry !== loop + LOOP.queue; checked++) {
      const handle = entry - HANDLE.queue
      // The layout of libuv differs, so stop.
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
