/** Definition of command rows. The router, the scope check, the bindings and the reference read them. */
import type * as z from 'zod'
import type { ErrorName } from '../errors.ts'
import { once } from '../once.ts'
import type { Requirement } from '../scopes.ts'

/**
 * Handler of a command: `bridge` = a handler of the daemon; `api` = the platform's HTTP API, through the endpoint row of the same name;
 * `desktop-client` = the platform's desktop client if it runs; `embedded` = only the platform's client itself, around the iframe of an activity.
 */
export type CommandHandler = 'bridge' | 'api' | 'desktop-client' | 'embedded'

/** Source of a row: platform documentation, its embedded SDK, its machine-readable API description, observation by others, or this project. */
export type Provenance = 'documented' | 'embedded-sdk' | 'api-description' | 'observed' | 'sallyport'

export interface CommandRow<
  Name extends string = string,
  Args extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  By extends CommandHandler = CommandHandler,
> {
  /** Wire name. */
  readonly name: Name
  readonly summary: string
  readonly handledBy: By
  readonly requires: Requirement
  /** What the desktop client requires for a command that the bridge sends to it where it runs, where that is more. */
  readonly clientRequires?: Requirement
  /** Of a command that the bridge answers where no desktop client runs: what its answer lacks then. */
  readonly withoutClient?: string
  readonly args: Args
  readonly data: Data
  /** Error codes in addition to those of every command (1000, 1001, 1002, 4000, 4006). */
  readonly errors: readonly ErrorName[]
  /** Of `embedded` rows, and only of these: why the bridge cannot do it, and what the activity can do. */
  readonly refusal?: string
  /** Present if it deletes something irrecoverably; the command line then asks for confirmation. */
  readonly destructive?: true
  /** Present if a call takes a `key`: a repeat may have another effect, so the bridge makes at most one request for each key. */
  readonly keyed?: true
  /** Argument that names a program which the bridge starts later, such as a launch command. */
  readonly launches?: string
  readonly provenance: Provenance
  /** First contract version with it. */
  readonly since: string
}

/** A row as its family writes it: schemas are functions, which run when the schema is first asked for. */
interface CommandInput<Name extends string, Args extends z.ZodType, Data extends z.ZodType, By extends CommandHandler>
  extends Omit<CommandRow<Name, Args, Data, By>, 'args' | 'data' | 'errors' | 'since'>,
    Partial<Pick<CommandRow, 'errors' | 'since'>> {
  readonly args: () => Args
  readonly data: () => Data
}

export function defineCommand<const Name extends string, Args extends z.ZodType, Data extends z.ZodType, const By extends CommandHandler>({
  args,
  data,
  ...row
}: CommandInput<Name, Args, Data, By>): CommandRow<Name, Args, Data, By> {
  const [argsOnce, dataOnce] = [once(args), once(data)]
  return {
    errors: [],
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
