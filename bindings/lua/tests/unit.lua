--- Unit tests: `luajit unit.lua LIBRARY RUNTIME`, with a server that answers each call with its arguments, and SILENT not at all.
package.path = (arg[0]:match('^(.*/)') or '') .. '?.lua;' .. package.path
local setup = require('setup')
local sallyport = require('sallyport')
local json = require('sallyport.json')

local count = 0

local function ok(condition, name)
  count = count + 1
  io.write(condition and 'ok ' or 'not ok ', count, ' - ', name, '\n')
  if not condition then io.write(debug.traceback('#', 2), '\n') end
end

local function same(actual, expected, name) ok(actual == expected, name .. ': ' .. tostring(actual)) end
local function named(problem, name) return type(problem) == 'table' and problem.name == name and #problem.message > 10 end

local function test_json()
  local round = function(text) return (json.encode(json.decode(text))) end
  for _, text in ipairs({ '[]', '{}', '[[],{}]', '[1,null,"a"]', '{"a":[]}', '"\\u0001"', 'true', 'false', '-0.5', '9007199254740991' }) do
    same(round(text), text, 'keeps')
  end
  same(round('{"a":null}'), '{}', 'null in an object is nothing')
  same(round('"\\u00e9\\ud83d\\ude00\\/\\b"'), '"é😀/\\u0008"', 'unescapes')
  same(round('"\\ud83d\\u0041 \\ude00"'), '"\239\191\189A \239\191\189"', 'replaces lone surrogates')
  same(round(' [ 1 , { "a" : 2 } ] '), '[1,{"a":2}]', 'skips spaces')
  same(json.encode({ a = json.null }), '{"a":null}', 'writes null')
  same(json.encode(json.array()), '[]', 'writes an empty array')
  same(json.encode({ id = 18446744073709551615ULL }), '{"id":"18446744073709551615"}', 'writes an id')
  same(json.encode({ b = 1, a = { d = 2, c = 3 } }), '{"a":{"c":3,"d":2},"b":1}', 'sorts keys')
  local cycle = {}
  cycle.self = cycle
  for name, value in pairs({ cycle = cycle, number = 0 / 0, func = print, key = { [true] = 1 } }) do
    local text, problem = json.encode(value)
    ok(text == nil and type(problem) == 'string', 'refuses a ' .. name)
  end
  ok(json.decode(('['):rep(64) .. (']'):rep(64)), 'reads the deepest nesting')
end

local function test_options()
  for name, given in pairs({
    ['no table'] = 'x',
    ['no application'] = {},
    ['another type'] = { application_id = 42 },
    ['another name'] = { application_id = '42', applicationId = '42' },
    ['no digits'] = { application_id = 'x', library = setup.library },
    ['out of range'] = { application_id = '42', library = setup.library, max_pending_calls = 0 },
  }) do
    local client, problem = sallyport.new(given)
    ok(client == nil and named(problem, 'E_ARGUMENT'), 'refuses options: ' .. name)
  end
end

local function test_without_library()
  local client = assert(sallyport.new({ application_id = '42', library = '/nonexistent.so' }))
  local waited, frames, closed = {}, 0, nil
  client:start(function()
    waited = { client:wait_ready() }
    client:next_frame()
    frames = 1
    closed = { client:next_frame() }
  end)
  ok(waited[1] == nil and named(waited[2], 'E_NO_LIBRARY'), 'without the library a game need not wait')
  ok(client:poll() == 0 and frames == 1, 'its frames go on')
  for _, name in ipairs({ 'connect', 'make_key', 'set_activity', 'ping', 'sign_in', 'ask_to_sign_in', 'sign_out', 'sign_in_silently' }) do
    local done, problem = client[name](client)
    ok(done == nil and named(problem, 'E_NO_LIBRARY'), name .. ' says that it is missing')
  end
  same(client:state().name, 'offline', 'it is')
  client:close()
  ok(closed[1] == nil and named(closed[2], 'E_NO_LIBRARY'), 'closing ends its tasks')
