/** Holds how the daemon is composed: four openers with few arguments, each result frozen, and nothing that is given a part after it was made. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codeOnly, filesOf, ROOT } from './source-tree.ts'
import { givenLater, openerArguments, singleListeners } from './composition.ts'

const composition = filesOf((path) => path.startsWith('daemon/src/app/') && path.endsWith('.ts'))
const daemon = filesOf((path) => /^daemon\/(?:src|core\/src|sandbox\/src)\/.*\.ts$/.test(path))
const OPENERS = ['openSessions', 'openEvents', 'openPresence', 'openRpc']
const MOST_ARGUMENTS = 12

describe('the composition', () => {
  it.each(OPENERS)('has the opener %s with at most 12 named arguments and a frozen result', (name) => {
    const found = composition.filter(({ text }) => text.includes(`export function ${name}(`))
    expect(found).toHaveLength(1)
    const [{ text }] = found as [(typeof found)[0]]
    const given = openerArguments(text, name)
    expect(given.length).toBeGreaterThan(0)
    expect(given.length, given.join(', ')).toBeLessThanOrEqual(MOST_ARGUMENTS)
    expect(text).toMatch(/return Object\.freeze\(/)
  })

  it('uses no name above the line that makes it', () => {
    const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint')
    const config = join(import.meta.dirname, 'late-bound.oxlintrc.json')
    const files = composition.map(({ path }) => join(ROOT, path))
    const args = [oxlint, '--config', config, '--format', 'json', ...files]
    const { diagnostics } = JSON.parse(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout) as {
      readonly diagnostics: readonly { readonly message: string; readonly filename: string }[]
    }
    expect(diagnostics.map(({ filename, message }) => `${filename}: ${message}`)).toEqual([])
  })

  it('gives no object a part after it was made', () => {
    expect(composition.flatMap(({ path, text }) => givenLater(codeOnly(text)).map((line) => `${path}: ${line}`))).toEqual([])
  })

  it('has no listener that another one replaces in silence', () => {
    expect(daemon.flatMap(({ path, text }) => singleListeners(codeOnly(text)).map((line) => `${path}: ${line}`))).toEqual([])
  })

  it('would be seen to break these rules', () => {
    expect(givenLater('const webhooks = {}\nwebhooks.provider = made()\n')).toEqual(['webhooks.provider = made()'])
    expect(givenLater('let registry\n')).toEqual(['let registry'])
    expect(singleListeners('  #onChange: () => void = () => {}\n')).toEqual(['#onChange: () => void = () => {}'])
    expect(singleListeners('  onChange(listener: () => void): void {\n    this.#x = listener\n')).toEqual([
      'onChange(listener: () => void): void {',
    ])
  })
})
