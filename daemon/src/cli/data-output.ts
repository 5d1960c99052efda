/** Writes the data of a command to stdout, and keeps whether that failed. */

/** The used part of a stream. */
interface Stream {
  write(text: string, done: (error?: NodeJS.ErrnoException | null) => void): boolean
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
}

const CLOSED = 'EPIPE'

export class DataOutput {
  readonly #stream: Stream
  readonly #report: (sentence: string) => void
  readonly #ended = Promise.withResolvers<string>()
  /** Whether text was lost, other than by a reader that has left (`sallyport config | head -1`). */
  hasFailed = false

  /** `report`: gets a sentence at the first failure. */
  constructor(stream: Stream, report: (sentence: string) => void) {
    this.#stream = stream
    this.#report = report
    stream.on('error', (error) => this.#note(error))
  }

  line(text: string): void {
    this.#stream.write(`${text}\n`, (error) => this.#note(error))
  }

  /** Resolves when everything is written, or will not be. */
  flushed(): Promise<void> {
    return new Promise((resolve) => void this.#stream.write('', () => resolve()))
  }

  /** Resolves when what is written is lost. */
  untilEnded(): Promise<string> {
    return this.#ended.promise
  }

  #note(error: NodeJS.ErrnoException | null | undefined): void {
    // Later writes fail because the first one did.
    if (error == null || this.hasFailed) return
    this.#ended.resolve(error.code ?? error.message)
    if (error.code === CLOSED || error.code === 'ERR_STREAM_DESTROYED') return
    this.hasFailed = true
    this.#report(`The output could not be written (${error.message}). Some of it is missing.`)
  }
}
