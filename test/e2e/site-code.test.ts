/** The samples of the site in each language, all at once, for the compiler or the type checker of that language. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Protocol, samplesOf } from '#daemon/docs/site/tabs.ts'
import { ROOT } from '../architecture/source-tree.ts'

const run = promisify(execFile)
const MINUTES_MS = 300_000
/** Of what a compiler prints, and of that what a failure shows. */
const MOST_BYTES = 2 ** 26
const MOST_SIGNS = 4_000

const missing = process.env['TEST_SITE'] === undefined ? 'takes a minute: npm run test:long -- site' : undefined

describe.skipIf(missing !== undefined)(`the code of the site${missing === undefined ? '' : ` (${missing})`}`, () => {
  const samples = [
    ...samplesOf(JSON.parse(readFileSync(join(ROOT, 'protocol/generated/protocol.json'), 'utf8')) as Protocol).values(),
  ].flat()
  let scratch = ''
  beforeAll(() => {
    scratch = mkdtempSync(join(tmpdir(), 'samples-'))
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const codeIn = (language: string): readonly string[] => samples.filter((one) => one.language === language).map(({ code }) => code)
  const indented = (code: string, by: string): string => code.replace(/^/gm, by)
  const at = (path: string): string => join(ROOT, 'bindings', path)

  interface Checker {
    readonly language: string
    readonly file: string
    readonly text: (samples: readonly string[]) => string
    /** The command; the file comes last. */
    readonly words: readonly string[]
    readonly environment?: Readonly<Record<string, string>>
  }

  const C = `-I${at('c/include')}`
  const CHECKERS: readonly Checker[] = [
    {
      language: 'C',
      file: 'samples.c',
      text: (codes) =>
        `#include <sallyport/protocol.h>\n#include <sallyport/sallyport.h>\nvoid all(sallyport_client *client, sallyport_result_fn on_result, sallyport_event_fn on_event) {\n${codes.join('\n')}\n}\n`,
      words: ['gcc', '-std=c99', '-Wall', '-Werror', '-fsyntax-only', C, `-I${at('c/generated')}`],
    },
    {
      language: 'C++',
      file: 'samples.cpp',
      text: (codes) =>
        `#include <iostream>\n#include <sallyport/client.hpp>\n#include <sallyport/protocol.hpp>\nvoid all(sallyport::Client &client) {\n${codes.map((code) => `{ ${code} }`).join('\n')}\n}\n`,
      words: ['g++', '-std=c++17', '-fsyntax-only', C, `-I${at('c/generated')}`, `-I${at('cpp/include')}`, `-I${at('cpp/generated')}`],
    },
    { language: 'Lua', file: 'samples.lua', text: (codes) => codes.map((code) => `do ${code} end`).join('\n'), words: ['luajit', '-bl'] },
    {
      language: 'Python',
      file: 'samples.py',
      text: (codes) =>
        `import sallyport\n\nasync def all(client: sallyport.AsyncClient) -> None:\n${codes.map((code) => indented(code.replace(/^result = /, ''), '    ')).join('\n')}\n`,
      words: ['mypy', '--cache-dir', 'mypy'],
      environment: { MYPYPATH: at('python/src') },
    },
    {
      language: 'C#',
      file: 'samples.cs',
      text: (codes) =>
        `using System; using System.Collections.Generic; using System.Threading.Tasks; using Sallyport;\nclass All {\n${codes.map((code, index) => `async Task M${index}(SallyportClient client) { await Task.Yield(); ${code} }`).join('\n')}\n}\n`,
      words: [
        'mcs',
        '-langversion:latest',
        '-target:library',
        '-out:samples.dll',
        `-recurse:${at('csharp/src')}/*.cs`,
        `-recurse:${at('csharp/generated')}/*.cs`,
      ],
    },
    {
      language: 'TypeScript',
      file: 'samples.ts',
      text: (codes) =>
        `import type { SallyportClient } from '${at('ts/src/index.ts')}'\nexport async function all(client: SallyportClient) {\n${codes.map((code) => `{ ${code} }`).join('\n')}\n}\n`,
      words: [
        process.execPath,
        join(ROOT, 'node_modules/typescript/bin/tsc'),
        ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext', '--allowImportingTsExtensions'],
        ...[
          '--customConditions',
          'sallyport-source',
          '--types',
          'node',
          '--typeRoots',
          join(ROOT, 'node_modules/@types'),
          '--ignoreConfig',
        ],
      ],
    },
  ]

  for (const { language, file, text, words, environment } of CHECKERS) {
    const [program = '', ...rest] = words
    const isLacking = missing === undefined && program !== process.execPath && spawnSync(program, ['--version']).error !== undefined
    test.skipIf(isLacking)(
      `is accepted by the compiler of ${language}${isLacking ? ` (needs ${program})` : ''}`,
      async () => {
        const codes = codeIn(language)
        expect(codes.length).toBeGreaterThan(300)
        writeFileSync(join(scratch, file), text(codes))
        const options = { cwd: scratch, env: { ...process.env, ...environment }, maxBuffer: MOST_BYTES }
        await run(program, [...rest, file], options).catch((error: unknown) => {
          const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
          throw new Error(`${program} refused: ${`${stdout}${stderr}`.slice(0, MOST_SIGNS)}`)
        })
      },
      MINUTES_MS,
    )
  }
})
