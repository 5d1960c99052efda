/** Through which proxies requests leave: the setting when there is one, else what the usual variables of the system say. */
import { Secret } from '@sallyport/core/secret'
import type { Machine } from './paths.ts'
import { SettingsError } from './settings-error.ts'

/** Addresses are secrets, since they may hold a name and a password. */
export interface Proxies {
  /** For http:// addresses. */
  readonly http: Secret<string> | undefined
  /** For https:// addresses. */
  readonly https: Secret<string> | undefined
  /** Hosts that are reached directly, with commas between, as NO_PROXY has them. */
  readonly except: string
}

export const NO_PROXIES: Proxies = { http: undefined, https: undefined, except: '' }

/** `setting` is a checked address, or `off`. Throws SettingsError for a variable that names no proxy this program can use. */
export function proxiesOf(setting: Secret<string> | undefined, env: Machine['env']): Proxies {
  const given = setting?.reveal()
  if (given === 'off') return NO_PROXIES
  const except = variable(env, 'NO_PROXY')?.value ?? ''
  if (setting !== undefined) return { http: setting, https: setting, except }
  const http = fromVariable(env, 'HTTP_PROXY')
  return { http, https: fromVariable(env, 'HTTPS_PROXY') ?? http, except }
}

/** The address with its scheme, http:// when none is given; undefined when it cannot be used. */
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
    `${found.name} does not name a proxy that Sallyport can use: it takes http:// and https:// addresses. Correct it, or set --proxy to an address or to off.`,
  )
}

/** Programs write these names both ways; where both are set, the small one counts. */
function variable(env: Machine['env'], name: string): { readonly name: string; readonly value: string } | undefined {
  const found = [name.toLowerCase(), name].find((one) => env[one] !== undefined && env[one] !== '')
  return found === undefined ? undefined : { name: found, value: env[found] ?? '' }
}
