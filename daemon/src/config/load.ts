/** Loads the settings: flag over environment over file over package over profile over default, each value with its origin. */
import { existsSync } from 'node:fs'
import { isObject } from './kinds.ts'
import { configFile, dataDir, type Machine, runtimeDir } from './paths.ts'
import { loadPlatform, readJson } from './platforms.ts'
import type { PlatformProfile } from '@sallyport/core/profile'
import { SANDBOX } from '@sallyport/core/platform-names'
import { consentMode } from './consent.ts'
import { NO_PROXIES, type Proxies, proxiesOf } from './proxies.ts'
import { choiceLike, OPTION_KEYS, type OptionKey, OPTIONS, type OptionRow, type OptionValues } from './schema.ts'
import { SettingsError } from './settings-error.ts'
import { didYouMean } from './suggest.ts'

export type Origin = 'flag' | 'env' | 'file' | 'package' | 'profile' | 'default'

/** Unchecked values by option. */
export type RawSettings = Partial<Record<OptionKey, unknown>>

export interface Settings
  extends Omit<
    OptionValues,
    | 'config'
    | 'sandbox'
    | 'botToken'
    | 'proxy'
    | 'caFile'
    | 'webhookPublicKeys'
    | 'bridgeOrigins'
    | 'rpcOrigins'
    | 'cmd'
    | 'direction'
    | 'allow'
    | 'textfile'
    | 'label'
  > {
  /** Undefined if no file was read. */
  readonly config: string | undefined
  /** Undefined: what the command chooses. */
  readonly sandbox: OptionValues['sandbox'] | undefined
  readonly botToken: OptionValues['botToken'] | undefined
  readonly proxy: OptionValues['proxy'] | undefined
  readonly caFile: string | undefined
  readonly cmd: OptionValues['cmd'] | undefined
  readonly direction: OptionValues['direction'] | undefined
  readonly allow: OptionValues['allow'] | undefined
  readonly textfile: string | undefined
  readonly label: OptionValues['label'] | undefined
  readonly webhookPublicKeys: string | undefined
  readonly bridgeOrigins: OptionValues['bridgeOrigins'] | undefined
  readonly rpcOrigins: OptionValues['rpcOrigins'] | undefined
  /** The proxies of `proxy` and the environment; none for the sandbox, which is local. */
  readonly proxies: Proxies
  /** Whether the runtime folder is the default; if other users can write to it, the daemon also listens in a private folder. */
  readonly isRuntimeDirDefault: boolean
  /** Whether the bridge starts no program and sends to no address but its own: a recording is played to it. */
  readonly isIsolated: boolean
  /** The profile of the platform; undefined for the sandbox, which creates its own at start. */
  readonly profile: PlatformProfile | undefined
  /** The file of that profile, absolute; undefined for a built-in platform. */
  readonly profileFile: string | undefined
}

export interface LoadedSettings {
  readonly settings: Settings
  readonly origins: Readonly<Record<OptionKey, Origin>>
}

/** Values by file key, as JSON; undefined removes a key. */
export type FileEdits = Readonly<Record<string, unknown>>

interface Layer {
  readonly origin: Origin
  readonly values: RawSettings
  /** The name of the option in this layer, for messages. */
  readonly nameOf: (row: OptionRow) => string
}

/**
 * Loads the settings. `flags`: values of the command line; `edits`: what the command will write into the settings file. Throws SettingsError
 * with the name of the setting in its layer.
 */
export function loadSettings(flags: RawSettings, machine: Machine, edits: FileEdits = {}): LoadedSettings {
  const layers: Layer[] = [
    { origin: 'flag', values: flags, nameOf: (row) => `--${row.flag}` },
    { origin: 'env', values: fromEnvironment(machine.env), nameOf: (row) => String(row.env) },
  ]
  const config = settingsFile(layers, machine)
  const content = config === undefined ? {} : readJson(config, 'settings file')
  layers.push(fileLayer('file', edited(content, edits), `the settings file ${config ?? configFile(machine)}`, ['config']))
  layers.push({ origin: 'package', values: ofPackage(machine), nameOf: (row) => `${row.fileKey} of the package` })

  const platformName = (pick('platform', layers)?.value as string | undefined) ?? SANDBOX
  const platform = loadPlatform(platformName)
  layers.push(fileLayer('profile', platform.settings, `the profile ${platformName}`, ['config', 'platform']))
  layers.push({ origin: 'default', values: defaults(machine), nameOf: (row) => String(row.fileKey) })

  const values: RawSettings = {}
  const origins: Partial<Record<OptionKey, Origin>> = {}
  for (const key of OPTION_KEYS) {
    const found = pick(key, layers)
    values[key] = found?.value
    origins[key] = found?.origin ?? 'default'
  }
  const proxy = values['proxy'] as OptionValues['proxy'] | undefined
  const proxies = platform.profile === undefined ? NO_PROXIES : proxiesOf(proxy, machine.env)
  const settings = {
    ...values,
    config,
    profile: platform.profile,
    profileFile: platform.file,
    proxies,
    isRuntimeDirDefault: origins.runtimeDir === 'default',
    isIsolated: false,
  } as Settings
  rejectOpenConsent(settings)
  rejectMissingWebhookKeys(settings)
  return { settings, origins: origins as Record<OptionKey, Origin> }
}

