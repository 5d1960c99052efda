/** Holds the words of sources, tests and documents against the list, and the documents against their width. */
import { describe, expect, it } from 'vitest'
import { filesOf, isCode } from './source-tree.ts'
import { bannedIn } from './words.ts'

const files = filesOf((path) => isCode(path) || path.endsWith('.md'))
const documents = files.filter(({ path }) => path.endsWith('.md'))

/** Columns of a line of prose, and of a row of a table, which cannot be wrapped. */
const PROSE_COLUMNS = 100
const ROW_COLUMNS = 160

describe('words', () => {
  it('are those of the glossary', () => {
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap(({ path, text }) => bannedIn(path, text))).toEqual([])
  })
})

describe('documents', () => {
  it('are wrapped', () => {
    const wide = documents.flatMap(({ path, text }) => {
      let isCodeBlock = false
      return text.split('\n').flatMap((line, index) => {
        if (line.startsWith('```')) isCodeBlock = !isCodeBlock
        const most = line.startsWith('|') || isCodeBlock ? ROW_COLUMNS : PROSE_COLUMNS
        return line.length > most ? [`${path}:${index + 1}: ${line.length} columns`] : []
      })
    })
    expect(wide).toEqual([])
  })
})
