/** Sends the state to pages that stay connected, as server-sent events. A page that reads slowly gets the newest state only. */
import type { ServerResponse } from 'node:http'
import type { BridgeState } from '@sallyport/protocol'
import type { Applications } from '../../platform/applications/applications.ts'
import type { StatePublisher } from '../state-publisher.ts'
import type { TabKeys } from './tab-keys.ts'

/** Pages in the foreground; others disconnect. */
const MAX_STREAMS = 16
/** A user looks at the page. */
const REVIEW_MS = 2_000

interface StreamDeps {
  readonly publisher: Pick<StatePublisher, 'current' | 'watch'>
  readonly applications: Pick<Applications, 'look'>
  readonly keys: Pick<TabKeys, 'reloadCode'>
}

export class StateStreams {
  readonly #deps: StreamDeps
  #count = 0

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  get isFull(): boolean {
    return this.#count >= MAX_STREAMS
  }

  /** Sends the state now and each that differs from it, until the page disconnects. The head of the response is sent already. */
  add(response: ServerResponse): void {
    const { publisher, applications, keys } = this.#deps
    this.#count++
    /** Waits until the page has read what was sent. */
    let waiting: BridgeState | undefined
    const send = (state: BridgeState): void => {
      waiting = response.writableNeedDrain ? state : undefined
      if (waiting === undefined) response.write(`data: ${JSON.stringify(state)}\n\n`)
    }
    const endLook = applications.look()
    const reload = keys.reloadCode()
    const endWatch = publisher.watch(send, REVIEW_MS)
    response.on('drain', () => {
      if (waiting !== undefined) send(waiting)
    })
    response.once('close', () => {
      this.#count--
      endWatch()
      endLook()
      reload.closed()
    })
    response.write(`event: reload\ndata: ${reload.code}\n\n`)
    send(publisher.current())
  }
}
