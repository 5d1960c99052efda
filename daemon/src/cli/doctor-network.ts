/** The checks of `sallyport doctor` about the way to the platform: name, proxy, certificate, answer; and the clock that the answer shows. */
import { codesOf, whyUnreachable } from '@sallyport/core/net/reach'
import { readCertificates } from '../config/certificates.ts'
import type { Settings } from '../config/load.ts'
import { HttpFailure } from '../platform/api/http-failure.ts'
import { createHttpSend } from '../platform/api/http.ts'
import { type Finding, found } from './doctor-finding.ts'

const HTTP_MS = 10_000

const CERTIFICATE = /CERT|ALTNAME|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/
const NOT_TLS = /SSL|EPROTO|TLS/

const portOf = ({ port, protocol }: URL): number => Number(port) || (protocol === 'https:' ? 443 : 80)
const nameOf = (url: URL): string => `${url.hostname}:${portOf(url)}`

/** The proxy for a URL, without its password. */
function proxyFor(url: URL, { http, https, except }: Settings['proxies']): URL | undefined {
  const hosts = except.split(',').map((host) => host.trim().replace(/^\*?\./, ''))
  if (hosts.some((host) => host === '*' || (host !== '' && (url.hostname === host || url.hostname.endsWith(`.${host}`))))) return undefined
  const address = (url.protocol === 'https:' ? https : http)?.reveal()
  return address === undefined ? undefined : (URL.parse(address) ?? undefined)
}

async function reasonOf(failure: HttpFailure, url: URL, proxies: Settings['proxies']): Promise<string> {
  const proxy = proxyFor(url, proxies)
  if (proxy !== undefined) {
    const broken = await whyUnreachable(proxy.hostname, portOf(proxy))
    const remedy = 'Correct or remove --proxy, or HTTPS_PROXY and HTTP_PROXY in the environment.'
    if (broken !== undefined) return `The proxy ${nameOf(proxy)} ${broken}. ${remedy}`
    return `The proxy ${nameOf(proxy)} accepts connections, but brings no answer of the platform (${failure.kind}). ${remedy}`
  }
  const codes = codesOf(failure)
  const certificate = codes.find((code) => CERTIFICATE.test(code))
  if (certificate !== undefined)
    return `Its certificate is not trusted (${certificate}). If a proxy or filter of your network replaces certificates, name its CA with --ca-file.`
  const broken = await whyUnreachable(url.hostname, portOf(url))
  if (broken !== undefined) return `Its host ${url.hostname} ${broken}. Check the network and its DNS, or set --proxy.`
  const noTls = codes.find((code) => NOT_TLS.test(code))
  if (noTls !== undefined) return `What answers there does not speak TLS (${noTls}). Check --platform and the network.`
  return `The connection is accepted, but no answer comes (${failure.kind}). Check the network, --proxy and --ca-file.`
}

/** Any response of the API shows that the platform can be reached. `time`: its own, in milliseconds since 1970, if it sent one. */
export async function checkPlatform({ profile, proxies, caFile }: Settings): Promise<{ finding: Finding; time: number | undefined }> {
  if (profile === undefined) return { finding: found('platform', 'ok', 'The sandbox platform runs within the bridge.'), time: undefined }
  const { name, baseUrl } = profile
  const http = createHttpSend({ proxies, ...(caFile === undefined ? {} : { certificates: readCertificates(caFile) }) })
  const { origin } = new URL(baseUrl)
  try {
    const { status, headers } = await http.send({ method: 'GET', url: `${baseUrl}/gateway`, headers: {} }, AbortSignal.timeout(HTTP_MS))
    const time = Date.parse(String(headers['date']))
    const known = { time: Number.isNaN(time) ? undefined : time }
    if (status === 407 || status >= 500) {
      const advice = status === 407 ? 'The proxy wants a password: set it in --proxy.' : 'Try again later.'
      return {
        finding: found('platform', 'wrong', `${name} cannot be used at ${origin}: the answer has HTTP status ${status}. ${advice}`),
        ...known,
      }
    }
    return { finding: found('platform', 'ok', `${name} answers at ${origin} (HTTP status ${status}).`), ...known }
  } catch (failure) {
    if (!(failure instanceof HttpFailure)) throw failure
    const reason = await reasonOf(failure, new URL(baseUrl), proxies)
    return { finding: found('platform', 'wrong', `${name} does not answer at ${origin}. ${reason}`), time: undefined }
  } finally {
    await http.close()
  }
}

const MINUTE_MS = 60_000
/** A larger difference makes fresh tokens and signatures invalid. */
const MAX_SKEW_MS = 2 * MINUTE_MS

interface Times {
  /** Of the platform's response, in ms since 1970; undefined if it has none. */
  readonly platform: number | undefined
  /** Whether the platform is within the bridge, with the clock of this machine. */
  readonly isSandbox: boolean
  /** How far the clock was moved while the bridge ran, in ms; undefined if no bridge reports it. */
  readonly jump: number | undefined
}

const AUTOMATIC = 'Switch on automatic time in the settings of the system (Linux: timedatectl set-ntp true).'
const minutes = (ms: number): number => Math.round(Math.abs(ms) / MINUTE_MS)

export function checkClock({ platform, isSandbox, jump = 0 }: Times, now: number): Finding {
  const skew = platform === undefined ? 0 : now - platform
  if (Math.abs(skew) > MAX_SKEW_MS) {
    const side = skew > 0 ? 'ahead of' : 'behind'
    return found('clock', 'wrong', `The clock of this machine is ${minutes(skew)} minutes ${side} the platform's. ${AUTOMATIC}`)
  }
  if (Math.abs(jump) > MAX_SKEW_MS) {
    const side = jump > 0 ? 'forward' : 'back'
    return found(
      'clock',
      'wrong',
      `The clock of this machine was set ${side} by ${minutes(jump)} minutes while the bridge ran. Check it, then start the bridge again.`,
    )
  }
  if (platform !== undefined) return found('clock', 'ok', "The clock of this machine agrees with the platform's.")
  if (isSandbox) return found('clock', 'ok', 'The sandbox has the clock of this machine.')
  return found('clock', 'not checked', 'No platform sent its time, so the clock of this machine was compared with none.')
}
