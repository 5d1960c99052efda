/** A gateway connection that comes back by itself: the machine's effects carried out, on one socket and two timers. */
import { ERRORS, LIMITS } from '@sallyport/protocol'
import type { Clock } from '@sallyport/core/clock'
import { BridgeError } from '@sallyport/core/errors'
import type { Logger } from '@sallyport/core/logger'
import type { GatewayLink, GatewayLinkOptions, GatewayState } from './gateway.ts'
import type { IdentifyLimit } from './identify-limit.ts'
import { type GatewayEffect, type GatewayInput, type GatewayMachine, type GatewayTimer, STOPPED, shownState } from './machine.ts'
import { GatewayOutbox } from './outbox.ts'
import { heartbeatText, identifyText, isTooLarge, parsePayload, payloadText, resumeText, withQuery } from './payload.ts'
import type { DialGateway, GatewaySocket } from './socket.ts'
import { step } from './step.ts'

export interface GatewayLinkPorts {
  readonly clock: Clock
  readonly log: Logger
  /** A number from 0 to 1. */
  readonly random: () => number
  /** One for all links of an application; it outlives them. */
  readonly identifies: IdentifyLimit
  readonly dial: DialGateway
}

export const createGatewayLink = (options: GatewayLinkOptions, ports: GatewayLinkPorts): GatewayLink => new MachineLink(options, ports)

interface Connection {
  readonly socket: GatewaySocket
  readonly outbox: GatewayOutbox
}

class MachineLink implements GatewayLink {
  ignored = 0
  readonly #options: GatewayLinkOptions
  readonly #ports: GatewayLinkPorts
  readonly #cancel: Record<GatewayTimer, () => void> = { beat: () => {}, step: () => {} }
  readonly #inputs: GatewayInput[] = []
  #machine: GatewayMachine = STOPPED
  #connection: Connection | undefined
  #isWorking = false
  #onStopped: (() => void)[] = []

  constructor(options: GatewayLinkOptions, ports: GatewayLinkPorts) {
    this.#options = options
    this.#ports = ports
  }

  get state(): GatewayState {
    return shownState(this.#machine)
  }

  start(): void {
    this.#take({ kind: 'start' })
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#onStopped.push(resolve)
      this.#take({ kind: 'stop' })
    })
  }

  async send(op: number, d: unknown): Promise<void> {
    const text = payloadText(op, d)
    if (isTooLarge(text)) {
      const { value } = LIMITS.gatewayPayloadBytes
      throw new BridgeError('INVALID_PAYLOAD', `The gateway takes no more than ${value} bytes at once; send less.`)
    }
    this.#take({ kind: 'used' })
    const { name, reason = 'The connection to the gateway is not there now; try again when it is back.' } = this.state
    if (name !== 'live' || this.#connection === undefined) throw new BridgeError('SERVICE_UNAVAILABLE', reason)
    return this.#connection.outbox.send(op, text)
  }

  /** What happens while the effects of something else are carried out has its turn after them. */
  #take(input: GatewayInput): void {
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
    const { clock, random, identifies } = this.#ports
    const now = clock.now()
    const before = this.state
    const [machine, effects] = step(this.#machine, input, { now, chance: random(), identifyInMs: identifies.inMs(now) })
    this.#machine = machine
    for (const effect of effects) this.#guarded(() => this.#carryOut(effect))
    if (machine.phase !== 'closing') for (const tell of this.#onStopped.splice(0)) tell()
    if (machine.phase !== 'stopped' && machine.after !== 'stop') this.#tellState(before)
  }

  #tellState(before: GatewayState): void {
    const { state } = this
    if (state.name === before.name && state.reason === before.reason) return
    this.#ports.log.info('gateway-link', { ...state })
    this.#guarded(() => this.#options.onState(state))
  }

  /** Whoever listens must not break the link. */
  #guarded(work: () => void): void {
    try {
      work()
    } catch (err) {
      this.#ports.log.error('gateway-link-failed', { err })
    }
  }

  #carryOut(effect: GatewayEffect): void {
    const { clock, log, identifies } = this.#ports
    switch (effect.do) {
      case 'ask':
        void this.#ask(effect.attempt, effect.needsUrl)
        break
      case 'dial':
        this.#dial(effect.url)
        break
      case 'identify': {
        const { intents, capabilities, presence } = this.#options
        identifies.note(clock.now())
        this.#connection?.outbox.sendNow(identifyText({ token: effect.token.reveal(), intents, capabilities, presence: presence() }))
        break
      }
      case 'resume':
        this.#connection?.outbox.sendNow(resumeText(effect.token.reveal(), effect.session, effect.seq))
        break
      case 'beat':
        if (!effect.isAsked || this.#connection?.outbox.hasRoom === true) this.#connection?.outbox.sendNow(heartbeatText(effect.seq))
        break
      case 'close':
        this.#connection?.outbox.close()
        this.#connection?.socket.close(effect.code)
        break
      case 'destroy':
        this.#connection?.socket.destroy()
        break
      case 'time':
        this.#cancel[effect.timer]()
        this.#cancel[effect.timer] = clock.after(effect.ms, () => this.#take({ kind: `${effect.timer}-due` }))
        break
      case 'untime':
        this.#cancel[effect.timer]()
        break
      case 'tell':
        this.#options.onDispatch(effect.dispatch)
        break
      case 'ignore':
        this.ignored++
        log.debug('gateway-payload-ignored', { op: effect.op })
    }
  }

  async #ask(attempt: number, needsUrl: boolean): Promise<void> {
    try {
      const [token, url] = await Promise.all([this.#options.token(), needsUrl ? this.#options.url() : undefined])
      this.#take({ kind: 'asked', attempt, token, url })
    } catch (failure) {
      const isExpected = failure instanceof BridgeError
      if (!isExpected) this.#ports.log.error('gateway-ask-failed', { err: failure })
      const reason = isExpected ? failure.message : 'The address or the token of the gateway could not be had; the log says why.'
      this.#take({ kind: 'unasked', attempt, reason, isFinal: isExpected && !ERRORS[failure.error].retryable })
    }
  }

  #dial(url: string): void {
    const socket = this.#ports.dial(withQuery(url, this.#options.compress), this.#options.compress, {
      onMessage: (text) => {
        const payload = parsePayload(text)
        this.#take(payload === undefined ? { kind: 'unreadable', problem: 'it is no payload' } : { kind: 'payload', payload })
      },
      onUnreadable: (problem) => this.#take({ kind: 'unreadable', problem }),
      onClosed: (code, problem) => {
        outbox.close()
        this.#connection = undefined
        this.#take({ kind: 'closed', code, problem })
      },
    })
    const outbox = new GatewayOutbox({
      clock: this.#ports.clock,
      write: (text) => socket.send(text),
      heartbeatMs: () => this.#machine.beat?.intervalMs,
    })
    this.#connection = { socket, outbox }
  }
}
