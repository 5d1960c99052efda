/** The controls of the sandbox, as the page and the document show them. Each is a request below `/sandbox`. */

interface Control {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly does: string
  /** An example. */
  readonly body?: object
}

const N = '77'

export const CONTROLS: readonly Control[] = [
  { method: 'GET', path: '/sandbox/state', does: 'shows everything except tokens and secrets' },
  { method: 'POST', path: '/sandbox/reset', does: 'undoes what all controls changed' },
  {
    method: 'POST',
    path: '/sandbox/events',
    does: 'sends an event, or one of each kind',
    body: { application_id: N, event: 'MESSAGE_CREATE' },
  },
  { method: 'POST', path: '/sandbox/time', does: 'puts the clock forward', body: { advance_ms: 60_000 } },
  {
    method: 'POST',
    path: '/sandbox/applications',
    does: 'sets what a studio sets or the platform approves',
    body: { application_id: N, approved_scopes: ['rpc'] },
  },
  { method: 'DELETE', path: '/sandbox/findings', does: 'forgets what the platform would have refused' },
  {
    method: 'POST',
    path: '/sandbox/limits',
    does: 'sets a rate limit, or takes those of the table away',
    body: { path: '/users/@me', limit: 2, window_ms: 5_000 },
  },
  { method: 'DELETE', path: '/sandbox/limits', does: 'resets the rate limits' },
  {
    method: 'POST',
    path: '/sandbox/faults',
    does: 'lets the next requests fail',
    body: { match: { path: '/users/@me' }, times: 2, status: 503 },
  },
  { method: 'DELETE', path: '/sandbox/faults', does: 'ends the faults' },
  { method: 'POST', path: '/sandbox/gateway', does: 'breaks gateway connections, or dispatches any event', body: { action: 'drop' } },
  { method: 'POST', path: '/sandbox/users', does: 'creates, renames or deletes a user', body: { username: 'hedy', global_name: 'Hedy' } },
  {
    method: 'POST',
    path: '/sandbox/relationships',
    does: 'makes two users friends, strangers, or blocks one',
    body: { user: 'ada', other: 'mary', type: 'friend' },
  },
  {
    method: 'POST',
    path: '/sandbox/presences',
    does: 'shows a user in a game',
    body: { user: 'grace', application_id: N, activity: { details: 'At the quay' } },
  },
  { method: 'POST', path: '/sandbox/ban', does: 'bans a user', body: { user: 'ada', seconds: 3_600 } },
  { method: 'POST', path: '/sandbox/unban', does: 'lifts the ban', body: { user: 'ada' } },
  { method: 'POST', path: '/sandbox/revoke', does: 'ends sign-ins', body: { application_id: N } },
  { method: 'POST', path: '/sandbox/deauthorize', does: 'removes the application of a user', body: { user: 'ada', application_id: N } },
  { method: 'POST', path: '/sandbox/guilds', does: 'changes a guild', body: { guild: 'Harbour', online_count: 7 } },
  {
    method: 'POST',
    path: '/sandbox/members',
    does: 'adds, changes or removes a member',
    body: { guild: 'Harbour', user: 'mary', nick: 'Captain' },
  },
  {
    method: 'POST',
    path: '/sandbox/roles',
    does: 'creates, changes or deletes a role',
    body: { guild: 'Harbour', role: 'Bots', permissions: ['VIEW_CHANNEL'] },
  },
  {
    method: 'POST',
    path: '/sandbox/channels',
    does: 'creates, changes or deletes a channel',
    body: { guild: 'Harbour', name: 'pier', type: 'voice' },
  },
  {
    method: 'POST',
    path: '/sandbox/messages',
    does: 'writes a message of a user',
    body: { channel: 'general', user: 'ada', content: 'Ahoy' },
  },
  {
    method: 'POST',
    path: '/sandbox/lobby-messages',
    does: 'changes or deletes a lobby message',
    body: { message_id: '1', content: 'Ahoy!' },
  },
  { method: 'POST', path: '/sandbox/invites', does: 'accepts an invite for a user', body: { user: 'mary', code: 'abc' } },
  { method: 'POST', path: '/sandbox/interactions', does: 'creates an interaction', body: { application_id: N, user: 'ada' } },
  {
    method: 'POST',
    path: '/sandbox/join',
    does: 'asks, invites or accepts, as players do',
    body: { user: 'grace', target: 'ada', application_id: N, action: 'ask' },
  },
  {
    method: 'POST',
    path: '/sandbox/activities',
    does: 'sets URL mappings of an activity',
    body: { application_id: N, url_mappings: [{ prefix: '/', target: '127.0.0.1:3000' }] },
  },
  {
    method: 'POST',
    path: '/sandbox/subscriptions',
    does: 'starts, changes or ends a subscription',
    body: { application_id: N, user: 'ada', step: 'end' },
  },
  {
    method: 'POST',
    path: '/sandbox/webhooks',
    does: 'sends a webhook event, valid or not',
    body: { application_id: N, signature: 'wrong' },
  },
  { method: 'POST', path: '/sandbox/quests', does: 'enrolls a user in a quest', body: { application_id: N, user: 'ada', quest_id: '5' } },
  {
    method: 'POST',
    path: '/sandbox/oidc',
    does: 'sets the identity provider',
    body: { application_id: N, issuer: 'https://id.example', audience: 'game', discovery: {}, keys: {} },
  },
]
