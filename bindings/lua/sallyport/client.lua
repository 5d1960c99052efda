--- The client: calls, subscriptions, tasks. Nothing of C ever calls Lua: reports wait in a queue of the C library until `poll`.
local prefix = (...):match('^(.*%.)[^.]+$')
local errors = require(prefix .. 'errors')
local json = require(prefix .. 'json')
local library = require(prefix .. 'library')
local options = require(prefix .. 'options')
local reports = require(prefix .. 'reports')
local protocol = require(prefix .. 'protocol')
local _, ffi = pcall(require, 'ffi')

local Client = { VERSION = '0.1.0' }
Client.__index = Client

local E_REENTRANT, E_JSON, E_CLOSED, E_ARGUMENT = -3, -7, -15, -1
--- Frames and bytes that one poll processes, so that a server cannot take the frame time of the game.
local MAX_FRAMES, MAX_BYTES = 64, 1048576
--- Numbers of calls and subscriptions begin again here; 32 bits have room for them.
local MAX_TICKET = 2 ^ 31 - 1

local function print_error(text) io.stderr:write('sallyport: ' .. text .. '\n') end

--- Returns a client, or nil and an error. Without the C library the client is offline, and its functions fail with E_NO_LIBRARY.
function Client.new(given)
  local problem = options.problem(given)
  if problem then return nil, problem end
  local self = setmetatable({
    on_state = given.on_state,
    on_account = given.on_account,
    on_error = given.on_error or print_error,
    calls = {},
    listeners = {},
    tickets = {},
    tasks = {},
    at_next_frame = {},
    at_ready = {},
    reports = {},
    last_ticket = 0,
  }, Client)
  local lib, missing = library.load(given.library)
  if not lib then
    self.missing = errors.no_library(missing)
    return self
  end
  self.lib, self.handle = lib, options.create(ffi, lib, given, 'sallyport-lua/' .. Client.VERSION)
  if not self.handle then return nil, errors.own(E_ARGUMENT, 'E_ARGUMENT', 'an option is out of range, or there is no memory') end
  self.room = reports.room()
  return self
end

--- Why there is no client of the C library.
local function unavailable(self) return self.missing or errors.own(E_CLOSED, 'E_CLOSED', 'the client was closed') end

local function last_error(self) return errors.copy(ffi, self.lib.sallyport_last_error(self.handle)) end

--- True, or nil and the error of a function that returned `code`.
local function outcome(self, code)
  if code < 0 then return nil, last_error(self) end
  return true
end

--- Hands an error of the game's own functions to `on_error`.
local function blame(self, problem) pcall(self.on_error, tostring(problem)) end

local function resume(self, task, ...)
  local is_whole, problem = coroutine.resume(task, ...)
  if coroutine.status(task) == 'dead' then self.tasks[task] = nil end
  if not is_whole then blame(self, debug.traceback(task, tostring(problem))) end
end

--- Runs a function of the game, or goes on with a task.
local function run(self, target, ...)
  if type(target) == 'thread' then return resume(self, target, ...) end
  local is_whole, problem = xpcall(target, debug.traceback, ...)
  if not is_whole then blame(self, problem) end
end

--- The running task of this client, or nil.
local function running(self)
  local task = coroutine.running()
  return task and self.tasks[task] and task or nil
end

local function run_all(self, targets, ...)
  for _, target in ipairs(targets) do run(self, target, ...) end
end

--- Moves the waiting tasks on after a change of the state: `ready` ends their wait, and so does a state that is final.
local function wake_ready(self, state)
  if state.name ~= 'ready' and state.name ~= 'offline' and state.name ~= 'closed' then return end
  local waiting = self.at_ready
  self.at_ready = {}
  if state.name == 'ready' then run_all(self, waiting, true)
  else run_all(self, waiting, nil, state.error or unavailable(self)) end
end

local deliver_kind = {
  state = function(self, report)
    if self.on_state then run(self, self.on_state, report.state) end
    wake_ready(self, report.state)
  end,
  account = function(self, report)
    if self.on_account then run(self, self.on_account, report.account) end
  end,
  result = function(self, report)
    local target = self.calls[report.ticket]
    self.calls[report.ticket] = nil
    if target then run(self, target, report.data, report.error) end
  end,
  event = function(self, report)
    local listener = self.listeners[report.ticket]
    if listener then run(self, listener, report.data) end
  end,
}

