/** Emits the table of routes as a page: one line per event that can be subscribed to. */
import { ALSO_FROM, ASSIGNED_ROUTES, OTHER_ROUTES, PREFERENCE } from '#daemon/src/events/routes.ts'
import { code, list, page, table, wrapped } from '#protocol/codegen/emit/text.ts'

const INTRO = `The bridge accepts and keeps a subscription even if none of its routes is available now. Each session is assigned one route for an
event: the first of its row that can serve the session. When that changes, the next one takes over.`

const BESIDES = `Other routes publish every event that reaches them. A copy of an event is delivered once. \`READY\`, \`ERROR\` and \`TOKEN_REVOKED\` are
automatic events of the bridge; events of embedded activities have no route here.`

const legend = (routes: Readonly<Record<string, string>>): string =>
  list(Object.entries(routes).map(([name, text]) => `**${name}**: ${text}`))

export function eventProvidersPage(): string {
  const besides: Readonly<Record<string, readonly string[]>> = ALSO_FROM
  const rows = Object.entries<readonly string[]>(PREFERENCE).map(([event, routes]) => [
    code(event),
    routes.join(', '),
    (besides[event] ?? []).join(', '),
  ])
  return page(
    'Event providers',
    wrapped(INTRO),
    legend(ASSIGNED_ROUTES),
    wrapped(BESIDES),
    legend(OTHER_ROUTES),
    table(['Event', 'Assigned, in order of preference', 'Also from'], rows),
  )
}
