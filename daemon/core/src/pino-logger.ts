/** The logger port over pino: JSON lines on stderr, one event name per line, secrets replaced by key as a second line of defence. */
import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino'
import type { Logger } from './logger.ts'
import { SECRET_NAMES } from './secret-names.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Keys whose value never reaches a log, wherever they stand. Tokens travel as `Secret`; this catches what came from outside as plain text. */
const SECRET_KEYS = [...new Set([...SECRET_NAMES.flatMap((name) => [name, camelCase(name)]), 'Authorization'])]

/** How deep the keys are looked for: the fields of a line, and two objects below. pino turns each path into a stringifier once, here. */
const DEPTHS = ['', '*.', '*.*.']

/** Numbers under these keys are error and status codes, which a log is for. */
const censor = (value: unknown): unknown => (typeof value === 'number' ? value : '[redacted]')

const STDERR = 2

/** Everything at `level` and above. Lines are written synchronously, so that the last one before a crash is there. */
export function pinoLogger(level: LogLevel, stream: DestinationStream = destination({ fd: STDERR, sync: true })): Logger {
  const paths = DEPTHS.flatMap((depth) => SECRET_KEYS.map((key) => `${depth}${key}`))
  return overPino(
    pino(
      {
        level,
        base: null,
        messageKey: 'event',
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: { paths, censor },
      },
      stream,
    ),
  )
}

const overPino = (log: pino.Logger): Logger => ({
  debug: (event, fields) => log.debug(fields ?? {}, event),
  info: (event, fields) => log.info(fields ?? {}, event),
  warn: (event, fields) => log.warn(fields ?? {}, event),
  error: (event, fields) => log.error(fields ?? {}, event),
  child: (fields) => overPino(log.child(fields)),
})
