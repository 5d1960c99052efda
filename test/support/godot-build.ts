/** The engine for the tests of the add-on for Godot: where it is, and projects with the built add-on. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { INCLUDES, isInstalled, sources } from './c-build.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../..')
/** An import starts the editor, which takes its time on a busy machine. */
const IMPORT_MS = 240_000

export const GODOT_BINDING = join(ROOT, 'bindings/engines/godot')
export const WINDOWS_COMPILER = 'x86_64-w64-mingw32-gcc'

/** `SALLYPORT_GODOT` names an engine that is already there; otherwise the one that scripts/engine.mjs fetched. */
export const ENGINE = process.env['SALLYPORT_GODOT'] ?? join(ROOT, '.cache/godot/usr/bin/godot')
const template = (kind: 'debug' | 'release'): string => join(dirname(ENGINE), `godot-template-${kind}`)
export const TEMPLATES = { debug: template('debug'), release: template('release') }

/** Why the add-on cannot be tested here; undefined if it can. */
export const godotObstacle: string | undefined = !existsSync(ENGINE)
  ? 'There is no Godot 4; name one in SALLYPORT_GODOT, or run: node bindings/engines/godot/scripts/engine.mjs'
  : process.platform !== 'linux' || process.arch !== 'x64' || !(await isInstalled('gcc'))
    ? 'The add-on is tested on Linux on x64 with gcc; install gcc.'
    : undefined

/** Why exports cannot be tested here. */
export const exportObstacle: string | undefined =
  godotObstacle ??
  (existsSync(TEMPLATES.release) && existsSync(TEMPLATES.debug) ? undefined : `There is no export template beside ${ENGINE}.`)

/** Settings and logs of the engine go into the folder. */
export const godotEnvironment = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env['PATH'], HOME: home })

/** Builds the add-on into the folder, with every warning an error: `addons`, and `demo`. */
export async function buildGodot(folder: string, platforms: readonly string[] = ['linux']): Promise<void> {
  const words = ['--engine', ENGINE, '--check', ...platforms.flatMap((platform) => ['--platform', platform])]
  await run(process.execPath, [join(GODOT_BINDING, 'scripts/build.mjs'), ...words, folder])
}

/**
 * The project has then what the editor makes of it: classes and imported files. The list of its extensions is there before: a headless editor
 * that finds a new extension crashes when it ends (godotengine/godot#111048).
 */
export async function importGodot(
  project: string,
  home: string,
  extensions: readonly string[] = ['res://addons/sallyport/sallyport.gdextension'],
): Promise<string> {
  await mkdir(home, { recursive: true })
  await mkdir(join(project, '.godot'), { recursive: true })
  await writeFile(join(project, '.godot/extension_list.cfg'), extensions.map((one) => `${one}\n`).join(''))
  const { stdout, stderr } = await run(ENGINE, ['--headless', '--no-header', '--path', project, '--import'], {
    env: godotEnvironment(home),
    timeout: IMPORT_MS,
  })
  return stdout + stderr
}

/** A project with the programs of the tests and the add-on that was built into the folder. */
export async function testProject(built: string, project: string, home: string): Promise<void> {
  await cp(join(GODOT_BINDING, 'tests'), project, { recursive: true })
  await cp(join(built, 'addons'), join(project, 'addons'), { recursive: true })
  await importGodot(project, home)
}

const WARNINGS = [
  'unassigned_variable',
  'unused_variable',
  'unused_parameter',
  'unused_signal',
  'unreachable_code',
  'shadowed_variable',
  'shadowed_variable_base_class',
  'shadowed_global_identifier',
  'standalone_expression',
  'incompatible_ternary',
  'narrowing_conversion',
  'static_called_on_instance',
  'redundant_await',
  'untyped_declaration',
]

