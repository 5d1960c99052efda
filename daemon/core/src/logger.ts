/** The logger: one event name per line, and fields. */
import type { LogEvent } from './log-events.ts'

export interface Logger {
  debug(event: LogEvent, fields?: object): void
  info(event: LogEvent, fields?: object): void
  warn(event: LogEvent, fields?: object): void
  error(event: LogEvent, fields?: object): void
  child(fields: object): Logger
}
