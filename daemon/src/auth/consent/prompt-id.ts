/** Ids of prompts, shorter than those of grants: a prompt is open for minutes only, and the user types its id. */
import { shortId } from '../grants/short-id.ts'

const LENGTH = 4

export const promptId = (): string => shortId(LENGTH)
