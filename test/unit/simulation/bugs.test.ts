/** Every bug that is planted in the simulation still applies. */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyPatch } from '#test/simulation/bugs/patch.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const BUGS = join(ROOT, 'test/simulation/bugs')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

describe('the planted bugs', () => {
  const patches = globSync('*.patch', { cwd: BUGS })

  it('are fourteen', () => expect(patches).toHaveLength(14))

  it.each(patches)('%s applies, says what is wrong, and changes the code', (patch) => {
    const text = readFileSync(join(BUGS, patch), 'utf8')
    expect(text.split('\n')[0]).toMatch(/^[A-Z].*\.$/)
    const patched = [...applyPatch(text, textOf)]
    expect(patched.length).toBeGreaterThan(0)
    for (const [path, changed] of patched) expect(changed).not.toBe(textOf(path))
  })
})

describe('applyPatch', () => {
  const PATCH = ['A title.', '', '--- a/one.ts', '+++ b/one.ts', '@@ -2,3 +2,3 @@', ' b', '-c', '+C', ' d', ''].join('\n')
  const patched = (text: string): unknown => applyPatch(PATCH, () => text).get('one.ts')

  it('changes the lines, also where lines above were added', () => {
    expect(patched('a\nb\nc\nd\n')).toBe('a\nb\nC\nd\n')
    expect(patched('new\nnew\na\nb\nc\nd\n')).toBe('new\nnew\na\nb\nC\nd\n')
  })

  it('refuses another text, and a patch without a file', () => {
    expect(() => patched('a\nb\nX\nd\n')).toThrow('the patch does not apply to one.ts at line 2')
    expect(() => applyPatch('A title.\n', () => '')).toThrow('the patch names no file')
  })
})
