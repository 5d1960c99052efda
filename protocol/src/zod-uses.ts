/** The first uses of zod, each by itself: code that runs for the first time takes longer than most schemas do. */
import * as z from 'zod'
import { once } from './once.ts'

/** With the options of parsers. */
const OPTIONS = { jitless: true }

/** Each makes one kind of schema and lets it refuse a value. */
export const ZOD_USES: readonly (() => unknown)[] = (
  [
    () => z.string(),
    () => z.string().min(1).max(2),
    () => z.string().regex(/^$/),
    () => z.number().int().min(1).max(2),
    () => z.boolean().optional(),
    () => z.string().nullish(),
    () => z.enum(['a', 'b']),
    () => z.literal(1),
    () => z.array(z.string()).max(1),
    () => z.strictObject({ a: z.string() }),
    () => z.looseObject({ a: z.string() }).meta({ description: 'a' }),
    () => z.record(z.string(), z.unknown()),
    () => z.union([z.string(), z.null()]),
    () => z.strictObject({ a: z.string() }).check(() => {}),
    () => z.discriminatedUnion('a', [z.strictObject({ a: z.literal(1) }), z.strictObject({ a: z.literal(2) })]),
  ] as const satisfies readonly (() => z.ZodType)[]
).map((make) => once(() => make().safeParse({ b: 1 }, OPTIONS)))
