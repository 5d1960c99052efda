/** Routes an envelope to its handler: table row, scopes, validation, handler. Built once from the COMMANDS table. */
import { commandArgsParser, COMMANDS, type CommandRow, ENDPOINTS, type EndpointRow, type Parser, responseParser } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { TurnQueue } from '@sallyport/core/turn-queue'
import { type CallSteps, type CurrentCall, callOfRunningCode } from '@sallyport/core/current-call'
import { blockedProgram } from '../auth/grants/blocked.ts'
import { checkScopes } from '../sessions/required-scopes.ts'
import { callIdOf, type Envelope } from '../ipc/connection/envelope.ts'
import { addWarnings } from '../ipc/connection/with-warnings.ts'
import type { Session } from '../sessions/session.ts'
import { type CallDeadline, TimedCall } from '../sessions/timed-call.ts'
import { assertKey, withUnusedKey } from './call-key.ts'
import { CallOrder } from './call-order.ts'
import type { AnyHandler, CallContext, HandlerMap } from './context.ts'
import { parseTolerantly } from './unknown-arguments.ts'
import { validArgs } from './validate.ts'

/** Handlers for the rows without a handler in HandlerMap. */
export interface DefaultHandlers {
  readonly api: (row: EndpointRow) => AnyHandler
  readonly desktopClient: (row: CommandRow) => AnyHandler
}

interface RouterOptions {
  /** Whether forwarded rows refuse arguments that no table knows, instead of passing them to the platform. */
  readonly strictArguments: boolean
}

type ParsedArgs = ReturnType<Route['parse']>

interface Route {
  readonly row: CommandRow
  readonly parse: Parser<CommandRow['args']>
  /** Of rows whose handler checks a response of the platform against the row. */
  readonly response: Parser<EndpointRow['response']> | undefined
  readonly handle: AnyHandler
}

const NO_ARGS = {}

export class Router {
  readonly #routes = new Map<string, Route>()
  readonly #clock: Clock
  readonly #turns: TurnQueue
  readonly #order = new CallOrder()
  readonly #isStrict: boolean

  /** `turns`: schemas are made there, so that the first call of a command keeps no other game from its answer. */
  constructor(clock: Clock, handlers: HandlerMap, defaults: DefaultHandlers, turns: TurnQueue, { strictArguments }: RouterOptions) {
    this.#clock = clock
    this.#isStrict = strictArguments
    this.#turns = turns
    for (const row of Object.values<CommandRow>(COMMANDS)) {
      const response = row.handledBy === 'api' ? responseParser(endpointOf(row)) : undefined
      this.#routes.set(row.name, { row, parse: commandArgsParser(row), response, handle: handlerFor(row, handlers, defaults) })
    }
  }

  /** Returns the result or a promise. Throws or rejects with BridgeError for every failure that a game can cause. */
  route(session: Session, envelope: Envelope): unknown {
    if (this.#order.isWaiting(session)) return this.#hold(session, envelope)
    const route = this.#routeOf(session, envelope)
    const given = envelope.args ?? NO_ARGS
    const parsed = route.response?.isMade === false ? undefined : route.parse.ifMade(given)
    if (parsed === undefined) {
      const making = this.#make(route, given)
      if (making !== undefined) return this.#hold(session, envelope, making)
    }
    return this.#start(session, envelope, route, given, parsed ?? route.parse(given))
  }

  #start(session: Session, envelope: Envelope, route: Route, given: unknown, parsed: ParsedArgs): unknown {
    const context = new Context(session, envelope, route.row, this.#clock)
    const before = callOfRunningCode.enter(context)
    try {
      return this.#handle(context, route, given, parsed)
    } finally {
      callOfRunningCode.leave(before)
    }
  }

  #handle(context: Context, route: Route, given: unknown, parsed: ParsedArgs): unknown {
    const { givenKey } = context
    if (givenKey === undefined) return this.#run(context, route, given, parsed)
    assertKey(givenKey)
    const result = this.#run(context, route, given, parsed)
    return context.key === undefined ? withUnusedKey(result) : result
  }

