/** `npm run set-version -- 1.2.3`: writes the version into every manifest, the lockfile and the sources and builds that name it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
const OURS = /^(?:sallyport|@sallyport\/.+)$/
const SOURCES = [
  'daemon/core/src/version.ts',
  'bindings/ts/src/client.ts',
  'bindings/c/CMakeLists.txt',
  'bindings/c/include/sallyport/sallyport.h',
  'bindings/cpp/CMakeLists.txt',
  'bindings/cpp/packaging/conanfile.py',
  'bindings/cpp/packaging/vcpkg/vcpkg.json',
  'bindings/csharp/src/ClientOptions.cs',
  'bindings/lua/sallyport/client.lua',
  'bindings/python/pyproject.toml',
  'bindings/python/src/sallyport/aio.py',
  'bindings/engines/godot/addons/sallyport/plugin.cfg',
  'bindings/engines/unity/package.json',
  'bindings/engines/unity/README.md',
  'bindings/engines/unreal/Sallyport.uplugin',
  'bindings/engines/unreal/README.md',
]
/** CMake and the version of a shared library have numbers only. */
const numbersOf = (path, version) => (path.endsWith('CMakeLists.txt') ? version.split('-')[0] : version)
const FIELDS = ['dependencies', 'devDependencies']

const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const writeJson = (path, value) => writeFileSync(join(ROOT, path), `${JSON.stringify(value, undefined, 2)}\n`)

/** The manifest with the version, for itself and for the packages of ours that it depends on. */
function withVersion(manifest, version) {
  const fields = FIELDS.filter((field) => manifest[field] !== undefined).map((field) => [
    field,
    Object.fromEntries(Object.entries(manifest[field]).map(([name, range]) => [name, OURS.test(name) ? version : range])),
  ])
  return { ...manifest, version, ...Object.fromEntries(fields) }
}

function setVersion(version) {
  const { version: previous, workspaces } = readJson('package.json')
  for (const folder of ['.', ...workspaces]) {
    const path = join(folder, 'package.json')
    writeJson(path, withVersion(readJson(path), version))
  }
  const lock = readJson('package-lock.json')
  const packages = Object.entries(lock.packages).map(([path, entry]) => [
    path,
    ['', ...workspaces].includes(path) ? withVersion(entry, version) : entry,
  ])
  writeJson('package-lock.json', { ...lock, version, packages: Object.fromEntries(packages) })
  for (const path of SOURCES) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const [old, next] = [previous, version].map((one) => numbersOf(path, one))
    if (!text.includes(old)) throw new Error(`${path} does not name the version ${old}; set it by hand`)
    writeFileSync(join(ROOT, path), text.replace(old, next))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const version = process.argv[2] ?? ''
  if (/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) setVersion(version)
  else {
    console.error('Give a version: npm run set-version -- 1.2.3')
    process.exitCode = 1
  }
}
