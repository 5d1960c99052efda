/** Who may import what, and who is the one home of a third-party package or a powerful builtin. Data only; imports.test.ts holds the tree against it. */

export interface Zone {
  /** Folder or file; the longest that matches a file decides. */
  readonly path: string
  /** Besides its own folder: folders or files from the root, and packages of ours. */
  readonly may: readonly string[]
  /** What it may know the types of (`import type`) and no more: it is handed the thing itself. */
  readonly types?: readonly string[]
  /** Absent: any builtin. */
  readonly builtins?: readonly string[]
}

const DAEMON = 'daemon/src'
const CONTRACT = '@sallyport/protocol'
const CORE = `${DAEMON}/core`
const LINK = `${DAEMON}/transport/transport.ts`
const TCP_PEERS = `${DAEMON}/transport/tcp-peer.ts`
const VAULT_PORT = `${DAEMON}/auth/vault/vault.ts`
const AUTH_PORT = `${DAEMON}/auth/auth.ts`
const BOTS_PORT = `${DAEMON}/auth/bot-tokens.ts`
const UPSTREAM_PORT = `${DAEMON}/upstream/upstream.ts`
const SAFE_FOLDER = `${DAEMON}/storage/safe-folder.ts`
const UPLOADS_PORT = `${DAEMON}/uploads/uploads.ts`
const GRANT_RULES = `${DAEMON}/grants/rules.ts`
const PROFILE = `${DAEMON}/config/profile.ts`
const HISTORY_PORT = `${DAEMON}/history/history.ts`
const IDENTITY = `${DAEMON}/identity`
const ACCOUNTING = `${DAEMON}/accounting`
const STRANGERS = `${ACCOUNTING}/strangers.ts`
const PURE: readonly string[] = []

