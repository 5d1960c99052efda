/** Supported voice connections by day: gateway versions, encryption modes, end-to-end encryption. */
import { isInEffect, VERSIONS } from './versions.ts'

/** Encryption modes by wire name; undocumented modes ended on the day of `voice-modes-discontinued`. */
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

/** Gateway versions of voice. Version 8 numbers its messages, so a resume receives missed messages. */
const VOICE_GATEWAY = { oldest: 4, newest: 8, bufferedResume: 8 } as const

const isMode = (mode: string): mode is VoiceMode => Object.hasOwn(VOICE_MODES, mode)

export interface VoiceConnection {
  /** Gateway version that the game passes. */
  readonly gatewayVersion?: number | undefined
  readonly mode?: string | undefined
  /** Whether the call is end-to-end encrypted. */
  readonly endToEndEncrypted?: boolean | undefined
}

/** Why a connection is rejected: the field, and a sentence with the fix. */
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
  if (!isMode(mode)) return { path: 'mode', message: `Unknown voice encryption mode "${mode}"; use ${usable}.` }
  if (VOICE_MODES[mode].documented || !isInEffect('voice-modes-discontinued', now)) return undefined
  const { date } = VERSIONS['voice-modes-discontinued']
  return { path: 'mode', message: `The encryption mode ${mode} ended on ${date}; use ${usable}.` }
}

function versionProblem(version: number | undefined, now: number): VoiceProblem | undefined {
  if (!isInEffect('voice-modes-discontinued', now)) return undefined
  const { date } = VERSIONS['voice-modes-discontinued']
  if (version === undefined) {
    return { path: 'gateway_version', message: `The voice gateway version is required since ${date}; use ${VOICE_GATEWAY.newest}.` }
  }
  if (version >= VOICE_GATEWAY.oldest) return undefined
  const message = `Voice gateway versions below ${VOICE_GATEWAY.oldest} ended on ${date}; use ${VOICE_GATEWAY.newest}.`
  return { path: 'gateway_version', message }
}

function encryptionProblem(isEncrypted: boolean | undefined, now: number): VoiceProblem | undefined {
  if (isEncrypted !== false || !isInEffect('calls-end-to-end-encrypted', now)) return undefined
  const { date } = VERSIONS['calls-end-to-end-encrypted']
  const message = `Since ${date} every call is end-to-end encrypted: direct and group messages, voice channels and streams.`
  return { path: 'end_to_end_encrypted', message }
}

/** Returns the problems of a voice connection at `now` (ms since the epoch), in the order of the fields; empty if it is supported. */
export const voiceProblems = ({ gatewayVersion, mode, endToEndEncrypted }: VoiceConnection, now: number): VoiceProblem[] =>
  [versionProblem(gatewayVersion, now), modeProblem(mode, now), encryptionProblem(endToEndEncrypted, now)].filter(
    (problem) => problem !== undefined,
  )

/** Whether a resume receives missed messages. */
export const hasBufferedResume = (gatewayVersion: number | undefined): boolean => (gatewayVersion ?? 0) >= VOICE_GATEWAY.bufferedResume
