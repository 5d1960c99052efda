/** Ids in one text, separated by commas, for some query parameters. */
import * as z from 'zod'

export const idList = (most: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9]{1,20}(?:,[0-9]{1,20}){0,${most - 1}}$`), `must be 1 to ${most} ids separated by commas`)
    .meta({ description: `1 to ${most} ids, separated by commas.` })
