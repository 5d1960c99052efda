/** The warnings in the bridge's state: what is wrong or will be, and what the user can do. Pure. */
import type { BridgeState } from '@sallyport/protocol'
import { escapeInvisible } from '@sallyport/core/display-text'
import type { SignalSource } from '@sallyport/core/signal'
import type { DataProblem } from '@sallyport/core/storage/data-health'
import type { Warning } from '../platform/api/warnings.ts'

/** What the platform would have refused, as the relaxed sandbox saw it. */
export interface SandboxFindings {
  current(): readonly {
    readonly applicationId: string
    readonly rule: string
    readonly count: number
    readonly message: string
    readonly remedy: string
  }[]
  readonly changed: SignalSource<void>
}

type StateWarning = BridgeState['warnings'][number]
type Provider = BridgeState['providers'][number]

const ADVICE: Readonly<Record<Warning['kind'], string>> = {
  development_limit: 'Ask the platform to approve the application, or wait until the time is over.',
  invalid_requests: 'Stop the games whose calls fail, and sign in again; the log names the calls.',
}

/** By the name of the provider. */
const PROVIDER_ADVICE: Readonly<Record<string, string>> = {
  gateway: 'Store a valid bot token with: sallyport login --bot. Then check the network with: sallyport doctor',
}
const NETWORK_ADVICE = 'Check the network and the clock with: sallyport doctor'

const ofPlatform = ({ kind, message, applicationId, endsAt }: Warning): StateWarning => ({
  kind,
  message,
  advice: ADVICE[kind],
  ...(applicationId === undefined ? {} : { application_id: applicationId }),
  ends_at: endsAt,
})

const ofProvider = ({ name, reason }: Provider): StateWarning => ({
  kind: 'provider_failing',
  message: `The provider ${name} does not work now${reason === undefined ? '.' : `: ${reason}`}`,
  advice: PROVIDER_ADVICE[name] ?? NETWORK_ADVICE,
})

export const platformWarnings = (warnings: readonly Warning[]): StateWarning[] => warnings.map(ofPlatform)

/** Each data file that the bridge could not use. */
export const dataWarnings = (problems: readonly DataProblem[]): StateWarning[] =>
  problems.map(({ message, advice }) => ({ kind: 'data_file', message: escapeInvisible(message), advice }))

/** A failing provider is a warning while it fails. */
export const providerWarnings = (providers: readonly Provider[]): StateWarning[] =>
  providers.filter(({ state }) => state === 'failing').map(ofProvider)

/** Each rule of the platform that a game broke in the relaxed sandbox. */
export const findingWarnings = (findings: ReturnType<SandboxFindings['current']>): StateWarning[] =>
  findings.map(({ applicationId, message, remedy }) => ({
    kind: 'sandbox_finding',
    message: escapeInvisible(message),
    advice: remedy,
    application_id: applicationId,
  }))
