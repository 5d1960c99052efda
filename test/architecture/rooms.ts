/** The rooms of the shipped code in their order, and the one home of each third-party package and powerful builtin. Data only; imports.test.ts holds the tree against it. */

export interface Room {
  /** Folder or file; the longest that matches a file decides. */
  readonly path: string
  /** What it is for, in a line. */
  readonly holds: string
  /** Builtins that its files may import; absent: any. */
  readonly builtins?: readonly string[]
}

const DAEMON = 'daemon/src'
const CORE = 'daemon/core/src'
const OTLP = `${DAEMON}/operator/otlp`
const SANDBOX = 'daemon/sandbox/src'
const PURE: readonly string[] = []

/** Lowest first. A file imports from its own room and from those above it in this list, types included: imports run one way. */
export const ROOMS: readonly Room[] = [
  { path: 'protocol/src', holds: 'every command, event, endpoint, record, error and limit', builtins: PURE },
  { path: 'bindings/ts/src', holds: 'the client that games written in TypeScript use' },
  { path: CORE, holds: 'clock, log, errors, private files, SQLite' },
  { path: SANDBOX, holds: 'the small platform for offline use' },
  { path: `${DAEMON}/config`, holds: 'settings, and the profiles of platforms' },
  { path: `${DAEMON}/identity`, holds: 'which program is behind a process' },
  { path: `${DAEMON}/accounting`, holds: 'what each program and user may hold at once' },
  { path: `${DAEMON}/loopback`, holds: 'HTTP and websocket servers that this machine alone reaches' },
  { path: `${DAEMON}/ipc`, holds: 'sockets, frames, encodings and connections' },
  { path: `${DAEMON}/start`, holds: 'opening every socket and port, before anything else is loaded' },
  { path: `${DAEMON}/platform`, holds: "clients of the platform's HTTP API, gateway and desktop client; its webhooks" },
  { path: `${DAEMON}/auth`, holds: 'sign-in, tokens, the vault, grants' },
  { path: `${DAEMON}/sessions`, holds: 'connected games: who they are and what they may do' },
  { path: `${DAEMON}/presence`, holds: 'what users play, and where it is shown' },
  { path: `${DAEMON}/events`, holds: 'subscriptions, and where events come from' },
  { path: `${DAEMON}/social`, holds: 'invites, and launching games' },
  { path: `${DAEMON}/operator`, holds: 'what its operator sees of the bridge and does with it; the dashboard' },
  { path: `${DAEMON}/rpc`, holds: 'commands: routing, checking, handling' },
  { path: `${DAEMON}/app`, holds: 'how the parts are joined' },
  { path: `${DAEMON}/install`, holds: 'what starts the bridge at login, as steps; and how they are done' },
  { path: `${DAEMON}/tray`, holds: 'the icon in the tray of the desktop: its menu as data, and what shows it' },
  { path: `${DAEMON}/cli`, holds: 'the command line' },
  { path: `${DAEMON}/main.ts`, holds: 'where the program starts' },
]

/** Parts of rooms that reach nothing outside the process. */
export const PURE_PARTS: readonly string[] = [
  'protocol/src/wire',
  `${DAEMON}/ipc/framing`,
  `${DAEMON}/ipc/codec`,
  `${DAEMON}/presence/arbiter.ts`,
  `${DAEMON}/platform/gateway/step.ts`,
  `${DAEMON}/auth/accounts/machine.ts`,
  `${DAEMON}/auth/consent/decision.ts`,
  `${DAEMON}/auth/grants/terms.ts`,
  `${DAEMON}/events/routes.ts`,
  `${DAEMON}/events/routing.ts`,
  `${DAEMON}/events/subscription-registry.ts`,
  `${DAEMON}/rpc`,
  `${DAEMON}/operator/state.ts`,
  `${DAEMON}/operator/state-rows.ts`,
  `${DAEMON}/operator/state-warnings.ts`,
  `${DAEMON}/operator/dashboard/page`,
  `${DAEMON}/install/linux-files.ts`,
  `${DAEMON}/install/steps.ts`,
  `${DAEMON}/tray/menu.ts`,
  `${DAEMON}/tray/notices.ts`,
  `${DAEMON}/tray/numbered-menu.ts`,
  `${DAEMON}/tray/helper-protocol.ts`,
  `${DAEMON}/tray/linux/menu-layout.ts`,
]