export const ZONES: readonly Zone[] = [
  { path: 'protocol/src', may: [], builtins: PURE },
  { path: 'protocol/src/wire', may: [], builtins: PURE },
  { path: 'protocol/coverage', may: [], builtins: PURE },
  { path: 'protocol/codegen', may: ['protocol/src', 'protocol/coverage', CONTRACT] },

  { path: 'bindings/ts/src', may: [CONTRACT] },
  { path: 'bindings/ts/examples', may: ['bindings/ts/src', '@sallyport/client', CONTRACT] },

  { path: CORE, may: [CONTRACT], builtins: ['node:util'] },
  { path: IDENTITY, may: [CONTRACT, CORE], builtins: ['node:crypto', 'node:ffi', 'node:fs', 'node:fs/promises', 'node:path'] },
  { path: `${DAEMON}/framing`, may: [CONTRACT, CORE], builtins: PURE },
  { path: `${DAEMON}/codec`, may: [CONTRACT, CORE], builtins: PURE },
  { path: `${DAEMON}/transport`, may: [CONTRACT, CORE, SAFE_FOLDER, IDENTITY] },
  // Sessions know frames alone, so this one makes them.
  {
    path: `${DAEMON}/transport/web-link.ts`,
    may: [CONTRACT, CORE, `${DAEMON}/framing`, LINK],
    types: [`${DAEMON}/transport`],
    builtins: ['node:stream'],
  },
  { path: ACCOUNTING, may: [CONTRACT, CORE, IDENTITY], builtins: ['node:crypto'] },
  {
    path: `${DAEMON}/session`,
    may: [CONTRACT, CORE, `${DAEMON}/framing`, `${DAEMON}/codec`, LINK],
    types: [`${ACCOUNTING}/connections.ts`],
    builtins: ['node:crypto'],
  },
  { path: `${DAEMON}/gate`, may: [CONTRACT, CORE, LINK], builtins: PURE },
  { path: `${DAEMON}/account`, may: [CONTRACT, CORE], builtins: ['node:crypto'] },
  { path: `${DAEMON}/grants`, may: [CONTRACT, CORE, IDENTITY, `${DAEMON}/storage/sqlite.ts`], builtins: ['node:crypto'] },
  {
    path: `${DAEMON}/auth`,
    may: [
      CONTRACT,
      CORE,
      IDENTITY,
      PROFILE,
      SAFE_FOLDER,
      `${DAEMON}/config/paths.ts`,
      `${DAEMON}/os`,
      `${DAEMON}/transport/loopback-server.ts`,
    ],
    types: [TCP_PEERS],
  },
  { path: `${DAEMON}/upstream`, may: [CONTRACT, CORE, PROFILE, AUTH_PORT, BOTS_PORT, VAULT_PORT] },
  {
    path: `${DAEMON}/uploads`,
    may: [CONTRACT, CORE, IDENTITY],
    types: [LINK, UPSTREAM_PORT],
    builtins: ['node:fs', 'node:fs/promises', 'node:path'],
  },
  { path: `${DAEMON}/subscriptions`, may: [CONTRACT, CORE], builtins: PURE },
  {
    path: `${DAEMON}/sources/webhook`,
    may: [CONTRACT, CORE, `${DAEMON}/sources/news.ts`, `${DAEMON}/sources/recent.ts`, `${DAEMON}/transport/loopback-server.ts`],
    types: [
      `${DAEMON}/sources/source.ts`,
      `${DAEMON}/sources/telling.ts`,
      `${DAEMON}/account/accounts.ts`,
      `${DAEMON}/dispatch/caller.ts`,
      `${DAEMON}/subscriptions/hub.ts`,
      HISTORY_PORT,
    ],
    builtins: ['node:crypto', 'node:http'],
  },
  {
    path: `${DAEMON}/sources/gateway`,
    may: [CONTRACT, CORE, `${DAEMON}/presence/by-player.ts`, `${DAEMON}/sources/guild-icon.ts`, `${DAEMON}/sources/news.ts`],
    types: [
      AUTH_PORT,
      BOTS_PORT,
      HISTORY_PORT,
      PROFILE,
      UPSTREAM_PORT,
      `${DAEMON}/presence/carrier.ts`,
      `${DAEMON}/presence/sink.ts`,
      `${DAEMON}/sources/source.ts`,
      `${DAEMON}/sources/telling.ts`,
      `${DAEMON}/sources/told-statuses.ts`,
      `${DAEMON}/upstream/dispatchers.ts`,
      `${DAEMON}/dispatch/caller.ts`,
      `${DAEMON}/subscriptions/hub.ts`,
    ],
    builtins: ['node:http', 'node:https', 'node:tls', 'node:zlib'],
  },
  {
    path: `${DAEMON}/sources/desktop-client`,
    may: [
      CONTRACT,
      CORE,
      `${DAEMON}/framing`,
      `${DAEMON}/sources/news.ts`,
      `${DAEMON}/presence/by-player.ts`,
      `${DAEMON}/presence/newest-of-application.ts`,
    ],
    types: [
      LINK,
      `${DAEMON}/transport/dial.ts`,
      `${DAEMON}/sources/source.ts`,
      `${DAEMON}/sources/telling.ts`,
      `${DAEMON}/presence/carrier.ts`,
      `${DAEMON}/presence/sink.ts`,
      `${DAEMON}/dispatch/caller.ts`,
      `${DAEMON}/dispatch/registry.ts`,
      `${DAEMON}/subscriptions/hub.ts`,
    ],
    builtins: ['node:fs', 'node:path'],
  },
  {
    path: `${DAEMON}/sources`,
    may: [CONTRACT, CORE],
    types: [`${DAEMON}/dispatch/caller.ts`, `${DAEMON}/subscriptions/hub.ts`],
    builtins: ['node:crypto'],
  },
  {
    path: `${DAEMON}/presence/carriers`,
    may: [CONTRACT, CORE, `${DAEMON}/presence/by-player.ts`],
    types: [`${DAEMON}/presence`, `${DAEMON}/dispatch/caller.ts`, `${DAEMON}/dispatch/registry.ts`, `${DAEMON}/sources/source.ts`],
    builtins: PURE,
  },
  {
    path: `${DAEMON}/presence/sinks/bridge`,
    may: [CONTRACT, CORE, `${DAEMON}/transport/web-server.ts`],
    types: [`${DAEMON}/presence`, TCP_PEERS],
    builtins: ['node:stream'],
  },
  {
    path: `${DAEMON}/social/launch`,
    may: [CONTRACT, CORE, IDENTITY, `${DAEMON}/os`, `${DAEMON}/storage/sqlite.ts`],
    types: [LINK],
    builtins: ['node:child_process', 'node:path'],
  },
  {
    path: `${DAEMON}/social`,
    may: [CONTRACT, CORE],
    types: [
      `${DAEMON}/dispatch`,
      `${DAEMON}/presence`,
      `${DAEMON}/sources/source.ts`,
      `${DAEMON}/sources/telling.ts`,
      `${DAEMON}/subscriptions/hub.ts`,
      AUTH_PORT,
      UPSTREAM_PORT,
    ],
    builtins: PURE,
  },
  {
    path: `${DAEMON}/presence`,
    may: [CONTRACT, CORE],
    types: [`${DAEMON}/dispatch/caller.ts`, `${DAEMON}/dispatch/registry.ts`],
    builtins: PURE,
  },
  {
    path: `${DAEMON}/commands`,
    may: [
      CONTRACT,
      CORE,
      `${DAEMON}/gate`,
      `${DAEMON}/dispatch/validate.ts`,
      `${DAEMON}/dispatch/grant-use.ts`,
      `${DAEMON}/dispatch/sure-program.ts`,
      STRANGERS,
      IDENTITY,
      GRANT_RULES,
      `${DAEMON}/social/launch/plan.ts`,
    ],
    types: [
      `${DAEMON}/social`,
      `${DAEMON}/account`,
      `${DAEMON}/grants`,
      `${DAEMON}/dispatch`,
      `${DAEMON}/subscriptions/hub.ts`,
      AUTH_PORT,
      VAULT_PORT,
      UPSTREAM_PORT,
      HISTORY_PORT,
    ],
    builtins: PURE,
  },
  {
    path: `${DAEMON}/dispatch`,
    may: [CONTRACT, CORE, IDENTITY, `${DAEMON}/gate`, GRANT_RULES, `${DAEMON}/grants/allowances.ts`],
    types: [
      STRANGERS,
      `${ACCOUNTING}/window.ts`,
      LINK,
      AUTH_PORT,
      BOTS_PORT,
      VAULT_PORT,
      UPSTREAM_PORT,
      UPLOADS_PORT,
      HISTORY_PORT,
      `${DAEMON}/auth/account.ts`,
      `${DAEMON}/account/accounts.ts`,
      `${DAEMON}/grants`,
      `${DAEMON}/presence/arbiter.ts`,
      `${DAEMON}/social/social.ts`,
      `${DAEMON}/sources/desktop-client/desktop-client.ts`,
      `${DAEMON}/sources/gateway/questions.ts`,
      `${DAEMON}/sources/sources.ts`,
      `${DAEMON}/subscriptions/hub.ts`,
      `${DAEMON}/session/handshake.ts`,
      `${DAEMON}/session/envelope.ts`,
    ],
    builtins: PURE,
  },
  { path: `${DAEMON}/config`, may: [CONTRACT, CORE, SAFE_FOLDER] },
  { path: `${DAEMON}/history`, may: [CONTRACT, CORE, `${DAEMON}/storage`], builtins: ['node:fs', 'node:sqlite'] },
  { path: `${DAEMON}/storage`, may: [CONTRACT, CORE], builtins: ['node:fs', 'node:path', 'node:sqlite'] },
  { path: `${DAEMON}/admin`, may: [CONTRACT, CORE] },
  { path: `${DAEMON}/health`, may: [CONTRACT, CORE] },
  { path: `${DAEMON}/os`, may: [CONTRACT, CORE] },
  {
    path: `${DAEMON}/sandbox`,
    may: [CONTRACT, CORE, PROFILE, `${DAEMON}/config/platforms.ts`, `${DAEMON}/config/version.ts`, `${DAEMON}/storage`],
  },
  {
    path: `${DAEMON}/dashboard`,
    may: [CONTRACT, CORE, `${DAEMON}/storage/small-file.ts`, `${DAEMON}/transport/loopback-server.ts`],
    types: [TCP_PEERS],
  },
  {
    path: `${DAEMON}/cli`,
    may: [
      CONTRACT,
      CORE,
      '@sallyport/client',
      `${DAEMON}/config`,
      `${DAEMON}/os`,
      `${DAEMON}/health`,
      `${DAEMON}/compose.ts`,
      `${DAEMON}/dashboard/address-file.ts`,
      `${IDENTITY}/terminal-session.ts`,
      `${DAEMON}/sandbox/sandbox.ts`,
      `${DAEMON}/storage/operator-proof.ts`,
      `${DAEMON}/storage/socket-address.ts`,
      `${DAEMON}/transport/peer-identity.ts`,
    ],
    types: [`${DAEMON}/dashboard/snapshot.ts`],
  },
  {
    path: `${DAEMON}/main.ts`,
    may: [`${DAEMON}/cli`, `${DAEMON}/auth/vault/keychain-process.ts`, `${DAEMON}/auth/vault/keychain-answer.ts`],
  },
  // The places that join what the others made.
  { path: `${DAEMON}/compose.ts`, may: [DAEMON, CONTRACT, '@sallyport/client'] },
  { path: `${DAEMON}/client-link.ts`, may: [DAEMON, CONTRACT] },
  { path: `${DAEMON}/gateway-side.ts`, may: [DAEMON] },
  { path: `${DAEMON}/joining.ts`, may: [DAEMON] },
  { path: `${DAEMON}/live.ts`, may: [DAEMON, CONTRACT] },
  { path: `${DAEMON}/showing.ts`, may: [DAEMON, CONTRACT] },
  { path: `${DAEMON}/platform.ts`, may: [DAEMON, CONTRACT] },
  { path: `${DAEMON}/bridge.ts`, may: [DAEMON, CONTRACT] },
  { path: `${DAEMON}/bridge-status.ts`, may: [`${DAEMON}/config/version.ts`, CONTRACT], types: [DAEMON] },
  {
    path: `${DAEMON}/bridge-snapshot.ts`,
    may: [CONTRACT, CORE, `${DAEMON}/dashboard/snapshot.ts`, `${DAEMON}/grants/question-text.ts`, `${IDENTITY}/program-words.ts`],
    types: [DAEMON],
  },

  { path: 'daemon/scripts', may: ['daemon/bin'] },
  { path: 'daemon/bin', may: [] },
  { path: 'daemon/packaging', may: ['daemon/bin/node-flags.mjs'] },
]

