/** From an envelope to an answer: row, gate, validation, handler. Built once from the COMMANDS table. */
import { COMMANDS, type CommandRow, ENDPOINTS, type EndpointRow, type Parser, parserOf } from '@sallyport/protocol'
import { BridgeError } from '@sallyport/core/errors'
import { admit } from '../sessions/required-scopes.ts'
import type { Envelope } from '../ipc/connection/envelope.ts'
import type { Session } from '../sessions/session.ts'
import type { CallContext, HandlerMap, PendingCall, Services } from './context.ts'
import { OpenCall } from './rpc-call.ts'
import { validate } from './validate.ts'

export type AnyHandler = (args: unknown, context: CallContext, evt: unknown) => unknown

/** Handlers for the rows that have none of their own. */
export interface HandlerFamilies {
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
  readonly #services: Services

  constructor(services: Services, handlers: HandlerMap, families: HandlerFamilies) {
    this.#services = services
    for (const row of Object.values<CommandRow>(COMMANDS)) {
      this.#routes.set(row.name, { row, parse: parserOf(row.args), handle: handlerFor(row, handlers, families) })
    }
  }

  /** Answers now or later. Throws or rejects with BridgeError for everything a caller can cause. */
  route(caller: Session, envelope: Envelope): unknown {
    const route = this.#routes.get(envelope.cmd)
    if (route === undefined) throw new BridgeError('INVALID_COMMAND', `No command is named "${envelope.cmd}".`)
    const { row, parse, handle } = route
    admit(row.name, row.requires, caller.scopes)
    const args = validate(parse, envelope.args ?? NO_ARGS)
    return handle(args, new Context(caller, this.#services), envelope.evt)
  }
}

function handlerFor(row: CommandRow, handlers: HandlerMap, families: HandlerFamilies): AnyHandler {
  switch (row.answeredBy) {
    case 'bridge':
      return handlers[row.name as keyof HandlerMap] as AnyHandler
    case 'api':
      return families.api(ENDPOINTS[row.name as keyof typeof ENDPOINTS])
    case 'desktop-client':
    case 'embedded':
      return families.desktopClient(row)
  }
}

class Context implements CallContext {
  readonly caller: Session
  readonly services: Services

  constructor(caller: Session, services: Services) {
    this.caller = caller
    this.services = services
  }

  wait<T>(work: (call: PendingCall) => Promise<T>, deadlineMs = this.caller.deadlineMs): Promise<T> {
    return this.caller.hold(new OpenCall(this.services.clock, deadlineMs, this.caller)).run(work)
  }
}