end

local function test_without_server()
  local states = {}
  local client = assert(sallyport.new({
    application_id = '42',
    library = setup.library,
    runtime_dir = '/nonexistent',
    on_state = function(state) states[#states + 1] = state end,
  }))
  local done, problem = client:ping()
  ok(done == nil and named(problem, 'E_NOT_READY') and problem.is_retryable, 'without a server nothing is sent')
  local key, other = client:make_key(), client:make_key()
  ok(#key == 32 and key:find('^[0-9a-f]+$') and key ~= other, 'a key has 32 digits, and each is another one')
  done, problem = client:call('CREATE_MESSAGE', {}, nil, nil, key:upper())
  ok(done == nil and named(problem, 'E_ARGUMENT'), 'a key of another form is refused')
  done, problem = client:call('GET_LOBBY', {}, nil, nil, key)
  ok(done == nil and named(problem, 'E_ARGUMENT'), 'so is one for a command that takes none')
  local kept
  ok(client:set_activity({ state = 'x' }, function(_, why) kept = why end) and kept == nil, 'but a presence is kept')
  local waited
  client:start(function() waited = { client:wait_ready() } end)
  client:connect(0)
  client:poll()
  ok(waited and waited[1] == nil and named(waited[2], 'E_NO_SERVER'), 'the search ends with a reason')
  ok(states[1].name == 'offline' and named(states[1].error, 'E_NO_SERVER'), 'which the state has too')
  client:connect()
  client:poll()
  ok(states[2].name == 'waiting' and states[2].delay_ms > 0, 'a search without a limit tries again')
  client:close()
  same(states[3].name, 'closed', 'closing ends it')
  ok(named(kept, 'E_CLOSED'), 'and the presence, which was never shown')
end

--- A game polls sixty times a second.
local function test_idle_garbage()
  local client = assert(sallyport.new({ application_id = '42', library = setup.library, runtime_dir = '/nonexistent' }))
  client:connect()
  -- The compiler of LuaJIT makes its code first.
  for _ = 1, 1000 do client:poll() end
  collectgarbage()
  collectgarbage('stop')
  local before = collectgarbage('count')
  for _ = 1, 10000 do client:poll() end
  local grown = collectgarbage('count') - before
  collectgarbage('restart')
  client:close()
  -- Attempts to connect report a state each.
  ok(grown < 64, ('10,000 idle polls make no garbage: %.1f KiB'):format(grown))
end

--- Polls until `is_done()`.
local function play(client, is_done)
  for _ = 1, 1000 do
    if is_done() then return true end
    client:poll(16)
  end
  return false
end

local function test_calls()
  local client = setup.connected()
  local results = {}
  client:start(function()
    results.task = { client:call('X', { n = 7, list = {} }) }
    results.number = { client:call('X', { list = { 1, 'two', sallyport.null } }) }
    results.ping = { client:ping() }
    results.late = { client:call('SILENT', nil, nil, 20) }
    results.done = true
  end)
  local is_sent = client:call('X', { a = 'é' }, function(data, problem) results.callback = { data, problem } end)
  same(is_sent, true, 'a call with a callback was sent')
  same(client:call('X'), true, 'a call without one too')
  ok(play(client, function() return results.done and results.callback end), 'all end')
  ok(results.task[1].n == 7 and results.task[2] == nil, 'a task waits for the data')
  ok(results.number[1].list[2] == 'two' and results.number[1].list[3] == sallyport.null, 'arrays keep null')
  ok(results.ping[1] == nil and results.ping[2] == nil, 'a PING has no data')
  ok(named(results.late[2], 'E_TIMEOUT') and results.late[1] == nil, 'a call without a response ends')
  same(results.callback[1].a, 'é', 'a callback gets the data')
  for name, args in pairs({ text = 'x', list = { 1 }, func = { f = print } }) do
    local done, problem = client:call('X', args)
    ok(done == nil and named(problem, 'E_JSON'), 'arguments cannot be a ' .. name)
  end
  local frames, has_ended = 0, false
  client:start(function()
    while not has_ended do
      client:next_frame()
      frames = frames + 1
    end
  end)
  client:call('SILENT', {}, function() has_ended = true end, 200)
  while not has_ended do client:poll(20) end
  ok(frames < 100, 'a poll that waits does so while tasks wait for the next one: ' .. frames .. ' frames')
  local limit, problem
  for _ = 1, 65 do limit, problem = client:call('SILENT', {}, function() end) end
  ok(limit == nil and named(problem, 'E_LIMIT'), 'pending calls are limited')
  client:close()
end

local function test_errors_of_the_game()
  local problems = {}
  local client = setup.connected({ on_error = function(problem) problems[#problems + 1] = problem end })
  local nested, after, other
  client:call('X', {}, function() error('in a callback') end)
  client:start(function()
    client:call('X', {})
    error('in a task')
  end)
  client:call('X', {}, function() nested = { client:poll() } end)
  local own = coroutine.create(function() other = { client:call('X', {}) } end)
  coroutine.resume(own)
  client:call('X', {}, function() after = true end)
  ok(play(client, function() return after and #problems == 2 end), 'errors of the game do not stop the others')
  ok(problems[1]:find('in a callback', 1, true) and problems[2]:find('in a task', 1, true), 'they reach on_error')
  ok(problems[2]:find('traceback', 1, true), 'with the stack')
  ok(nested[1] == nil and named(nested[2], 'E_REENTRANT'), 'poll inside a callback does nothing')
  ok(other[1] == true and coroutine.status(own) == 'dead', 'a coroutine that is no task does not wait')
  client.on_error = function() error('again') end
  after = false
  client:call('X', {}, function() error('in a callback') end)
  client:call('X', {}, function() after = true end)
  ok(play(client, function() return after end), 'an error in on_error stops nothing')
  client:close()
end

local function test_subscriptions()
  local client = setup.connected()
  local id = assert(client:subscribe('ACTIVITY_JOIN', function() end))
  ok(play(client, function() return client:subscription(id) == 'active' end), 'a subscription becomes active')
  ok(client:unsubscribe(id), 'ends')
  same(client:subscription(id), 'closed', 'and is closed')
  local done, problem = client:unsubscribe(id)
  ok(done == nil and named(problem, 'E_ARGUMENT'), 'once')
  client:close()
end

local function test_closing()
  local client = setup.connected()
  local results = {}
  client:start(function() results.task = { client:call('SILENT', {}) } end)
  client:start(function()
    repeat results.frame = { client:next_frame() } until not results.frame[1]
  end)
  client:call('SILENT', {}, function(_, problem) results.callback = problem end)
  client:call('X', {}, function()
    client:close()
    results.closed = true
  end)
  ok(play(client, function() return results.closed end), 'a callback closes the client')
  ok(named(results.task[2], 'E_CLOSED') and named(results.callback, 'E_CLOSED'), 'pending calls end')
  ok(named(results.frame[2], 'E_CLOSED'), 'and tasks that wait for a frame')
  local polled, problem = client:poll()
  ok(polled == nil and named(problem, 'E_CLOSED'), 'then poll does nothing')
  same(client:state().name, 'closed', 'the state is closed')
  ok(client:user_id() == nil and client:server_path() == nil and not client:is_ready(), 'and it knows nothing')
  client:close()
  client = nil
  local forgotten = setup.connected()
  forgotten:call('SILENT', {}, function() end)
  forgotten = nil
  collectgarbage()
  collectgarbage()
  ok(true, 'a client that the game forgot is freed')
end

test_json()
test_options()
test_without_library()
test_without_server()
test_idle_garbage()
test_calls()
test_errors_of_the_game()
test_subscriptions()
test_closing()
print('1..' .. count)
