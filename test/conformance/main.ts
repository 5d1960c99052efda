/** `npm run conformance`: plays the portable vectors against any server, and prints one line per vector. */
import { parseArgs } from 'node:util'
import { sandboxToken } from '../e2e/support/sandbox-token.ts'
import { type Family, loadVectors } from '#test/support/vectors.ts'
import { NEEDS, needsOf } from './needs.ts'
import { type Host, Lacking, playVector, Unreachable } from './player.ts'

const APPLICATION = '1234567890'
const WAIT_MS = 5000

const HELP = `npm run conformance -- --socket PATH [options]

  --socket PATH      socket of the server, or the name of a Windows pipe
  --family NAME      plays this family; may be repeated, in this order
  --token=TOKEN      access token of a user, for vectors that sign in; it may begin with "-"
  --api ORIGIN       origin of a sandbox, which issues those tokens
  --application ID   application of the token (default ${APPLICATION})
  --wait MS          longest time for a frame (default ${WAIT_MS})`

const { values } = parseArgs({
  options: {
    socket: { type: 'string' },
    family: { type: 'string', multiple: true, default: [] },
    token: { type: 'string' },
    api: { type: 'string' },
    application: { type: 'string', default: APPLICATION },
    wait: { type: 'string', default: String(WAIT_MS) },
    help: { type: 'boolean', default: false },
  },
})

type Token = Host['token']

const noToken: Token = () => Promise.reject(new Lacking(NEEDS.user))

/** Tokens of a sandbox that allows without a page. */
async function fromSandbox(origin: string): Promise<Token> {
  const answer = await fetch(new URL('/.well-known/openid-configuration', origin))
  const { authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl } = (await answer.json()) as Record<string, string>
  if (authorizeUrl === undefined || tokenUrl === undefined) throw new Error(`${origin} is not a sandbox`)
  return (scopes) => sandboxToken({ authorizeUrl, tokenUrl }, 'ada', values.application, scopes)
}

async function tokenSource(): Promise<Token> {
  const { token, api } = values
  if (token !== undefined) return () => Promise.resolve(token)
  return api === undefined ? noToken : fromSandbox(api)
}

/** All families, or those of the command line in its order. */
function chosenFamilies(): readonly Family[] {
  const all = loadVectors()
  if (values.family.length === 0) return all
  return values.family.map((name) => {
    const found = all.find(({ family }) => family === name)
    if (found === undefined) throw new Error(`no family is named "${name}"; there are: ${all.map(({ family }) => family).join(', ')}`)
    return found
  })
}

async function run(socket: string): Promise<void> {
  const host: Host = { path: socket, applicationId: values.application, waitMs: Number(values.wait), token: await tokenSource() }
  const families = chosenFamilies()
  let passed = 0
  let failed = 0
  const lacked: string[] = []
  let isGone = false
  for (const { family, vectors } of families) {
    for (const vector of vectors) {
      const needs = needsOf(vector).filter((one) => one !== 'user')
      const [need] = isGone ? ['a server that still runs'] : needs.map((one) => NEEDS[one])
      const title = `${family} > ${vector.name}`
      try {
        if (need !== undefined) throw new Lacking(need)
        await playVector(vector, host)
        passed++
        console.log(`ok      ${title}`)
      } catch (failure) {
        const { message } = failure as Error
        if (failure instanceof Lacking) {
          lacked.push(message)
          console.log(`skipped ${title}: needs ${message}`)
        } else {
          failed++
          isGone = failure instanceof Unreachable
          console.log(`FAILED  ${title}: ${message}`)
        }
      }
    }
  }
  const reasons = [...Map.groupBy(lacked, (reason) => reason)].map(([reason, all]) => `${all.length}: ${reason}`)
  console.log(`${passed} passed, ${failed} failed, ${lacked.length} skipped${reasons.length === 0 ? '' : ` (need ${reasons.join('; ')})`}`)
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1
}

if (values.help || values.socket === undefined) {
  console.log(HELP)
  process.exitCode = values.help ? 0 : 2
} else await run(values.socket)
