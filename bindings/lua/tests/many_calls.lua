--- Makes many calls: `luajit many_calls.lua LIBRARY RUNTIME CALLS`, with a server that answers. Prints the growth of the memory as JSON.
package.path = (arg[0]:match('^(.*/)') or '') .. '?.lua;' .. package.path
local setup = require('setup')
local sallyport = require('sallyport')
local json = require('sallyport.json')

local calls = tonumber(arg[3])
local AT_ONCE = 10
local KIB = 1024

local client = setup.connected({ on_error = function(problem) error(problem, 0) end })

--- Bytes of the process; of the heap of Lua after everything that can go has gone.
local function memory()
  collectgarbage()
  collectgarbage()
  local pages = tonumber(io.open('/proc/self/statm'):read('*a'):match('^%d+ (%d+)'))
  return collectgarbage('count') * KIB, pages * 4 * KIB
end

local left

local function play()
  while left > 0 do
    left = left - 1
    local data, problem = client:call(sallyport.commands.GET_LOBBY, { lobby_id = '7', list = { 1, 2 } })
    assert(not problem and data.lobby_id == '7' and data.list[2] == 2, tostring(problem))
  end
end

local function make(count)
  left = count
  local running = AT_ONCE
  for _ = 1, AT_ONCE do
    client:start(function()
      play()
      running = running - 1
    end)
  end
  while running > 0 do assert(client:poll(16)) end
end

make(calls / 10)
local heap, process = memory()
local began = os.clock()
make(calls)
local call_us = (os.clock() - began) * 1e6 / calls
local heap_after, process_after = memory()
print((json.encode({ calls = calls, grown_bytes = heap_after - heap, process_bytes = process_after - process, call_us = math.floor(call_us + 0.5) })))
client:close()
