/** The OPTIONS table: one row per setting, the source for flags, environment variables, file keys, checks, help and types. */
import { INSTALLED_PLATFORM, SANDBOX, SANDBOX_USERS } from '@sallyport/core/platform-names'
import { CONSENTS } from './consent.ts'
import {
  addressOr,
  choice,
  containerFolders,
  count,
  flag,
  type Kind,
  labelList,
  matching,
  nameList,
  port,
  portOrOff,
  secondsOrOff,
  secret,
  seed,
  someOf,
  text,
  textLike,
  trimmed,
} from './kinds.ts'
import { proxyAddress } from './proxies.ts'
import { publicKeys } from './public-keys.ts'
import { didYouMean } from './suggest.ts'
import { applicationOrigins, originRules } from './web-origins.ts'

export interface OptionRow {
  /** The flag without dashes; undefined for secrets, because process lists show flags. */
  readonly flag: string | undefined
  /** Undefined for options that must be given with each command. */
  readonly env: string | undefined
  /** Undefined for options that must not apply to every command. */
  readonly fileKey: string | undefined
  readonly check: Kind<unknown>
  /** The default as text; undefined if it depends on the machine or there is none. */
  readonly default: string | undefined
  /** The value in the help; undefined for a flag without value. */
  readonly placeholder: string | undefined
  readonly doc: string
  readonly isSecret: boolean
  /** The flag may be repeated; its values are those of a list with commas. */
  readonly isList?: true
}

const words = (name: string) => name.split('-')
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** ` Did you mean …?` for a value that an option refuses. */
export const choiceLike = ({ check }: OptionRow, given: unknown): string =>
  typeof given === 'string' ? didYouMean(given, check.choices ?? []) : ''

/** Derives the three names of an option from one. */
const names = (name: string) => ({
  flag: name,
  env: `SALLYPORT_${name.replaceAll('-', '_').toUpperCase()}`,
  fileKey: words(name)
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join(''),
})

interface OptionText {
  readonly doc: string
  readonly placeholder?: string
  readonly default?: string
}

const option = <T>(name: string, check: Kind<T>, { doc, placeholder, default: preset }: OptionText) => ({
  ...names(name),
  check,
  doc,
  placeholder,
  default: preset,
  isSecret: false,
})

const secretOption = (name: string, doc: string) => ({
  ...names(name),
  flag: undefined,
  check: secret(text),
  doc,
  placeholder: undefined,
  default: undefined,
  isSecret: true,
})

/** Secret, because the URL may contain a password; also a flag, for URLs without one. */
const proxyOrOff = secret((given) => (typeof given !== 'string' || given === 'off' ? choice('off')(given) : proxyAddress(given)))

