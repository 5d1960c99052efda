/** The lines between the tray and its native helper. */
import { expect, test } from 'vitest'
import { helperMessage, noticeLine, viewLines, withdrawLine } from '#daemon/src/tray/helper-protocol.ts'

test('a view is an icon, a tip, and one line per item with its depth', () => {
  const [icon, ...lines] = viewLines({
    icon: 'ready',
    tip: 'Sallyport: 1 game connected',
    menu: [
      {
        id: 7,
        isSeparator: false,
        label: 'Grants\t& more',
        isEnabled: true,
        items: [{ id: 9, isSeparator: false, label: String.raw`C:\games\tide`, isEnabled: false, items: [] }],
      },
      { id: 8, isSeparator: true },
      { id: 3, isSeparator: false, label: 'Pause presence', isEnabled: true, isChecked: true, items: [] },
    ],
  }).split('\n')
  expect(icon).toMatch(/^icon\t32\t[0-9a-f]{8192}$/)
  expect(lines).toEqual([
    'tip\tSallyport: 1 game connected',
    'menu',
    'item\t0\t7\tp\tGrants & more',
    'item\t1\t9\td\tC:\\\\games\\\\tide',
    'item\t0\t8\ts\t',
    'item\t0\t3\tc\tPause presence',
    'end',
    '',
  ])
})

test('a notice is one line for any text', () => {
  const notice = { key: 'ab12', title: 'A program', body: 'one\ntwo\r\\', isAnswerable: false }
  expect(noticeLine({ ...notice, hint: '' })).toBe('notify\tab12\tA program\tone\\ntwo \\\\\n')
  expect(noticeLine({ ...notice, hint: 'Click.' })).toBe('notify\tab12\tA program\tone\\ntwo \\\\\\nClick.\n')
  expect(withdrawLine('ab12')).toBe('withdraw\tab12\n')
})

test.each([
  ['ready', { event: 'ready' }],
  ['busy', { event: 'busy' }],
  ['choice\t12\r', { event: 'choice', id: 12 }],
  ['notice\tab12', { event: 'notice', key: 'ab12' }],
  ['choice\t-1', undefined],
  ['choice\t12345678901', undefined],
  ['notice\t', undefined],
  ['anything else', undefined],
])('%j from the helper', (line, message) => expect(helperMessage(line)).toEqual(message))
