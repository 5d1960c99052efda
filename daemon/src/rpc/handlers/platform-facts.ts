/** GET_PLATFORM_CHANGES, CHECK_VOICE_CONNECTION, MAP_ACTIVITY_URL: answered from the tables of the contract. */
import {
  consoleMinimums,
  hasBufferedResume,
  isInEffect,
  mapActivityUrl,
  missingInSdk,
  SDK_RELEASE_MONTHS,
  sdkSupport,
  sdkWindow,
  type VersionId,
  type VersionRow,
  VERSIONS,
  VOICE_MODES,
  voiceProblems,
} from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { HandlerMap } from '../context.ts'

export interface PlatformFactDeps {
  readonly clock: Clock
  /** Facts of the platform's profile. */
  readonly platform: {
    /** Host name after `<application id>.` under which the platform proxies activities. */
    readonly activityProxyHost: string
  }
}

function dayOf(text: string): number {
  const at = Date.parse(text)
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return at
  throw new BridgeError('INVALID_PAYLOAD', `date: there is no day ${text}.`, { path: 'date' })
}

export const platformFactHandlers = ({ clock, platform }: PlatformFactDeps) =>
  ({
    GET_PLATFORM_CHANGES: ({ date, sdk_version: version }) => {
      const at = date === undefined ? clock.now() : dayOf(date)
      const window = sdkWindow(at)
      return {
        date: new Date(at).toISOString().slice(0, 10),
        changes: Object.entries<VersionRow>(VERSIONS).map(([id, row]) => ({
          id,
          since: row.date,
          until: row.until ?? null,
          announced: row.announced ?? null,
          holds: isInEffect(id as VersionId, at),
          summary: row.summary,
        })),
        sdk: {
          oldest: window === undefined ? null : `1.${window.oldest}`,
          newest: window === undefined ? null : `1.${window.newest}`,
          support: version === undefined ? null : sdkSupport(version, at),
          release_months: [...SDK_RELEASE_MONTHS],
          lacks: version === undefined ? null : (missingInSdk(version) ?? null),
          consoles: consoleMinimums(version)?.map(({ console, systemSdk, since }) => ({ console, system_sdk: systemSdk, since })) ?? null,
        },
      }
    },

    CHECK_VOICE_CONNECTION: ({ gateway_version: gatewayVersion, mode, end_to_end_encrypted: endToEndEncrypted }) => {
      const [problem] = voiceProblems({ gatewayVersion, mode, endToEndEncrypted }, clock.now())
      if (problem !== undefined) throw new BridgeError('INVALID_PAYLOAD', problem.message, { path: problem.path })
      return {
        modes: Object.entries(VOICE_MODES).flatMap(([name, { documented }]) => (documented ? [name] : [])),
        buffered_resume: hasBufferedResume(gatewayVersion),
      }
    },

    MAP_ACTIVITY_URL: ({ url, mappings = [], application_id: applicationId, embedded_sdk_version: embeddedSdkVersion }, { session }) => {
      const proxyHost = platform.activityProxyHost
      const outcome = mapActivityUrl(url, {
        applicationId: applicationId ?? session.applicationId,
        proxyHost,
        mappings,
        embeddedSdkVersion,
      })
      if ('url' in outcome) return { url: outcome.url, is_mapped: true }
      if (outcome.problem === 'unmapped') return { url, is_mapped: false }
      throw new BridgeError('INVALID_PAYLOAD', 'url must be an absolute http, https, ws or wss address without a user name.', {
        path: 'url',
      })
    },
  }) satisfies Partial<HandlerMap>
