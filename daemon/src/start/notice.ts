/** What was noticed before the log is loaded. */
import type { LogEvent } from '@sallyport/core/log-events'
import type { LogLevel } from '@sallyport/core/pino-logger'

export interface Notice {
  readonly level: 'info' | 'warn'
  readonly event: LogEvent
  readonly fields: object
}

const LOGGED: Readonly<Record<LogLevel, readonly Notice['level'][]>> = {
  debug: ['info', 'warn'],
  info: ['info', 'warn'],
  warn: ['warn'],
  error: [],
  silent: [],
}

/** Whether the log on stderr contains the notice at this level. */
export const isLogged = ({ level }: Notice, logLevel: LogLevel): boolean => LOGGED[logLevel].includes(level)
