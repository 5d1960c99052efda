/** Commands of embedded activities whose mistakes would pass in silence elsewhere. */
import { COMMANDS } from '@sallyport/protocol'
import { expect, it } from 'vitest'

it('SHARE_LINK refuses referrer_id by name, which other bridges drop without a word', () => {
  const args = { message: 'Come aboard', custom_id: 'deck' }
  expect(COMMANDS.SHARE_LINK.args.safeParse(args).success).toBe(true)
  const { error } = COMMANDS.SHARE_LINK.args.safeParse({ ...args, referrer_id: '5' })
  expect(JSON.stringify(error?.issues)).toContain('referrer_id')
})
