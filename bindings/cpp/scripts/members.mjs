#!/usr/bin/env node
/** Writes the table of `members.json` into README.md; `--check` only compares. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')
const BEGIN = '<!-- members: node scripts/members.mjs -->'
const END = '<!-- end of members -->'
/** Columns of a row; the names then go on in the next one. */
const MOST = 150

const classes = JSON.parse(readFileSync(join(ROOT, 'members.json'), 'utf8'))
const count = (pick) => Object.values(classes).reduce((sum, one) => sum + pick(one), 0)
const served = count((one) => one.served.length)
const all = served + count((one) => Object.keys(one.answers).length)

/** What is answered alike, with its functions. */
function groups() {
  const found = new Map()
  for (const [name, { served: rest, answers }] of Object.entries(classes)) {
    // A class that answers nothing else is one word.
    const isAlike = new Set(Object.values(answers).map((answer) => answer.join())).size === 1
    const isWhole = isAlike && rest.every((member) => member === name || member.startsWith('operator'))
    for (const [member, [result, why]] of Object.entries(answers)) {
      const key = `${result} | ${why}`
      const label = isWhole ? `\`${name}\`` : name === 'Client' ? `\`${member}\`` : `\`${name}::${member}\``
      found.set(key, new Set([...(found.get(key) ?? []), label]))
    }
  }
  return [...found].flatMap(([key, labels]) => {
    const rows = ['']
    for (const label of labels) {
      const longer = rows.at(-1) === '' ? label : `${rows.at(-1)}, ${label}`
      if (longer.length + key.length > MOST && rows.at(-1) !== '') rows.push(label)
      else rows[rows.length - 1] = longer
    }
    return rows.map((names) => `| ${names} | ${key} |`)
  })
}

const share = ((served * 100) / all).toFixed(0)
const text = [
  `Of ${all} members of the public class reference ${served} are served (${share} %). The others`,
  'compile, and answer as this table says:',
  '',
  '| Members | Answer | Why |',
  '|---|---|---|',
  ...groups(),
].join('\n')

const page = readFileSync(README, 'utf8')
const [before, rest = ''] = page.split(BEGIN)
const after = rest.split(END)[1]
if (after === undefined) throw new Error(`${README} has no place for the table: ${BEGIN} … ${END}`)
const wanted = `${before}${BEGIN}\n\n${text}\n\n${END}${after}`
if (process.argv.includes('--check')) {
  if (page !== wanted) {
    process.stderr.write('README.md does not have the table of members.json; run: node scripts/members.mjs\n')
    process.exitCode = 1
  }
} else {
  writeFileSync(README, wanted)
  process.stdout.write(`${served} of ${all} members are served (${share} %)\n`)
}
