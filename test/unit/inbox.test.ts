/** Tests the inbox of a connection: each call gets its own answer, and no caller waits after the end of the connection. */
import { expect, test } from 'vitest'
import { frame, OP } from '#test/support/frames.ts'
import { Inbox } from '#test/support/inbox.ts'

const message = (nonce: string | null, data: unknown) => frame(OP.FRAME, { cmd: 'X', evt: null, nonce, data })

test('answers find their calls in any order, and events stay in theirs, however they are cut', async () => {
  const inbox = new Inbox()
  const answers = Promise.all([inbox.answer('1'), inbox.answer('2')])
  const bytes = Buffer.concat([message(null, 'a'), message('2', 'two'), message(null, 'b'), message('1', 'one'), message(null, 'c')])
  for (let at = 0; at < bytes.length; at += 7) inbox.put(bytes.subarray(at, at + 7))
  expect((await answers).map(({ data }) => data)).toEqual(['one', 'two'])
  expect([(await inbox.message()).data, (await inbox.message()).data, (await inbox.message()).data]).toEqual(['a', 'b', 'c'])
})

test('the end reaches every waiting caller, after the frames before it', async () => {
  const inbox = new Inbox()
  const outcomes = Promise.allSettled([inbox.answer('1'), inbox.next(), inbox.next()])
  inbox.put(message(null, 'last'))
  inbox.end()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  expect(await inbox.frame()).toBeUndefined()
})

test('a call that ends its connection rejects with the reason', async () => {
  const inbox = new Inbox()
  const answer = inbox.answer('1')
  inbox.put(frame(OP.CLOSE, { code: 4003, message: 'Signed out.' }))
  inbox.end()
  await expect(answer).rejects.toThrow('4003')
  await expect(inbox.message()).rejects.toThrow('opcode 2')
})
