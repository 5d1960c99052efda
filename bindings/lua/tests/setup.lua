--- For the programs of this folder: finds the modules, and names the library and the folder of a server.
package.path = (arg[0]:match('^(.*)tests/') or '') .. '?.lua;' .. package.path

local setup = { library = arg[1], runtime = arg[2] }

--- A client that has connected. The program ends if it cannot.
function setup.connected(more)
  local options = { application_id = '1180000000000000042', library = setup.library, runtime_dir = setup.runtime }
  for key, value in pairs(more or {}) do options[key] = value end
  local client = assert(require('sallyport').new(options))
  assert(client:connect(20000))
  while not client:is_ready() do
    assert(client:poll(16))
    assert(client:state().name ~= 'offline', 'no server answers')
  end
  return client
end

return setup