  #run(context: Context, route: Route, given: unknown, parsed: ParsedArgs): unknown {
    if (parsed.success) return route.handle(parsed.data, context)
    if (this.#isStrict || route.row.handledBy !== 'api') return validArgs(parsed, given, route.row.args)
    const tolerant = parseTolerantly(route.parse, given, parsed)
    if ('error' in tolerant) return validArgs(tolerant, given, route.row.args)
    return addWarnings(route.handle(tolerant.args, context), tolerant.warnings)
  }

  #routeOf(session: Session, { cmd, steps }: Envelope): Route {
    const route = this.#routes.get(cmd)
    if (route === undefined) throw new BridgeError('INVALID_COMMAND', `No command is named "${cmd}".`)
    steps?.scopesChecked(route.row.requires, session.scopes)
    checkScopes(route.row.name, route.row.requires, session)
    return route
  }

  /** Makes the schemas that the call needs. Undefined: they are made. */
  #make({ parse, response }: Route, given: unknown): Promise<void> | undefined {
    return this.#turns.run(
      (mayGoOn) => parse.makeParts(given, mayGoOn) && (response === undefined || response.isMade || response.makeParts(undefined, mayGoOn)),
    )
  }

  /** The session may have changed when its call starts, so everything is checked then. */
  #hold(session: Session, envelope: Envelope, making?: Promise<void>): Promise<unknown> {
    const ready = (): Promise<void> | undefined => {
      if (making !== undefined) return making
      const route = this.#routes.get(envelope.cmd)
      return route === undefined ? undefined : this.#make(route, envelope.args ?? NO_ARGS)
    }
    return this.#order.hold(session, ready, () => {
      if (!session.connection.isOpen) throw new BridgeError('TRANSACTION_ABORTED', 'The connection ended before the response.')
      if (session.isBlocked) throw blockedProgram()
      const route = this.#routeOf(session, envelope)
      const given = envelope.args ?? NO_ARGS
      return this.#start(session, envelope, route, given, route.parse(given))
    })
  }
}

const endpointOf = ({ name }: CommandRow): EndpointRow => ENDPOINTS[name as keyof typeof ENDPOINTS]

function handlerFor(row: CommandRow, handlers: HandlerMap, defaults: DefaultHandlers): AnyHandler {
  switch (row.handledBy) {
    case 'bridge':
      return handlers[row.name as keyof HandlerMap] as AnyHandler
    case 'api':
      return defaults.api(endpointOf(row))
    case 'desktop-client':
    case 'embedded':
      return defaults.desktopClient(row)
  }
}

class Context implements CallContext, CurrentCall {
  readonly session: Session
  readonly #envelope: Envelope
  readonly #row: CommandRow
  readonly #clock: Clock

  constructor(session: Session, envelope: Envelope, row: CommandRow, clock: Clock) {
    this.session = session
    this.#envelope = envelope
    this.#row = row
    this.#clock = clock
  }

  get evt(): unknown {
    return this.#envelope.evt
  }

  get given(): unknown {
    return this.#envelope.args ?? NO_ARGS
  }

  get key(): string | undefined {
    return this.#row.keyed === true ? this.givenKey : undefined
  }

  /** Only a game that named a contract can give one. */
  get givenKey(): string | undefined {
    return this.session.contract === undefined ? undefined : this.#envelope.key
  }

  get id(): string {
    return callIdOf(this.session.connection.id, this.#envelope.sequence)
  }

  get steps(): CallSteps | undefined {
    return this.#envelope.steps
  }

  withDeadline<T>(work: (call: CallDeadline) => Promise<T>, deadlineMs = this.session.deadlineMs): Promise<T> {
    // The desktop client answers without a request to the platform.
    const isNamed = this.#row.handledBy !== 'desktop-client' || this.steps !== undefined
    return this.session.track(new TimedCall(this.#clock, deadlineMs, this.session, isNamed ? this : undefined)).run(work)
  }
}
