/** The logger on pino: JSON lines, one event name per line, with secrets redacted by key as a second defence. */
import { type DestinationStream, destination, multistream, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { LogEvent } from './log-events.ts'
import type { Logger } from './logger.ts'
import { SECRET_NAMES } from './secret-names.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Keys whose values are redacted at every depth. Tokens are `Secret` values; this catches plain text from outside. */
const SECRET_KEYS: ReadonlySet<string> = new Set([...SECRET_NAMES.flatMap((name) => [name, camelCase(name)]), 'Authorization'])

/** Levels of fields that are redacted. */
const DEPTH = 4

const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null

/**
 * A copy of plain data with the values below those keys replaced. Numbers stay, because these are error and status codes. Not the redaction of
 * pino: with this many keys it takes a hundred times as long.
 */
function withoutSecrets(value: unknown, depth = DEPTH): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, depth - 1))
  if (!isPlain(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value))
    copy[key] = SECRET_KEYS.has(key) && typeof inner !== 'number' ? '[redacted]' : withoutSecrets(inner, depth - 1)
  return copy
}

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
  return overPino(
    pino(
      {
        level,
        base: null,
        messageKey: 'event',
        timestamp: stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        // The fields of an error are those of its cause, for example a response.
        serializers: { err: (err: unknown) => (err instanceof Error ? withoutSecrets({ ...stdSerializers.err(err) }) : err) },
      },
      multistream([...targets]),
    ),
  )
}

function overPino(log: pino.Logger): Logger {
  const at =
    (level: (typeof LEVELS)[number]) =>
    (event: LogEvent, fields: object = {}): void => {
      if (log.isLevelEnabled(level)) log[level](withoutSecrets(fields), event)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => overPino(log.child({ ...(withoutSecrets(fields) as object) })),
  }
}