/** A project whose autoload is the script of the README. Every warning of the list is an error, in the add-on too. */
export async function pageProject(project: string, built: string, script: string, home: string): Promise<void> {
  await mkdir(project)
  await cp(join(built, 'addons'), join(project, 'addons'), { recursive: true })
  await writeFile(join(project, 'page.gd'), script)
  await writeFile(join(project, 'main.tscn'), '[gd_scene format=3]\n\n[node name="Main" type="Node"]\n')
  const settings = [
    'config_version=5',
    '[application]',
    'config/name="Page"',
    'run/main_scene="res://main.tscn"',
    'config/features=PackedStringArray("4.4")',
    'run/flush_stdout_on_print=true',
    '[autoload]',
    'Page="*res://page.gd"',
    '[debug]',
    'gdscript/warnings/exclude_addons=false',
    'gdscript/warnings/directory_rules={ "res://addons": 1 }',
    ...WARNINGS.map((name) => `gdscript/warnings/${name}=2`),
  ]
  await writeFile(join(project, 'project.godot'), `${settings.join('\n')}\n`)
  await importGodot(project, home)
}

/** Sets a setting of the application in the file of a project. */
async function setProject(project: string, change: (text: string) => string): Promise<void> {
  const file = join(project, 'project.godot')
  await writeFile(file, change(await readFile(file, 'utf8')))
}

export const mainScene = (project: string, scene: string): Promise<void> =>
  setProject(project, (text) => text.replace(/run\/main_scene="[^"]*"/, `run/main_scene="${scene}"`))

/** A copy of the project of the tests whose editor saves a scene and ends. */
export async function savedProject(tests: string, project: string): Promise<void> {
  await cp(tests, project, { recursive: true })
  await setProject(project, (text) => `${text}\n[editor_plugins]\n\nenabled=PackedStringArray("res://addons/saver/plugin.cfg")\n`)
}

/** What runs a program of the tests in the project. */
export const godotProgram = (project: string, name: string): readonly [string, ...string[]] => [
  ENGINE,
  '--headless',
  '--no-header',
  '--path',
  project,
  '--',
  name,
]

/** Exports the project for Linux into the folder with the presets of the demo. Resolves with the program; throws with what the engine said. */
export async function exportGodot(project: string, folder: string, kind: 'debug' | 'release', home: string): Promise<string> {
  const presets = await readFile(join(GODOT_BINDING, 'demo/export_presets.cfg'), 'utf8')
  const named = presets.replaceAll(
    /(custom_template\/(debug|release))=""/g,
    (_, key: string, name: 'debug' | 'release') => `${key}="${TEMPLATES[name]}"`,
  )
  await writeFile(join(project, 'export_presets.cfg'), named)
  await mkdir(folder, { recursive: true })
  const program = join(folder, 'game.x86_64')
  await run(ENGINE, ['--headless', '--path', project, `--export-${kind}`, 'Linux', program], {
    env: godotEnvironment(home),
    timeout: IMPORT_MS,
  })
  return program
}

/**
 * Puts a library with the address sanitizer in the place of the exported one. Resolves with the environment that the game then needs, or
 * undefined where the sanitizer does not start with this engine.
 */
export async function sanitize(built: string, game: string): Promise<NodeJS.ProcessEnv | undefined> {
  const folder = dirname(game)
  const shim = join(folder, 'shallow.so')
  const source = join(GODOT_BINDING, 'src')
  const own = readdirSync(source)
    .filter((name) => name.endsWith('.c'))
    .map((name) => join(source, name))
  const words = ['-std=c99', '-g', '-O1', '-fPIC', '-shared', '-fsanitize=address', '-fno-omit-frame-pointer', ...INCLUDES]
  const headers = ['-isystem', join(built, 'build/interface')]
  const library = join(folder, 'libsallyport.linux.template_release.x86_64.so')
  await run('gcc', [...words, ...headers, ...sources(), ...own, join(built, 'build/documentation.c'), '-o', library])
  await run('gcc', ['-shared', '-fPIC', join(GODOT_BINDING, 'tests/shallow.c'), '-o', shim])
  const sanitizer = (await run('gcc', ['-print-file-name=libasan.so'])).stdout.trim()
  // What the engine leaves behind at its end is not ours.
  const env = { LD_PRELOAD: `${shim}:${sanitizer}`, ASAN_OPTIONS: 'detect_leaks=0:verify_asan_link_order=0:exitcode=99' }
  const starts = await run(game, ['--headless', '--version'], { env: { ...godotEnvironment(folder), ...env } }).then(
    () => true,
    () => false,
  )
  return starts ? env : undefined
}
