--- Finds and loads the C library.
local library = {}

local prefix = (...):match('^(.*%.)[^.]+$')

local has_ffi, ffi = pcall(require, 'ffi')

local function names()
  if ffi.os == 'Windows' then return { 'sallyport.dll', 'libsallyport.dll' } end
  if ffi.os == 'OSX' then return { 'libsallyport.dylib' } end
  return { 'libsallyport.so' }
end

--- Where an installed library is. The loader of Linux finds a name in folders of the system; without headers there is the name with the version
--- only. The loaders of Windows and macOS also look in the current folder, so there are paths for macOS, and nothing is installed on Windows.
local INSTALLED = {
  Linux = { 'sallyport', 'libsallyport.so.0' },
  OSX = { '/usr/local/lib/libsallyport.0.dylib', '/opt/homebrew/lib/libsallyport.0.dylib' },
}

--- The folder that has `sallyport/library.lua`: "" is the current one. Nil if Lua does not say.
local function own_folder()
  local source = debug.getinfo(1, 'S').source
  return source:sub(1, 1) == '@' and source:match('^@(.-)sallyport[/\\]library%.lua$') or nil
end

--- Folders that may have the library, in order: that of the game, and that of the program that runs it. LÖVE names its modules by their place
--- in the game. The folder that has a `.love` file is none of them, because downloads share it with what pages put there.
local function folders()
  local filesystem = type(love) == 'table' and love.filesystem
  local own = own_folder()
  if not filesystem then return { own } end
  local found = {}
  for _, folder in ipairs({ filesystem.getSource() .. '/', filesystem.getExecutablePath():match('^.*[/\\]') }) do
    found[#found + 1] = folder .. (own or '')
    found[#found + 1] = folder
  end
  return found
end

local function exists(path)
  local file = io.open(path, 'rb')
  if file then file:close() end
  return file ~= nil
end

local function open(name)
  local is_loaded, loaded = pcall(ffi.load, name)
  if not is_loaded then return nil, loaded end
  -- A library of an older version lacks functions.
  local is_whole, problem = pcall(function() return loaded.sallyport_next_report end)
  if not is_whole then return nil, problem end
  return loaded
end

--- Where a package manager installs libraries. Not in LÖVE: the list has the current folder, which plain Lua trusts for its modules too.
local function installed_with_module()
  if type(love) == 'table' or not package.searchpath then return nil end
  return package.searchpath(prefix .. 'libsallyport', package.cpath)
end

local function search()
  for _, folder in ipairs(folders()) do
    for _, name in ipairs(names()) do
      for _, path in ipairs({ folder .. 'sallyport/' .. name, folder .. name }) do
        -- A path without a slash would be searched in the system.
        if exists(path) then return open(path:find('/', 1, true) and path or './' .. path) end
      end
    end
  end
  local path = installed_with_module()
  if path then return open(path) end
  for _, name in ipairs(INSTALLED[ffi.os] or {}) do
    local loaded = open(name)
    if loaded then return loaded end
  end
  return nil, 'the library of Sallyport was not found; put ' .. names()[1]
    .. ' into the folder sallyport of the game, or beside its executable, or name it by the option library'
end

local function declare()
  -- Declared once per process: another copy of the module may have done it.
  if not pcall(ffi.typeof, 'sallyport_report') then ffi.cdef(require(prefix .. 'cdef')) end
end

local loaded_by_path = {}

--- Returns the library, or nil and a sentence. `path` (may be nil) is the file to load.
function library.load(path)
  if not has_ffi then return nil, 'this Lua has no FFI; LuaJIT and LÖVE have it' end
  local key = path or ''
  if loaded_by_path[key] then return loaded_by_path[key] end
  declare()
  local loaded, problem
  if path then loaded, problem = open(path) else loaded, problem = search() end
  loaded_by_path[key] = loaded
  return loaded, problem
end

return library
