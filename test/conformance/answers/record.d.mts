/** What tests call of record.mjs. */
export function recordAll(folder: string): void
export function recordAnswersOf(origin: string): () => void
export function recordDispatch(t: string, d: unknown): void
