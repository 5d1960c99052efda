/** Commands of embedded activities with errors that other bridges ignore. */
import { COMMANDS } from '@sallyport/protocol'
import { expect, it } from 'vitest'

it('SHARE_LINK rejects referrer_id by name, which other bridges ignore silently', { tags: ['7-8'] }, () => {
  const args = { message: 'Come aboard', custom_id: 'deck', link_id: 'quay' }
  expect(COMMANDS.SHARE_LINK.args.safeParse(args).success).toBe(true)
  const { error } = COMMANDS.SHARE_LINK.args.safeParse({ ...args, referrer_id: '5' })
  expect(JSON.stringify(error?.issues)).toContain('referrer_id')
})
