/** A logger that records every line for the test. */
import { inspect } from 'node:util'
import type { LogEvent } from '@sallyport/core/log-events'
import type { Logger } from '@sallyport/core/logger'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: LogEvent
  readonly fields: object
}

export class RecordingLog implements Logger {
  readonly lines: LogLine[] = []

  debug(event: LogEvent, fields: object = {}): void {
    this.lines.push({ level: 'debug', event, fields })
  }
  info(event: LogEvent, fields: object = {}): void {
    this.lines.push({ level: 'info', event, fields })
  }
  warn(event: LogEvent, fields: object = {}): void {
    this.lines.push({ level: 'warn', event, fields })
  }
  error(event: LogEvent, fields: object = {}): void {
    this.lines.push({ level: 'error', event, fields })
  }
  child(): Logger {
    return this
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
