--- Finds and loads the C library.
local library = {}

local prefix = (...):match('^(.*%.)[^.]+$')

local has_ffi, ffi = pcall(require, 'ffi')

local function names()
  if ffi.os == 'Windows' then return { 'sallyport.dll', 'libsallyport.dll' } end
  if ffi.os == 'OSX' then return { 'libsallyport.dylib' } end
  return { 'libsallyport.so' }
end

--- Names for the loader of the system. A system without headers has the name with the version only.
local SYSTEM = { 'sallyport', 'libsallyport.so.0', 'libsallyport.0.dylib' }

--- The folder that has `sallyport/library.lua`: "" is the current one. Nil if Lua does not say.
local function own_folder()
  local source = debug.getinfo(1, 'S').source
  return source:sub(1, 1) == '@' and source:match('^@(.-)sallyport[/\\]library%.lua$') or nil
end

--- Folders that may have the library, in order. LÖVE names its modules by their place in the game.
local function folders()
  local filesystem = type(love) == 'table' and love.filesystem
  local own = own_folder()
  if not filesystem then return { own } end
  local found = {}
  for _, folder in ipairs({ filesystem.getSource(), filesystem.getSourceBaseDirectory() }) do
    found[#found + 1] = folder .. '/' .. (own or '')
    found[#found + 1] = folder .. '/'
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

local function search()
  for _, folder in ipairs(folders()) do
    for _, name in ipairs(names()) do
      for _, path in ipairs({ folder .. 'sallyport/' .. name, folder .. name }) do
        -- A path without a slash would be searched in the system.
        if exists(path) then return open(path:find('/', 1, true) and path or './' .. path) end
      end
    end
  end
  for _, name in ipairs(SYSTEM) do
    local loaded = open(name)
    if loaded then return loaded end
  end
  return nil, 'the library of Sallyport was not found; put ' .. names()[1] .. ' beside the game, or into its folder sallyport'
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
