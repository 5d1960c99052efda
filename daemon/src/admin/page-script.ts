/** The script of the dashboard's page: fetches the state each second while the page is visible, renders it, and sends actions. */
import { DOM_HELPERS } from './page-dom.ts'

export const SCRIPT = String.raw`${DOM_HELPERS}
const POLL_MS = 1000
const PATIENCE_MS = 10000
const KINDS = { 0: 'Playing', 2: 'Listening to', 3: 'Watching', 5: 'Competing in' }
const KEY = 'sallyport-token'

// The fragment never leaves the browser. It is removed from the address bar at once and kept for a reload of this tab.
let token
const takeToken = () => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    sessionStorage.setItem(KEY, given)
    history.replaceState(null, '', location.pathname)
  }
  token = sessionStorage.getItem(KEY)
}

const setStatus = (text, isLost) => {
  fill('words', text)
  document.body.classList.toggle('lost', isLost)
}

// Shown until the next click.
const setError = (text) => fill('failed', ...(text ? [make('p', 'problem', text)] : []))
const act = async (button) => {
  button.disabled = true
  setError('')
  try {
    const response = await fetch(button.dataset.path, { method: 'POST', headers: { Authorization: 'Bearer ' + token } })
    if (response.ok) return
    setError(await response.text())
  } catch {
    setError('The daemon does not respond; it may have stopped.')
  }
  button.disabled = false
}
const button = (label, path) => {
  const element = make('button', '', label)
  element.type = 'button'
  element.dataset.path = path
  element.addEventListener('click', () => act(element))
  return element
}
// Unlike a prompt, this can be repeated.
const linkButton = (applicationId) => {
  const element = make('button', '', 'Link account')
  element.type = 'button'
  element.dataset.path = '/api/applications/' + applicationId + '/link'
  element.addEventListener('click', async () => {
    await act(element)
    element.disabled = false
  })
  return element
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
    line('soft', card.username),
    line('', card.details),
    line('', card.state && card.party ? card.state + ' (' + card.party.size + ' of ' + card.party.max + ')' : card.state),
    line('soft', timeOf(card)))

// One button for each application with a subscribed session that is not signed in.
const needsLink = (session) => !session.user && session.subscriptions.includes('AUTHORIZE_REQUEST')
const hasLink = (session, sessions) =>
  sessions.find((other) => needsLink(other) && other.applicationId === session.applicationId) === session
const sessionRow = (session, index, sessions) => [
  code(session.applicationId),
  session.user ? named(session.user.username) : soft('not signed in'),
  code(session.program),
  session.pid === undefined ? soft('unknown') : String(session.pid),
  session.subscriptions.length ? session.subscriptions.join(', ') : soft('none'),
  hasLink(session, sessions) ? linkButton(session.applicationId) : '',
]
const accountRow = (account) => [
  account.username ? named(account.username) : code(account.userId),
  code(account.applicationId),
  named(account.scopes.join(' ')),
]

const promptCard = (question) =>
  make('div', 'card ask',
    make('p', '', question.title, ' ', soft('prompt ' + question.id)),
    listed(question.lines),
    make('div', 'acts',
      button('Allow', '/api/questions/' + question.id + '/allow'),
      button('Deny', '/api/questions/' + question.id + '/deny')))
const pageCard = (page) =>
  make('div', 'card ask', make('p', '', 'A program requests sign-in: ', linkTo(page.url, 'open page')), listed(page.lines))
const inviteCard = (invite) =>
  make('div', 'card ask',
    make('p', '', named(invite.from), ' invites user ', code(invite.userId), ' to ',
      named(invite.applicationName || 'application ' + invite.applicationId), '.'),
    make('div', 'acts', button('Join', '/api/invites/' + invite.id + '/take')))

const grantRow = (grant) => [
  code(grant.program),
  grant.applicationName ? named(grant.applicationName) : code(grant.applicationId),
  grant.username ? named(grant.username) : code(grant.userId),
  named(grant.scopes.join(' ')),
  grant.basis === 'token' ? soft('uses its own token') : day(grant.grantedAt),
  day(grant.lastUsedAt),
  button('Revoke', '/api/grants/' + grant.id + '/revoke'),
]

const list = (pairs) => make('dl', '', ...pairs.flatMap(([name, value]) => [make('dt', '', name), make('dd', '', value)]))
const facts = (state) => [
  ['Platform', state.platform],
  ...state.ipc.map((path) => ['Listens at', code(path)]),
  ...(state.sandboxOrigin ? [['Sandbox', linkTo(state.sandboxOrigin, state.sandboxOrigin)]] : []),
  ...state.sources.map((source) => ['Events via ' + source.name, source.reason ? source.state + ': ' + source.reason : source.state]),
]

const draw = (state) => {
  const { pages, questions, invites, warnings, presences, sessions, grants, accounts } = state
  fill('version', state.version)
  fill('questions', ...cards(questions, promptCard), ...cards(pages, pageCard), ...cards(invites, inviteCard))
  fill('warnings', ...warnings.map((text) => make('p', 'problem', text)))
  fill('grants', grants.length
    ? table(['Program', 'Application', 'User', 'Scopes', 'Since', 'Last used', ''], grants, grantRow)
    : hint('No program has a grant.'))
  fill('presences', ...(presences.length ? cards(presences, presence) : [hint('No game shows an activity.')]))
  fill('sessions', sessions.length
    ? table(['Application', 'User', 'Program', 'Process', 'Subscriptions', ''], sessions, sessionRow)
    : hint('No game is connected. Try ', code('npm run example'), ', or start one that looks for ', code(state.ipc[0] || 'a local socket'), '.'))
  fill('accounts', state.vaultProblem ? make('p', 'problem', state.vaultProblem) : accounts.length
    ? table(['User', 'Application', 'Scopes'], accounts, accountRow)
    : hint('No user is signed in. ', code('npm run sallyport -- login'), ' signs in from the terminal.'))
  fill('facts', list(facts(state)))
  fill('counters', list(Object.entries(state.counters).map(([name, count]) => [name, String(count)])))
}

// One request at a time; the next starts one second after the last ended.
let timer
let isReading = false
const read = async () => {
  clearTimeout(timer)
  timer = undefined
  if (isReading) return
  isReading = true
  const used = token
  let again = true
  try {
    const headers = { Authorization: 'Bearer ' + used }
    const response = await fetch('/api/state', { headers, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
    if (response.ok) {
      draw(await response.json())
      setStatus('live', false)
    } else {
      again = response.status !== 401 || used !== token
      setStatus(again ? 'The daemon returned an error.' : 'Open the address that the daemon printed: this one lacks its token.', true)
    }
  } catch {
    setStatus('The daemon does not respond; it may have stopped.', true)
  }
  isReading = false
  if (again && document.visibilityState === 'visible') timer = setTimeout(read, POLL_MS)
}
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') read()
})
// The address of the next run differs only in the fragment, so the browser does not reload the page.
addEventListener('hashchange', () => {
  takeToken()
  read()
})
takeToken()
read()
`
