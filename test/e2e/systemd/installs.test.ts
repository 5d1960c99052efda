/** The scripts of the packages, as built, beside a client of the platform that starts before, during or after the installation. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { seededRandom } from '../support/seeded-random.ts'
import { FIRST_VERSION, Installed, obstacleToInstalled, PREPARE_MS } from './installed.ts'
import { SHARED } from './machine.ts'

const RUNTIME = '/run/user/1000'
const ACTIVATION = `${RUNTIME}/sallyport/discord-ipc-0`
const INSTALLATIONS = 20
const SEED = 20
/** Of a client; longer than an installation takes. */
const [START_MS, LIFE_MS] = [4_000, 9_000]
const INSTALLATIONS_MS = 1_800_000

const WAYS = {
  deb: { install: `dpkg --install ${SHARED}/${FIRST_VERSION}.deb`, remove: 'dpkg --purge sallyport' },
  rpm: { install: `rpm -i --nodeps ${SHARED}/${FIRST_VERSION}.rpm`, remove: 'rpm -e sallyport' },
} as const

/** As root. Each line says when the client starts and how it takes its slot; the client prints whether it kept its name. */
const ROUNDS = `while read before how us end; do
  (sleep $before; exec setpriv --reuid=1000 --regid=1000 --clear-groups ${SHARED}/slot-client ${RUNTIME} $how $us ${LIFE_MS} $end) &
  $1 >/dev/null 2>&1 || echo "not installed"
  wait
  named=none
  for try in $(seq 100); do [ -n "$(find ${RUNTIME} -maxdepth 1 -samefile ${ACTIVATION} -name 'discord-ipc-*')" ] && break; sleep 0.02; done
  for name in ${RUNTIME}/discord-ipc-[0-9]; do [ "$name" -ef ${ACTIVATION} ] && named=\${name##*-}; done
  echo "bridge $named"
  $2 >/dev/null 2>&1 || echo "not removed"
  rm -f ${RUNTIME}/discord-ipc-*
done`

describe('installations beside a client', () => {
  let obstacle: string | undefined
  let at: Installed

  beforeAll(async () => {
    obstacle = await obstacleToInstalled('bookworm')
    if (obstacle !== undefined) return
    at = await Installed.start('bookworm')
    await at.makeRpm(FIRST_VERSION)
    at.machine.run('root', 'dpkg', '--purge', 'sallyport')
    const source = join(import.meta.dirname, 'slot-client.c')
    execFileSync('gcc', ['-O1', '-static', '-Wall', '-Wextra', '-o', join(at.shared, 'slot-client'), source])
    writeFileSync(join(at.shared, 'rounds.sh'), ROUNDS)
  }, PREPARE_MS)
  beforeEach((context) => context.skip(obstacle !== undefined, obstacle))
  afterAll(() => at?.stop())

  test.each(Object.entries(WAYS))(
    `.%s: ${INSTALLATIONS} times, no client loses its name, and the bridge has one`,
    { timeout: INSTALLATIONS_MS },
    (_, { install, remove }) => {
      const random = seededRandom(SEED)
      const below = (most: number): number => Math.floor(random() * most)
      const lines = Array.from({ length: INSTALLATIONS }, () => {
        const how = below(2) === 0 ? 'bind' : 'rename'
        return [(below(START_MS) / 1000).toFixed(3), how, below(3) === 0 ? below(3000) : 0, below(2) === 0 ? 'leave' : 'remove'].join(' ')
      })
      writeFileSync(join(at.shared, 'rounds'), `${lines.join('\n')}\n`)
      const [program, ...words] = at.machine.asRoot
      const script = `sh ${SHARED}/rounds.sh '${install}' '${remove}' <${SHARED}/rounds`
      const all = execFileSync(program, [...words, 'sh', '-c', script], { encoding: 'utf8' })
        .trim()
        .split('\n')
      const counts = Object.entries(Object.groupBy(all, (line) => line)).map(([line, some = []]) => `${line}: ${some.length}`)
      console.log(counts.join(', '))
      expect(all.filter((line) => /^\d kept$/.test(line))).toHaveLength(INSTALLATIONS)
      expect(all.filter((line) => /^bridge \d$/.test(line))).toHaveLength(INSTALLATIONS)
      expect(all).toHaveLength(2 * INSTALLATIONS)
    },
  )
})
