--- Dockside, a small game that uses the bridge: it signs in, sets a presence, joins a lobby and chats there. Restart the daemon while it
--- runs: the game waits, reconnects, and continues. The rules are one task: each call waits for its result, while the frames go on.
local sallyport = require('sallyport')

local commands, events = sallyport.commands, sallyport.events

local Game = {}
Game.__index = Game

local SHIPS = { 'Copper Wren', 'Patient Ada', 'Salt Margin', 'Northern Comma', 'Quiet Quorum', 'Second Breakfast' }
local CARGOES = { 'oranges', 'piano keys', 'umbrellas', 'printing ink', 'snow globes', 'bicycle bells' }
--- Errors after which a call may have taken effect all the same.
local UNKNOWN = { UNKNOWN_OUTCOME = true, E_CONNECTION_LOST = true, E_TIMEOUT = true }
--- How long the first search may take.
local FIRST_WAIT_MS = 30000
local HISTORY = 50

local function ship_of(round) return SHIPS[round % 6 + 1] end
local function cargo_of(round) return CARGOES[(round * 5 + 2) % 6 + 1] end
--- The tide swallows a few crates every third time.
local function landed_in(round) return 8 + (round * 7) % 9 - (round % 3 == 2 and 1 + round % 4 or 0) end

--- `options` has application, rounds, pause (frames between steps), secret and runtime_dir; `say(line)` shows a line to the player.
function Game.new(options, say)
  local self = setmetatable({ options = options, say = say, score = 0 }, Game)
  local client, problem = sallyport.new({
    application_id = options.application,
    runtime_dir = options.runtime_dir,
    require_bridge = true,
    sdk_version = 'dockside-lua/0.1.0',
    on_state = function(state) self:on_state(state) end,
    on_account = function(account)
      if account == 'revoked' then say('  ~ your permission was revoked') end
    end,
    on_error = function(text) self:fail(text:match('^[^\n]*')) end,
  })
  if not client then error(tostring(problem), 0) end
  self.client = client
  client:subscribe(events.ACTIVITY_JOIN, function() say('  ~ a friend joins the pier') end)
  client:subscribe(events.AUTHORIZE_REQUEST, function()
    say('  ~ the platform requests to link your account')
    self.must_ask = true
  end)
  self.messages = client:subscribe(events.LOBBY_MESSAGE_CREATE, function(message)
    say('  > ' .. message.author.username .. ': ' .. message.content)
  end)
  client:connect(FIRST_WAIT_MS)
  client:start(function() self:play() end)
  return self
end

--- Once per frame. `wait_ms` is for a game without a picture.
function Game:update(wait_ms) self.client:poll(wait_ms) end

function Game:fail(text)
  -- The player leaves: what was pending ends with an error.
  if self.is_over then return end
  self.say('Dockside failed: ' .. text)
  self.has_failed, self.is_over = true, true
end

local OUTCOMES = {
  sign_in = { done = ' signed in,', failed = ' sign-in refused,', none = '' },
  presence = { done = ', presence set', failed = ', presence refused', none = '' },
}

function Game:on_state(state)
  if state.name == 'waiting' and state.was_lost and not self.was_lost then
    self.was_lost = true
    -- After a restart the lobby has a new id; the secret finds it again.
    self.lobby = nil
    self.say('  ~ connection to the bridge lost, waiting')
  elseif state.name == 'ready' and self.was_lost then
    self.was_lost = false
    self.say(('  ~ back after %.1f s:%s%s%s'):format(state.outage_ms / 1000, OUTCOMES.sign_in[state.sign_in],
      state.refused_subscriptions > 0 and ' subscriptions refused' or ' subscribed', OUTCOMES.presence[state.presence]))
  end
end

function Game:pause()
  for _ = 1, self.options.pause do self.client:next_frame() end
end

--- Waits until messages of the lobby come, so that this game misses none.
function Game:await_messages()
  while self.client:subscription(self.messages) == 'waiting' do self.client:next_frame() end
end

