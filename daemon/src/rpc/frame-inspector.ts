/**
 * Shows the frames of games to operators. An operator's connection gets a queue of bounded size, which it empties at its own pace; the
 * oldest frames are dropped from a full one. Secrets, and values that may be some, are removed before a frame enters a queue.
 */
import { BUDGETS } from '@sallyport/core/budgets'
import { type DataOf } from '@sallyport/protocol'
import { OPCODES, type OpcodeName } from '@sallyport/protocol/wire'
import type { Clock } from '@sallyport/core/clock'
import { redacted } from '@sallyport/core/redacted'
import type { FrameWatcher } from '../ipc/connection/connection.ts'
import type { Session } from '../sessions/session.ts'
import { masked } from './masked-arguments.ts'

type InspectedFrames = DataOf<'INSPECT_FRAMES'>
export type InspectedFrame = InspectedFrames['frames'][number]

/** Which frames an operator inspects; absent: all. */
interface FrameFilter {
  readonly applicationId: string | undefined
  readonly commands: readonly string[] | undefined
  readonly direction: 'in' | 'out' | undefined
}

interface Inspection {
  readonly filter: FrameFilter
  readonly queue: { readonly frame: InspectedFrame; readonly bytes: number }[]
  queuedBytes: number
  dropped: number
  /** Ends the wait of a read. */
  wake: () => void
}

/** Room in a response for its envelope. */
const ENVELOPE_BYTES = 4096

const OPCODE_NAMES = new Map<number, OpcodeName>(Object.entries(OPCODES).map(([name, opcode]) => [opcode, name as OpcodeName]))

const fieldOf = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? (message as Record<string, unknown>)[name] : undefined

/** The command and the event of a message. */
const namesIn = (message: unknown): readonly unknown[] => [fieldOf(message, 'cmd'), fieldOf(message, 'evt')]

const matches = (filter: FrameFilter, { direction, application_id: applicationId, message }: InspectedFrame): boolean =>
  (filter.direction === undefined || filter.direction === direction) &&
  (filter.applicationId === undefined || filter.applicationId === applicationId) &&
  (filter.commands === undefined || filter.commands.some((name) => namesIn(message).includes(name)))

export class FrameInspector {
  /** Undefined while no operator inspects, so that frames cost nothing then. */
  watcher: FrameWatcher<Session> | undefined
  /** By the connection of the operator. */
  readonly #inspections = new Map<number, Inspection>()
  readonly #clock: Clock
  readonly #applicationOf: (connectionId: number) => string | undefined
  readonly #isOperator: (connectionId: number) => boolean

  /** `isOperator`: whether a connection belongs to no game. */
  constructor(clock: Clock, applicationOf: (connectionId: number) => string | undefined, isOperator: (connectionId: number) => boolean) {
    this.#clock = clock
    this.#applicationOf = applicationOf
    this.#isOperator = isOperator
  }

  isInspecting(connectionId: number): boolean {
    return this.#inspections.has(connectionId)
  }

  /** Starts an inspection, or replaces the one of this connection. */
  start(connectionId: number, filter: FrameFilter): void {
    this.#inspections.get(connectionId)?.wake()
    this.#inspections.set(connectionId, { filter, queue: [], queuedBytes: 0, dropped: 0, wake: () => {} })
    this.watcher = this.#watch
  }

  /** The connection of an operator ended. */
  endConnection(connectionId: number): void {
    this.#inspections.get(connectionId)?.wake()
    this.#inspections.delete(connectionId)
    if (this.#inspections.size === 0) this.watcher = undefined
  }

  /** The next frames, in at most `maxBytes` of JSON. Without any, waits for the first one for at most `waitMs`. */
  async read(connectionId: number, waitMs: number, maxBytes: number): Promise<InspectedFrames> {
    const inspection = this.#inspections.get(connectionId)
    if (inspection === undefined) return { frames: [], dropped: 0 }
    if (inspection.queue.length === 0 && waitMs > 0) {
      inspection.wake()
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = this.#clock.after(waitMs, resolve)
      inspection.wake = resolve
      await promise
      cancel()
    }
    return taken(inspection, maxBytes - ENVELOPE_BYTES)
  }

  #watch: FrameWatcher<Session> = (connection, direction, opcode, payload) => {
    if (this.#inspections.has(connection.id) || this.#isOperator(connection.id)) return
    const name = OPCODE_NAMES.get(opcode)
    const bytes = Buffer.byteLength(payload)
    const isMessage = name === 'HANDSHAKE' || name === 'FRAME' || name === 'CLOSE'
    let decoded: unknown
    let isValid = true
    try {
      // Handshakes are JSON before any encoding is chosen.
      decoded = isMessage ? connection.encoding.decode(typeof payload === 'string' ? Buffer.from(payload) : payload) : undefined
    } catch {
      isValid = false
    }
    const handshakeId = name === 'HANDSHAKE' ? fieldOf(decoded, 'client_id') : undefined
    const applicationId = this.#applicationOf(connection.id) ?? (typeof handshakeId === 'string' ? handshakeId : undefined)
    const { pid } = connection.peer
    const frame: InspectedFrame = {
      at: this.#clock.now(),
      connection: connection.id,
      ...(applicationId === undefined ? {} : { application_id: applicationId }),
      ...(pid === undefined ? {} : { pid }),
      direction,
      opcode: name ?? `${opcode}`,
      bytes,
      ...(isMessage && isValid ? { message: direction === 'in' ? masked(redacted(decoded), name) : redacted(decoded) } : {}),
    }
    for (const inspection of this.#inspections.values()) if (matches(inspection.filter, frame)) put(inspection, frame)
  }
}

function put(inspection: Inspection, frame: InspectedFrame): void {
  const bytes = Buffer.byteLength(JSON.stringify(frame))
  inspection.queue.push({ frame, bytes })
  inspection.queuedBytes += bytes
  while (inspection.queuedBytes > BUDGETS.inspectedBytes.value) {
    const oldest = inspection.queue.shift()
    if (oldest === undefined) break
    inspection.queuedBytes -= oldest.bytes
    inspection.dropped++
  }
  inspection.wake()
}

/** Removes the frames of one response from the queue. A frame that fits in no response comes without its message. */
function taken(inspection: Inspection, maxBytes: number): InspectedFrames {
  const frames: InspectedFrame[] = []
  for (let bytes = 0, next = inspection.queue[0]; next !== undefined; next = inspection.queue[0]) {
    const fits = next.bytes < maxBytes
    bytes += fits ? next.bytes : 0
    if (frames.length > 0 && bytes >= maxBytes) break
    inspection.queue.shift()
    inspection.queuedBytes -= next.bytes
    const { message, ...rest } = next.frame
    frames.push(fits ? next.frame : rest)
  }
  const { dropped } = inspection
  inspection.dropped = 0
  return { frames, dropped }
}
