/** Loads platform profiles: built-in ones and JSON files. The sandbox creates its own at start, because its port is not known before. */
import { resolve } from 'node:path'
import { SANDBOX } from '@sallyport/core/platform-names'
import type { PlatformProfile } from '@sallyport/core/profile'
import { VERSION } from '@sallyport/core/version'
import { checkProfile } from './profile.ts'
import { readBounded } from './read-bounded.ts'
import { SettingsError } from './settings-error.ts'
import { didYouMean } from './suggest.ts'

const DISCORD: PlatformProfile = {
  name: 'discord',
  ipcPrefix: 'discord-ipc',
  baseUrl: 'https://discord.com/api/v10',
  authorizeUrl: 'https://discord.com/oauth2/authorize',
  tokenUrl: 'https://discord.com/api/v10/oauth2/token',
  revokeUrl: 'https://discord.com/api/v10/oauth2/token/revoke',
  gatewayUrl: 'wss://gateway.discord.gg',
  cdnHost: 'cdn.discordapp.com',
  activityProxyHost: 'discordsays.com',
  presenceOrigins: ['https://discord.com', 'https://ptb.discord.com', 'https://canary.discord.com'],
  rpcOrigins: [],
  userAgent: `DiscordBot (sallyport, ${VERSION})`,
  customSchemePrefix: 'discord',
}

/** Who starts the sandbox opens its pages at once, and learns of a misspelt argument. */
const SANDBOX_SETTINGS = { preload: 'idle', strictArguments: true }

/** Web clients of this platform connect to a presence server on this port. */
const DISCORD_SETTINGS = { bridgePort: 1337 }

const BUILT_IN: ReadonlyMap<string, LoadedPlatform & { readonly profile: PlatformProfile }> = new Map([
  [DISCORD.name, { profile: DISCORD, settings: DISCORD_SETTINGS }],
])
export const PLATFORM_NAMES: readonly string[] = [SANDBOX, ...BUILT_IN.keys()]

interface LoadedPlatform {
  /** The file it was read from, absolute; absent for a built-in platform. */
  readonly file?: string
  /** Undefined for the sandbox. */
  readonly profile: PlatformProfile | undefined
  /** Unchecked settings by file key. */
  readonly settings: Readonly<Record<string, unknown>>
}

/** The form of the word decides, and no file of the working folder: a path has a separator or ends in .json. */
const isFile = (text: string): boolean => /[\\/]|\.json$/i.test(text)

/** The built-in platform with this name, or the platform of this file. Throws SettingsError. */
export function loadPlatform(nameOrFile: string): LoadedPlatform {
  if (nameOrFile === SANDBOX) return { profile: undefined, settings: SANDBOX_SETTINGS }
  if (isFile(nameOrFile)) return readProfile(nameOrFile)
  const builtIn = BUILT_IN.get(nameOrFile)
  if (builtIn !== undefined) return builtIn
  throw new SettingsError(
    `Unknown platform ${nameOrFile}.${didYouMean(nameOrFile, PLATFORM_NAMES)} Use ${PLATFORM_NAMES.join(', ')}, or the path of a JSON file.`,
  )
}

function readProfile(file: string): LoadedPlatform {
  const checked = checkProfile(readJson(file, 'platform profile'))
  if (typeof checked === 'string') throw new SettingsError(`The platform profile ${file} is invalid: ${checked}`)
  return { ...checked, file: resolve(file) }
}

/** Reads a JSON file. Throws SettingsError if that fails. */
export function readJson(file: string, what: string): unknown {
  let text: string
  try {
    text = readBounded(file)
  } catch (cause) {
    throw new SettingsError(`The ${what} ${file} cannot be read: ${(cause as Error).message}. Name another file, or check its rights.`, {
      cause,
    })
  }
  try {
    return JSON.parse(text)
  } catch {
    // Without the parser's message, which quotes the text and may contain a secret.
    throw new SettingsError(`The ${what} ${file} is not JSON.`)
  }
}
