/** Lines of the log for people. Pure. */
import { escapeInvisible } from '@sallyport/core/display-text'
import type { Paint, Style } from './paint.ts'

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

interface LogLine {
  readonly time: string
  readonly level: Level
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

const isLevel = (text: unknown): text is Level => LEVELS.some((level) => level === text)

/** Undefined for a line that the daemon did not write. */
export function parseLogLine(text: string): LogLine | undefined {
  try {
    const { time, level, event, ...fields } = JSON.parse(text) as Record<string, unknown>
    return typeof time === 'string' && isLevel(level) && typeof event === 'string' ? { time, level, event, fields } : undefined
  } catch {
    return undefined
  }
}

export const reaches = (level: Level, least: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(least)

const STYLES: Readonly<Partial<Record<Level, Style>>> = { debug: 'dim', warn: 'yellow', error: 'red' }
const LEVEL_COLUMNS = 5

/** The stack of an error is on lines of its own. */
function fieldText([name, value]: readonly [string, unknown]): string {
  if (name === 'err' && typeof value === 'object' && value !== null) {
    const { stack } = value as { stack?: unknown }
    const text = typeof stack === 'string' ? stack : JSON.stringify(value)
    return `\n${text
      .split('\n')
      .map((row) => `    ${escapeInvisible(row.trim())}`)
      .join('\n')}`
  }
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return ` ${escapeInvisible(name)}=${escapeInvisible(text)}`
}

/** `2026-11-23 04:30:05.123 warn  session-closed session=4 code=4003`. The time is UTC, as in the file. */
export function logText({ time, level, event, fields }: LogLine, paint: Paint): string {
  const shownTime = escapeInvisible(time.replace('T', ' ').replace('Z', ''))
  const head = `${shownTime} ${level.padEnd(LEVEL_COLUMNS)}`
  const style = STYLES[level]
  const shownHead = style === undefined ? head : paint(style, head)
  return `${shownHead} ${escapeInvisible(event)}${Object.entries(fields).map(fieldText).join('')}`
}