--- Signs in with what the player allowed earlier, or asks.
function Game:sign_in()
  local data, problem
  if not self.must_ask then data, problem = self.client:sign_in_silently() end
  if self.must_ask or (problem and problem.code > 0 and not problem.is_retryable) then
    self.say('asking for your permission (a browser page may open) ...')
    data, problem = self.client:ask_to_sign_in(sallyport.default_scopes.COMMUNICATION_SCOPES)
  end
  if problem then return nil, problem end
  self.must_ask, self.is_signed_in = false, true
  self.say('signed in as ' .. data.user.username)
  return data
end

--- Joins the lobby of the secret.
function Game:join()
  local lobby, problem = self.client:call(commands.CREATE_OR_JOIN_LOBBY, { secret = self.options.secret })
  if problem then return nil, problem end
  self.lobby = lobby.id
  self.say('the crew meets in lobby ' .. lobby.id)
  return lobby
end

--- Makes the next call that is needed before `make`, or `make` itself.
function Game:advance(make)
  if self.must_ask or not self.is_signed_in then return false, self:sign_in() end
  if not self.lobby then return false, self:join() end
  return true, make()
end

--- Repeats a call until it succeeds, also one that may have taken effect: `make` must have one effect then.
function Game:persist(what, make)
  while true do
    local _, gone = self.client:wait_ready()
    if gone then error('connecting: ' .. gone.message .. ' (' .. gone.name .. ')', 0) end
    local is_last, data, problem = self:advance(make)
    if not problem then
      if is_last then return data end
    else
      if problem.name == 'INVALID_TOKEN' or problem.name == 'INVALID_PERMISSIONS' then self.is_signed_in = false
      elseif problem.name == 'INVALID_LOBBY' then self.lobby = nil
      elseif not (problem.is_retryable or UNKNOWN[problem.name]) then
        error(what .. ': ' .. problem.message .. ' (' .. problem.name .. ')', 0)
      end
      self:pause()
    end
  end
end

function Game:show(round)
  self:persist('setting the presence', function()
    return self.client:set_activity({
      name = 'Dockside',
      details = 'Unloading the ' .. ship_of(round),
      state = self.score .. ' crates ashore',
    })
  end)
end

--- Whether the history has the message with this mark.
local function is_sent(messages, mark)
  for _, message in ipairs(messages) do
    if message.metadata and message.metadata.mark == mark then return true end
  end
  return false
end

--- Sends the line of a round once: each has a mark, and after an unknown outcome the history says whether it was sent.
function Game:chat(round)
  self:await_messages()
  local content = ('%s: %d crates of %s ashore'):format(ship_of(round), landed_in(round), cargo_of(round))
  local mark = self.run .. '-' .. round
  local must_look = false
  self:persist('chatting', function()
    if must_look then
      local messages, problem = self:read_history()
      if problem or is_sent(messages, mark) then return messages, problem end
    end
    local args = { lobby_id = self.lobby, content = content, metadata = { mark = mark } }
    local message, problem = self.client:call(commands.SEND_LOBBY_MESSAGE, args)
    must_look = problem ~= nil and UNKNOWN[problem.name] == true
    return message, problem
  end)
end

function Game:read_history() return self.client:call(commands.GET_LOBBY_MESSAGES, { lobby_id = self.lobby, limit = HISTORY }) end

function Game:history()
  return self:persist('reading the history', function() return self:read_history() end)
end

function Game:play()
  local rounds = self.options.rounds
  local _, gone = self.client:wait_ready()
  if gone then error('connecting: ' .. gone.message .. ' (' .. gone.name .. ')', 0) end
  self.say('Dockside - pier 9, via ' .. self.client:server_path())
  local run, problem = self.client:make_key()
  if not run then error(tostring(problem), 0) end
  --- Begins the mark of each message of this run.
  self.run = run
  for round = 0, rounds - 1 do
    self:show(round)
    self.say(('\n[%d/%d] the %s comes alongside'):format(round + 1, rounds, ship_of(round)))
    self:pause()
    self:chat(round)
    self.score = self.score + landed_in(round)
    self:pause()
  end
  self.say('\nthe lobby remembers:')
  for _, message in ipairs(self:history()) do self.say('  ' .. message.author.username .. ': ' .. message.content) end
  self:persist('clearing the presence', function() return self.client:clear_activity() end)
  self.say(('\n%d crates ashore. Fair winds!'):format(self.score))
  self.is_over = true
end

function Game:close()
  self.is_over = true
  self.client:close()
end

return Game
