/** What a voice connection may be made with on a day: gateway versions, encryption modes, end-to-end encryption. */
import { holdsOn, VERSIONS } from './versions.ts'

/** Encryption modes by the word on the wire; those that are not documented any more ended on the day of `voice-modes-discontinued`. */
export const VOICE_MODES = {
  aead_aes256_gcm_rtpsize: { documented: true },
  aead_xchacha20_poly1305_rtpsize: { documented: true },
  aead_aes256_gcm: { documented: false },
  xsalsa20_poly1305: { documented: false },
  xsalsa20_poly1305_suffix: { documented: false },
  xsalsa20_poly1305_lite: { documented: false },
  xsalsa20_poly1305_lite_rtpsize: { documented: false },
} as const satisfies Readonly<Record<string, { readonly documented: boolean }>>

export type VoiceMode = keyof typeof VOICE_MODES

/** Gateway versions of voice. Version 8 numbers its messages, so that a resume gets those that were missed. */
const VOICE_GATEWAY = { oldest: 4, newest: 8, bufferedResume: 8 } as const

const isMode = (mode: string): mode is VoiceMode => Object.hasOwn(VOICE_MODES, mode)

export interface VoiceConnection {
  /** Gateway version, as the game would pass it. */
  readonly gatewayVersion?: number | undefined
  readonly mode?: string | undefined
  /** Whether the call is end-to-end encrypted. */
  readonly endToEndEncrypted?: boolean | undefined
}

/** Why a connection is refused: the field, and what to do. */
export interface VoiceProblem {
  readonly path: 'gateway_version' | 'mode' | 'end_to_end_encrypted'
  readonly message: string
}

const usable = Object.entries(VOICE_MODES)
  .filter(([, { documented }]) => documented)
  .map(([mode]) => mode)
  .join(' or ')

function modeProblem(mode: string | undefined, now: number): VoiceProblem | undefined {
  if (mode === undefined) return undefined
  if (!isMode(mode)) return { path: 'mode', message: `"${mode}" is no encryption mode of voice; use ${usable}.` }
  if (VOICE_MODES[mode].documented || !holdsOn('voice-modes-discontinued', now)) return undefined
  const { date } = VERSIONS['voice-modes-discontinued']
  return { path: 'mode', message: `The encryption mode ${mode} ended on ${date}; use ${usable}.` }
}

function versionProblem(version: number | undefined, now: number): VoiceProblem | undefined {
  if (!holdsOn('voice-modes-discontinued', now)) return undefined
  const { date } = VERSIONS['voice-modes-discontinued']
  if (version === undefined) {
    return { path: 'gateway_version', message: `Since ${date} a version of the voice gateway must be named; use ${VOICE_GATEWAY.newest}.` }
  }
  if (version >= VOICE_GATEWAY.oldest) return undefined
  const message = `Versions of the voice gateway below ${VOICE_GATEWAY.oldest} ended on ${date}; use ${VOICE_GATEWAY.newest}.`
  return { path: 'gateway_version', message }
}

function encryptionProblem(isEncrypted: boolean | undefined, now: number): VoiceProblem | undefined {
  if (isEncrypted !== false || !holdsOn('calls-end-to-end-encrypted', now)) return undefined
  const { date } = VERSIONS['calls-end-to-end-encrypted']
  const message = `Since ${date} every call is end-to-end encrypted: direct and group messages, voice channels and streams.`
  return { path: 'end_to_end_encrypted', message }
}

/** What is wrong with a voice connection on a day (ms since the epoch), the first thing first; empty when it may be made. */
export const voiceProblems = ({ gatewayVersion, mode, endToEndEncrypted }: VoiceConnection, now: number): VoiceProblem[] =>
  [versionProblem(gatewayVersion, now), modeProblem(mode, now), encryptionProblem(endToEndEncrypted, now)].filter(
    (problem) => problem !== undefined,
  )

/** Whether a resume gets the messages that were missed. */
export const hasBufferedResume = (gatewayVersion: number | undefined): boolean => (gatewayVersion ?? 0) >= VOICE_GATEWAY.bufferedResume