--- Takes what the C library has queued. Returns the bytes of its data.
local function collect(self)
  local bytes = 0
  while true do
    local report, length = reports.take(self.lib, self.handle, self.room)
    if not report then return bytes end
    self.reports[#self.reports + 1] = report
    bytes = bytes + length
  end
end

--- Runs the functions of the game. Inside one of them it does nothing: the outer loop takes what came in addition.
local function deliver(self)
  if self.is_delivering or self.reports[1] == nil then return end
  self.is_delivering = true
  local index = 1
  while self.reports[index] do
    local report = self.reports[index]
    self.reports[index] = false
    deliver_kind[report.kind](self, report)
    index = index + 1
  end
  self.reports = {}
  self.is_delivering = false
end

local function begin_frame(self)
  local waiting = self.at_next_frame
  if waiting[1] == nil then return end
  self.at_next_frame = {}
  self.is_delivering = true
  run_all(self, waiting, true)
  self.is_delivering = false
  deliver(self)
end

--- Starts to search for the bridge, and again after every loss. `timeout_ms` limits the first search; 0 looks once.
function Client:connect(timeout_ms)
  if not self.handle then return nil, unavailable(self) end
  return outcome(self, self.lib.sallyport_connect(self.handle, timeout_ms or -1))
end

--- Once per frame of the game: receives, sends, and runs callbacks and tasks. Returns the number of frames, or nil and an error; it never
--- raises one. `timeout_ms` waits for something to happen, for programs without a picture.
function Client:poll(timeout_ms)
  if self.is_delivering then return nil, errors.own(E_REENTRANT, 'E_REENTRANT', 'poll was called inside a callback or a task') end
  begin_frame(self)
  if self.missing then return 0 end
  local frames, bytes, wait_ms = 0, 0, timeout_ms or 0
  repeat
    if not self.handle then return nil, unavailable(self) end
    local found = self.lib.sallyport_poll(self.handle, wait_ms)
    local before = #self.reports
    bytes = bytes + collect(self)
    local is_quiet = found <= 0 and #self.reports == before
    deliver(self)
    frames, wait_ms = frames + math.max(found, 0), 0
  until is_quiet or frames >= MAX_FRAMES or bytes >= MAX_BYTES
  return frames
end

--- Ends the connection. Pending calls fail with E_CLOSED. A closed client stays closed.
function Client:close()
  local handle, waiting = self.handle, self.at_next_frame
  self.listeners, self.at_next_frame = {}, {}
  if handle then
    self.lib.sallyport_close(handle)
    collect(self)
    self.handle = nil
    ffi.gc(handle, nil)
    self.lib.sallyport_destroy(handle)
  end
  deliver(self)
  run_all(self, waiting, nil, unavailable(self))
end

--- Runs a function as a task: inside it, calls without a callback wait for their result.
function Client:start(body, ...)
  local task = coroutine.create(body)
  self.tasks[task] = true
  resume(self, task, ...)
end

--- In a task: waits for the next poll. Returns true, or nil and E_CLOSED.
function Client:next_frame()
  local task = assert(running(self), 'next_frame is for tasks; see Client:start')
  if not self.handle and not self.missing then return nil, unavailable(self) end
  self.at_next_frame[#self.at_next_frame + 1] = task
  return coroutine.yield()
end

--- In a task: waits until calls can be made. Returns true, or nil and an error when the client does not search any more.
function Client:wait_ready()
  local task = assert(running(self), 'wait_ready is for tasks; see Client:start')
  if not self.handle then return nil, unavailable(self) end
  local state = self:state()
  if state.name == 'ready' then return true end
  if state.name == 'offline' and state.error then return nil, state.error end
  self.at_ready[#self.at_ready + 1] = task
  return coroutine.yield()
end

--- Arguments of the C library for the end of a call.
local function ending(self)
  repeat self.last_ticket = self.last_ticket % MAX_TICKET + 1 until self.calls[self.last_ticket] == nil
  return self.lib.sallyport_queue_result, ffi.cast('void *', self.last_ticket)
end

--- Returns what a call returns: its result in a task, otherwise true if it was sent.
local function finish(self, code, callback)
  if code < 0 then return nil, last_error(self) end
  local task = callback == nil and running(self)
  self.calls[self.last_ticket] = callback or task or nil
  if task then return coroutine.yield() end
  return true
end

--- The text of a table, or nil and an error. No table is no text.
local function encoded(value)
  if value == nil or value == json.null then return nil end
  local text, problem = json.encode(value)
  return text, problem and errors.own(E_JSON, 'E_JSON', problem)
end

--- Makes one call. In a task it returns the data of the response, or nil and an error. With `callback(data, error)` it returns true when
--- it was sent; without one, and outside a task, the response is ignored. `key` is one that the game stored, so that it repeats this call
--- after it was killed; without it the client makes one where it is needed.
function Client:call(command, args, callback, timeout_ms, key)
  if not self.handle then return nil, unavailable(self) end
  local text, problem = encoded(args)
  if problem then return nil, problem end
  return finish(self, self.lib.sallyport_call_keyed(self.handle, command, text, key, timeout_ms or 0, ending(self)), callback)
end

--- A new key for `call`: 32 hexadecimal digits. Nil and an error without the library or a random source.
function Client:make_key()
  if not self.handle then return nil, unavailable(self) end
  local key = ffi.new('char[33]')
  local code = self.lib.sallyport_key_create(key)
  if code < 0 then return nil, errors.own(code, 'E_SYSTEM', 'the system has no random source for a key') end
  return ffi.string(key)
end

--- Sets the presence, also of later connections; nil clears it. Without a connection it waits, and ends once the presence is shown.
function Client:set_activity(activity, callback)
  if not self.handle then return nil, unavailable(self) end
  local text, problem = encoded(activity)
  if problem then return nil, problem end
  return finish(self, self.lib.sallyport_set_activity(self.handle, text, ending(self)), callback)
end

function Client:clear_activity(callback) return self:set_activity(nil, callback) end

--- Asks the bridge for an answer; without data.
function Client:ping(callback)
  if not self.handle then return nil, unavailable(self) end
  return finish(self, self.lib.sallyport_ping(self.handle, ending(self)), callback)
end

local function scope_text(scopes)
  return type(scopes) == 'table' and table.concat(scopes, ' ') or scopes or protocol.default_scopes.PRESENCE_SCOPES
end

--- Signs in with what the player allowed earlier; the bridge asks only if nothing valid is stored. `scopes` is a list, or a text with spaces;
--- nil: those for a presence.
function Client:sign_in(scopes, callback)
  if not self.handle then return nil, unavailable(self) end
  return finish(self, self.lib.sallyport_sign_in(self.handle, scope_text(scopes), ending(self)), callback)
end

--- Asks the player in any case, for example for more scopes.
function Client:ask_to_sign_in(scopes, callback)
  if not self.handle then return nil, unavailable(self) end
  return finish(self, self.lib.sallyport_ask_to_sign_in(self.handle, scope_text(scopes), ending(self)), callback)
end

--- The bridge forgets the tokens of this game, so that the next sign-in asks the player.
function Client:sign_out(callback)
  if not self.handle then return nil, unavailable(self) end
  return finish(self, self.lib.sallyport_sign_out(self.handle, ending(self)), callback)
end

--- Signs in with what the player allowed earlier; INVALID_TOKEN if there is nothing.
function Client:sign_in_silently(callback)
  if not self.handle then return nil, unavailable(self) end
  return finish(self, self.lib.sallyport_sign_in_silently(self.handle, ending(self)), callback)
end

--- Calls `listener(data)` for an event, across reconnects; possible before `connect`. Returns an id, or nil and an error.
function Client:subscribe(event, listener, args)
  if not self.handle then return nil, unavailable(self) end
  local text, problem = encoded(args)
  if problem then return nil, problem end
  repeat self.last_ticket = self.last_ticket % MAX_TICKET + 1 until self.listeners[self.last_ticket] == nil
  local ticket = self.last_ticket
  local id = self.lib.sallyport_subscribe(self.handle, event, text, self.lib.sallyport_queue_event, ffi.cast('void *', ticket))
  if id < 0 then return nil, last_error(self) end
  self.listeners[ticket] = listener
  self.tickets[id] = ticket
  return id
end

--- Ends a subscription. Its listener is not called any more.
function Client:unsubscribe(id)
  if not self.handle then return nil, unavailable(self) end
  local code = self.lib.sallyport_unsubscribe(self.handle, id)
  if code < 0 then return nil, last_error(self) end
  self.listeners[self.tickets[id]], self.tickets[id] = nil, nil
  return true
end

--- "waiting", "active", "refused" or "closed", and the code of the last refusal.
function Client:subscription(id)
  if not self.handle then return 'closed' end
  return reports.subscription(self.lib, self.handle, id)
end

--- `name` is "offline", "connecting", "ready", "waiting" or "closed"; `error` is why a client is offline or waits.
function Client:state()
  if self.handle then return reports.state(self.lib.sallyport_get_state(self.handle)[0]) end
  return { name = self.missing and 'offline' or 'closed', error = self.missing }
end

function Client:is_ready() return self.handle ~= nil and reports.is_ready(self.lib, self.handle) end

--- "signed_out", "signed_in" or "revoked".
function Client:account() return self.handle and reports.account(self.lib.sallyport_get_account(self.handle)) or 'signed_out' end

--- Id of the signed-in user as text, or nil.
function Client:user_id()
  local id = self.handle and self.lib.sallyport_user_id(self.handle) or 0
  return id ~= 0 and (tostring(id):gsub('ULL$', '')) or nil
end

--- Path of the connected server, or nil.
function Client:server_path()
  local path = self.handle and ffi.string(self.lib.sallyport_server_path(self.handle)) or ''
  return path ~= '' and path or nil
end

return Client
