import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ZodType } from 'zod'
import { COMMANDS, type EventName, EVENTS, isCommandName } from '@sallyport/protocol'
import { callSamples, eventSamples } from '#daemon/docs/site/samples.ts'
import { siteOf } from '#daemon/docs/site/pages.ts'
import { programsOf, type Protocol, samplesOf, withTabs } from '#daemon/docs/site/tabs.ts'
import { committedPaths, ROOT } from '#test/architecture/source-tree.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const protocol = JSON.parse(textOf('protocol/generated/protocol.json')) as Protocol
const samples = samplesOf(protocol)

/** Where each language has the names of commands and events. */
const NAMES: Readonly<Record<string, string>> = {
  C: textOf('bindings/c/generated/sallyport/protocol.h'),
  'C++': textOf('bindings/cpp/generated/sallyport/protocol.hpp'),
  'C#': textOf('bindings/csharp/generated/Protocol.cs'),
  Lua: textOf('bindings/lua/sallyport/protocol.lua'),
  Python: textOf('bindings/python/src/sallyport/_calls.pyi'),
  Godot: textOf('bindings/engines/godot/addons/sallyport/protocol.gd'),
}
const USED: Readonly<Record<string, RegExp>> = {
  C: /SALLYPORT_(?:COMMAND|EVENT)_\w+/,
  'C++': /(?<=sallyport::(?:commands|events)::)\w+/,
  'C#': /(?<=(?:Commands|Events)\.)\w+/,
  Lua: /(?<=sallyport\.(?:commands|events)\.)\w+/,
  Python: /(?<=client\.(?:commands|events)\.)\w+/,
  Godot: /(?:COMMAND|EVENT)_\w+/,
}

describe('the samples', () => {
  test('are of most commands and events', () => {
    expect(samples.size).toBeGreaterThan(300)
    expect(samples.has('SUBSCRIBE')).toBe(false)
  })

  test('use the names of the clients', () => {
    const wrong = [...samples].flatMap(([name, each]) =>
      each.flatMap(({ language, code }) => {
        const names = NAMES[language]
        if (names === undefined) return []
        const used = USED[language]?.exec(code)?.[0] ?? 'nothing'
        return new RegExp(`\\b${used}\\b`).test(names) ? [] : [`${name} in ${language}: ${used}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('pass arguments that the daemon accepts', () => {
    const wrong = [...samples].flatMap(([name, each]) => {
      const frame = JSON.parse(each.find(({ language }) => language === 'Frame')?.code ?? '') as { readonly args: unknown }
      const row: { readonly args: ZodType } = isCommandName(name) ? COMMANDS[name] : EVENTS[name as EventName]
      const { success, error } = row.args.safeParse(frame.args)
      return success ? [] : [`${name} ${JSON.stringify(frame.args)}: ${error.message}`]
    })
    expect(wrong).toEqual([])
  })

  test('write values as each language does', () => {
    const args = { a: "it's", b: [1, true], c: { d: null } }
    const code = Object.fromEntries(callSamples('GET_LOBBY', args).map((sample) => [sample.language, sample.code]))
    expect(code).toMatchObject({
      TypeScript: String.raw`const result = await client.call('GET_LOBBY', { a: 'it\'s', b: [1, true], c: { d: null } })`,
      C: String.raw`sallyport_call(client, SALLYPORT_COMMAND_GET_LOBBY, "{\"a\":\"it's\",\"b\":[1,true],\"c\":{\"d\":null}}", on_result, NULL);`,
      'C#': 'var result = await client.CallAsync(Commands.GetLobby, new JsonObject { { "a", "it\'s" }, { "b", new List<object> { 1, true } }, { "c", new JsonObject { { "d", null } } } });',
      Lua: String.raw`local result, problem = client:call(sallyport.commands.GET_LOBBY, { a = 'it\'s', b = { 1, true }, c = { d = sallyport.null } })`,
      Python: `result = await client.commands.get_lobby({"a": "it's", "b": [1, True], "c": {"d": None}})`,
      Shell: String.raw`sallyport call GET_LOBBY '{"a":"it'\''s","b":[1,true],"c":{"d":null}}'`,
      Frame: '{"cmd":"GET_LOBBY","nonce":"1","args":{"a":"it\'s","b":[1,true],"c":{"d":null}}}',
    })
    expect(eventSamples('LOBBY_CREATE', {}).map(({ code: each }) => each)).toContain(
      "client.on('LOBBY_CREATE', (data) => console.log(data))",
    )
  })
})

describe('tabs', () => {
  const tree = { paths: committedPaths(), textOf }
  const { pages } = siteOf(tree)
  const tabbed = new Map(pages.map((page) => [page.source, withTabs(page, samples, programsOf(tree))]))

  test('stand before what each command, endpoint and event returns', () => {
    const page = tabbed.get('protocol/generated/reference/commands/authorize.md') ?? ''
    const section = page.split(/^## /m).find((one) => one.startsWith('AUTHORIZE\n')) ?? ''
    expect(section.indexOf('Arguments:')).toBeLessThan(section.indexOf('data-language="TypeScript"'))
    expect(section.indexOf('data-language="Frame"')).toBeLessThan(section.indexOf('Response:'))
    const shown = [...tabbed.values()].join('\n').match(/^<div class="samples">$/gm) ?? []
    // One more: the first programs.
    expect(shown.length).toBe(samples.size + 1)
  })

  test('show the first program of each client', () => {
    expect(programsOf(tree).map(({ language }) => language)).toEqual(['TypeScript', 'C', 'C++', 'C#', 'Lua', 'Python', 'Godot'])
    expect(tabbed.get('bindings/README.md')).toContain('sallyport.AsyncClient(')
  })

  test('leave other pages as they are', () => {
    expect(tabbed.get('README.md')).toBe(textOf('README.md'))
  })
})
