/** What the site uses of the packages that its command installs. They are not there when the types of the repository are checked. */

declare module '@11ty/eleventy' {
  /** A token of markdown-it. */
  export interface Token {
    readonly type: string
    attrSet(name: string, value: string): void
  }
  type Rule = (...words: readonly unknown[]) => string
  export interface MarkdownIt {
    readonly core: {
      readonly ruler: { push(name: string, rule: (state: { readonly src: string; readonly tokens: readonly Token[] }) => void): void }
    }
    readonly renderer: { readonly rules: Record<string, Rule | undefined> }
  }
  export interface Configuration {
    addPlugin(plugin: unknown): void
    amendLibrary(extension: 'md', amend: (markdown: MarkdownIt) => void): void
    addTemplate(path: string, content: string, data: Readonly<Record<string, unknown>>): void
    addPassthroughCopy(paths: Readonly<Record<string, string>>): void
  }
  export class Eleventy {
    constructor(
      input: string,
      output: string,
      options: { readonly quietMode: boolean; readonly configPath: false; readonly config: (configuration: Configuration) => void },
    )
    write(): Promise<unknown>
  }
}

declare module '@11ty/eleventy-plugin-syntaxhighlight' {
  const plugin: unknown
  export default plugin
}

declare module 'pagefind' {
  interface Outcome {
    readonly errors: readonly string[]
  }
  interface Index {
    addDirectory(from: { readonly path: string }): Promise<Outcome>
    writeFiles(to: { readonly outputPath: string }): Promise<Outcome>
  }
  export function createIndex(settings: { readonly keepIndexUrl: boolean }): Promise<Outcome & { readonly index?: Index }>
  export function close(): Promise<unknown>
}
