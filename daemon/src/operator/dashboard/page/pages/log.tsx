/** The end of the log: what happened, in a sentence, with the technical line behind. */
import { escapeInvisible } from '@sallyport/core/display-text'
import { LOG_EVENTS } from '@sallyport/core/log-events'
import { useEffect, useState } from 'preact/hooks'
import { useDashboard } from '../context.ts'
import { Heading } from '../parts/heading.tsx'
import { Code } from '../parts/text.tsx'

const REFRESH_MS = 3000
const MAX_LINES = 300

const LEVELS = ['debug', 'info', 'warn', 'error'] as const
type Level = (typeof LEVELS)[number]

const LEVEL_NAMES: Readonly<Record<Level, string>> = {
  debug: 'Everything',
  info: 'What happened',
  warn: 'Warnings and errors',
  error: 'Errors',
}

interface Line {
  readonly key: string
  readonly time: string
  readonly level: Level
  readonly event: string
  readonly fields: string
}

const isLevel = (text: unknown): text is Level => LEVELS.some((level) => level === text)

/** Undefined for a line that the daemon did not write. */
function lineOf(text: string, at: number): Line | undefined {
  try {
    const { time, level, event, ...fields } = JSON.parse(text) as Record<string, unknown>
    if (typeof time !== 'string' || !isLevel(level) || typeof event !== 'string') return undefined
    return { key: `${time} ${at}`, time, level, event, fields: Object.entries(fields).map(fieldText).join(' ') }
  } catch {
    return undefined
  }
}

const fieldText = ([name, value]: readonly [string, unknown]): string =>
  `${name}=${escapeInvisible(typeof value === 'string' ? value : JSON.stringify(value))}`

const sentenceOf = (event: string): string => (Object.hasOwn(LOG_EVENTS, event) ? LOG_EVENTS[event as keyof typeof LOG_EVENTS] : '')

function useLog(): readonly string[] | undefined {
  const { api, isLive } = useDashboard()
  const [lines, setLines] = useState<readonly string[]>()
  useEffect(() => {
    const left = new AbortController()
    const follow = async (): Promise<void> => {
      while (!left.signal.aborted) {
        const read = await api.log()
        if (!left.signal.aborted && read !== undefined) setLines(read)
        await new Promise((resolve) => setTimeout(resolve, REFRESH_MS))
      }
    }
    if (isLive) void follow()
    return () => left.abort()
  }, [isLive])
  return lines
}

export function LogPage() {
  const lines = useLog()
  const [least, setLeast] = useState<Level>('info')
  const shown = (lines ?? [])
    .flatMap((text, at) => lineOf(text, at) ?? [])
    .filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least))
    .slice(-MAX_LINES)
    .toReversed()
  return (
    <section id="log" aria-labelledby="log-title">
      <div class="heading">
        <Heading id="log-title" text="Log, newest first" />
        <label>
          Show{' '}
          <select value={least} onChange={({ currentTarget: { value } }) => isLevel(value) && setLeast(value)}>
            {LEVELS.map((level) => (
              <option key={level} value={level}>
                {LEVEL_NAMES[level]}
              </option>
            ))}
          </select>
        </label>
      </div>
      {shown.length === 0 && <p class="hint">{lines === undefined ? 'The log is being read…' : 'There is nothing of this kind.'}</p>}
      <ol class="log">
        {shown.map(({ key, time, level, event, fields }) => (
          <li key={key} class={level}>
            <p>
              <time dateTime={time}>{new Date(time).toLocaleString()}</time>{' '}
              {level === 'warn' ? 'Warning: ' : level === 'error' ? 'Error: ' : ''}
              {sentenceOf(event)}
            </p>
            <p>
              <Code text={`${event} ${fields}`} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}
