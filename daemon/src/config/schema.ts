/** The OPTIONS table: one row per setting. Flags, environment variables, file keys, checks, help and the type of the settings all come from it. */
import * as z from 'zod'
import { Secret } from '@sallyport/core/secret'
import { proxyAddress } from './proxies.ts'
import { PublicKeys } from './public-keys.ts'
import { ApplicationOrigins, OriginRules } from './web-origins.ts'

export interface OptionRow {
  /** On the command line without its dashes; undefined for secrets, which a process list would show. */
  readonly flag: string | undefined
  /** Undefined for what a line must say each time. */
  readonly env: string | undefined
  /** Undefined for what must not hold for every line. */
  readonly fileKey: string | undefined
  readonly schema: z.ZodType
  /** As a person would type it; undefined = found out from the machine, or not set. */
  readonly default: string | undefined
  /** What stands after the flag in the help; undefined for a flag that takes nothing. */
  readonly placeholder: string | undefined
  readonly doc: string
  readonly isSecret: boolean
}

const words = (name: string) => name.split('-')
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** The three names of an option follow from one, so that none has to be remembered. */
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

const option = <S extends z.ZodType>(name: string, schema: S, text: OptionText) => ({
  ...names(name),
  schema,
  doc: text.doc,
  placeholder: text.placeholder,
  default: text.default,
  isSecret: false,
})

const secretOption = (name: string, doc: string) => ({
  ...names(name),
  flag: undefined,
  schema: z
    .string()
    .min(1)
    .transform((value) => new Secret(value)),
  doc,
  placeholder: undefined,
  default: undefined,
  isSecret: true,
})

/** Secret, since an address may hold a password; a flag all the same, for addresses that hold none. */
const ProxyOrOff = z
  .string()
  .transform((text) => (text === 'off' ? text : proxyAddress(text)))
  .pipe(z.string())
  .transform((address) => new Secret(address))

const MAX_PORT = 65_535
const MAX_SEED_CHARACTERS = 64

