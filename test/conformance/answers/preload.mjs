/** Loaded with `node --import` before a daemon of the tests; the query of its address names the folder of the records. */
import { recordAll } from './record.mjs'

recordAll(new URL(import.meta.url).searchParams.get('folder'))
