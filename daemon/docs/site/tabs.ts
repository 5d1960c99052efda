/** Puts code in each language into the Markdown of pages, as blocks that a script of the site shows as tabs. Without it they stand one below the other. Pure. */
import type { DocumentDefinitions, DocumentSchema } from '@sallyport/protocol'
import { argumentsOf } from './sample-arguments.ts'
import { callSamples, eventSamples, type Sample } from './samples.ts'
import type { Page, Tree } from './pages.ts'

/** What the samples are made of, from `protocol.json`. */
export interface Protocol {
  readonly commands: readonly {
    readonly name: string
    readonly args?: DocumentSchema
    readonly endpoint?: string
    readonly offeredTo?: readonly string[]
  }[]
  readonly endpoints: readonly { readonly name: string; readonly args: DocumentSchema }[]
  readonly events: readonly { readonly name: string; readonly args: DocumentSchema; readonly delivery: string }[]
  readonly $defs: DocumentDefinitions
}

const REFERENCE = 'protocol/generated/reference/'
/** Where the samples of a row stand: before what it returns. */
const BEFORE = /^(?:Response|Data):$/m
/** They have functions of their own in each client. */
const BY_FUNCTION: readonly string[] = ['SUBSCRIBE', 'UNSUBSCRIBE']

/** The command line of the operator alone can make the proof. */
const isForOperator = (args: DocumentSchema | undefined): boolean => args?.required?.includes('operator_proof') === true

/** By the name of a command or event that programs can use: what it is in each language. */
export function samplesOf({ commands, endpoints, events, $defs }: Protocol): ReadonlyMap<string, readonly Sample[]> {
  const schemas = new Map(endpoints.map(({ name, args }) => [name, args]))
  const calls = commands
    .filter(({ name, args, offeredTo }) => !BY_FUNCTION.includes(name) && offeredTo?.includes('program') !== false && !isForOperator(args))
    .map(({ name, args, endpoint }) => {
      const schema = args ?? schemas.get(endpoint ?? '') ?? {}
      return [name, callSamples(name, argumentsOf(name, schema, $defs))] as const
    })
  const subscriptions = events
    .filter(({ delivery }) => delivery === 'subscription')
    .map(({ name, args }) => [name, eventSamples(name, argumentsOf(name, args, $defs))] as const)
  return new Map([...calls, ...subscriptions])
}

/** Blank lines let the code inside be Markdown. */
const tabs = (samples: readonly Sample[]): string =>
  [
    '<div class="samples">',
    ...samples.map(
      ({ language, fence, code }) =>
        `<div class="sample" data-language="${language}"><p class="language">${language}</p>\n\n\`\`\`${fence}\n${code}\n\`\`\`\n\n</div>`,
    ),
    '</div>',
  ].join('\n\n')

function withRows(markdown: string, samples: ReadonlyMap<string, readonly Sample[]>): string {
  const [head = '', ...sections] = markdown.split(/^(?=## )/m)
  return [
    head,
    ...sections.map((section) => {
      const found = samples.get(/^## (\w+)/.exec(section)?.[1] ?? '')
      return found === undefined ? section : section.replace(BEFORE, (label) => `In code:\n\n${tabs(found)}\n\n${label}`)
    }),
  ].join('')
}

/** The documents of the clients whose first whole program is shown. */
const CLIENTS: readonly { readonly language: string; readonly path: string; readonly fence: string }[] = [
  { language: 'TypeScript', path: 'bindings/ts/README.md', fence: 'ts' },
  { language: 'C', path: 'bindings/c/README.md', fence: 'c' },
  { language: 'C++', path: 'bindings/cpp/README.md', fence: 'cpp' },
  { language: 'C#', path: 'bindings/csharp/README.md', fence: 'csharp' },
  { language: 'Lua', path: 'bindings/lua/README.md', fence: 'lua' },
  { language: 'Python', path: 'bindings/python/README.md', fence: 'python' },
  { language: 'Godot', path: 'bindings/engines/godot/README.md', fence: 'gdscript' },
]
const PROGRAM_LINES = 10

/** The first block of the language that is long enough to be a program. Throws without one. */
export function programOf(markdown: string, fence: string): string {
  const blocks = [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)]
  const program = blocks.find(([, language, code = '']) => language === fence && code.split('\n').length >= PROGRAM_LINES)?.[2]
  if (program === undefined) throw new Error(`a document of a client has no program in ${fence}`)
  return program
}

export const programsOf = (tree: Tree): readonly Sample[] =>
  CLIENTS.map(({ language, path, fence }) => ({ language, fence, code: programOf(tree.textOf(path), fence) }))

const PROGRAMS_PAGE = 'bindings/README.md'
const PROGRAMS_BEFORE = /^## What each client does$/m

/** The Markdown of a page with its samples. */
export function withTabs(page: Page, samples: ReadonlyMap<string, readonly Sample[]>, programs: readonly Sample[]): string {
  if (page.source.startsWith(REFERENCE)) return withRows(page.markdown, samples)
  if (page.source !== PROGRAMS_PAGE) return page.markdown
  if (!PROGRAMS_BEFORE.test(page.markdown)) throw new Error(`${PROGRAMS_PAGE} lacks the heading before which the programs stand`)
  return page.markdown.replace(PROGRAMS_BEFORE, (heading) => `## A first program\n\n${tabs(programs)}\n\n${heading}`)
}
