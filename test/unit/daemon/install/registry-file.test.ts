import { expect, test } from 'vitest'
import { architectureOf, withValue } from '#daemon/src/install/registry-file.ts'

const VALUE = { key: String.raw`Software\Wine\Run`, name: 'Sallyport' }
const HEAD = 'WINE REGISTRY Version 2\n;; All keys relative to REGISTRY\\\\Machine\n\n#arch=win64\n'
const SECTION = '\n[Software\\\\Wine\\\\Run] 1795408003\n#time=1dd7b02d7b8e83e\n"menu"="C:\\\\menu.exe -a"\n'
const AFTER = '\n[Software\\\\Wine\\\\RunOnce] 1795408003\n"Sallyport"="another key"\n'
const COMMAND = String.raw`C:\x.exe --folder "/run/ü" --name a`
const LINE = String.raw`"Sallyport"="C:\\x.exe --folder \"/run/\x00fc\" --name a"`

test('the architecture is in the head', () => {
  expect(architectureOf(`${HEAD}${SECTION}`)).toBe('win64')
  expect(architectureOf(HEAD.replace('win64', 'win32'))).toBe('win32')
  expect(architectureOf('WINE REGISTRY Version 2\n')).toBe('win32')
  expect(architectureOf('{}')).toBeUndefined()
})

test('a value goes behind the attributes of its key, and all else stays', () => {
  const file = HEAD + SECTION + AFTER
  const changed = withValue(file, VALUE, COMMAND)
  expect(changed).toBe(HEAD + SECTION.replace('"menu"', `${LINE}\n"menu"`) + AFTER)
  expect(withValue(changed, VALUE, COMMAND)).toBe(changed)
  expect(withValue(changed, VALUE, undefined)).toBe(file)
})

test('another text replaces the value, and case does not matter', () => {
  const file = HEAD + SECTION.replace('"menu"', '"SALLYPORT"="old"\n"menu"').replace('Software', 'SOFTWARE')
  const changed = withValue(file, VALUE, 'new')
  expect(changed).toContain('\n"Sallyport"="new"\n"menu"')
  expect(changed).not.toContain('old')
})

test('a missing key is added at the end, and removal adds nothing', () => {
  const file = HEAD + AFTER
  expect(withValue(file, VALUE, 'new')).toBe(`${file}\n[Software\\\\Wine\\\\Run]\n"Sallyport"="new"\n`)
  expect(withValue(file, VALUE, undefined)).toBe(file)
})
