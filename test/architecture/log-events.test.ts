/** Holds the names of log events: their form, their words, and that the daemon logs each of them. */
import { LOG_EVENTS } from '@sallyport/core/log-events'
import { describe, expect, it } from 'vitest'
import { filesOf, isShipped, withoutComments } from './source-tree.ts'

/** Words of older releases: a gateway has a connection, a user gets a prompt, a thing is stored. */
const OLD_WORDS = ['question', 'link', 'linked', 'unlinked', 'standing', 'ask', 'asked', 'heard', 'kept', 'noted']
const names = Object.keys(LOG_EVENTS)

describe('LOG_EVENTS', () => {
  it('has names of lower-case words with hyphens, in order', () => {
    expect(names.length).toBeGreaterThan(70)
    expect(names.filter((name) => !/^[a-z]+(?:-[a-z]+)*$/.test(name))).toEqual([])
    expect(names).toEqual(names.toSorted())
  })

  it('has no old word in a name', () => {
    expect(names.filter((name) => name.split('-').some((word) => OLD_WORDS.includes(word)) || name === 'join-not-taken')).toEqual([])
  })

  it('has only names that the daemon logs', () => {
    const shipped = filesOf((path) => isShipped(path) && !path.endsWith('core/src/log-events.ts'))
    const text = shipped.map((file) => withoutComments(file.text)).join('\n')
    expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([])
  })

  it('says of each in one sentence what happened', () => {
    expect(Object.values(LOG_EVENTS).filter((meaning) => !/^[A-Z][^\n]+[^.]\.$/.test(meaning))).toEqual([])
  })
})
