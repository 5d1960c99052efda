/** The front page: the state of the sandbox and its last requests, for developers, with buttons for actions of users and moderators. */
import type { StateReport } from '../control/state.ts'
import type { SandboxReply } from '../http/exchange.ts'
import { html, page, type Html } from './layout.ts'
import { PAGE_PATHS } from './paths.ts'

const REFRESH_SECONDS = 5
const REQUESTS_SHOWN = 50

const table = (heads: readonly string[], rows: readonly Html[]): Html =>
  rows.length === 0
    ? html`<p class="soft">None yet.</p>`
    : html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`

const card = (title: string, body: Html): Html => html`<section class="card"><h2>${title}</h2>${body}</section>`

/** A button for an action. `name`: its object, for screen readers. */
const button = (action: string, label: string, name: string, fields: Readonly<Record<string, string>>): Html =>
  html`<form method="post" action="${action}">${Object.entries(fields).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  )}<button aria-label="${label} ${name}">${label}</button></form>`

export function frontPage(state: StateReport, apiBase: string): SandboxReply {
  const usernames = new Map(state.users.map(({ id, username }) => [id, username]))
  const usernameOf = (id: string): string => usernames.get(id) ?? id
  return page({
    title: 'Sandbox platform',
    refreshSeconds: REFRESH_SECONDS,
    body: html`<h1>Sandbox platform</h1>
<p class="soft">API at <code>${apiBase}</code>. The client secret of application N is <code>sandbox-secret-N</code>, its bot token <code>sandbox-bot-N</code>.</p>
<p><a href="/activate">Connect a device</a> · <a href="${PAGE_PATHS.interaction}">Create an interaction</a> · <a href="${PAGE_PATHS.join}">Join a game</a> · <a href="${PAGE_PATHS.activity}">Run an embedded activity</a> · <a href="${PAGE_PATHS.controls}">All controls</a></p>
${card(
  'What the platform would refuse',
  state.mode === 'strict'
    ? html`<p class="soft">This sandbox is strict: it refuses it too.</p>`
    : table(
        ['Application', 'What', 'What to do'],
        state.findings.map(
          ({ application_id, message, remedy }) =>
            html`<tr><td><code>${application_id}</code></td><td>${message}</td><td>${remedy}</td></tr>`,
        ),
      ),
)}
${card(
  'Users',
  table(
    ['User', 'Id', 'Signed in to', ''],
    state.users.map(({ id, username, global_name, banned }) => {
      const applications = new Set(state.grants.filter(({ user_id }) => user_id === id).map(({ application_id }) => application_id))
      return html`<tr><td>${global_name} (${username})</td><td><code>${id}</code></td><td>${[...applications].join(', ') || '–'}</td><td>${
        banned === true
          ? button(PAGE_PATHS.lift, 'Lift ban', `of ${username}`, { user: id })
          : button(PAGE_PATHS.ban, 'Ban', username, { user: id })
      }</td></tr>`
    }),
  ),
)}
${card(
  'Applications',
  table(
    ['Application', 'Id', 'First seen'],
    state.applications.map(
      ({ id, name, first_seen_at }) => html`<tr><td>${name}</td><td><code>${id}</code></td><td>${first_seen_at}</td></tr>`,
    ),
  ),
)}
${card(
  'Sign-ins',
  table(
    ['User', 'Application', 'Scopes', 'Since', ''],
    state.grants.map(
      ({ user_id, application_id, scopes, created_at }) =>
        html`<tr><td>${usernameOf(user_id)}</td><td><code>${application_id}</code></td><td>${scopes.join(' ')}</td><td>${created_at}</td><td>${button(
          PAGE_PATHS.unlink,
          'Unlink',
          `${usernameOf(user_id)} from ${application_id}`,
          { user: user_id, application_id },
        )}</td></tr>`,
    ),
  ),
)}
${card(
  'Lobbies',
  table(
    ['Lobby', 'Application', 'Members', 'Messages'],
    state.lobbies.map(
      ({ id, application_id, member_ids, messages }) =>
        html`<tr><td><code>${id}</code></td><td><code>${application_id}</code></td><td>${member_ids.map(usernameOf).join(', ')}</td><td>${messages}</td></tr>`,
    ),
  ),
)}
${card(
  'Gateway',
  table(
    ['User', 'Application', 'Presence', 'Activity', 'Events', 'Connection'],
    state.gateway.sessions.map(
      ({ user_id, application_id, presence, seq, connected }) =>
        html`<tr><td>${user_id === undefined ? 'bot' : usernameOf(user_id)}</td><td><code>${application_id}</code></td><td>${presence.status}</td><td>${presence.activities.map(({ name }) => name).join(', ') || '–'}</td><td>${seq}</td><td>${connected ? 'connected' : 'disconnected'}</td></tr>`,
    ),
  ),
)}
${card(
  'Last requests',
  table(
    ['Time', 'Request', 'Status', 'ms'],
    state.requests
      .slice(0, REQUESTS_SHOWN)
      .map(
        ({ at, method, path, status, took_ms }) =>
          html`<tr><td>${at.slice(11, 23)}</td><td><code>${method} ${path}</code></td><td class="${status < 400 ? 'ok' : 'bad'}">${status}</td><td>${took_ms}</td></tr>`,
      ),
  ),
)}`,
  })
}
