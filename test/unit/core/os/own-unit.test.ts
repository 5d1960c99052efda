import { expect, test } from 'vitest'
import { type ConfinedSystem, inOwnUnit, needsOwnUnit } from '#daemon/core/src/os/own-unit.ts'

const OPTIONS = ['--user', '--quiet', '--collect', '--service-type=exec', '--property=KillMode=process']

test('the user’s systemd starts a program with its arguments as they are, and no value of a variable is in the command line', () => {
  expect(
    inOwnUnit(
      { program: '/games/$one', args: ['$HOME', '%h', 'a b', ''] },
      { variables: ['HOME', 'LANG'], cwd: '/games', isAwaited: false },
    ),
  ).toEqual({
    program: 'systemd-run',
    args: [...OPTIONS, '--working-directory=/games', '--setenv=HOME', '--setenv=LANG', '--', '/games/$one', '$$HOME', '%h', 'a b', ''],
  })
})

test('an opener is waited for, because its code says whether the page is open', () => {
  expect(inOwnUnit({ program: 'xdg-open', args: ['https://one'] }, { variables: [], isAwaited: true }).args).toEqual([
    ...OPTIONS,
    '--wait',
    '--',
    'xdg-open',
    'https://one',
  ])
})

const confined: ConfinedSystem = {
  runtimeDir: '/run/user/1000',
  status: () => 'Name:\tsallyport\nNoNewPrivs:\t1\nSeccomp:\t2\n',
  isSocket: (path) => path === '/run/user/1000/systemd/private',
}
const missing = (): never => {
  throw new Error('ENOENT')
}

test('only a confined process with a systemd of its user needs it', () => {
  expect(needsOwnUnit(confined)).toBe(true)
  for (const less of [
    { runtimeDir: undefined },
    { status: () => 'NoNewPrivs:\t0\n' },
    { status: missing },
    { isSocket: () => false },
    { isSocket: missing },
  ])
    expect(needsOwnUnit({ ...confined, ...less })).toBe(false)
})
