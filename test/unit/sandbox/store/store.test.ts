/** The store: groups follow their documents, and a failing file changes nothing. */
import { expect, it } from 'vitest'
import { type StoreBackend, Store } from '@sallyport/sandbox/store/store'

const message = (id: string, lobbyId: string) => ({ id, lobbyId, applicationId: '1', authorId: '2', content: id, metadata: null, flags: 0 })

it('keeps groups in step with sets, moves and drops', () => {
  const store = new Store(undefined)
  store.commit([
    store.messages.put('a', message('a', 'x')),
    store.messages.put('b', message('b', 'x')),
    store.messages.put('c', message('c', 'y')),
  ])
  store.commit([store.messages.put('a', message('a', 'y')), store.messages.delete('c')])
  expect(store.messages.group('x').map(({ id }) => id)).toEqual(['b'])
  expect(store.messages.group('y').map(({ id }) => id)).toEqual(['a'])
  expect(store.messages.size).toBe(2)
})

it('changes nothing when the file cannot be written', () => {
  const broken: StoreBackend = {
    load: () => [],
    save() {
      throw new Error('disk full')
    },
    close() {},
  }
  const store = new Store(broken)
  expect(() => store.commit([store.messages.put('a', message('a', 'x'))])).toThrow('disk full')
  expect(store.messages.get('a')).toBeUndefined()
})

it('reads what a file holds, and skips kinds it does not know', () => {
  const backing: StoreBackend = {
    load: () => [
      { kind: 'message', id: 'a', body: JSON.stringify(message('a', 'x')) },
      { kind: 'from-a-later-version', id: '1', body: '{}' },
    ],
    save() {},
    close() {},
  }
  expect(new Store(backing).messages.group('x')).toHaveLength(1)
})
