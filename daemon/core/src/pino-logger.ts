/** The logger on pino: JSON lines, one event name per line, with secrets redacted by key as a second defence. */
import { type DestinationStream, destination, multistream, pino, stdTimeFunctions } from 'pino'
import type { Logger } from './logger.ts'
import { SECRET_NAMES } from './secret-names.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Keys whose values are redacted at every depth. Tokens are `Secret` values; this catches plain text from outside. */
const SECRET_KEYS = [...new Set([...SECRET_NAMES.flatMap((name) => [name, camelCase(name)]), 'Authorization'])]

/** Depths at which keys are redacted: the fields of a line, and two levels below. pino compiles each path once. */
const DEPTHS = ['', '*.', '*.*.']

/** Keeps numbers, because these are error and status codes. */
const censor = (value: unknown): unknown => (typeof value === 'number' ? value : '[redacted]')

const STDERR = 2

export interface LogTarget {
  readonly level: Exclude<LogLevel, 'silent'>
  readonly stream: DestinationStream
}

/** Stderr, synchronously, so that no line is lost in a crash; nothing for `silent`. */
export const stderrTargets = (level: LogLevel): readonly LogTarget[] =>
  level === 'silent' ? [] : [{ level, stream: destination({ fd: STDERR, sync: true }) }]

/** From the most lines to the fewest. */
const LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** Writes each line to the targets whose level it reaches; without a target, nowhere. */
export function pinoLogger(targets: readonly LogTarget[]): Logger {
  const level = LEVELS.find((one) => targets.some((target) => target.level === one)) ?? 'silent'
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
      multistream([...targets]),
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
