#!/usr/bin/env node
/**
 * Writes the whole library as one header: `node amalgamate.mjs OUTPUT`. A program includes it everywhere, and in one C file after
 * `#define SALLYPORT_IMPLEMENTATION`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const INCLUDE = join(ROOT, 'include')
const SOURCE = join(ROOT, 'src')
/** Absent in the packages, which have its header in `include`. */
const GENERATED = join(ROOT, 'generated')
const OWN = /^#include "([^"]+)"$/gm

const pathOf = (name) => {
  const generated = join(GENERATED, name)
  if (existsSync(generated)) return generated
  return name.startsWith('sallyport/') ? join(INCLUDE, name) : join(SOURCE, name)
}

/** Replaces includes of the library by their text, each once. */
function inlined(path, done) {
  return readFileSync(path, 'utf8').replace(OWN, (_, name) => {
    const target = pathOf(name)
    if (done.has(target)) return ''
    done.add(target)
    return inlined(target, done)
  })
}

const done = new Set()
const open = (path) => {
  done.add(path)
  return inlined(path, done)
}

const [output] = process.argv.slice(2)
if (output === undefined) {
  process.stderr.write('usage: node amalgamate.mjs OUTPUT\n')
  process.exit(2)
}

// The feature macros must come before any header of the system.
const posix = open(join(SOURCE, 'posix.h'))
const api = open(join(INCLUDE, 'sallyport/sallyport.h'))
const sources = readdirSync(SOURCE)
  .filter((name) => name.endsWith('.c'))
  .map((name) => open(join(SOURCE, name)))
writeFileSync(
  output,
  [
    `/* Sallyport for C as one header, MIT licensed. Define SALLYPORT_IMPLEMENTATION in one C file before it. Made by amalgamate.mjs. */`,
    `#ifdef SALLYPORT_IMPLEMENTATION\n${posix}\n#endif`,
    api,
    `#ifdef SALLYPORT_IMPLEMENTATION\n${sources.join('\n')}\n#endif\n`,
  ].join('\n'),
)
