import { describe, expect, test } from 'vitest'
import { planOf } from '../run-plan.ts'

const isPackaging = process.platform === 'linux' && process.arch === 'x64'

describe('fifty games play', () => {
  test('only where everything is run, and only when asked', () => {
    expect(planOf(['--all', '--endurance'])).toMatchObject({ kind: 'all', endures: isPackaging, vitest: [] })
    expect(planOf(['--all'])).toMatchObject({ kind: 'all', endures: false })
    expect(planOf([])).toMatchObject({ kind: 'fast', endures: false })
  })

  test('never at an executable that this run has not made', () => {
    expect(planOf(['--endurance', 'unit/run-plan.test.ts'])).toMatchObject({ makesPackage: false, endures: false })
  })
})
