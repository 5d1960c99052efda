/** POST /oauth2/device/authorize, and the page /activate where the user enters the code. */
import { DEVICE_CODE_SECONDS, DEVICE_INTERVAL_SECONDS } from '../constants.ts'
import { type RouteHandler, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import { activatePage } from '../pages/activate.ts'
import { consentPage } from '../pages/consent.ts'
import { messagePage, problemPage } from '../pages/layout.ts'
import { OAuthError } from '../platform-error.ts'
import { applicationOf, defaultUser, fullAccounts, type Platform } from '../platform.ts'
import type { StoredDeviceCode } from '../store/records.ts'
import { parseScopes } from './authorize-request.ts'
import { authenticateClient } from './client-auth.ts'
import { proofFields, provenQuery } from './consent-proof.ts'
import { checkScopes } from './portal-settings.ts'
import { answerDevice, pendingDevice, openDevice, shownCode, typedCode } from './device-codes.ts'

export const requestDeviceCode =
  (platform: Platform, { autoConsent }: { readonly autoConsent: boolean }): RouteHandler =>
  ({ request }) => {
    const form = formBody(request)
    const { applicationId } = authenticateClient(request, form)
    const scopes = parseScopes(form.get('scope') ?? '')
    const answer = autoConsent ? { userId: defaultUser(platform).id } : null
    checkScopes(platform, applicationId, scopes, answer?.userId)
    const { deviceCode, userCode } = openDevice(platform, applicationId, scopes, answer)
    const page = `${platform.origin()}/activate`
    return reply.json(200, {
      device_code: deviceCode,
      user_code: userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${userCode}`,
      expires_in: DEVICE_CODE_SECONDS,
      interval: DEVICE_INTERVAL_SECONDS,
    })
  }

const UNKNOWN = 'There is no device for this code. The code is mistyped, expired or already used.'

/** Without a code, shows its input; with one, shows the consent page. */
export const showActivate =
  (platform: Platform): RouteHandler =>
  ({ request: { query } }) => {
    const typed = query.get('user_code')
    if (typed === null) return activatePage()
    const device = pendingDevice(platform, typed)
    if (device === undefined) return activatePage(UNKNOWN)
    const { applicationId, scopes } = device
    const userCode = typedCode(typed)
    return consentPage({
      applicationName: applicationOf(platform, applicationId).name,
      applicationId,
      scopes,
      details: [['Code on the device', shownCode(userCode)]],
      users: fullAccounts(platform),
      chosenUserId: defaultUser(platform).id,
      hidden: { ...proofFields(platform, deviceQuery(userCode)) },
      action: '/activate',
      target: undefined,
    })
  }

function mayGrant(platform: Platform, { applicationId, scopes }: StoredDeviceCode, userId: string): boolean {
  try {
    checkScopes(platform, applicationId, scopes, userId)
    return true
  } catch (failure) {
    if (failure instanceof OAuthError) return false
    throw failure
  }
}

/** The query in the page's proof. It differs from all authorization queries. */
const deviceQuery = (userCode: string): string => `device ${userCode}`

export const decideActivate =
  (platform: Platform, port: () => number): RouteHandler =>
  ({ request: { headers }, request }): SandboxReply => {
    checkOrigin(headers, port())
    const form = formBody(request)
    const device = pendingDevice(platform, /^device ([A-Z]+)$/.exec(provenQuery(platform, form) ?? '')?.[1] ?? '')
    if (device === undefined) return problemPage(400, 'The request is not valid', UNKNOWN)
    if (form.get('decision') !== 'allow') {
      answerDevice(platform, device, 'denied')
      return messagePage('Access denied', 'You can close this page. The device gets no access.')
    }
    const user = platform.store.users.get(form.get('user_id') ?? '')
    if (user === undefined) return problemPage(400, 'The request is not valid', 'Select one of the users.')
    if (!mayGrant(platform, device, user.id)) {
      answerDevice(platform, device, 'denied')
      return problemPage(
        400,
        'The request is not valid',
        'Only testers of the application may allow these scopes. The device gets no access.',
      )
    }
    answerDevice(platform, device, { userId: user.id })
    return messagePage('Your device is signed in', 'You can close this page and go back to the device.')
  }
