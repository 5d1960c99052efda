/** The session bus of the desktop, over dbus-native: exported objects, calls, signals and owners of names. */
import { type InterfaceDescriptor, type Message, type MessageBus, sessionBus, Variant } from 'dbus-native'

export const variant = (signature: string, value: unknown): unknown => new Variant(signature, value)

/** The methods and properties of an object, by name. */
type Exported = Readonly<Record<string, unknown>>

interface BusCall {
  readonly destination: string
  readonly path: string
  readonly interface: string
  readonly member: string
  readonly signature?: string
  readonly body?: readonly unknown[]
}

/** `sender`: the unique name of the connection, which the bus itself adds. */
export interface Reply {
  readonly value: unknown
  readonly sender: string
}

/** Called with the values of a signal, and the unique name of who sent it. Any program can send a signal to any other. */
export type SignalListener = (body: readonly unknown[], sender: string) => void

const BUS = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' } as const
const DO_NOT_QUEUE = 4
const PRIMARY_OWNER = 1

const keyOf = (...words: readonly (string | undefined)[]): string => words.join(' ')
/** Of a message. */
const SIGNAL = 4

/** The interface with properties that other programs can only read. */
const readable = ({ properties = {}, ...descriptor }: InterfaceDescriptor): InterfaceDescriptor => ({
  ...descriptor,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, type]) => [name, typeof type === 'string' ? { type, access: 'read' } : type]),
  ),
})

export class SessionBus {
  readonly #bus: MessageBus
  readonly #listeners = new Map<string, SignalListener>()
  /** By the name that they watch. */
  readonly #owners = new Map<string, (hasOwner: boolean) => void>()

  private constructor(bus: MessageBus) {
    this.#bus = bus
    // The signals of the library do not say who sent them.
    bus.connection.on('message', ({ type, path, interface: iface, member, body = [], sender = '' }: Message) => {
      if (type === SIGNAL) this.#listeners.get(keyOf(path, iface, member))?.(body, sender)
    })
  }

  /** Rejects if there is no bus at the address. `onLost` is called once, when a bus that was there has gone. */
  static connect(busAddress: string, onLost: () => void): Promise<SessionBus> {
    return new Promise((resolve, reject) => {
      const bus = sessionBus({ busAddress })
      const { connection } = bus
      // Any program of the session sends messages. Without a listener, one that the library fails to process, for example a call of
      // Properties.Get without arguments, would end the process. Its sender gets no reply.
      connection.on('handlerError', () => {})
      let isConnected = false
      connection.on('connect', () => {
        isConnected = true
        resolve(new SessionBus(bus))
      })
      connection.on('error', (failure) => {
        if (!isConnected) reject(failure)
      })
      connection.on('close', (cause) => {
        if (isConnected) onLost()
        else reject(cause ?? new Error('the session bus closed the connection'))
      })
    })
  }

  export(path: string, descriptor: InterfaceDescriptor, object: Exported): void {
    this.#bus.exportInterface(object, path, readable(descriptor))
  }

  signal(path: string, iface: string, name: string, signature?: string, body?: readonly unknown[]): void {
    if (signature === undefined) this.#bus.sendSignal(path, iface, name)
    else this.#bus.sendSignal(path, iface, name, signature, [...(body ?? [])])
  }

  /** Rejects if no such object answers. */
  async call(call: BusCall): Promise<unknown> {
    const { body, ...message } = call
    return this.#bus.invoke<unknown>({ ...message, ...(body === undefined ? {} : { body: [...body] }) })
  }

  /** False if another process has the name. */
  async own(name: string): Promise<boolean> {
    const result = await this.call({ ...BUS, member: 'RequestName', signature: 'su', body: [name, DO_NOT_QUEUE] })
    return result === PRIMARY_OWNER
  }

  /** As `call`, and who answered: the owner of the name at that time. */
  callFor({ body, ...message }: BusCall): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#bus.invoke({ ...message, body: [...(body ?? [])] }, function (this: { readonly message?: Message }, failure, value) {
        if (failure === null) resolve({ value, sender: this.message?.sender ?? '' })
        else reject(failure)
      })
    })
  }

  async hasOwner(name: string): Promise<boolean> {
    return (await this.call({ ...BUS, member: 'NameHasOwner', signature: 's', body: [name] })) === true
  }

  /** Calls `listener` with each signal of an interface at a path, from any program. */
  async onSignal(path: string, iface: string, member: string, listener: SignalListener): Promise<void> {
    this.#listeners.set(keyOf(path, iface, member), listener)
    await this.#addMatch(`type='signal',path='${path}',interface='${iface}',member='${member}'`)
  }

  /** Calls `listener` when a name gets an owner, loses it, or changes it. */
  async onOwner(name: string, listener: (hasOwner: boolean) => void): Promise<void> {
    this.#owners.set(name, listener)
    this.#listeners.set(keyOf(BUS.path, BUS.interface, 'NameOwnerChanged'), ([changed, , owner], sender) => {
      if (sender === BUS.destination && typeof changed === 'string') this.#owners.get(changed)?.(owner !== '')
    })
    await this.#addMatch(`type='signal',sender='${BUS.destination}',interface='${BUS.interface}',member='NameOwnerChanged',arg0='${name}'`)
  }

  async close(): Promise<void> {
    await this.#bus.close()
  }

  async #addMatch(rule: string): Promise<void> {
    await this.call({ ...BUS, member: 'AddMatch', signature: 's', body: [rule] })
  }
}
