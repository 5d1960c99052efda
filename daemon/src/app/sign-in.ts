/** How users are asked: consent prompts, and the platform's authorization page. */
import type { Clock } from '@sallyport/core/clock'
import type { Confirm } from '@sallyport/core/confirm'
import type { Logger } from '@sallyport/core/logger'
import type { DataHealth } from '@sallyport/core/storage/data-health'
import type { PlatformProfile } from '@sallyport/core/profile'
import type { Accounting } from '../accounting/accounting.ts'
import { pageCharges } from '../accounting/pages.ts'
import { AuthorizationPages } from '../operator/authorization-pages.ts'
import type { Authorizer, PageRequester } from '../auth/auth.ts'
import { consentOf } from '../auth/consent/consent.ts'
import { type Consent, ConsentPrompts } from '../auth/consent/consent-prompts.ts'
import type { Grants } from '../auth/grants/grants.ts'
import { promptDisplays } from '../auth/consent/prompt-displays.ts'
import { createPromptLimits } from '../auth/consent/prompt-limits.ts'
import { requesterLines } from '../auth/consent/prompt-text.ts'
import { promptId } from '../auth/consent/prompt-id.ts'
import { createAuthorizer } from '../auth/oauth/authorizer.ts'
import { CallbackRegistry } from '../auth/oauth/callback-registry.ts'
import { consentMode } from '../config/consent.ts'
import type { Settings } from '../config/load.ts'
import type { TcpPeers } from '../loopback/tcp-peer.ts'
import type { OpenedApi } from './api.ts'
import { pageOpener } from './platform.ts'

interface SignInParts {
  readonly settings: Pick<Settings, 'consent' | 'dashboardPort'>
  readonly profile: PlatformProfile
  readonly clock: Clock
  readonly log: Logger
  readonly accounting: Accounting
  readonly grants: Grants
  readonly api: Pick<OpenedApi, 'nonces' | 'send'>
  readonly health: Pick<DataHealth, 'problemOf'>
  readonly peers: TcpPeers
  readonly announce: (text: string) => void
  readonly confirm?: Confirm
}

export interface OpenedSignIn {
  readonly consent: Consent
  /** What the dashboard shows and answers. */
  readonly prompts: ConsentPrompts
  readonly pages: AuthorizationPages
  readonly authorizer: Authorizer
}

export function openSignIn({
  settings,
  profile,
  clock,
  log,
  accounting,
  grants,
  api,
  health,
  peers,
  announce,
  ...terminal
}: SignInParts): OpenedSignIn {
  const isListShown = settings.dashboardPort !== 'off'
  const prompts = new ConsentPrompts({
    clock,
    log: log.child({ part: 'grants' }),
    newId: promptId,
    note: () => health.problemOf('grants.sqlite')?.message,
    limits: createPromptLimits({
      clock,
      isKnown: (program) => grants.has(program),
      charge: (program) => accounting.charge('consentPrompts', program),
    }),
    displays: promptDisplays({ announce, ...terminal }, isListShown),
    isListShown,
  })
  const callbacks = new CallbackRegistry(accounting.window('invalidCallbacks'))
  const pages = new AuthorizationPages()
  const linesOf = (requester: PageRequester) =>
    requesterLines({ ...requester, applicationName: grants.applicationName(requester.applicationId) })
  const opener = pageOpener(settings, api.send, (url) => callbacks.deliver(url, 'bridge'), announce, linesOf)
  const isPrompting = settings.consent === 'prompt'
  const authorizer = createAuthorizer({
    profile,
    opener: isPrompting ? pages.track(opener, { linesOf, now: () => clock.now() }) : opener,
    callbacks,
    nonces: api.nonces,
    clock,
    peers,
    // Only pages that a user sees are limited.
    chargePage: isPrompting
      ? pageCharges({ accounting, isGranted: (program, applicationId) => grants.has(program, applicationId) })
      : () => () => {},
  })
  return { consent: consentOf(consentMode(settings.consent), prompts), prompts, pages, authorizer }
}
