/** Brings the settings together: flag over environment over file over profile over default, each value with the place it came from. */
import { existsSync } from 'node:fs'
import * as z from 'zod'
import { configFile, dataDir, type Machine, runtimeDir } from './paths.ts'
import { loadPlatform, readJson } from './platforms.ts'
import { type PlatformProfile, SANDBOX } from '@sallyport/core/profile'
import { NO_PROXIES, type Proxies, proxiesOf } from './proxies.ts'
import { OPTION_KEYS, type OptionKey, OPTIONS, type OptionRow, type OptionValues } from './schema.ts'
import { SettingsError } from './settings-error.ts'
import { didYouMean } from './suggest.ts'

export type Origin = 'flag' | 'env' | 'file' | 'profile' | 'default'

/** Values as they were given, by option. */
export type RawSettings = Partial<Record<OptionKey, unknown>>

export interface Settings
  extends Omit<OptionValues, 'config' | 'botToken' | 'proxy' | 'caFile' | 'webhookPublicKeys' | 'bridgeOrigins' | 'rpcOrigins'> {
  /** Undefined when no file was read. */
  readonly config: string | undefined
  readonly botToken: OptionValues['botToken'] | undefined
  readonly proxy: OptionValues['proxy'] | undefined
  readonly caFile: string | undefined
  readonly webhookPublicKeys: string | undefined
  readonly bridgeOrigins: OptionValues['bridgeOrigins'] | undefined
  readonly rpcOrigins: OptionValues['rpcOrigins'] | undefined
  /** What `proxy` and the environment come to; none for the sandbox, which is on this machine. */
  readonly proxies: Proxies
  /** Nobody named the folder of the sockets: where others may write into the usual one, the daemon also listens in one of this user alone. */
  readonly isRuntimeDirUsual: boolean
  /** The platform's profile; undefined for the sandbox, which makes its own when it runs. */
  readonly profile: PlatformProfile | undefined
}

export interface LoadedSettings {
  readonly settings: Settings
  readonly origins: Readonly<Record<OptionKey, Origin>>
}

interface Layer {
  readonly origin: Origin
  readonly values: RawSettings
  /** How a person would name the option in this layer. */
  readonly nameOf: (row: OptionRow) => string
}

/** Settings for this run. `flags` holds what the command line gave. Throws SettingsError with a sentence that names the setting and where it stands. */
export function loadSettings(flags: RawSettings, machine: Machine): LoadedSettings {
  const given: Layer[] = [
    { origin: 'flag', values: flags, nameOf: (row) => `--${row.flag}` },
    { origin: 'env', values: fromEnvironment(machine.env), nameOf: (row) => String(row.env) },
  ]
  const config = settingsFile(given, machine)
  if (config !== undefined) given.push(fileLayer('file', readJson(config, 'settings file'), `the settings file ${config}`, ['config']))

  const platformName = (pick('platform', given)?.value as string | undefined) ?? SANDBOX
  const platform = loadPlatform(platformName)
  given.push(fileLayer('profile', platform.settings, `the profile ${platformName}`, ['config', 'platform']))
  given.push({ origin: 'default', values: defaults(machine), nameOf: (row) => String(row.fileKey) })

  const values: RawSettings = {}
  const origins: Partial<Record<OptionKey, Origin>> = {}
  for (const key of OPTION_KEYS) {
    const found = pick(key, given)
    values[key] = found?.value
    origins[key] = found?.origin ?? 'default'
  }
  const proxy = values['proxy'] as OptionValues['proxy'] | undefined
  const proxies = platform.profile === undefined ? NO_PROXIES : proxiesOf(proxy, machine.env)
  const settings = {
    ...values,
    config,
    profile: platform.profile,
    proxies,
    isRuntimeDirUsual: origins.runtimeDir === 'default',
  } as Settings
  refuseOpenConsent(settings)
  refuseUnknownSenders(settings)
  return { settings, origins: origins as Record<OptionKey, Origin> }
}

function fromEnvironment(env: Machine['env']): RawSettings {
  const values: RawSettings = {}
  for (const key of OPTION_KEYS) {
    const { env: name } = OPTIONS[key]
    const value = name === undefined ? undefined : env[name]
    if (value !== undefined && value !== '') values[key] = value
  }
  return values
}

/** The file somebody named, or the usual one when it exists. */
function settingsFile(given: readonly Layer[], machine: Machine): string | undefined {
  const named = pick('config', given)?.value as string | undefined
  if (named !== undefined) return named
  const usual = configFile(machine)
  return existsSync(usual) ? usual : undefined
}

const defaults = (machine: Machine): RawSettings => ({
  ...Object.fromEntries(OPTION_KEYS.map((key) => [key, OPTIONS[key].default])),
  runtimeDir: runtimeDir(machine),
  dataDir: dataDir(machine),
})

const KEY_OF = new Map(
  OPTION_KEYS.flatMap((key) => {
    const { fileKey } = OPTIONS[key]
    return fileKey === undefined ? [] : [[fileKey, key] as const]
  }),
)

/** `excluded`: options that cannot be set here, because they decide what is read. */
function fileLayer(origin: Origin, content: unknown, where: string, excluded: readonly OptionKey[]): Layer {
  const parsed = z.record(z.string(), z.unknown()).safeParse(content)
  if (!parsed.success) throw new SettingsError(`There must be one JSON object in ${where}.`)
  const known: readonly string[] = [...KEY_OF].filter(([, key]) => !excluded.includes(key)).map(([fileKey]) => fileKey)
  const values: RawSettings = {}
  for (const [fileKey, value] of Object.entries(parsed.data)) {
    const key = KEY_OF.get(fileKey)
    if (key === undefined || excluded.includes(key)) {
      throw new SettingsError(`There is no setting ${fileKey} for ${where}.${didYouMean(fileKey, known)} It takes: ${known.join(', ')}.`)
    }
    values[key] = value
  }
  return { origin, values, nameOf: (row) => `${row.fileKey} in ${where}` }
}

/** The first layer that has the option, with its value checked. */
function pick(key: OptionKey, layers: readonly Layer[]): { value: unknown; origin: Origin } | undefined {
  const layer = layers.find(({ values }) => values[key] !== undefined)
  if (layer === undefined) return undefined
  const row: OptionRow = OPTIONS[key]
  const parsed = row.schema.safeParse(layer.values[key])
  if (parsed.success) return { value: parsed.data, origin: layer.origin }
  const got = row.isSecret ? 'what was given' : JSON.stringify(layer.values[key])
  const takes = row.placeholder === undefined ? '' : ` It takes ${row.placeholder}.`
  throw new SettingsError(`${layer.nameOf(row)} does not take ${got}.${takes} ${row.doc}`)
}

/** Saying yes for the user is for tests: never where the accounts are real. */
function refuseOpenConsent({ consent, platform }: Settings): void {
  if (consent === 'allow' && platform !== SANDBOX) {
    throw new SettingsError(`consent allow is for the sandbox only: on ${platform} the user decides. Use prompt or deny.`)
  }
}

/** Without a key nothing could be told from what anybody sends; the sandbox knows its own keys. */
function refuseUnknownSenders({ webhookPort, webhookPublicKeys, profile }: Settings): void {
  if (webhookPort === 'off' || profile === undefined || webhookPublicKeys !== undefined) return
  throw new SettingsError(
    'webhook-port needs webhook-public-keys: the id and public key of each application, as its page in the developer portal shows them.',
  )
}
