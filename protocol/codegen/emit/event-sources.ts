/** Where events come from, as a page: one line for each that can be subscribed, one column for each source. */
import { EVENT_SOURCES, type EventSourceName, SOURCES_OF } from '../../coverage/event-sources.ts'
import { NOTICE } from './json.ts'

const INTRO = `A subscription is a wish: it is taken and kept whether or not any of these is there now, and it is served by whichever is. What two sources tell
is told once. \`READY\`, \`ERROR\` and \`TOKEN_REVOKED\` come from the bridge by themselves; events of embedded activities have no source here.`

const NAMES = Object.keys(EVENT_SOURCES) as readonly EventSourceName[]

export function emitEventSources(): string {
  const legend = NAMES.map((name) => `- **${name}**: ${EVENT_SOURCES[name]}`).join('\n')
  const lines = Object.entries<readonly EventSourceName[]>(SOURCES_OF).map(
    ([event, sources]) => `| \`${event}\` | ${NAMES.map((name) => (sources.includes(name) ? 'yes' : '')).join(' | ')} |`,
  )
  const table = [`| | ${NAMES.join(' | ')} |`, `|---|${NAMES.map(() => '---|').join('')}`, ...lines].join('\n')
  return `${[`<!-- ${NOTICE} -->`, '# Where events come from', INTRO, legend, table].join('\n\n')}\n`
}
