/** What runs in the dashboard's page: reads the state each second while somebody looks, draws it, and sends what is clicked. Text enters as text nodes only. */
export const SCRIPT = String.raw`
'use strict'
const POLL_MS = 1000
const KINDS = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }
const KEY = 'sallyport-token'

// The fragment never leaves the browser; it is taken out of the address bar at once, and kept for a reload of this tab.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given) {
  sessionStorage.setItem(KEY, given)
  history.replaceState(null, '', location.pathname)
}
const token = sessionStorage.getItem(KEY)

const at = (id) => document.getElementById(id)
const make = (tag, className, ...children) => {
  const element = document.createElement(tag)
  if (className) element.className = className
  element.append(...children.filter((child) => child !== undefined && child !== null))
  return element
}
const code = (text) => make('code', '', String(text))
const hint = (...children) => make('p', 'hint', ...children)
const fill = (id, ...children) => at(id).replaceChildren(...children)

// What has buttons is drawn anew only when it changed: a button must not go away under a click.
const drawn = new Map()
const fillOnce = (id, data, draw) => {
  const text = JSON.stringify(data)
  if (drawn.get(id) === text) return
  drawn.set(id, text)
  fill(id, ...draw(data))
}
const act = async (button, path) => {
  button.disabled = true
  try {
    const response = await fetch(path, { method: 'POST', headers: { Authorization: 'Bearer ' + token } })
    if (response.ok) return
    say(await response.text(), true)
  } catch {
    say('The daemon does not answer; it may have stopped.', true)
  }
  button.disabled = false
}
const button = (label, path) => {
  const element = make('button', '', label)
  element.type = 'button'
  element.addEventListener('click', () => act(element, path))
  return element
}
// Unlike a question, this can be asked again.
const linkButton = (applicationId) => {
  const element = make('button', '', 'Link account')
  element.type = 'button'
  element.addEventListener('click', async () => {
    await act(element, '/api/applications/' + applicationId + '/link')
    element.disabled = false
  })
  return element
}

const clock = (ms) => {
  const s = Math.max(0, Math.floor(ms / 1000))
  const two = (n) => String(n).padStart(2, '0')
  return (s >= 3600 ? Math.floor(s / 3600) + ':' : '') + two(Math.floor(s / 60) % 60) + ':' + two(s % 60)
}
const timeOf = (card) => {
  if (card.endsAt !== undefined) return clock(card.endsAt - Date.now()) + ' left'
  if (card.startedAt !== undefined) return clock(Date.now() - card.startedAt) + ' elapsed'
}
const line = (className, text) => (text === undefined ? undefined : make('div', className, text))

const presence = (card) =>
  make('div', 'card',
    line('kind', KINDS[card.type] || 'Activity'),
    line('name', card.name || 'Application ' + card.applicationId),
    line('', card.details),
    line('', card.state && card.party ? card.state + ' (' + card.party.size + ' of ' + card.party.max + ')' : card.state),
    line('soft', timeOf(card)))

const table = (heads, rows) =>
  make('div', 'scroll', make('table', '',
    make('thead', '', make('tr', '', ...heads.map((head) => make('th', '', head)))),
    make('tbody', '', ...rows.map((cells) => make('tr', '', ...cells.map((cell) => make('td', '', cell)))))))

// One button for each application with a game that listens and has nobody signed in.
const waits = (session) => !session.user && session.subscriptions.includes('AUTHORIZE_REQUEST')
const hasLink = (session, sessions) =>
  sessions.find((other) => waits(other) && other.applicationId === session.applicationId) === session
const sessionRow = (session, index, sessions) => [
  code(session.applicationId),
  session.user ? session.user.username : make('span', 'soft', 'not signed in'),
  session.executable || session.origin ? code(session.executable || session.origin) : make('span', 'soft', 'unknown program'),
  session.pid === undefined ? make('span', 'soft', 'unknown') : String(session.pid),
  session.subscriptions.length ? session.subscriptions.join(', ') : make('span', 'soft', 'none'),
  hasLink(session, sessions) ? linkButton(session.applicationId) : '',
]
const accountRow = (account) => [account.username || code(account.userId), code(account.applicationId), account.scopes.join(' ')]

const asks = (question) =>
  make('div', 'card ask',
    make('p', '', question.executable ? code(question.executable) : 'An unknown program',
      question.pid === undefined ? '' : ' (process ' + question.pid + ')', ' wants to use ',
      question.applicationName || 'application ' + question.applicationId, ' as ', question.username || question.userId || 'whoever is signed in on the platform', ': ',
      question.scopes.join(', '), '.'),
    make('p', 'soft', question.because),
    make('div', 'acts',
      button('Allow', '/api/questions/' + question.id + '/allow'),
      button('Deny', '/api/questions/' + question.id + '/deny')))
const opens = (page) => {
  const link = make('a', '', 'open page')
  if (/^https?:/.test(page.url)) link.href = page.url
  link.target = '_blank'
  link.rel = 'noreferrer noopener'
  return make('div', 'card ask', make('p', '', 'A game asks to sign in: ', link))
}

const invited = (invite) =>
  make('div', 'card ask',
    make('p', '', invite.from, ' invites user ', code(invite.userId), ' to ', invite.applicationName || 'application ' + invite.applicationId, '.'),
    make('div', 'acts', button('Join', '/api/invites/' + invite.id + '/take')))

const day = (ms) => new Date(ms).toLocaleDateString()
const grantRow = (grant) => [
  grant.executable ? code(grant.executable) : make('span', 'soft', 'unknown program'),
  grant.applicationName || code(grant.applicationId),
  grant.username || code(grant.userId),
  grant.scopes.join(' '),
  grant.basis === 'token' ? make('span', 'soft', 'brought a token of its own') : day(grant.grantedAt),
  day(grant.lastUsedAt),
  button('Revoke', '/api/grants/' + grant.id + '/revoke'),
]

const facts = (state) => {
  const pairs = [['Platform', state.platform], ...state.ipc.map((path) => ['Listens at', code(path)])]
  if (state.sandboxOrigin) {
    const link = make('a', '', state.sandboxOrigin)
    link.href = state.sandboxOrigin
    link.rel = 'noreferrer'
    pairs.push(['Sandbox', link])
  }
  for (const source of state.sources) pairs.push(['Events by ' + source.name, source.reason ? source.state + ': ' + source.reason : source.state])
  for (const [name, count] of Object.entries(state.counters)) pairs.push([name, String(count)])
  return make('dl', '', ...pairs.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]))
}

const draw = (state) => {
  fill('version', state.version)
  const { pages, questions, invites } = state
  fillOnce('questions', { pages, questions, invites }, () => [...pages.map(opens), ...questions.map(asks), ...invites.map(invited)])
  fill('warnings', ...state.warnings.map((text) => make('p', 'problem', text)))
  fillOnce('grants', state.grants, (grants) => [grants.length
    ? table(['Program', 'Application', 'User', 'May do', 'Since', 'Last used', ''], grants.map(grantRow))
    : hint('No program was allowed anything.')])
  fill('presences', ...(state.presences.length ? state.presences.map(presence) : [hint('No game shows an activity.')]))
  fillOnce('sessions', { sessions: state.sessions, socket: state.ipc[0] }, ({ sessions, socket }) => [sessions.length
    ? table(['Application', 'User', 'Program', 'Process', 'Subscriptions', ''], sessions.map(sessionRow))
    : hint('No game is connected. Try ', code('npm run example'), ', or start one that looks for ', code(socket || 'a local socket'), '.')])
  fill('accounts', state.vaultProblem ? make('p', 'problem', state.vaultProblem) : state.accounts.length
    ? table(['User', 'Application', 'Scopes'], state.accounts.map(accountRow))
    : hint('Nobody is signed in. ', code('npm run sallyport -- login'), ' does it from the terminal.'))
  fill('facts', facts(state))
}

const say = (text, isLost) => {
  fill('words', text)
  document.body.classList.toggle('lost', isLost)
}

let timer
const read = async () => {
  timer = undefined
  let again = true
  try {
    const response = await fetch('/api/state', { headers: { Authorization: 'Bearer ' + token }, cache: 'no-store' })
    if (response.ok) {
      draw(await response.json())
      say('live', false)
    } else {
      again = response.status !== 401
      say(again ? 'The daemon could not answer.' : 'Open the address that the daemon printed: this one lacks its token.', true)
    }
  } catch {
    say('The daemon does not answer; it may have stopped.', true)
  }
  if (again) next()
}
const next = () => {
  if (document.visibilityState === 'visible' && timer === undefined) timer = setTimeout(read, POLL_MS)
}
document.addEventListener('visibilitychange', () => {
  clearTimeout(timer)
  timer = undefined
  next()
})
read()
`
