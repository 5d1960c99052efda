/**
 * Writes down what the sandbox of a test answered, for judge.ts. It watches Node's own reports of HTTP servers, so the sandbox knows nothing of
 * it. JavaScript, because a daemon loads it before its own program (preload.mjs), where the removal of types would take time.
 */
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/** Folder of the records; undefined: nothing is recorded. */
let folder
/** Ports of the recorded servers; undefined: every server of this process. */
let ports
/** Records of this process, without their numbers: a second like the first is counted only. */
const seen = new Set()

/** One line per record; an empty line stands for one that differs from an earlier one in numbers only. */
function write(record) {
  const text = JSON.stringify(record)
  const alike = text.replaceAll(/\d+/g, '0')
  const line = seen.has(alike) ? '\n' : `${text}\n`
  seen.add(alike)
  try {
    appendFileSync(join(folder, `${process.pid}-${threadId}.jsonl`), line)
  } catch (failure) {
    // A daemon of another user may not write there; the same answers come from others.
    if (failure.code !== 'EACCES') throw failure
  }
}

/** Bodies that a test gave to a fault on demand: no answers of the sandbox. */
const given = new Set()

function bodyIn(fault) {
  try {
    return JSON.parse(fault).body
  } catch {
    return undefined
  }
}

function learnFault(request) {
  const chunks = []
  const { push } = request
  request.push = function pushed(chunk, ...more) {
    if (chunk !== null) chunks.push(chunk)
    else given.add(bodyIn(String(Buffer.concat(chunks))))
    return push.call(this, chunk, ...more)
  }
}

const isRecorded = ({ url, socket }) => url?.startsWith('/api') === true && (ports === undefined || ports.has(socket.localPort))

function watch({ request, response }) {
  if (request.url === '/sandbox/faults') learnFault(request)
  if (!isRecorded(request)) return
  const { writeHead, end } = response
  let type
  response.writeHead = function headed(status, headers) {
    type = headers?.['content-type']
    return writeHead.call(this, status, headers)
  }
  response.end = function ended(body, ...more) {
    const text = String(body ?? '')
    if (!given.has(text)) write({ method: request.method, url: request.url, status: response.statusCode, type, body: text })
    return end.call(this, body, ...more)
  }
}

function start(into) {
  if (folder === undefined) subscribe('http.server.request.start', watch)
  folder = into
}

/** Records the answers of every server of this process below `/api`. */
export function recordAll(into) {
  start(into)
  ports = undefined
}

/** Records the answers of the server at this origin, if the run of the tests asks for it. Returns what ends it. */
export function recordAnswersOf(origin) {
  const into = process.env.SALLYPORT_TEST_ANSWERS
  if (into === undefined) return () => {}
  const port = Number(new URL(origin).port)
  ports ??= new Set()
  ports.add(port)
  start(into)
  return () => ports.delete(port)
}

/** Records an event of the gateway. */
export function recordDispatch(t, d) {
  const into = process.env.SALLYPORT_TEST_ANSWERS
  if (into === undefined) return
  folder ??= into
  write({ t, d })
}