/** The content with the edits. Content that is no object stays, for its reader to refuse. */
export function edited(content: unknown, edits: FileEdits): unknown {
  if (!isObject(content)) return content
  return Object.fromEntries(Object.entries({ ...content, ...edits }).filter(([, value]) => value !== undefined))
}

/** The file of the package is read only when the user has named no platform. */
const ofPackage = ({ packagePlatform }: Machine): RawSettings => ({
  get platform() {
    return packagePlatform?.()
  },
})

function fromEnvironment(env: Machine['env']): RawSettings {
  const values: RawSettings = {}
  for (const key of OPTION_KEYS) {
    const { env: name } = OPTIONS[key]
    const value = name === undefined ? undefined : env[name]
    if (value !== undefined && value !== '') values[key] = value
  }
  return values
}

/** The file of --config, or the default file if it exists. */
function settingsFile(given: readonly Layer[], machine: Machine): string | undefined {
  const named = pick('config', given)?.value as string | undefined
  if (named !== undefined) return named
  const defaultFile = configFile(machine)
  return existsSync(defaultFile) ? defaultFile : undefined
}

const defaults = (machine: Machine): RawSettings => ({
  ...Object.fromEntries(OPTION_KEYS.map((key) => [key, OPTIONS[key].default])),
  runtimeDir: runtimeDir(machine),
  dataDir: dataDir(machine),
  platform: SANDBOX,
})

const KEY_OF = new Map(
  OPTION_KEYS.flatMap((key) => {
    const { fileKey } = OPTIONS[key]
    return fileKey === undefined ? [] : [[fileKey, key] as const]
  }),
)

/** `excluded`: options that cannot be set here, because they select the files to read. */
function fileLayer(origin: Origin, content: unknown, where: string, excluded: readonly OptionKey[]): Layer {
  if (!isObject(content)) throw new SettingsError(`There must be a JSON object in ${where}.`)
  const known: readonly string[] = [...KEY_OF].filter(([, key]) => !excluded.includes(key)).map(([fileKey]) => fileKey)
  const values: RawSettings = {}
  for (const [fileKey, value] of Object.entries(content)) {
    const key = KEY_OF.get(fileKey)
    if (key === undefined || excluded.includes(key)) {
      throw new SettingsError(`Unknown setting ${fileKey} in ${where}.${didYouMean(fileKey, known)} Known settings: ${known.join(', ')}.`)
    }
    values[key] = value
  }
  return { origin, values, nameOf: (row) => `${row.fileKey} in ${where}` }
}

/** Without the user and the password of an address, which the option may refuse for them. */
const shown = (value: unknown): string => JSON.stringify(value).replaceAll(/\/\/[^/"]*@/g, '//[redacted]@')

/** The checked value of the first layer that has the option. */
function pick(key: OptionKey, layers: readonly Layer[]): { value: unknown; origin: Origin } | undefined {
  const layer = layers.find(({ values }) => values[key] !== undefined)
  if (layer === undefined) return undefined
  const row: OptionRow = OPTIONS[key]
  const value = row.check(layer.values[key])
  if (value !== undefined) return { value, origin: layer.origin }
  const got = row.isSecret ? 'the given value' : shown(layer.values[key])
  const expected = row.placeholder === undefined ? '' : ` Expected: ${row.placeholder}.`
  const hint = row.isSecret ? '' : choiceLike(row, layer.values[key])
  throw new SettingsError(`${layer.nameOf(row)} does not accept ${got}.${hint}${expected} ${row.doc}`)
}

/** Rejects automatic consent outside of the sandbox, because it is only for tests. */
function rejectOpenConsent({ consent, platform }: Settings): void {
  if (consentMode(consent) === 'allow' && platform !== SANDBOX) {
    throw new SettingsError(`consent ${consent} is for the sandbox only; on ${platform}, use prompt or deny.`)
  }
}

/** Rejects webhooks without public keys, because their sender could not be verified. The sandbox has its own keys. */
function rejectMissingWebhookKeys({ webhookPort, webhookPublicKeys, profile }: Settings): void {
  if (webhookPort === 'off' || profile === undefined || webhookPublicKeys !== undefined) return
  throw new SettingsError(
    'webhook-port requires webhook-public-keys: the id and public key of each application, from its page in the developer portal.',
  )
}
