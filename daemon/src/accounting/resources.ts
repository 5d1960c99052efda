/** What is shared between programs, as a table: how much of it one program may have, how much all together, and what happens to the rest. */
import { LIMITS } from '@sallyport/protocol'

export interface ResourceRow {
  readonly unit: 'items' | 'bytes' | 'per window'
  readonly ofProgram: number
  readonly ofAll: number
  /** Present: what is charged is given back when this time is over, and not before. */
  readonly windowMs?: number
  /** What is done to what exceeds: it is read no further, closed with a CLOSE code, or refused with an ERRORS code. */
  readonly beyond: 'pause' | 'close' | 'refuse'
  readonly summary: string
}

const PAGES_WINDOW_MS = LIMITS.authorizePagesWindowMs.value
const REQUESTS_WINDOW_MS = LIMITS.invalidRequestsMs.value

export const RESOURCES = {
  connections: {
    unit: 'items',
    ofProgram: LIMITS.connectionsOfProgram.value,
    ofAll: LIMITS.connections.value,
    beyond: 'close',
    summary: 'Connections to the socket, and those of pages.',
  },
  unfinishedFrames: {
    unit: 'bytes',
    ofProgram: LIMITS.unfinishedFrameBytesOfProgram.value,
    ofAll: LIMITS.unfinishedFrameBytes.value,
    beyond: 'pause',
    summary: 'What is held of frames that have not come to their end.',
  },
  openCalls: {
    unit: 'items',
    ofProgram: LIMITS.callsInFlight.value,
    ofAll: LIMITS.openCalls.value,
    beyond: 'pause',
    summary: 'Calls that wait for an answer.',
  },
  openCallBytes: {
    unit: 'bytes',
    ofProgram: LIMITS.openCallBytesOfProgram.value,
    ofAll: LIMITS.openCallBytes.value,
    beyond: 'pause',
    summary: 'Payloads of the calls that wait for an answer.',
  },
  pages: {
    unit: 'items',
    ofProgram: LIMITS.authorizePagesOfProgram.value,
    ofAll: LIMITS.authorizePages.value,
    beyond: 'refuse',
    summary: 'Authorization pages that are open for programs to which nothing was granted.',
  },
  pagesAsked: {
    unit: 'per window',
    ofProgram: LIMITS.authorizePagesAskedOfProgram.value,
    ofAll: LIMITS.authorizePagesAsked.value,
    windowMs: PAGES_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Authorization pages that were opened for programs to which nothing was granted.',
  },
  deviceSignIns: {
    unit: 'items',
    ofProgram: LIMITS.deviceAuthorizationsOfProgram.value,
    ofAll: LIMITS.deviceAuthorizations.value,
    beyond: 'refuse',
    summary: 'Sign-ins on other devices that are open.',
  },
  wrongCallbacks: {
    unit: 'per window',
    ofProgram: LIMITS.authorizeCallbacks.value,
    ofAll: LIMITS.authorizeCallbacksOfAll.value,
    windowMs: LIMITS.authorizeCallbackWindowMs.value,
    beyond: 'refuse',
    summary: 'Callbacks that no sign-in awaits.',
  },
  strangerRequests: {
    unit: 'per window',
    ofProgram: LIMITS.strangerRequestsOfProgram.value,
    ofAll: LIMITS.strangerRequests.value,
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Requests with a token or code that a program brought, which the platform refused.',
  },
  refusedRequests: {
    unit: 'per window',
    ofProgram: LIMITS.refusedRequestsOfProgram.value,
    ofAll: LIMITS.refusedRequests.value,
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Requests of programs that are signed in, which the platform refused.',
  },
  webConnections: {
    unit: 'items',
    ofProgram: LIMITS.webConnectionsOfOrigin.value,
    ofAll: LIMITS.webConnections.value,
    beyond: 'close',
    summary: 'Connections to the websocket transport, by origin.',
  },
  questions: {
    unit: 'items',
    ofProgram: LIMITS.questionsOfProgram.value,
    ofAll: LIMITS.questions.value,
    beyond: 'refuse',
    summary: 'Questions to the user that are open.',
  },
} as const satisfies Record<string, ResourceRow>

export type ResourceName = keyof typeof RESOURCES
