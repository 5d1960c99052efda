/** Table of the resources that programs share: the limit of one program, the limit of all, and the effect of exceeding it. */
import { BUDGETS } from '@sallyport/core/budgets'
import { LIMITS } from '@sallyport/protocol'

export interface ResourceLimits {
  readonly ofProgram: number
  readonly ofAll: number
}

export interface ResourceRow extends ResourceLimits {
  readonly unit: 'items' | 'bytes' | 'per window'
  /** Lower limits of a program without a grant, and of all such programs. */
  readonly withoutGrant?: ResourceLimits
  /** Present: a charge is released after this time, and not before. */
  readonly windowMs?: number
  /** Effect of exceeding a limit: reading pauses, the connection closes with a CLOSE code, or the call fails with an ERRORS code. */
  readonly beyond: 'pause' | 'close' | 'refuse'
  readonly summary: string
}

const PAGES_WINDOW_MS = BUDGETS.authorizePagesWindowMs.value
const REQUESTS_WINDOW_MS = LIMITS.invalidRequestsMs.value

export const RESOURCES = {
  connections: {
    unit: 'items',
    ofProgram: BUDGETS.connectionsPerProgram.value,
    ofAll: BUDGETS.connections.value,
    withoutGrant: {
      ofProgram: BUDGETS.connectionsPerProgramWithoutGrant.value,
      ofAll: BUDGETS.connectionsWithoutGrant.value,
    },
    beyond: 'close',
    summary: 'Connections to the socket, and those of web pages.',
  },
  unfinishedFrameBytes: {
    unit: 'bytes',
    ofProgram: BUDGETS.unfinishedFrameBytesPerProgram.value,
    ofAll: BUDGETS.unfinishedFrameBytes.value,
    beyond: 'pause',
    summary: 'Buffered bytes of unfinished frames.',
  },
  pendingCalls: {
    unit: 'items',
    ofProgram: BUDGETS.pendingCallsPerProgram.value,
    ofAll: BUDGETS.pendingCalls.value,
    beyond: 'pause',
    summary: 'Calls without a response yet.',
  },
  pendingCallBytes: {
    unit: 'bytes',
    ofProgram: BUDGETS.pendingCallBytesPerProgram.value,
    ofAll: BUDGETS.pendingCallBytes.value,
    beyond: 'pause',
    summary: 'Payloads of the calls without a response yet.',
  },
  unsentBytes: {
    unit: 'bytes',
    ofProgram: BUDGETS.unsentBytesPerProgram.value,
    ofAll: BUDGETS.unsentBytes.value,
    withoutGrant: {
      ofProgram: BUDGETS.unsentBytesPerProgramWithoutGrant.value,
      ofAll: BUDGETS.unsentBytesWithoutGrant.value,
    },
    beyond: 'close',
    summary: 'Bytes that peers have not read.',
  },
  subscriptions: {
    unit: 'items',
    ofProgram: BUDGETS.subscriptionsPerProgram.value,
    ofAll: BUDGETS.subscriptions.value,
    withoutGrant: {
      ofProgram: BUDGETS.subscriptionsPerProgramWithoutGrant.value,
      ofAll: BUDGETS.subscriptionsWithoutGrant.value,
    },
    beyond: 'refuse',
    summary: 'Subscriptions to events.',
  },
  authorizePages: {
    unit: 'items',
    ofProgram: BUDGETS.authorizePagesPerProgram.value,
    ofAll: BUDGETS.authorizePages.value,
    beyond: 'refuse',
    summary: 'Open authorization pages of programs without a grant.',
  },
  authorizePagesOpened: {
    unit: 'per window',
    ofProgram: BUDGETS.authorizePagesOpenedPerProgram.value,
    ofAll: BUDGETS.authorizePagesOpened.value,
    windowMs: PAGES_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Authorization pages opened for programs without a grant.',
  },
  deviceAuthorizations: {
    unit: 'items',
    ofProgram: BUDGETS.deviceAuthorizationsPerProgram.value,
    ofAll: BUDGETS.deviceAuthorizations.value,
    beyond: 'refuse',
    summary: 'Open sign-ins on other devices.',
  },
  invalidCallbacks: {
    unit: 'per window',
    ofProgram: BUDGETS.invalidCallbacksPerProgram.value,
    ofAll: BUDGETS.invalidCallbacks.value,
    windowMs: BUDGETS.invalidCallbacksWindowMs.value,
    beyond: 'refuse',
    summary: 'Callbacks that no sign-in expects.',
  },
  unauthenticatedFailures: {
    unit: 'per window',
    ofProgram: BUDGETS.unauthenticatedFailuresPerProgram.value,
    ofAll: BUDGETS.unauthenticatedFailures.value,
    withoutGrant: {
      ofProgram: BUDGETS.unauthenticatedFailuresPerProgram.value,
      ofAll: BUDGETS.unauthenticatedFailuresWithoutGrant.value,
    },
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Refused requests with a token or code that a program supplied.',
  },
  authenticatedFailures: {
    unit: 'per window',
    ofProgram: BUDGETS.authenticatedFailuresPerProgram.value,
    ofAll: BUDGETS.authenticatedFailures.value,
    windowMs: REQUESTS_WINDOW_MS,
    beyond: 'refuse',
    summary: 'Refused requests of signed-in programs.',
  },
  webConnections: {
    unit: 'items',
    ofProgram: BUDGETS.webConnectionsPerOrigin.value,
    ofAll: BUDGETS.webConnections.value,
    beyond: 'close',
    summary: 'Connections to the websocket transport, by origin.',
  },
  uploads: {
    unit: 'bytes',
    ofProgram: BUDGETS.uploadsPerProgram.value,
    ofAll: BUDGETS.uploads.value,
    beyond: 'refuse',
    summary: 'Files that are sent in chunks.',
  },
  detachedCallBytes: {
    unit: 'bytes',
    ofProgram: BUDGETS.detachedCallBytesPerProgram.value,
    ofAll: BUDGETS.detachedCallBytes.value,
    beyond: 'refuse',
    summary: 'Arguments of sent calls with a key whose connections have ended.',
  },
  callKeys: {
    unit: 'items',
    ofProgram: LIMITS.callKeys.value,
    ofAll: BUDGETS.callKeys.value,
    beyond: 'refuse',
    summary: 'Calls with a key that are kept.',
  },
  callKeyBytes: {
    unit: 'bytes',
    ofProgram: LIMITS.callKeyBytes.value,
    ofAll: BUDGETS.callKeyBytes.value,
    beyond: 'refuse',
    summary: 'Results of calls with a key that are kept.',
  },
  consentPrompts: {
    unit: 'items',
    ofProgram: BUDGETS.consentPromptsPerProgram.value,
    ofAll: BUDGETS.consentPrompts.value,
    beyond: 'refuse',
    summary: 'Open consent prompts.',
  },
} as const satisfies Record<string, ResourceRow>

export type ResourceName = keyof typeof RESOURCES
