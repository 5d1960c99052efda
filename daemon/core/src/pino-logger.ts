/** The logger on pino: JSON lines, one event name per line, with secrets redacted as a second defence: tokens are `Secret` values. */
import { type DestinationStream, destination, multistream, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { currentCall } from './current-call.ts'
import { escapeUnseen } from './display-text.ts'
import type { LogEvent } from './log-events.ts'
import type { Logger } from './logger.ts'
import { redacted } from './redacted.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const STDERR = 2

export interface LogTarget {
  readonly level: Exclude<LogLevel, 'silent'>
  readonly stream: DestinationStream
}

/** Stderr, synchronously, so that no line is lost in a crash; nothing for `silent`. */
export const stderrTargets = (level: LogLevel): readonly LogTarget[] =>
  level === 'silent' ? [] : [{ level, stream: destination({ fd: STDERR, sync: true }) }]

/** Names and messages of strangers cannot steer the terminal that shows a line. It parses to the same data. */
const shown = ({ level, stream }: LogTarget): LogTarget => ({ level, stream: { write: (line) => stream.write(escapeUnseen(line)) } })

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
        // Not the redaction of pino: with this many keys it takes a hundred times as long. The fields of an error are those of its cause, for example a response.
        serializers: { err: (err: unknown) => (err instanceof Error ? redacted({ ...stdSerializers.err(err) }) : err) },
      },
      multistream(targets.map(shown)),
    ),
  )
}

function overPino(log: pino.Logger): Logger {
  const at =
    (level: (typeof LEVELS)[number]) =>
    (event: LogEvent, fields: object = {}): void => {
      if (!log.isLevelEnabled(level)) return
      const call = currentCall()
      log[level](redacted(call === undefined ? fields : { call: call.id, ...fields }), event)
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => overPino(log.child({ ...(redacted(fields) as object) })),
  }
}
