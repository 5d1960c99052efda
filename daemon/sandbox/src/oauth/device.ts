/** POST /oauth2/device/authorize, and the page /activate on which a person enters the code and answers. */
import { DEVICE_CODE_SECONDS, DEVICE_INTERVAL_SECONDS } from '../constants.ts'
import { type Answer, reply, type SandboxReply } from '../http/exchange.ts'
import { formBody } from '../http/form.ts'
import { checkOrigin } from '../http/host.ts'
import { activatePage } from '../pages/activate.ts'
import { consentPage } from '../pages/consent.ts'
import { messagePage, problemPage } from '../pages/layout.ts'
import { applicationOf, defaultUser, fullAccounts, type Platform } from '../platform.ts'
import { parseScopes } from './authorize-request.ts'
import { authenticateClient } from './client-auth.ts'
import { proofFields, provenQuery } from './consent-proof.ts'
import { answerDevice, awaitingDevice, openDevice, shownCode, typedCode } from './device-codes.ts'

export const requestDeviceCode =
  (platform: Platform, { autoConsent }: { readonly autoConsent: boolean }): Answer =>
  ({ request }) => {
    const form = formBody(request)
    const { applicationId } = authenticateClient(request, form)
    const answer = autoConsent ? { userId: defaultUser(platform).id } : null
    const { deviceCode, userCode } = openDevice(platform, applicationId, parseScopes(form.get('scope') ?? ''), answer)
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

const UNKNOWN = 'No device waits for this code: it is mistyped, too old, or answered already.'

/** Without a code, asks for one; with one, shows what is asked for. */
export const showActivate =
  (platform: Platform): Answer =>
  ({ request: { query } }) => {
    const typed = query.get('user_code')
    if (typed === null) return activatePage()
    const device = awaitingDevice(platform, typed)
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

/** What the proof of the page is about; no query of the other page has this form. */
const deviceQuery = (userCode: string): string => `device ${userCode}`

export const decideActivate =
  (platform: Platform, port: () => number): Answer =>
  ({ request: { headers }, request }): SandboxReply => {
    checkOrigin(headers, port())
    const form = formBody(request)
    const device = awaitingDevice(platform, /^device ([A-Z]+)$/.exec(provenQuery(platform, form) ?? '')?.[1] ?? '')
    if (device === undefined) return problemPage(400, 'This cannot be allowed', UNKNOWN)
    if (form.get('decision') !== 'allow') {
      answerDevice(platform, device, 'denied')
      return messagePage('Nothing was allowed', 'You can close this page; the device is told.')
    }
    const user = platform.store.users.get(form.get('user_id') ?? '')
    if (user === undefined) return problemPage(400, 'This cannot be allowed', 'Choose one of the users.')
    answerDevice(platform, device, { userId: user.id })
    return messagePage('Your device is signed in', 'You can close this page and go back to the device.')
  }
