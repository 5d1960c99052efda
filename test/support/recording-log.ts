/** A logger that records every line for the test. */
import { inspect } from 'node:util'
import { currentCall } from '@sallyport/core/current-call'
import type { LogEvent } from '@sallyport/core/log-events'
import type { Logger } from '@sallyport/core/logger'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: LogEvent
  /** With the call of the running code, as the log of the daemon has it. */
  readonly fields: object
}

export class RecordingLog implements Logger {
  readonly lines: LogLine[] = []

  debug(event: LogEvent, fields?: object): void {
    this.#add('debug', event, fields)
  }
  info(event: LogEvent, fields?: object): void {
    this.#add('info', event, fields)
  }
  warn(event: LogEvent, fields?: object): void {
    this.#add('warn', event, fields)
  }
  error(event: LogEvent, fields?: object): void {
    this.#add('error', event, fields)
  }
  child(): Logger {
    return this
  }

  #add(level: LogLine['level'], event: LogEvent, fields: object = {}): void {
    const call = currentCall()
    this.lines.push({ level, event, fields: call === undefined ? fields : { call: call.id, ...fields } })
  }

  /** Lines of things that should not happen. */
  get problems(): readonly LogLine[] {
    return this.lines.filter(({ level }) => level === 'error')
  }
  /** Everything as text, errors with their stacks. */
  get text(): string {
    return inspect(this.lines, { depth: 10, maxStringLength: null, maxArrayLength: null })
  }
}
