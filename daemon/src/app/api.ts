/** Requests to the platform: HTTP, the forwarder, the token endpoint. */
import type { Clock } from '@sallyport/core/clock'
import { currentCall } from '@sallyport/core/current-call'
import type { Logger } from '@sallyport/core/logger'
import type { PlatformProfile } from '@sallyport/core/profile'
import { PendingNonces } from '../auth/oauth/pending-nonces.ts'
import { createTokenEndpoint } from '../auth/oauth/token-endpoint.ts'
import { readCertificates } from '../config/certificates.ts'
import type { Settings } from '../config/load.ts'
import type { NetworkOptions } from '../platform/api/dispatchers.ts'
import { errorFromCodedReply } from '../platform/api/failure.ts'
import { sendForCalls } from '../platform/api/call-requests.ts'
import type { Forwarder } from '../platform/api/forwarder-port.ts'
import { createForwarder } from '../platform/api/forwarder.ts'
import { createHttpSend } from '../platform/api/http.ts'
import { type HttpMeter, measuredSend } from '../platform/api/measured-send.ts'
import type { WaitMeter } from '../platform/api/wait-meter.ts'
import { Warnings } from '../platform/api/warnings.ts'
import type { LifecycleEvents } from '../sessions/lifecycle.ts'
import { openApplications } from './applications.ts'
import type { AnswerRequests } from './running-bridge.ts'

interface ApiParts {
  readonly settings: Pick<Settings, 'caFile' | 'dataDir' | 'proxies' | 'strictArguments'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly lifecycle: LifecycleEvents
  readonly meter: HttpMeter & WaitMeter
  readonly scope: AsyncDisposableStack
  readonly answer: AnswerRequests
}

export type OpenedApi = ReturnType<typeof openApi>

export function openApi({ settings, profile, clock, log: parentLog, lifecycle, meter, scope, answer }: ApiParts) {
  const log = parentLog.child({ part: 'platform-api' })
  const certificates = settings.caFile === undefined ? {} : { certificates: readCertificates(settings.caFile) }
  /** How requests leave this machine. */
  const network: NetworkOptions = { proxies: settings.proxies, ...certificates }
  const http = createHttpSend(network)
  scope.defer(() => http.close())
  const send = sendForCalls(measuredSend(answer(http.send), meter, clock), profile.callIdHeader, clock)
  const warnings = new Warnings(clock, log)
  const limited = createForwarder({
    profile,
    send,
    clock,
    log,
    meter,
    warnings,
    random: Math.random,
    onUnauthorized(credential) {
      if (credential.kind !== 'user' || credential.userId === undefined) return
      const { applicationId, userId, token } = credential
      // A turn later, so that the call gets its response before its connection is signed out.
      const call = currentCall()
      setImmediate(() => lifecycle.emit('tokenRejected', { applicationId, userId, token, call }))
    },
  })
  const forwarder: Forwarder = limited
  scope.defer(() => forwarder.close())
  const nonces = new PendingNonces(clock)
  const tokenEndpoint = createTokenEndpoint({
    profile,
    send,
    platformRefusal: (reply, secrets) => errorFromCodedReply(reply, clock.now(), secrets),
    nonces,
  })
  /** Loads the HTTP client, because a request will follow. */
  const prepareHttp = (): void => http.prepare()
  const applications = openApplications({ settings, profile, clock, log: parentLog, send, scope })
  const { strictArguments } = settings
  const { fullestBuckets } = limited
  return { applications, strictArguments, network, send, prepareHttp, forwarder, fullestBuckets, tokenEndpoint, nonces, warnings }
}
