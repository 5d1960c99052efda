/** Emits the event providers as a page: one line per event that can be subscribed to, one column per provider. */
import { EVENT_PROVIDERS, type EventProviderName, PROVIDERS_OF } from '../../coverage/event-providers.ts'
import { NOTICE } from './json.ts'

const INTRO = `The bridge accepts and keeps a subscription even if none of its providers is available now; any available provider delivers its events.
An event from two providers is delivered once. \`READY\`, \`ERROR\` and \`TOKEN_REVOKED\` are automatic events of the bridge; events of embedded
activities have no provider here.`

const NAMES = Object.keys(EVENT_PROVIDERS) as readonly EventProviderName[]

export function emitEventProviders(): string {
  const legend = NAMES.map((name) => `- **${name}**: ${EVENT_PROVIDERS[name]}`).join('\n')
  const lines = Object.entries<readonly EventProviderName[]>(PROVIDERS_OF).map(
    ([event, sources]) => `| \`${event}\` | ${NAMES.map((name) => (sources.includes(name) ? 'yes' : '')).join(' | ')} |`,
  )
  const table = [`| | ${NAMES.join(' | ')} |`, `|---|${NAMES.map(() => '---|').join('')}`, ...lines].join('\n')
  return `${[`<!-- ${NOTICE} -->`, '# Event providers', INTRO, legend, table].join('\n\n')}\n`
}
