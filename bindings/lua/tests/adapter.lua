--- The adapter of the Lua client for the conformance kit: `luajit adapter.lua LIBRARY`. Half of its calls are tasks, half have callbacks.
local folder = arg[0]:match('^(.*)tests/') or ''
package.path = folder .. '?.lua;' .. package.path

local ffi = require('ffi')
local sallyport = require('sallyport')
local json = require('sallyport.json')

ffi.cdef([[
struct pollfd { int fd; short events; short revents; };
int poll(struct pollfd *fds, unsigned long count, int timeout);
long read(int fd, void *buffer, size_t size);
void adapter_advance(int64_t ms);
]])

local LIBRARY = arg[1]
local POLLIN, WAIT_MS, CHUNK = 1, 2, 65536

local client
local subscriptions = {}

local function emit(line)
  line = assert(json.encode(line))
  io.write(line, '\n')
end

local function kind_of(failure)
  if failure.code > 0 then return 'refused' end
  return ({ E_TIMEOUT = 'timeout', E_CLOSED = 'closed', E_CONNECTION_LOST = 'lost' })[failure.name] or 'not-sent'
end

local function report(id, data, failure)
  if not failure then
    return emit({ event = 'result', id = id, data = data == nil and json.null or data })
  end
  emit({ event = 'result', id = id, error = {
    kind = kind_of(failure),
    code = failure.code,
    message = failure.message,
    retry_after_ms = failure.retry_after_ms,
  } })
end

local function create(application, runtime_dir, allow_packaged_client)
  client = assert(sallyport.new({
    application_id = application,
    runtime_dir = runtime_dir,
    allow_packaged_client = allow_packaged_client,
    library = LIBRARY,
    on_state = function(state)
      emit({ event = 'state', name = state.name, message = state.error and state.error.message,
        close_code = state.error and state.error.close_code })
    end,
    on_error = function(problem)
      io.stderr:write(problem, '\n')
      os.exit(3)
    end,
  }))
end

local function made()
  if not client then create('1') end
  return client
end

--- Makes a call in one of the two styles. `make(callback)` is the call.
local function report_call(id, make)
  if id % 2 == 0 then
    return made():start(function() report(id, make()) end)
  end
  local is_sent, failure = make(function(data, problem) report(id, data, problem) end)
  if not is_sent then report(id, nil, failure) end
end

local actions = {
  connect = function(request)
    create(request.application_id, request.runtime_dir, request.allow_packaged_client)
    client:connect(request.timeout_ms)
  end,
  call = function(request)
    report_call(request.id, function(callback) return made():call(request.command, request.args, callback, request.timeout_ms, request.key) end)
  end,
  activity = function(request)
    report_call(request.id, function(callback) return made():set_activity(request.activity, callback) end)
  end,
  sign_in = function(request)
    report_call(request.id, function(callback) return made():ask_to_sign_in(request.scopes, callback) end)
  end,
  sign_in_if_needed = function(request)
    report_call(request.id, function(callback) return made():sign_in(request.scopes, callback) end)
  end,
  sign_out = function(request)
    report_call(request.id, function(callback) return made():sign_out(callback) end)
  end,
  sign_in_silently = function(request)
    report_call(request.id, function(callback) return made():sign_in_silently(callback) end)
  end,
  subscribe = function(request)
    local name = request.name
    local id = assert(made():subscribe(name, function(data)
      emit({ event = 'dispatch', name = name, data = data == nil and json.null or data })
    end, request.args))
    subscriptions[name] = id
  end,
  unsubscribe = function(request) made():unsubscribe(subscriptions[request.name]) end,
  advance = function(request) ffi.load(LIBRARY).adapter_advance(request.ms) end,
  echo = function(request) emit({ event = 'echo', id = request.id }) end,
  close = function()
    made():close()
    emit({ event = 'closed' })
  end,
}

local input = ffi.new('struct pollfd', 0, POLLIN, 0)
local chunk = ffi.new('char[?]', CHUNK)
local parts = {}

--- Obeys the whole lines that came. Returns false at the end of the input.
local function obey_input()
  if ffi.C.poll(input, 1, 0) <= 0 then return true end
  local got = tonumber(ffi.C.read(0, chunk, CHUNK))
  if got <= 0 then return false end
  parts[#parts + 1] = ffi.string(chunk, got)
  if not parts[#parts]:find('\n', 1, true) then return true end
  local text = table.concat(parts)
  local rest = 1
  for line, behind in text:gmatch('([^\n]*)\n()') do
    rest = behind
    local request = json.decode(line)
    actions[request['do']](request)
  end
  parts = { text:sub(rest) }
  return true
end

while obey_input() do
  if client then client:poll(WAIT_MS) end
  if not client or client:state().name == 'offline' or client:state().name == 'closed' then ffi.C.poll(nil, 0, WAIT_MS) end
  io.flush()
end
if client then client:close() end
io.flush()
