/** How a command row is written. A row says everything about a command once; the router, the gate, the bindings and the reference read it. */
import type * as z from 'zod'
import type { ErrorName } from '../errors.ts'
import type { Requirement } from '../scopes.ts'

/**
 * Who answers: `bridge` = a handler of the daemon; `api` = the platform's HTTP API, through the endpoint row of the same name;
 * `desktop-client` = the platform's own desktop client when it runs; `embedded` = only activities inside the platform's iframe have it.
 */
export type Answerer = 'bridge' | 'api' | 'desktop-client' | 'embedded'

/** Where a row comes from: documented by the platform, its embedded SDK, its machine-readable API description, observed by others, or this project. */
export type Provenance = 'documented' | 'embedded-sdk' | 'api-description' | 'observed' | 'sallyport'

export interface CommandRow<
  Name extends string = string,
  Args extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  By extends Answerer = Answerer,
> {
  /** As on the wire. */
  readonly name: Name
  readonly summary: string
  readonly answeredBy: By
  readonly requires: Requirement
  readonly args: Args
  readonly data: Data
  /** Codes this command adds to those that every command can answer (1000, 1001, 1002, 4000, 4006). */
  readonly errors: readonly ErrorName[]
  /** Present when it takes something away that nobody can bring back: by hand it is called after a question only. */
  readonly destructive?: true
  readonly provenance: Provenance
  /** Contract version that brought it. */
  readonly since: string
}

export const defineCommand = <const Name extends string, Args extends z.ZodType, Data extends z.ZodType, const By extends Answerer>(
  row: Omit<CommandRow<Name, Args, Data, By>, 'errors' | 'since'> & { readonly errors?: readonly ErrorName[]; readonly since?: string },
): CommandRow<Name, Args, Data, By> => ({ errors: [], since: '1.0', ...row })
