/** A menu as com.canonical.dbusmenu has it. */
import { expect, test } from 'vitest'
import { allIn, itemIn, menuLayout } from '#daemon/src/tray/linux/menu-layout.ts'

const LAYOUT = menuLayout([
  { id: 1, isSeparator: false, label: 'snake_case', isEnabled: false, items: [] },
  { id: 2, isSeparator: true },
  {
    id: 3,
    isSeparator: false,
    label: 'More',
    isEnabled: true,
    items: [{ id: 4, isSeparator: false, label: 'Pause', isEnabled: true, isChecked: true, items: [] }],
  },
])

test('labels, states, separators and submenus are properties', () => {
  expect(allIn(LAYOUT).map(({ id, properties }) => [id, properties])).toEqual([
    [0, [['children-display', 's', 'submenu']]],
    [
      1,
      [
        ['label', 's', 'snake__case'],
        ['enabled', 'b', false],
      ],
    ],
    [2, [['type', 's', 'separator']]],
    [
      3,
      [
        ['label', 's', 'More'],
        ['children-display', 's', 'submenu'],
      ],
    ],
    [
      4,
      [
        ['label', 's', 'Pause'],
        ['toggle-type', 's', 'checkmark'],
        ['toggle-state', 'i', 1],
      ],
    ],
  ])
})

test('an item is found by its id at any depth', () => {
  expect(itemIn(LAYOUT, 4)?.properties[0]).toEqual(['label', 's', 'Pause'])
  expect(itemIn(LAYOUT, 9)).toBeUndefined()
})