export const OPTIONS = {
  platform: option('platform', textLike(SANDBOX, INSTALLED_PLATFORM), {
    placeholder: 'NAME|FILE',
    doc: 'Platform: sandbox (built-in, offline), discord, or a JSON profile of another platform. Default: discord in a package, else sandbox.',
  }),
  runtimeDir: option('runtime-dir', text, {
    placeholder: 'DIR',
    doc: 'Directory for the sockets. Default: the first of XDG_RUNTIME_DIR, TMPDIR, TMP and TEMP that is set, else /tmp. Other users must not be able to write to it, except for a shared directory like /tmp.',
  }),
  containerFolders: option('container-folders', containerFolders, {
    placeholder: 'auto|DIR,…|off',
    default: 'auto',
    doc: 'Folders below --runtime-dir in which the bridge listens too, for games in Flatpak and Snap: those that such games know (auto), a list, or off. Linux only.',
  }),
  dataDir: option('data-dir', text, {
    placeholder: 'DIR',
    doc: "Directory for tokens and state. Default: the user's directory for application data.",
  }),
  config: option('config', text, {
    placeholder: 'FILE',
    doc: "Settings file (JSON). Default: config.json in the user's configuration directory, if it exists.",
  }),
  logLevel: option('log-level', choice('debug', 'info', 'warn', 'error', 'silent'), {
    placeholder: 'LEVEL',
    default: 'warn',
    doc: 'Minimum log level (JSON on stderr): debug, info, warn, error or silent. The log file of sallyport logs begins at info.',
  }),
  trace: option('trace', choice('off', 'on'), {
    placeholder: 'on|off',
    default: 'off',
    doc: 'Keep whole traces of the last calls and events for sallyport trace, also while no operator inspects (on). Each call then costs more.',
  }),
  preload: option('preload', choice('on-demand', 'idle'), {
    placeholder: 'on-demand|idle',
    default: 'on-demand',
    doc: 'When the bridge is loaded: as soon as a connection needs it (on-demand), or right after its ports are open (idle; the default for the sandbox).',
  }),
  releaseMemory: option('release-memory', choice('auto', 'off'), {
    placeholder: 'auto|off',
    default: 'auto',
    doc: 'Return memory to the system once it is quiet after a start, and after the last game has left (auto), or never (off).',
  }),
  json: option('json', flag, { default: 'false', doc: 'Print the data as JSON, for programs.' }),
  bridgePort: option('bridge-port', portOrOff, {
    placeholder: 'N|off',
    default: 'off',
    doc: 'Port of the presence websocket on 127.0.0.1 for web clients (they use 1337; if it is in use, the next free port), or off.',
  }),
  bridgeOrigins: option('bridge-origins', originRules, {
    placeholder: 'ORIGIN,…',
    doc: 'Origins that may read the presence websocket, as scheme://host[:port] (:* for any port). Default: the web clients in the platform profile.',
  }),
  rpcOrigins: option('rpc-origins', applicationOrigins, {
    placeholder: 'ID=ORIGIN,…',
    doc: 'Origins that may connect as an application via a websocket (an object in the settings file). The sandbox allows all pages of this machine.',
  }),
  desktopClient: option('desktop-client', choice('auto', 'off'), {
    placeholder: 'auto|off',
    default: 'auto',
    doc: "Use the platform's desktop client, if it is running, for voice, overlay, invites and presence (auto), or never (off).",
  }),
  dashboardPort: option('dashboard-port', portOrOff, {
    placeholder: 'N|off',
    default: '0',
    doc: 'Port of the dashboard on 127.0.0.1 (0: that of the last run, or any free port), or off.',
  }),
  metrics: option('metrics', portOrOff, {
    placeholder: 'PORT|off',
    default: 'off',
    doc: 'Port on 127.0.0.1 where Prometheus reads metrics at /metrics (0: any free port), or off. Every program of this machine can read them.',
  }),
  otlp: option('otlp', addressOr('env', 'off'), {
    placeholder: 'URL|env|off',
    default: 'off',
    doc: 'Send metrics and traces to this OpenTelemetry collector (OTLP over HTTP, JSON), or to the one of OTEL_EXPORTER_OTLP_ENDPOINT (env). Off by default.',
  }),
  otlpSignals: option('otlp-signals', choice('all', 'metrics', 'traces'), {
    placeholder: 'all|metrics|traces',
    default: 'all',
    doc: 'What --otlp sends. With traces, the bridge makes a whole trace of each call, so each call costs more.',
  }),
  gateway: option('gateway', choice('auto', 'off'), {
    placeholder: 'auto|off',
    default: 'auto',
    doc: "Connect to the platform's gateway while a game needs its events (auto), or never (off).",
  }),
  gatewayCompress: option('gateway-compress', choice('none', 'zlib-stream', 'zstd-stream'), {
    placeholder: 'none|zlib-stream|zstd-stream',
    default: 'none',
    doc: 'Compression of gateway events.',
  }),
  gatewayObfuscation: option('gateway-obfuscation', flag, {
    default: 'false',
    doc: 'Request obfuscated data of inaccessible channels from the gateway, which the platform will make the default.',
  }),
  webhookPort: option('webhook-port', portOrOff, {
    placeholder: 'N|off',
    default: 'off',
    doc: 'Port on 127.0.0.1 for webhook events of the platform (0: any free port), or off.',
  }),
  webhookPublicKeys: option('webhook-public-keys', publicKeys, {
    placeholder: 'ID=KEY,…',
    doc: 'Public keys (hexadecimal) of the applications that receive webhook events (an object in the settings file). Not needed for the sandbox.',
  }),
  sandbox: option('sandbox', choice('strict', 'relaxed'), {
    placeholder: 'strict|relaxed',
    doc: 'Whether the sandbox refuses what the platform refuses (strict), or only says so when a game leaves (relaxed). Default: strict for sallyport sandbox, else relaxed.',
  }),
  sandboxPort: option('sandbox-port', port, {
    placeholder: 'N',
    default: '0',
    doc: 'Port of the sandbox platform on 127.0.0.1 (0: any free port).',
  }),
  sandboxActivityPort: option('sandbox-activity-port', port, {
    placeholder: 'N',
    default: '0',
    doc: 'Port of the sandbox proxy for embedded activities on 127.0.0.1 (0: any free port). It opens once an application has URL mappings.',
  }),
  sandboxSeed: option('sandbox-seed', seed, {
    placeholder: 'TEXT',
    default: '1',
    doc: 'Seed of the sandbox users, guilds and ids.',
  }),
  strictArguments: option('strict-arguments', flag, {
    default: 'false',
    doc: 'Refuse arguments of forwarded calls that this version does not know, instead of passing them to the platform. Set in the sandbox.',
  }),
  consent: option('consent', choice(...CONSENTS), {
    placeholder: 'prompt|allow|allow:NAME|deny',
    default: 'prompt',
    doc: `When a game requests a sign-in: prompt the user, always allow (sandbox only), or always deny. NAME is the user who signs in: ${SANDBOX_USERS.join(', ')}.`,
  }),
  vault: option('vault', choice('auto', 'keychain', 'file'), {
    placeholder: 'auto|keychain|file',
    default: 'auto',
    doc: 'Location of the encryption key for stored tokens: the system keychain, a file, or the keychain if available (auto).',
  }),
  proxy: {
    ...names('proxy'),
    check: proxyOrOff,
    doc: 'Proxy for requests to the platform: an http:// or https:// URL, or off. Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY. Set a URL with a password only in the environment or the settings file.',
    placeholder: 'URL|off',
    default: undefined,
    isSecret: true,
  },
  caFile: option('ca-file', text, {
    placeholder: 'FILE',
    doc: 'File with additional CA certificates (PEM) to trust, for a proxy or platform with a private CA.',
  }),
  idleExit: option('idle-exit', secondsOrOff, {
    placeholder: 'SECONDS|off',
    default: 'off',
    doc: 'End after this many seconds without a connected game (off: never), if a service manager starts the bridge again at the next connection.',
  }),
  application: option('application', matching(/^\d{1,20}$/), {
    placeholder: 'ID',
    default: '1000000000000000000',
    doc: 'Id of the application to use.',
  }),
  scopes: option('scopes', trimmed, {
    placeholder: 'LIST',
    default: 'openid sdk.social_layer connections guilds',
    doc: 'Scopes to request, separated by spaces.',
  }),
  device: option('device', flag, {
    default: 'false',
    doc: 'Sign in on another device: show a URL and a code instead of opening a browser.',
  }),
  bot: option('bot', flag, { default: 'false', doc: 'Use the bot of the application instead of a user.' }),
  // None of these is a key of the settings file, because it would apply to every command.
  cmd: {
    ...option('cmd', nameList, { placeholder: 'NAME,…', doc: 'Only frames of these commands and events. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  direction: {
    ...option('direction', choice('in', 'out'), {
      placeholder: 'in|out',
      doc: 'Only frames from the game (in) or to the game (out). Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  follow: {
    ...option('follow', flag, { default: 'false', doc: 'Also print what is added, until Ctrl-C. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  lines: {
    ...option('lines', count, { placeholder: 'N', default: '100', doc: 'Print at most this many of the last lines. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  textfile: {
    ...option('textfile', text, {
      placeholder: 'FILE',
      doc: 'Replace this file with the metrics, for the textfile collector of node_exporter. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  label: {
    ...option('label', labelList, {
      placeholder: 'NAME=VALUE,…',
      doc: 'Labels of every metric, for a collector that reads the files of several bridges; repeat it, or use commas. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
    isList: true,
  },
  level: {
    ...option('level', choice('debug', 'info', 'warn', 'error'), {
      placeholder: 'LEVEL',
      default: 'debug',
      doc: 'Print lines of this level and above: debug, info, warn or error. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  ifDesktop: {
    ...option('if-desktop', flag, { default: 'false', doc: 'End at once where this user has no desktop that can show it. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  dryRun: {
    ...option('dry-run', flag, { default: 'false', doc: 'Print what the command would do, and change nothing. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  purge: {
    ...option('purge', flag, { default: 'false', doc: 'Also remove the data and the settings of this user. Only a flag.' }),
    env: undefined,
    fileKey: undefined,
  },
  nonInteractive: {
    ...option('non-interactive', flag, {
      default: 'false',
      doc: 'For scripts: run without a terminal; the bridge prompts the user about the program that starts this command. Not a key of the settings file.',
    }),
    fileKey: undefined,
  },
  yes: {
    ...option('yes', flag, {
      default: 'false',
      doc: 'Skip the confirmation of destructive calls, or of the calls of a recording. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  all: {
    ...option('all', flag, {
      default: 'false',
      doc: 'Also list calls that succeeded, of those that the bridge keeps whole. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  har: {
    ...option('har', text, {
      placeholder: 'FILE',
      doc: 'Write the calls to a new file as an HTTP archive (HAR 1.2), for programs that show traffic. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  report: {
    ...option('report', flag, {
      default: 'false',
      doc: 'FILE is a report of sallyport bugreport: its calls are played with the replies of the platform that it has. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  against: {
    ...option('against', choice('sandbox', 'running'), {
      placeholder: 'sandbox|running',
      default: 'sandbox',
      doc: 'The bridge that a recording is played to: one of its own with the sandbox, or the running bridge with your account. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  allow: {
    ...option('allow', someOf('files', 'launch', 'tokens'), {
      placeholder: 'files|launch|tokens',
      doc: 'Also play the calls of a recording that name files of yours, register programs to launch, or bring tokens; repeat it, or use commas. Only a flag.',
    }),
    env: undefined,
    fileKey: undefined,
    isList: true,
  },
  botToken: secretOption(
    'bot-token',
    'Bot token, for calls that require the bot of an application. Only in the environment or the settings file; `login --bot` stores one permanently.',
  ),
} as const satisfies Record<string, OptionRow>

export type OptionKey = keyof typeof OPTIONS
export const OPTION_KEYS = Object.keys(OPTIONS) as readonly OptionKey[]

/** The checked value of each option. */
export type OptionValues = { readonly [Key in OptionKey]: NonNullable<ReturnType<(typeof OPTIONS)[Key]['check']>> }
