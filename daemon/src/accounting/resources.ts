/** Table of the resources that programs share: the limit of one program, the limit of all, and the effect of exceeding it. */
import { LIMITS } from '@sallyport/protocol'

export interface ResourceRow {
  readonly unit: 'items' | 'bytes' | 'per window'
  readonly ofProgram: number
  readonly ofAll: number
  /** Present: a charge is released after this time, and not before. */
  readonly windowMs?: number
  /** Effect of exceeding a limit: reading pauses, the connection closes with a CLOSE code, or the call fails with an ERRORS code. */
  readonly beyond: 'pause' | 'close' | 'refuse'
  readonly summary: string
}

const PAGES_WINDOW_MS = LIMITS.authorizePagesWindowMs.value
const REQUESTS_WINDOW_MS = LIMITS.invalidRequestsMs.value

export const RESOURCES = {
  connections: {
    unit: 'items',
    ofProgram: LIMITS.connectionsPerProgram.value,
    ofAll: LIMITS.connections.value,
    beyond: 'close',
    summary: 'Connections to the socket, and those of web pages.',
  },
  unfinishedFrames: {
    unit: 'bytes',
    ofProgram: LIMITS.unfinishedFrameBytesPerProgram.value,
    ofAll: LIMITS.unfinishedFrameBytes.value,
    beyond: 'pause',
    summary: 'Buffered bytes of unfinished frames.',
  },
  openCalls: {
    unit: 'items',
    ofProgram: LIMITS.pendingCallsPerProgram.value,
    ofAll: LIMITS.pendingCalls.value,
    beyond: 'pause',
    summary: 'Calls without a response yet.',
  },
  openCallBytes: {
    unit: 'bytes',
    ofProgram: LIMITS.pendingCallBytesPerProgram.value,
    ofAll: LIMITS.pendingCallBytes.value,
    beyond: 'pause',
    summary: 'Payloads of the calls without a response yet.',
  },
  pages: {
    unit: 'items',
    ofProgram: LIMITS.authorizePagesPerProgram.value,
    ofAll: LIMITS.authorizePages.value,
    beyond: 'refuse',
    summary: 'Open authorization pages of programs without a grant.',
  },
  pagesAsked: {
    unit: 'per window',
    ofProgram: LIMITS.authorizePagesOpenedPerProgram.value,
    ofAll: LIMITS.authorizePagesOpened.value,
    windowMs: PAGES_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Authorization pages opened for programs without a grant.',
  },
  deviceSignIns: {
    unit: 'items',
    ofProgram: LIMITS.deviceAuthorizationsPerProgram.value,
    ofAll: LIMITS.deviceAuthorizations.value,
    beyond: 'refuse',
    summary: 'Open sign-ins on other devices.',
  },
  wrongCallbacks: {
    unit: 'per window',
    ofProgram: LIMITS.authorizeCallbacksPerProgram.value,
    ofAll: LIMITS.authorizeCallbacksTotal.value,
    windowMs: LIMITS.authorizeCallbackWindowMs.value,
    beyond: 'refuse',
    summary: 'Callbacks that no sign-in expects.',
  },
  strangerRequests: {
    unit: 'per window',
    ofProgram: LIMITS.unauthenticatedFailuresPerProgram.value,
    ofAll: LIMITS.unauthenticatedFailures.value,
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Refused requests with a token or code that a program supplied.',
  },
  refusedRequests: {
    unit: 'per window',
    ofProgram: LIMITS.authenticatedFailuresPerProgram.value,
    ofAll: LIMITS.authenticatedFailures.value,
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Refused requests of signed-in programs.',
  },
  webConnections: {
    unit: 'items',
    ofProgram: LIMITS.webConnectionsPerOrigin.value,
    ofAll: LIMITS.webConnections.value,
    beyond: 'close',
    summary: 'Connections to the websocket transport, by origin.',
  },
  uploads: {
    unit: 'bytes',
    ofProgram: LIMITS.uploadsPerProgram.value,
    ofAll: LIMITS.uploads.value,
    beyond: 'refuse',
    summary: 'Files that are sent in chunks.',
  },
  questions: {
    unit: 'items',
    ofProgram: LIMITS.consentPromptsPerProgram.value,
    ofAll: LIMITS.consentPrompts.value,
    beyond: 'refuse',
    summary: 'Open consent prompts.',
  },
} as const satisfies Record<string, ResourceRow>

export type ResourceName = keyof typeof RESOURCES