export interface Home {
  readonly name: string
  /** Files or folders that may name it; what a test does is its own business. */
  readonly homes: readonly string[]
  /** Its types may be named anywhere; absent: not even those. */
  readonly typesAnywhere?: true
  readonly because: string
}

/** Every third-party package the shipped code uses. One that is not here may not be imported at all. */
export const PACKAGE_HOMES: readonly Home[] = [
  {
    name: 'node-ipc',
    homes: [`${DAEMON}/transport/node-ipc-listener.ts`, `${DAEMON}/transport/node-ipc.d.ts`],
    because: 'poisoned twice; replaceable in an afternoon only behind Listener',
  },
  { name: 'msgpackr', homes: [`${DAEMON}/codec/msgpack.ts`, 'bindings/ts/src'], because: 'module-level cursors stay inside a codec' },
  { name: 'pino', homes: [`${CORE}/pino-logger.ts`], because: 'all else logs through the Logger port, which redacts' },
  {
    name: '@napi-rs/keyring',
    homes: [`${DAEMON}/auth/vault`],
    because: 'all else keeps secrets through the vault ports',
  },
  {
    name: 'undici',
    homes: [`${DAEMON}/upstream/http.ts`, `${DAEMON}/upstream/dispatchers.ts`],
    because: 'all else speaks HTTP through the HttpSend port',
  },
  {
    name: 'oauth4webapi',
    homes: [`${DAEMON}/auth/token-endpoint.ts`, `${DAEMON}/auth/oauth-wire.ts`],
    because: 'all else asks the TokenEndpoint port',
  },
  {
    name: 'zod',
    homes: ['protocol/src', 'protocol/codegen', `${DAEMON}/config`, `${DAEMON}/sandbox`],
    typesAnywhere: true,
    because: 'tables and the edges declare; the rest reads what they parsed',
  },
  {
    name: 'ws',
    homes: [`${DAEMON}/sources/gateway`, `${DAEMON}/sandbox/gateway`, `${DAEMON}/transport`, `${DAEMON}/presence/sinks/bridge`],
    because: 'each is one end of a websocket; all else knows links and sinks',
  },
  { name: 'esbuild', homes: ['daemon/packaging'], because: 'packaging only' },
  { name: '@yao-pkg/pkg', homes: ['daemon/packaging'], because: 'packaging only' },
]

/** Builtins that reach outside the process: each has the few places that need it. */
export const BUILTIN_HOMES: readonly Home[] = [
  {
    name: 'node:ffi',
    // The launcher is plain JavaScript and can import none of them.
    homes: [IDENTITY, `${DAEMON}/transport/peer-identity.ts`, `${DAEMON}/os`, 'daemon/bin/right-node.mjs'],
    because: 'calls into the system library must be in one place',
  },
  {
    name: 'node:sqlite',
    homes: [`${DAEMON}/storage`],
    typesAnywhere: true,
    because: 'every file is opened private, migrated and locked the same way',
  },
  {
    name: 'node:net',
    homes: [`${DAEMON}/transport`, 'bindings/ts/src', 'daemon/scripts'],
    typesAnywhere: true,
    because: 'sockets are behind Listener in the daemon and behind a connector in the client',
  },
  { name: 'node:dgram', homes: [], because: 'nothing here speaks UDP' },
  { name: 'node:vm', homes: [], because: 'nothing here runs code that it was given' },
  {
    name: 'node:https',
    homes: [`${DAEMON}/sources/gateway/websocket.ts`],
    because: 'HTTP goes out through upstream/http.ts; a websocket takes proxies from an agent of it',
  },
]
