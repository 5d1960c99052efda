/** Definition of event rows. */
import type * as z from 'zod'
import type { Provenance } from '../commands/define.ts'
import { once } from '../once.ts'
import { anyOf, type Requirement, type ScopeName } from '../scopes.ts'

export type Delivery = 'automatic' | 'subscription' | 'embedded'

/** A scope without which only some of the events are sent, and which: "from …". */
export interface Narrowing {
  readonly without: ScopeName
  readonly to: string
}

export interface EventRow<
  Name extends string = string,
  Args extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  By extends Delivery = Delivery,
> {
  /** Wire name. */
  readonly name: Name
  readonly summary: string
  /** `automatic`: delivered without a subscription, and cannot be subscribed to; `embedded`: after SUBSCRIBE, only to embedded activities. */
  readonly delivery: By
  readonly requires: Requirement
  /** What the platform's desktop client requires for it, where that is more. */
  readonly clientRequires?: Requirement
  /** Present if the required scopes bring only some of the events. */
  readonly narrowed?: Narrowing
  /** Arguments of the subscription; an event with arguments is delivered only to subscriptions whose arguments match. */
  readonly args: Args
  readonly data: Data
  /**
   * The event reports current state, of what these arguments identify. It is sent once after SUBSCRIBE and again only when a value differs; a key
   * that a new value lacks keeps its last value. Absent: each event is delivered.
   */
  readonly retained?: readonly string[]
  /**
   * A program whose handshake has no contract may subscribe before it signs in, and gets the current values once it has. Libraries of the platform's
   * older SDK subscribe when they connect, and never again.
   */
  readonly awaitsSignIn?: true
  readonly provenance: Provenance
  readonly since: string
}

/** A row as its family writes it: schemas are functions, which run when the schema is first asked for. */
interface EventInput<Name extends string, Args extends z.ZodType, Data extends z.ZodType, By extends Delivery>
  extends Omit<EventRow<Name, Args, Data, By>, 'args' | 'data' | 'since'>,
    Partial<Pick<EventRow, 'since'>> {
  readonly args: () => Args
  readonly data: () => Data
}

export function defineEvent<const Name extends string, Args extends z.ZodType, Data extends z.ZodType, const By extends Delivery>({
  args,
  data,
  ...row
}: EventInput<Name, Args, Data, By>): EventRow<Name, Args, Data, By> {
  const [argsOnce, dataOnce] = [once(args), once(data)]
  return {
    since: '1.0',
    ...row,
    get args() {
      return argsOnce()
    },
    get data() {
      return dataOnce()
    },
  }
}

/** Events of guilds. The scope of communication, sdk.social_layer, includes `guilds`. */
export const READS_GUILDS = anyOf('rpc', 'guilds')

/** Such events come from the bot of the application; all signed-in sessions of the application receive them. */
export const READS_MEMBERS: Requirement = [
  ['rpc', 'rpc.authenticated'],
  ['guilds', 'rpc.authenticated'],
]

/** Messages of other channels are for applications that the platform approved. */
export const OWN_CHANNELS: Narrowing = { without: 'messages.read', to: 'channels that the application created' }
