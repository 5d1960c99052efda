/** Scope names as arguments. */
import * as z from 'zod'
import { once } from '../once.ts'
import { LIMITS } from '../limits.ts'

const SCOPE = `[a-z0-9._]{1,${LIMITS.scopeCharacters.value}}`

const ScopeName = once(() =>
  z.string().regex(new RegExp(`^${SCOPE}$`), 'must be a scope name: lower case letters, digits, dots and underscores'),
)

/** Scope names, separated by spaces. */
const ScopeText = once(() =>
  z
    .string()
    .max(LIMITS.scopes.value * (LIMITS.scopeCharacters.value + 1), { abort: true })
    .regex(new RegExp(`^ *(?:${SCOPE}(?: +${SCOPE})* *)?$`), 'must be scope names separated by spaces'),
)

export const scopeNames = once(() => z.array(ScopeName()).max(LIMITS.scopes.value))

/** A list of scopes, or one text. */
export const scopeList = once(() =>
  z.union([scopeNames(), ScopeText()]).nullish().meta({
    description: 'Scopes of the SCOPES table, as a list or as one text with spaces. Default: the default scopes for communication.',
  }),
)
