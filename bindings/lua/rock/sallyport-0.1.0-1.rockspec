rockspec_format = '3.0'
package = 'sallyport'
version = '0.1.0-1'
-- The archive that `npm run bindings:pack` makes. It has this file too, so `luarocks make` inside it needs no network.
source = { url = 'file://sallyport-luarocks-0.1.0.tar.gz', dir = 'sallyport-luarocks' }
description = {
  summary = 'Sign-in, presence, lobbies and invites through the Sallyport bridge.',
  license = 'MIT',
}
-- LuaJIT counts as Lua 5.1. Another Lua has no FFI: the client is offline there, and says E_NO_LIBRARY.
dependencies = { 'lua == 5.1' }
build = {
  type = 'builtin',
  modules = {
    ['sallyport'] = 'sallyport.lua',
    ['sallyport.cdef'] = 'sallyport/cdef.lua',
    ['sallyport.client'] = 'sallyport/client.lua',
    ['sallyport.errors'] = 'sallyport/errors.lua',
    ['sallyport.json'] = 'sallyport/json.lua',
    ['sallyport.library'] = 'sallyport/library.lua',
    ['sallyport.options'] = 'sallyport/options.lua',
    ['sallyport.protocol'] = 'sallyport/protocol.lua',
    ['sallyport.reports'] = 'sallyport/reports.lua',
    ['sallyport.types'] = 'sallyport/types.lua',
    -- No module that `require` loads: the FFI finds it by its place.
    ['sallyport.libsallyport'] = {
      sources = { 'library/sallyport.c' },
      defines = { 'SALLYPORT_SHARED', 'SALLYPORT_BUILDING' },
      libraries = { 'pthread' },
    },
  },
  platforms = {
    windows = { modules = { ['sallyport.libsallyport'] = { libraries = { 'bcrypt', 'advapi32' } } } },
  },
  copy_directories = { 'examples' },
}