// Flags and variables are text, file values may be numbers and booleans: each schema takes both.
const whole = (max: number) => z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int().min(0).max(max))
const Port = whole(MAX_PORT)
const PortOrOff = z.union([z.literal('off'), Port])
const Yes = z.union([z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')])
const Folder = z.string().min(1)
const Seed = z.union([z.string(), z.int().transform(String)]).pipe(z.string().min(1).max(MAX_SEED_CHARACTERS))

export const OPTIONS = {
  platform: option('platform', z.string().min(1), {
    placeholder: 'NAME|FILE',
    default: 'sandbox',
    doc: 'The platform to serve: sandbox (built in, offline), discord, or a JSON file that describes another one.',
  }),
  runtimeDir: option('runtime-dir', Folder, {
    placeholder: 'DIR',
    doc: 'Where the sockets go. Else the first of XDG_RUNTIME_DIR, TMPDIR, TMP and TEMP that is set, else /tmp: games look there. Nobody else may write there, unless it is a shared one like /tmp.',
  }),
  dataDir: option('data-dir', Folder, {
    placeholder: 'DIR',
    doc: "Where tokens and state are kept. Else the user's usual folder for application data.",
  }),
  config: option('config', z.string().min(1), {
    placeholder: 'FILE',
    doc: "Settings as JSON. Else config.json in the user's usual folder for settings, if there is one.",
  }),
  logLevel: option('log-level', z.enum(['debug', 'info', 'warn', 'error', 'silent']), {
    placeholder: 'LEVEL',
    default: 'warn',
    doc: 'Least level of the JSON log lines on stderr: debug, info, warn, error or silent.',
  }),
  json: option('json', Yes, { default: 'false', doc: 'Data as JSON on stdout, for programs.' }),
  bridgePort: option('bridge-port', PortOrOff, {
    placeholder: 'N|off',
    default: 'off',
    doc: 'Port of the presence websocket on 127.0.0.1 for web clients (1337 is where they look; the next free one when it is taken), or off.',
  }),
  bridgeOrigins: option('bridge-origins', OriginRules, {
    placeholder: 'ORIGIN,…',
    doc: "Which pages may read the presence websocket, as scheme://host[:port]; :* for any port. Else the web clients of the platform's profile.",
  }),
  rpcOrigins: option('rpc-origins', ApplicationOrigins, {
    placeholder: 'ID=ORIGIN,…',
    doc: 'Which pages may speak for an application over a websocket; an object in the file. In the sandbox every page of this machine may.',
  }),
  desktopClient: option('desktop-client', z.enum(['auto', 'off']), {
    placeholder: 'auto|off',
    default: 'auto',
    doc: "Whether the platform's own desktop client, when it runs here, carries out what only it can: voice, overlay, invites, presence.",
  }),
  dashboardPort: option('dashboard-port', PortOrOff, {
    placeholder: 'N|off',
    default: '0',
    doc: 'Port of the dashboard on 127.0.0.1 (0 = any free one), or off.',
  }),
  gateway: option('gateway', z.enum(['auto', 'off']), {
    placeholder: 'auto|off',
    default: 'auto',
    doc: "Connections to the platform's gateway: while a game wants what comes from there (auto), or never (off).",
  }),
  gatewayCompress: option('gateway-compress', z.enum(['none', 'zlib-stream', 'zstd-stream']), {
    placeholder: 'none|zlib-stream|zstd-stream',
    default: 'none',
    doc: 'How what comes from the gateway is compressed.',
  }),
  gatewayObfuscation: option('gateway-obfuscation', Yes, {
    default: 'false',
    doc: 'Asks the gateway for channels out of sight in their obfuscated form, ahead of the day when it is the rule.',
  }),
  webhookPort: option('webhook-port', PortOrOff, {
    placeholder: 'N|off',
    default: 'off',
    doc: 'Port on 127.0.0.1 where webhook events of the platform are taken (0 = any free one), or off.',
  }),
  webhookPublicKeys: option('webhook-public-keys', PublicKeys, {
    placeholder: 'ID=KEY,…',
    doc: 'The public key of each application whose webhook events are taken, in hexadecimal; an object in the file. The sandbox needs none.',
  }),
  sandboxPort: option('sandbox-port', Port, {
    placeholder: 'N',
    default: '0',
    doc: 'Port of the sandbox platform on 127.0.0.1 (0 = any free one).',
  }),
  sandboxSeed: option('sandbox-seed', Seed, {
    placeholder: 'TEXT',
    default: '1',
    doc: 'The same seed gives the same sandbox users, guilds and ids.',
  }),
  consent: option('consent', z.enum(['prompt', 'allow', 'deny']), {
    placeholder: 'prompt|allow|deny',
    default: 'prompt',
    doc: 'Who answers when a game asks to sign in: the user, or always yes (sandbox only), or always no.',
  }),
  vault: option('vault', z.enum(['auto', 'keychain', 'file']), {
    placeholder: 'auto|keychain|file',
    default: 'auto',
    doc: "Where the key of the stored tokens rests: the system's keychain, a file, or (auto) the keychain when it can be used.",
  }),
  proxy: {
    ...names('proxy'),
    schema: ProxyOrOff,
    doc: 'The proxy for requests to the platform: an http:// or https:// address, or off. Else HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide. Put one with a password into the environment or the file.',
    placeholder: 'URL|off',
    default: undefined,
    isSecret: true,
  },
  caFile: option('ca-file', z.string().min(1), {
    placeholder: 'FILE',
    doc: 'PEM certificates of authorities to trust besides the usual ones, for a proxy or platform with an authority of its own.',
  }),
  application: option('application', z.string().regex(/^\d{1,20}$/), {
    placeholder: 'ID',
    default: '1000000000000000000',
    doc: 'The application to speak as.',
  }),
  scopes: option('scopes', z.string().trim().min(1), {
    placeholder: 'LIST',
    default: 'openid sdk.social_layer connections guilds',
    doc: 'The scopes to ask for, with spaces between.',
  }),
  device: option('device', Yes, {
    default: 'false',
    doc: 'Sign in on another device: show an address and a code instead of opening a browser here.',
  }),
  bot: option('bot', Yes, { default: 'false', doc: 'The bot of the application, not a user.' }),
  // Neither in a file: what it says of one line would hold for all of them.
  nonInteractive: {
    ...option('non-interactive', Yes, {
      default: 'false',
      doc: 'For scripts: go on without a terminal. The user is asked about the program that starts this one. No key of the settings file.',
    }),
    fileKey: undefined,
  },
  yes: {
    ...option('yes', Yes, {
      default: 'false',
      doc: 'Call a command that takes something away for good without asking first. On the command line only.',
    }),
    env: undefined,
    fileKey: undefined,
  },
  botToken: secretOption(
    'bot-token',
    'Token of a bot, for calls that only the bot of its application may make. By environment or file only; `login --bot` stores one for good.',
  ),
} as const satisfies Record<string, OptionRow>

export type OptionKey = keyof typeof OPTIONS
export const OPTION_KEYS = Object.keys(OPTIONS) as readonly OptionKey[]

/** The value of each option after its check. */
export type OptionValues = { readonly [Key in OptionKey]: z.output<(typeof OPTIONS)[Key]['schema']> }
