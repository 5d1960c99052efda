/** The proof of an operator command. */
import * as z from 'zod'
import { once } from '../once.ts'

export const OperatorProof = once(() =>
  z
    .string()
    .regex(/^[0-9a-f]{32}$/, 'must be 32 hexadecimal digits')
    .meta({ description: 'Name of an empty file in the folder `operator` of the data folder; valid for one call.' }),
)
