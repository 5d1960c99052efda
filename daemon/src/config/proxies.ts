/** The proxies for requests: from the setting, otherwise from the usual environment variables. */
import { Secret } from '@sallyport/core/secret'
import type { Machine } from './paths.ts'
import { SettingsError } from './settings-error.ts'

/** URLs are secrets, because they may contain a password. */
export interface Proxies {
  /** For http:// URLs. */
  readonly http: Secret<string> | undefined
  /** For https:// URLs. */
  readonly https: Secret<string> | undefined
  /** Hosts without proxy, comma-separated as in NO_PROXY. */
  readonly except: string
}

export const NO_PROXIES: Proxies = { http: undefined, https: undefined, except: '' }

/** `setting`: a checked URL, or `off`. Throws SettingsError for a variable with an unsupported proxy. */
export function proxiesOf(setting: Secret<string> | undefined, env: Machine['env']): Proxies {
  const given = setting?.reveal()
  if (given === 'off') return NO_PROXIES
  const except = variable(env, 'NO_PROXY')?.value ?? ''
  if (setting !== undefined) return { http: setting, https: setting, except }
  const http = fromVariable(env, 'HTTP_PROXY')
  return { http, https: fromVariable(env, 'HTTPS_PROXY') ?? http, except }
}

/** The URL, with http:// if the scheme is missing; undefined if it is not supported. */
export function proxyAddress(given: string): string | undefined {
  const address = given.includes('://') ? given : `http://${given}`
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? address : undefined
}

function fromVariable(env: Machine['env'], name: string): Secret<string> | undefined {
  const found = variable(env, name)
  if (found === undefined) return undefined
  const address = proxyAddress(found.value)
  if (address !== undefined) return new Secret(address)
  throw new SettingsError(
    `${found.name} is not a supported proxy; use an http:// or https:// URL. Correct it, or set --proxy to a URL or to off.`,
  )
}

/** Looks up the variable in lower and upper case; lower case takes precedence. */
function variable(env: Machine['env'], name: string): { readonly name: string; readonly value: string } | undefined {
  const found = [name.toLowerCase(), name].find((one) => env[one] !== undefined && env[one] !== '')
  return found === undefined ? undefined : { name: found, value: env[found] ?? '' }
}
