import { expect, test } from 'vitest'
import { closeAll } from '@sallyport/core/closer'

test('closes in reverse order, one at a time', async () => {
  const order: string[] = []
  const closer = (name: string) => async () => {
    order.push(`${name} begins`)
    await Promise.resolve()
    order.push(`${name} ends`)
  }
  await closeAll([closer('first'), closer('second')])
  expect(order).toEqual(['second begins', 'second ends', 'first begins', 'first ends'])
})

test('a failing one does not prevent the others, and is reported', async () => {
  const closed: number[] = []
  const failing = closeAll([async () => void closed.push(1), () => Promise.reject(new Error('stuck')), async () => void closed.push(3)])
  await expect(failing).rejects.toMatchObject({ errors: [new Error('stuck')] })
  expect(closed).toEqual([3, 1])
})
