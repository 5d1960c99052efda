/** A gateway connection that reconnects automatically. It runs the effects of the state machine on one socket and two timers. */
import { BUDGETS } from '@sallyport/core/budgets'
import { ERRORS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { Quiet } from '@sallyport/core/quiet'
import type { Slice, TurnQueue } from '@sallyport/core/turn-queue'
import type { GatewayConnection, GatewayConnectionOptions, GatewayState } from './gateway.ts'
import type { IdentifyThrottle } from './identify-throttle.ts'
import { type GatewayEffect, type GatewayInput, type GatewayMachine, type GatewayTimer, STOPPED, publicState } from './machine.ts'
import { parseLargePayload } from './large-payload.ts'
import { GatewayOutbox } from './outbox.ts'
import {
  type GatewayPayload,
  heartbeatText,
  identifyText,
  isTooLarge,
  parsePayload,
  payloadText,
  resumeText,
  withQuery,
} from './payload.ts'
import type { DialGateway, GatewaySocket } from './socket.ts'
import { step } from './step.ts'

export interface GatewayConnectionDeps {
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1. */
  readonly random: () => number
  /** Shared by all connections of one identity; outlives them. */
  readonly identifyThrottle: IdentifyThrottle
  readonly dial: DialGateway
  /** Parses large messages. */
  readonly turns: TurnQueue
  /** Memory is released when it is quiet: a large message leaves its bytes, and garbage of as many again. */
  readonly quiet: Pick<Quiet, 'start'>
}

export const createGatewayConnection = (options: GatewayConnectionOptions, deps: GatewayConnectionDeps): GatewayConnection =>
  new MachineConnection(options, deps)

interface OpenSocket {
  readonly socket: GatewaySocket
  readonly outbox: GatewayOutbox
}

class MachineConnection implements GatewayConnection {
  ignored = 0
  readonly #options: GatewayConnectionOptions
  readonly #deps: GatewayConnectionDeps
  readonly #cancel: Record<GatewayTimer, () => void> = { heartbeat: () => {}, phase: () => {} }
  readonly #inputs: GatewayInput[] = []
  #machine: GatewayMachine = STOPPED
  #open: OpenSocket | undefined
  #isWorking = false
  #onStopped: (() => void)[] = []

  constructor(options: GatewayConnectionOptions, deps: GatewayConnectionDeps) {
    this.#options = options
    this.#deps = deps
  }

  get state(): GatewayState {
    return publicState(this.#machine)
  }

  start(): void {
    this.#handle({ kind: 'start' })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#onStopped.push(resolve)
      this.#handle({ kind: 'stop' })
    })
  }

  async send(op: number, d: unknown): Promise<void> {
    const text = payloadText(op, d)
    if (isTooLarge(text)) {
      const { value } = BUDGETS.gatewayPayloadBytes
      throw new BridgeError('INVALID_PAYLOAD', `The payload exceeds the gateway's limit of ${value} bytes; send less.`)
    }
    this.#handle({ kind: 'send-requested' })
    const { name, reason = 'The gateway connection is not live; retry when it is.' } = this.state
    if (name !== 'live' || this.#open === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', reason)
    return this.#open.outbox.send(op, text)
  }

  /** Queues inputs that arrive while effects run, and handles them afterwards. */
  #handle(input: GatewayInput): void {
    this.#inputs.push(input)
    if (this.#isWorking) return
    this.#isWorking = true
    try {
      for (let next = this.#inputs.shift(); next !== undefined; next = this.#inputs.shift()) this.#step(next)
    } finally {
      this.#isWorking = false
    }
  }

  #step(input: GatewayInput): void {
    const { clock, random, identifyThrottle } = this.#deps
    const now = clock.now()
    const before = this.state
    const [machine, effects] = step(this.#machine, input, { now, jitter: random(), msUntilIdentify: identifyThrottle.msUntilAllowed(now) })
    this.#machine = machine
    for (const effect of effects) this.#guard(() => this.#run(effect))
    if (machine.phase !== 'closing') for (const notify of this.#onStopped.splice(0)) notify()
    if (machine.phase !== 'stopped' && machine.after !== 'stop') this.#publishState(before)
  }

  #publishState(before: GatewayState): void {
    const { state } = this
    if (state.name === before.name && state.reason === before.reason) return
    this.#deps.log.info('gateway-state', { ...state })
    this.#guard(() => this.#options.onState(state))
  }

  /** An exception in a listener must not break the connection. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (err) {
      this.#deps.log.error('gateway-connection-failed', { err })
    }
  }

  #run(effect: GatewayEffect): void {
    const { clock, log, identifyThrottle } = this.#deps
    switch (effect.do) {
      case 'resolve':
        void this.#resolve(effect.attempt, effect.needsUrl)
        break
      case 'dial':
        this.#dial(effect.url)
        break
      case 'identify': {
        const { intents, capabilities, presence } = this.#options
        identifyThrottle.record(clock.now())
        this.#open?.outbox.sendNow(identifyText({ token: effect.token.reveal(), intents, capabilities, presence: presence() }))
        break
      }
      case 'resume':
        this.#open?.outbox.sendNow(resumeText(effect.token.reveal(), effect.session, effect.seq))
        break
      case 'heartbeat':
        if (!effect.isRequested || this.#open?.outbox.hasRoom === true) this.#open?.outbox.sendNow(heartbeatText(effect.seq))
        break
      case 'close':
        this.#open?.outbox.close()
        this.#open?.socket.close(effect.code)
        break
      case 'destroy':
        this.#open?.socket.destroy()
        break
      case 'set-timer':
        this.#cancel[effect.timer]()
        this.#cancel[effect.timer] = clock.after(effect.ms, () => this.#handle({ kind: `${effect.timer}-due` }))
        break
      case 'clear-timer':
        this.#cancel[effect.timer]()
        break
      case 'dispatch':
        this.#options.onDispatch(effect.dispatch)
        break
      case 'ignore':
        this.ignored++
        log.debug('gateway-payload-ignored', { op: effect.op })
    }
  }

  async #resolve(attempt: number, needsUrl: boolean): Promise<void> {
    try {
      const [token, url] = await Promise.all([this.#options.token(), needsUrl ? this.#options.url() : undefined])
      this.#handle({ kind: 'resolved', attempt, token, url })
    } catch (failure) {
      const isExpected = failure instanceof BridgeError
      if (!isExpected) this.#deps.log.error('gateway-url-failed', { err: failure })
      const reason = isExpected ? failure.message : 'The gateway URL or token is not available; see the bridge log.'
      this.#handle({ kind: 'resolve-failed', attempt, reason, isFinal: isExpected && !ERRORS[failure.error].retryable })
    }
  }

  #onPayload(payload: GatewayPayload | undefined): void {
    this.#handle(payload === undefined ? { kind: 'unreadable', problem: 'not a payload' } : { kind: 'payload', payload })
  }

  /** Games get answers between its parts. */
  async #readLarge(bytes: Buffer, isOver: () => boolean): Promise<void> {
    const steps = parseLargePayload(bytes, this.#options.takerOf)
    let payload: GatewayPayload | undefined
    const slice: Slice = (mayGoOn) => {
      do {
        const parsed = steps.next()
        if (parsed.done === true) payload = parsed.value
        if (parsed.done === true || isOver()) return true
      } while (mayGoOn())
      return false
    }
    try {
      await this.#deps.turns.run(slice)
    } catch (failure) {
      this.#deps.log.error('gateway-connection-failed', { err: failure })
    }
    if (!isOver()) this.#onPayload(payload)
    this.#deps.quiet.start()
  }

  #dial(url: string): void {
    const socket = this.#deps.dial(withQuery(url, this.#options.compress), this.#options.compress, {
      onMessage: (text) => this.#onPayload(parsePayload(text)),
      onLargeMessage: (bytes, isOver) => this.#readLarge(bytes, isOver),
      onUnreadable: (problem) => this.#handle({ kind: 'unreadable', problem }),
      onClosed: (code, problem) => {
        outbox.close()
        this.#open = undefined
        this.#handle({ kind: 'closed', code, problem })
      },
    })
    const outbox = new GatewayOutbox({
      clock: this.#deps.clock,
      write: (text) => socket.send(text),
      heartbeatMs: () => this.#machine.heartbeat?.intervalMs,
    })
    this.#open = { socket, outbox }
  }
}
