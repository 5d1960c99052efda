/** The MESSAGES table: the members of every message after the handshake. A member that it does not have is ignored by both sides. */

export interface MemberRow {
  readonly type: string
  readonly summary: string
  /** Absent in some messages. */
  readonly isOptional?: true
  /** Without effect in this version: both sides accept and ignore it, so that later versions can use it. */
  readonly isReserved?: true
}

export const MESSAGES = {
  call: {
    cmd: { type: 'string', summary: 'Name of the command.' },
    nonce: { type: 'string', summary: 'Identifies the call; the response repeats it. A number is accepted too.' },
    args: { type: 'object', isOptional: true, summary: 'Arguments of the command.' },
    evt: { type: 'string', isOptional: true, summary: 'Event of SUBSCRIBE and UNSUBSCRIBE.' },
    key: {
      type: 'string',
      isOptional: true,
      summary:
        'Key of a call that takes effect once: 32 hexadecimal digits in lower case. Only after a READY with `call_keys`; without effect elsewhere.',
    },
  },
  response: {
    cmd: { type: 'string', summary: 'Command of the call.' },
    nonce: { type: 'string', summary: 'Nonce of the call.' },
    evt: { type: 'string or null', summary: '`ERROR` if the call failed, else null.' },
    data: { type: 'any', summary: 'Result of the command; of `ERROR`, the record ErrorData.' },
    warnings: {
      type: 'array of objects',
      isOptional: true,
      summary:
        'What the call did not do although it succeeded: `path` of the argument and `reason`. Only after a handshake with `contract`.',
    },
  },
  event: {
    cmd: { type: 'string', summary: '`DISPATCH`.' },
    nonce: { type: 'null', summary: 'An event answers no call.' },
    evt: { type: 'string', summary: 'Name of the event.' },
    data: { type: 'any', summary: 'Data of the event.' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, MemberRow>>>>