/** Beside the program: each stands alone but for what is named here. */
export const TOOLS: readonly { readonly path: string; readonly may: readonly string[] }[] = [
  { path: 'protocol/codegen', may: ['protocol/src'] },
  { path: 'bindings/ts/examples', may: ['bindings/ts/src', 'protocol/src'] },
  { path: 'daemon/scripts', may: ['daemon/bin'] },
  { path: 'daemon/bin', may: [] },
  // It plays a game against the program, to make its code cache; installers place the files that the command `install` writes, and the manual
  // page of the commands.
  {
    path: 'daemon/packaging',
    may: ['daemon/bin', 'bindings/ts/src', `${CORE}/version.ts`, `${CORE}/platform-names.ts`, `${DAEMON}/install`, `${DAEMON}/cli`],
  },
  // Runs in the browser: packaging bundles it into a text, so no module of the daemon may import it.
  { path: `${DAEMON}/operator/dashboard/page`, may: ['protocol/src', CORE] },
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
    homes: [`${DAEMON}/ipc/transport/node-ipc-listener.ts`, `${DAEMON}/ipc/transport/node-ipc.d.ts`],
    because: 'poisoned twice; replaceable in an afternoon only behind Listener',
  },
  { name: 'msgpackr', homes: [`${DAEMON}/ipc/codec/msgpack.ts`, 'bindings/ts/src'], because: 'module-level cursors stay inside a codec' },
  { name: 'pino', homes: [`${CORE}/pino-logger.ts`], because: 'all else logs through the Logger port, which redacts' },
  {
    name: '@napi-rs/keyring',
    homes: [`${DAEMON}/auth/vault`],
    because: 'all else keeps secrets through the vault ports',
  },
  {
    name: 'undici',
    homes: [`${DAEMON}/platform/api/dispatchers.ts`, `${DAEMON}/platform/api/undici-parts.d.ts`],
    typesAnywhere: true,
    because: 'it is loaded by its parts, in one file; all else speaks HTTP through the HttpSend port',
  },
  {
    name: 'oauth4webapi',
    homes: [`${DAEMON}/auth/oauth/token-endpoint.ts`, `${DAEMON}/auth/oauth/oauth-wire.ts`],
    because: 'all else asks the TokenEndpoint port',
  },
  {
    name: 'zod',
    homes: ['protocol/src', 'protocol/codegen', `${CORE}/profile.ts`, `${DAEMON}/config`, SANDBOX],
    typesAnywhere: true,
    because: 'tables and the edges declare; the rest reads what they parsed',
  },
  {
    name: 'ws',
    homes: [`${DAEMON}/platform/gateway`, `${SANDBOX}/gateway`, `${DAEMON}/ipc/transport`, `${DAEMON}/loopback`, `${DAEMON}/presence/feed`],
    because: 'each is one end of a websocket; all else knows links and sinks',
  },
  { name: 'dbus-native', homes: [`${DAEMON}/tray/linux/session-bus.ts`], because: 'all else in the tray asks the SessionBus' },
  {
    name: 'preact',
    homes: [`${DAEMON}/operator/dashboard/page`],
    because: 'it runs in the browser alone; the daemon has the page as a text',
  },
  {
    name: '@opentelemetry/api',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/core',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/resources',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/sdk-trace',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/sdk-metrics',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/exporter-trace-otlp-http',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: '@opentelemetry/exporter-metrics-otlp-http',
    homes: [OTLP],
    because: 'a part of the program that is loaded on demand; all else reports to the Meter',
  },
  {
    name: 'uplot',
    homes: [`${DAEMON}/operator/dashboard/page/parts/line-chart.tsx`],
    because: 'it draws lines, in the browser alone; the daemon has the page as a text',
  },
  { name: 're2js', homes: [`${SANDBOX}/api/patterns.ts`], because: 'patterns of callers run in linear time, behind one file' },
  { name: 'esbuild', homes: ['daemon/packaging'], because: 'packaging only' },
  { name: '@yao-pkg/pkg', homes: ['daemon/packaging'], because: 'packaging only' },
  { name: 'resedit', homes: ['daemon/packaging/windows-resources.ts'], because: 'packaging only' },
]

/** Builtins that reach outside the process: each has the few places that need it. */
export const BUILTIN_HOMES: readonly Home[] = [
  {
    name: 'node:ffi',
    // The launcher is plain JavaScript and can import none of them.
    homes: [`${DAEMON}/identity`, `${DAEMON}/ipc/transport/peer-identity.ts`, `${CORE}/os`, 'daemon/bin/right-node.mjs'],
    because: 'calls into the system library must be in one place',
  },
  {
    name: 'node:sqlite',
    homes: [`${CORE}/storage`],
    typesAnywhere: true,
    because: 'every file is opened private, migrated and locked the same way',
  },
  {
    name: 'node:net',
    homes: [`${CORE}/net`, `${DAEMON}/ipc/transport`, `${DAEMON}/loopback`, 'bindings/ts/src', 'daemon/scripts'],
    typesAnywhere: true,
    because: 'sockets are behind Listener in the daemon and behind a connector in the client',
  },
  { name: 'node:dgram', homes: [], because: 'nothing here speaks UDP' },
  {
    name: 'node:vm',
    homes: ['daemon/packaging/loader.cjs', `${CORE}/os/release-memory.ts`],
    because: 'an executable runs its own program with a code cache, and a new context has the collector; nothing else runs text as code',
  },
  {
    name: 'node:https',
    homes: [`${DAEMON}/platform/gateway/websocket.ts`],
    because: 'HTTP goes out through platform/api/http.ts; a websocket takes proxies from an agent of it',
  },
]
