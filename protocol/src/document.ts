/** The JSON Schema in which `generated/protocol.json` describes arguments, as programs that read it need it: the keywords that it uses. */

export type Json = string | number | boolean | null | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [name: string]: Json
}

export interface DocumentSchema {
  /** `#/$defs/` and the name of a definition. */
  readonly $ref?: string
  readonly anyOf?: readonly DocumentSchema[]
  readonly type?: string | readonly string[]
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly description?: string
  readonly properties?: Readonly<Record<string, DocumentSchema>>
  readonly required?: readonly string[]
  readonly items?: DocumentSchema
  readonly minItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

export type DocumentDefinitions = Readonly<Record<string, DocumentSchema>>
