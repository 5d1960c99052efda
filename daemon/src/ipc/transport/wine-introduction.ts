/**
 * Connections of the pipe bridge of a Wine prefix. The first frame names the Windows program; what follows is the program's own bytes. Only the
 * socket for Wine expects it, so the sockets for games know nothing of it. `daemon/wine-bridge/introduction.c` writes it.
 */
import type { Socket } from 'node:net'
import { HEADER_BYTES } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { fieldsOf } from '@sallyport/core/json-read'
import type { Logger } from '@sallyport/core/logger'
import type { HeldServer, Serve } from '@sallyport/core/net/held-server'
import { type WineClaim, wineProgram } from '../../identity/wine-program.ts'
import type { PeerIdentity } from './transport.ts'

/** No opcode of the protocol. */
const OPCODE = 0x57_49_4e_45
const MAX_BYTES = 4096
const VERSION = 1
const DEADLINE_MS = 10_000

/** Undefined for a frame that is not an introduction. */
export function readClaim(payload: Buffer): WineClaim | undefined {
  let value: unknown
  try {
    value = JSON.parse(payload.toString())
  } catch {
    return undefined
  }
  const { version, program, file } = fieldsOf(value)
  if (version !== VERSION || typeof program !== 'string' || typeof file !== 'string') return undefined
  return { program, file }
}

type Introduction = WineClaim | 'invalid' | 'incomplete'

/** Reads exactly the introduction; the bytes behind it stay in the socket. */
function introductionReader(socket: Socket): () => Introduction {
  let length: number | undefined
  // At the end of the stream, `read` returns fewer bytes than requested.
  const read = (bytes: number): Buffer | 'invalid' | 'incomplete' => {
    const got = socket.read(bytes) as Buffer | null
    if (got === null) return socket.readableEnded ? 'invalid' : 'incomplete'
    return got.length === bytes ? got : 'invalid'
  }
  return () => {
    if (length === undefined) {
      const header = read(HEADER_BYTES)
      if (typeof header === 'string') return header
      length = header.readUInt32LE(4)
      if (header.readUInt32LE(0) !== OPCODE || length === 0 || length > MAX_BYTES) return 'invalid'
    }
    const payload = read(length)
    return typeof payload === 'string' ? payload : (readClaim(payload) ?? 'invalid')
  }
}

interface IntroducedDeps {
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** A server whose peers are the named programs. A connection without a valid introduction closes. */
export function introduced(
  held: Pick<HeldServer<PeerIdentity>, 'serve' | 'close'>,
  { clock, log }: IntroducedDeps,
): Pick<HeldServer<PeerIdentity>, 'serve' | 'close'> {
  const accept = (socket: Socket, peer: PeerIdentity, serve: Serve<PeerIdentity>): void => {
    const readNext = introductionReader(socket)
    const refuse = (): void => {
      log.warn('wine-introduction-refused', { pid: peer.pid })
      socket.destroy()
    }
    const onReadable = (): void => {
      const claim = readNext()
      if (claim === 'incomplete') return
      const facts = claim === 'invalid' ? undefined : wineProgram(peer, claim)
      if (facts === undefined) return refuse()
      stop()
      const { trust, pid, process: handle } = peer
      const named = { trust, ...facts, ...(pid === undefined ? {} : { pid }), ...(handle === undefined ? {} : { process: handle }) }
      // In the next tick, a socket whose listener for 'readable' was removed can flow again.
      process.nextTick(() => {
        if (socket.destroyed) handle?.release()
        else serve(socket, named)
      })
    }
    const onClose = (): void => {
      stop()
      peer.process?.release()
    }
    const ignore = (): void => {}
    const cancelTimer = clock.after(DEADLINE_MS, refuse)
    const stop = (): void => {
      cancelTimer()
      socket.off('readable', onReadable).off('close', onClose).off('end', onReadable)
    }
    socket.on('error', ignore).on('readable', onReadable).on('end', onReadable).once('close', onClose)
  }
  return {
    serve: (serve) => held.serve((socket, peer) => accept(socket, peer, serve)),
    close: () => held.close(),
  }
}
