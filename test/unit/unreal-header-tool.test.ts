/** The stand-in for the engine's header tool refuses what that of the engine refuses, and accepts the headers of the plugin. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#test/architecture/source-tree.ts'
import { generatedFor, problemsOf } from '#test/support/unreal-header-tool.ts'

const PLUGIN = join(ROOT, 'bindings/engines/unreal')
const FOLDERS = ['Source/SallyportClient/Public', 'Sample']
const plugin = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(PLUGIN, folder))
      .filter((name) => name.endsWith('.h'))
      .map((name) => [name.replace('.h', ''), readFileSync(join(PLUGIN, folder, name), 'utf8')] as const),
  ),
)

/** The plugin with one text of a header in place of another. */
const changed = (header: string, from: string, to: string): ReadonlyMap<string, string> => {
  const text = plugin.get(header) ?? ''
  expect(text).toContain(from)
  return new Map([...plugin, [header, text.replace(from, to)]])
}

const header = (body: string, base = 'UObject', kind = 'class'): ReadonlyMap<string, string> =>
  new Map([
    [
      'A',
      `#include "A.generated.h"\n${kind === 'class' ? 'UCLASS()' : 'USTRUCT(BlueprintType)'}\n${kind} X_API ${kind === 'class' ? 'UA' : 'FA'}${
        kind === 'class' ? ` : public ${base}` : ''
      }\n{\n    GENERATED_BODY()\npublic:\n${body}\n};\n`,
    ],
  ])

describe('the headers of the plugin', () => {
  test('have no problem', () => {
    expect(plugin.size).toBeGreaterThan(5)
    expect(problemsOf(plugin)).toEqual([])
    expect(generatedFor(plugin).get('SallyportSubsystem')).toMatch(/_BODY public: using Super = UGameInstanceSubsystem; private:/)
  })

  test.each([
    ['SallyportCalls', ' InMake)', ' Make)', 'the parameter Make of USallyportCallBase.Begin hides a member'],
    [
      'SallyportCalls',
      'FSallyportEnded Failed',
      'FSallyportText Failed',
      'USallyportCallBase is a latent node, whose pins must have one type of delegate',
    ],
    [
      'SallyportCalls',
      'SallyportSignOut(UObject* WorldContextObject)',
      'SallyportSignOut(UObject* Context)',
      'has no parameter WorldContextObject',
    ],
    [
      'SallyportCalls',
      '#include "SallyportError.h"\n',
      '',
      'FSallyportEnded has a type that the engine does not know: const FSallyportError&',
    ],
    ['SallyportSubsystem', 'bool IsReady() const', 'bool GetWorld() const', 'USallyportSubsystem.GetWorld hides a member of a parent'],
    ['SallyportSubsystem', 'void Unsubscribe(int32', 'void Unsubscribe(uint64', 'takes a type that the engine does not know: uint64'],
    ['SallyportSubsystem', 'int32 Subscribe(', 'uint32 Subscribe(', 'returns a type that the engine does not know: uint32'],
    ['SallyportSubsystem', 'void Disconnect()', 'void Connect(bool bAgain)', 'USallyportSubsystem has two UFUNCTIONs of one name'],
  ])('would have one in %s with %s as %s', (name, from, to, problem) => {
    expect(problemsOf(changed(name, from, to)).join('\n')).toContain(problem)
  })
})

describe('the header tool refuses', () => {
  test.each([
    ['a number without a sign', 'UPROPERTY()\nuint64 Id;', 'UA.Id has a type that the engine does not know there: uint64'],
    ['a text of the standard library', 'UPROPERTY()\nstd::string Text;', 'std::string'],
    ['a list of lists', 'UPROPERTY()\nTArray<TArray<int32>> Lists;', 'TArray<TArray<int32>>'],
    ['an optional value', 'UPROPERTY()\nTOptional<int32> Number;', 'TOptional<int32>'],
    ['an unknown struct', 'UPROPERTY()\nFOther Other;', 'FOther'],
    ['a property without a category', 'UPROPERTY(BlueprintReadOnly)\nint32 Number = 0;', 'UA.Number has no Category'],
    ['a node without a category', 'UFUNCTION(BlueprintCallable)\nvoid Run();', 'UA.Run has no Category'],
    ['a private property that Blueprint reads', 'private:\nUPROPERTY(BlueprintReadOnly, Category = "A")\nint32 Number;', 'is private'],
    ['a pure node without a result', 'UFUNCTION(BlueprintPure, Category = "A")\nvoid Run(const FString& Text);', 'returns nothing'],
    ['a flag with the name of another value', 'UPROPERTY()\nbool Flag;', 'begins with b'],
    [
      'a parameter that hides a field',
      'int32 Count = 0;\nUFUNCTION()\nvoid Run(int32 Count);',
      'the parameter Count of UA.Run hides a member',
    ],
    ['a function that hides one of a parent', 'void Rename();', 'UA.Rename hides a member of a parent'],
  ])('%s', (_, body, problem) => {
    expect(problemsOf(header(body)).join('\n')).toContain(problem)
  })

  test('a struct with a function, a wrong letter, an unknown parent and a parent that a field hides', () => {
    expect(problemsOf(header('UFUNCTION()\nvoid Run();', '', 'struct'))).toEqual(['FA is a struct, which has no UFUNCTION'])
    expect(problemsOf(header('', 'AActor'))).toEqual(['UA must begin with A'])
    expect(problemsOf(header('', 'UMissing'))).toEqual(['UA has the unknown parent UMissing'])
    expect(problemsOf(header('int32 Activate = 0;', 'UBlueprintAsyncActionBase'))).toEqual(['UA.Activate hides a member of a parent'])
  })

  test('a type without a body, a later include, and a delegate with too few parameters', () => {
    expect(problemsOf(new Map([['A', '#include "A.generated.h"\nUCLASS()\nclass UA : public UObject\n{\n};\n']]))).toEqual([
      'UA has no GENERATED_BODY()',
    ])
    expect(problemsOf(new Map([['A', '#include "A.generated.h"\n#include "B.h"\n']]))).toEqual([
      'the last include of A.h must be its generated one',
    ])
    const delegate = 'DECLARE_DYNAMIC_MULTICAST_DELEGATE_OneParam(FDone);\n#include "A.generated.h"\n'
    expect(() => problemsOf(new Map([['A', delegate]]))).toThrow('FDone has not as many parameters as its macro says')
    expect(() => generatedFor(header('UPROPERTY()\nuint64 Id;'))).toThrow('UA.Id')
  })

  test('a struct that is used before its declaration', () => {
    const text = (first: string, second: string) => new Map([['A', `#include "A.generated.h"\n${first}\n${second}\n`]])
    const inner = 'USTRUCT()\nstruct FInner\n{\n    GENERATED_BODY()\n};'
    const outer = 'USTRUCT()\nstruct FOuter\n{\n    GENERATED_BODY()\n    UPROPERTY()\n    TArray<FInner> Inner;\n};'
    expect(problemsOf(text(inner, outer))).toEqual([])
    expect(problemsOf(text(outer, inner))).toEqual(['FOuter.Inner has a type that the engine does not know there: TArray<FInner>'])
  })
})
