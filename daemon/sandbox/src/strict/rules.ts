/** The rules of the strict sandbox: what the platform refuses, but the relaxed sandbox lets pass. Each has one row. */
import { OAuthError } from '../platform-error.ts'

interface StrictRule {
  /** What the game did, as a sentence without its end: the details follow. */
  readonly did: string
  /** The platform's own answer, as a developer meets it. */
  readonly answer: string
  /** Where the rule is from: what the platform publishes, or an assumption of ours. */
  readonly source: string
  /** What a developer does about it. */
  readonly remedy: string
  /** The error of the strict sandbox. Without one, the rule has another effect. */
  readonly error?: (detail: string) => Error
}

export const STRICT_RULES = {
  'scope-approval': {
    did: 'The game requested a scope that the platform must approve',
    answer: 'invalid_scope',
    source: 'published: the platform lists the scopes that it must approve',
    remedy:
      'Ask the platform for the scope. To try it before: POST /sandbox/applications with approved_scopes, or the user as one of testers.',
    error: (scope) => new OAuthError('invalid_scope', `The application may not request the scope ${scope}.`),
  },
  'redirect-registration': {
    did: 'The game signed in with a redirect that the application has not registered',
    answer: 'Invalid OAuth2 redirect_uri',
    source: 'published: a redirect must be registered',
    remedy: 'Register it in the developer portal; here: POST /sandbox/applications with redirect_uris.',
  },
  'message-content': {
    did: 'The bot read messages of others without the privileged intent MESSAGE_CONTENT',
    answer: 'close code 4014; 50001 for a search; messages without content',
    source: 'published: a developer must turn on a privileged intent',
    remedy: 'Turn the intent on: PATCH /applications/@me with flags 524288; or POST /sandbox/applications with approved_intents.',
  },
  'rate-limit-global': {
    did: 'The game sent more requests than one caller may',
    answer: '429, global',
    source: 'published: 50 requests in a second',
    remedy: 'Send fewer requests, and wait as long as Retry-After says.',
  },
  'rate-limit-bucket': {
    did: 'The game sent more requests of one kind than fit into their bucket',
    answer: '429',
    source: 'assumed: the platform sends its limits in headers, and publishes none of them',
    remedy: 'Read X-RateLimit-Remaining and X-RateLimit-Reset-After, and wait as long as Retry-After says.',
  },
  'rate-limit-approval': {
    did: 'The game called an operation more often than an application may before its approval',
    answer: '429',
    source: 'published: 100 calls of an operation in two hours, 20 for links of channels',
    remedy: 'Call it less often, or ask the platform for approval; here: POST /sandbox/applications with approved.',
  },
  'identify-pace': {
    did: 'The bot identified twice within 5 seconds',
    answer: 'opcode 9, Invalid Session',
    source: 'published: one Identify in 5 seconds for each place in max_concurrency',
    remedy: 'Wait 5 seconds between two Identifies of one bot.',
  },
  'external-app': {
    did: 'An application that only the user installed responded in a guild where the user may not use external apps',
    answer: 'the message is ephemeral (flag 64)',
    source: 'published: without USE_EXTERNAL_APPS, responses of such applications are ephemeral',
    remedy: 'Expect an ephemeral message, or ask for an installation in the guild.',
  },
} as const satisfies Readonly<Record<string, StrictRule>>

export type StrictRuleName = keyof typeof STRICT_RULES
/** The rules that refuse with an error of their own. */
export type RefusingRule = {
  [Name in StrictRuleName]: (typeof STRICT_RULES)[Name] extends { error: unknown } ? Name : never
}[StrictRuleName]

/** The scopes that the platform must approve (published). Until then, only testers of the application can grant them. */
export const APPROVED_SCOPES = ['applications.builds.upload', 'gdm.join', 'guilds.join', 'messages.read', 'rpc', 'rpc.voice.write'] as const
export type ApprovedScope = (typeof APPROVED_SCOPES)[number]

export const isApprovedScope = (scope: string): scope is ApprovedScope => APPROVED_SCOPES.some((one) => one === scope)
