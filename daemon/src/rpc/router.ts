/** Routes an envelope to its handler: table row, scopes, validation, handler. Built once from the COMMANDS table. */
import { commandArgsParser, COMMANDS, type CommandRow, ENDPOINTS, type EndpointRow, type Parser } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import { requireScopes } from '../sessions/required-scopes.ts'
import type { Envelope } from '../ipc/connection/envelope.ts'
import type { Session } from '../sessions/session.ts'
import { type CallDeadline, TimedCall } from '../sessions/timed-call.ts'
import type { AnyHandler, CallContext, HandlerMap } from './context.ts'
import { validate } from './validate.ts'

/** Handlers for the rows without a handler in HandlerMap. */
export interface DefaultHandlers {
  readonly api: (row: EndpointRow) => AnyHandler
  readonly desktopClient: (row: CommandRow) => AnyHandler
}

interface Route {
  readonly row: CommandRow
  readonly parse: Parser<CommandRow['args']>
  readonly handle: AnyHandler
}

const NO_ARGS = {}

export class Router {
  readonly #routes = new Map<string, Route>()
  readonly #clock: Clock

  constructor(clock: Clock, handlers: HandlerMap, defaults: DefaultHandlers) {
    this.#clock = clock
    for (const row of Object.values<CommandRow>(COMMANDS)) {
      this.#routes.set(row.name, { row, parse: commandArgsParser(row), handle: handlerFor(row, handlers, defaults) })
    }
  }

  /** Returns the result or a promise. Throws or rejects with BridgeError for every failure that a game can cause. */
  route(session: Session, envelope: Envelope): unknown {
    const route = this.#routes.get(envelope.cmd)
    if (route === undefined) throw new BridgeError('INVALID_COMMAND', `No command is named "${envelope.cmd}".`)
    const { row, parse, handle } = route
    requireScopes(row.name, row.requires, session)
    const args = validate(parse, envelope.args ?? NO_ARGS)
    return handle(args, new Context(session, envelope.evt, this.#clock))
  }
}

function handlerFor(row: CommandRow, handlers: HandlerMap, defaults: DefaultHandlers): AnyHandler {
  switch (row.handledBy) {
    case 'bridge':
      return handlers[row.name as keyof HandlerMap] as AnyHandler
    case 'api':
      return defaults.api(ENDPOINTS[row.name as keyof typeof ENDPOINTS])
    case 'desktop-client':
    case 'embedded':
      return defaults.desktopClient(row)
  }
}

class Context implements CallContext {
  readonly session: Session
  readonly evt: unknown
  readonly #clock: Clock

  constructor(session: Session, evt: unknown, clock: Clock) {
    this.session = session
    this.evt = evt
    this.#clock = clock
  }

  withDeadline<T>(work: (call: CallDeadline) => Promise<T>, deadlineMs = this.session.deadlineMs): Promise<T> {
    return this.session.track(new TimedCall(this.#clock, deadlineMs, this.session)).run(work)
  }
}
