import { describe, expect, it } from 'vitest'
import { AIMS, type Aim, HEADLINES } from '#test/bench/headlines.ts'
import type { Line } from '#test/bench/row.ts'
import { headlineTable, notes, wholeTable, wrapped } from '#test/bench/tables.ts'

const SIGN_IN: Line = { what: 'sign-in: wall', unit: 'ms', sallyport: 16.2, aim: 'sign-in' }
const PROCESSES: Line = { what: 'sign-in: processes', unit: 'processes', sallyport: 0, aim: 'processes of a sign-in' }
const rowsOf = (table: string): readonly string[] => table.split('\n').slice(2)

describe('the table of the README', () => {
  it('has ten rows, and each aim in one of them', () => {
    expect(HEADLINES).toHaveLength(10)
    const aims = HEADLINES.flatMap((headline) => headline.aims)
    expect(aims.toSorted()).toEqual(Object.keys(AIMS).toSorted() as Aim[])
  })

  it('joins the figures and targets of a row', () => {
    const [row = '', ...others] = rowsOf(headlineTable([SIGN_IN, PROCESSES], 1, true))
    expect(others).toEqual([])
    expect(row.split('|').map((cell) => cell.trim())).toEqual([
      '',
      'First sign-in after a start: time; processes started',
      '16.2 ms; 0',
      '≤ 20 ms; 0',
      'holds',
      '',
    ])
  })

  it('misses with one of its parts, and leaves out a row of which a part was not measured', () => {
    expect(headlineTable([SIGN_IN, { ...PROCESSES, sallyport: 1 }], 1, true)).toContain('| misses')
    expect(rowsOf(headlineTable([SIGN_IN], 1, true))).toEqual([])
  })

  it('prints a scaled target with its scale', () => {
    expect(headlineTable([SIGN_IN, PROCESSES], 2, true)).toContain('≤ 40.0 ms (20 × 2.00); 0')
  })
})

describe('the table of all figures', () => {
  it('has a row for each line, and says what was not measured', () => {
    const reading: Line = { what: 'idle CPU', unit: 'per minute', floor: 0, sallyport: 2_298, whyNoTarget: 'it explains another' }
    const rows = rowsOf(wholeTable([SIGN_IN, reading], 1, true))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/\| sign-in: wall +\| +— \| +16\.2 ms \|/)
    expect(rows[1]).toMatch(/\| idle CPU, per minute +\| +0 \| +2,298 \|/)
    expect(notes([SIGN_IN, reading])).toEqual(['- idle CPU: no target, because it explains another.'])
  })
})

it('wraps a list item at the width of a page', () => {
  const lines = wrapped(`- ${'word '.repeat(50).trim()}`).split('\n')
  expect(lines.length).toBe(3)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  expect(lines[1]).toMatch(/^ {2}word/)
})
