/** What `npm run bindings:pack` makes: one row per archive. Each client has one source; engines get copies of it here. */

/** Files that go into an archive. */
export interface Part {
  /** File or folder, from the root. */
  readonly from: string
  /** Folder in the archive, or the path of a file. */
  readonly to: string
  /** Which files of the folder, by their path below it; absent: all. */
  readonly only?: RegExp
  /** `from` is a script that writes the file to the path of its argument. */
  readonly isScript?: true
  /** `from` is below the folder that the script of the archive filled. */
  readonly isBuilt?: true
}

interface Row {
  readonly name: string
}

/** An archive that is made of files of this tree. */
export interface FileArchive extends Row {
  readonly format: 'zip' | 'tar.gz' | 'tgz'
  readonly file: (version: string) => string
  readonly parts: readonly Part[]
  /** A script that compiles libraries into the folder of its argument. */
  readonly build?: string
  /** Files that must be there, although no file of the archive spells their names. */
  readonly needs?: readonly string[]
  /** Every file and folder gets an identity of the engine, because it ignores those of a package without one. */
  readonly hasMetas?: true
}

/** A package of npm. */
export interface NpmArchive extends Row {
  readonly format: 'npm'
  /** Its name in the list of published packages. */
  readonly published: string
}

/** A package for .NET. */
export interface NugetArchive extends Row {
  readonly format: 'nupkg'
  /** From the root. */
  readonly home: string
}

/** A package of Python, as its build tool makes it. */
export interface PythonArchive extends Row {
  readonly format: 'wheel' | 'sdist'
  /** From the root. */
  readonly home: string
}

export type Archive = FileArchive | NpmArchive | NugetArchive | PythonArchive

const CODE = /\.(?:c|h)$/
const LICENSE = 'LICENSE'
/** What games get of the Lua client. */
const LUA = /^(?:sallyport|examples)\/|^sallyport\.lua$|^(?:README|DESIGN)\.md$/

export const ARCHIVES: readonly Archive[] = [
  { name: 'protocol', format: 'npm', published: '@sallyport/protocol' },
  { name: 'typescript', format: 'npm', published: '@sallyport/client' },
  { name: 'csharp', format: 'nupkg', home: 'bindings/csharp' },
  { name: 'python', format: 'wheel', home: 'bindings/python' },
  { name: 'python-source', format: 'sdist', home: 'bindings/python' },
  {
    name: 'c',
    format: 'tar.gz',
    file: (version) => `sallyport-c-${version}.tar.gz`,
    parts: [
      {
        from: 'bindings/c',
        to: 'sallyport-c',
        only: /^(?:include|src|cmake|examples|scripts|abi)\/|^(?:CMakeLists\.txt|README\.md|DESIGN\.md)$/,
      },
      { from: 'bindings/c/generated/sallyport', to: 'sallyport-c/include/sallyport' },
      { from: 'bindings/c/scripts/amalgamate.mjs', to: 'sallyport-c/single/sallyport.h', isScript: true },
      { from: LICENSE, to: 'sallyport-c/LICENSE' },
    ],
  },
  {
    name: 'cpp',
    format: 'tar.gz',
    file: (version) => `sallyport-cpp-${version}.tar.gz`,
    // Both clients lie as in this tree, so that pages and build files find what they name.
    parts: [
      {
        from: 'bindings/cpp',
        to: 'sallyport-cpp/cpp',
        only: /^(?:include|src|generated|cmake|examples|scripts)\/|^(?:CMakeLists\.txt|README\.md|DESIGN\.md|members\.json)$/,
      },
      {
        from: 'bindings/c',
        to: 'sallyport-cpp/c',
        only: /^(?:include|src|generated|cmake|examples|scripts|abi)\/|^(?:CMakeLists\.txt|README\.md|DESIGN\.md)$/,
      },
      { from: 'bindings/cpp/packaging/vcpkg', to: 'sallyport-cpp/ports/sallyport-cpp' },
      { from: 'bindings/cpp/packaging/conanfile.py', to: 'sallyport-cpp/conanfile.py' },
      { from: LICENSE, to: 'sallyport-cpp/LICENSE' },
    ],
  },
  {
    name: 'unity',
    format: 'tgz',
    file: (version) => `com.sallyport.client-${version}.tgz`,
    hasMetas: true,
    parts: [
      { from: 'bindings/engines/unity', to: 'package' },
      { from: 'bindings/csharp/src', to: 'package/Runtime/Client', only: /\.cs$/ },
      { from: 'bindings/csharp/generated', to: 'package/Runtime/Client', only: /\.cs$/ },
      { from: 'bindings/engines/unity/README.md', to: 'package/Documentation~/index.md' },
      { from: LICENSE, to: 'package/LICENSE.md' },
    ],
  },
  {
    name: 'unreal',
    format: 'zip',
    file: (version) => `sallyport-unreal-${version}.zip`,
    parts: [
      { from: 'bindings/engines/unreal', to: 'Sallyport' },
      { from: 'bindings/c/src', to: 'Sallyport/Source/SallyportClient/Private/Client', only: CODE },
      { from: 'bindings/c/include/sallyport', to: 'Sallyport/Source/SallyportClient/Private/sallyport', only: CODE },
      { from: 'bindings/c/generated/sallyport', to: 'Sallyport/Source/SallyportClient/Private/sallyport', only: CODE },
      { from: LICENSE, to: 'Sallyport/LICENSE' },
    ],
  },
  {
    name: 'godot',
    format: 'zip',
    file: (version) => `sallyport-godot-${version}.zip`,
    build: 'bindings/engines/godot/scripts/build.mjs',
    parts: [
      { from: 'addons', to: 'addons', isBuilt: true },
      { from: 'bindings/engines/godot/demo', to: 'demo' },
    ],
  },
  {
    name: 'lua',
    format: 'zip',
    file: (version) => `sallyport-lua-${version}.zip`,
    build: 'bindings/lua/scripts/build.mjs',
    needs: ['sallyport-lua/sallyport/libsallyport.so', 'sallyport-lua/sallyport/sallyport.dll'],
    parts: [
      { from: '', to: 'sallyport-lua/sallyport', isBuilt: true },
      { from: 'bindings/lua', to: 'sallyport-lua', only: LUA },
      { from: LICENSE, to: 'sallyport-lua/LICENSE' },
    ],
  },
  {
    name: 'luarocks',
    format: 'tar.gz',
    file: (version) => `sallyport-luarocks-${version}.tar.gz`,
    parts: [
      { from: 'bindings/lua', to: 'sallyport-luarocks', only: LUA },
      { from: 'bindings/lua/rock', to: 'sallyport-luarocks', only: /\.rockspec$/ },
      { from: 'bindings/lua/rock/sallyport.c', to: 'sallyport-luarocks/library/sallyport.c' },
      { from: 'bindings/c/scripts/amalgamate.mjs', to: 'sallyport-luarocks/library/sallyport.h', isScript: true },
      { from: LICENSE, to: 'sallyport-luarocks/LICENSE' },
    ],
  },
]
