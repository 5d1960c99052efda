--- What the C library says, as Lua values.
local prefix = (...):match('^(.*%.)[^.]+$')
local errors = require(prefix .. 'errors')
local json = require(prefix .. 'json')
local _, ffi = pcall(require, 'ffi')

local reports = {}

--- In the order of `sallyport_state_name`, `sallyport_outcome`, `sallyport_account` and `sallyport_subscription_status`.
local STATES = { [0] = 'offline', 'connecting', 'ready', 'waiting', 'closed' }
local OUTCOMES = { [0] = 'none', 'done', 'failed' }
local ACCOUNTS = { [0] = 'signed_out', 'signed_in', 'revoked' }
local SUBSCRIPTIONS = { [0] = 'closed', 'waiting', 'active', 'refused' }
local READY = 2

function reports.state(from)
  return {
    name = STATES[tonumber(from.name)],
    error = from.error ~= nil and errors.copy(ffi, from.error) or nil,
    was_lost = from.was_lost ~= 0,
    delay_ms = tonumber(from.delay_ms),
    outage_ms = tonumber(from.outage_ms),
    sign_in = OUTCOMES[tonumber(from.sign_in)],
    presence = OUTCOMES[tonumber(from.presence)],
    active_subscriptions = from.active_subscriptions,
    refused_subscriptions = from.refused_subscriptions,
  }
end

function reports.is_ready(lib, handle) return tonumber(lib.sallyport_get_state(handle).name) == READY end

function reports.account(from) return ACCOUNTS[tonumber(from)] end

function reports.subscription(lib, handle, id)
  local code = ffi.new('int[1]')
  local status = SUBSCRIPTIONS[tonumber(lib.sallyport_get_subscription(handle, id, code))]
  return status, code[0] ~= 0 and code[0] or nil
end

local function data_of(report)
  if report.data.text == nil then return nil end
  return json.decode(ffi.string(report.data.text, report.data.length))
end

--- By `sallyport_report_kind`.
local READERS = {
  function(report) return { kind = 'state', state = reports.state(report.state) } end,
  function(report) return { kind = 'account', account = reports.account(report.account) } end,
  function(report)
    local ticket = tonumber(ffi.cast('intptr_t', report.user))
    if report.error == nil then return { kind = 'result', ticket = ticket, data = data_of(report) } end
    return { kind = 'result', ticket = ticket, error = errors.copy(ffi, report.error) }
  end,
  function(report) return { kind = 'event', ticket = tonumber(ffi.cast('intptr_t', report.user)), data = data_of(report) } end,
}

--- Room for one report. A client has one, so that a poll which finds nothing makes no garbage.
function reports.room()
  local report = ffi.new('sallyport_report')
  report.size = ffi.sizeof(report)
  return report
end

--- Takes the oldest report that waits, with the bytes of its data. Returns nil if none does.
function reports.take(lib, handle, room)
  if lib.sallyport_next_report(handle, room) == 0 then return nil end
  return READERS[tonumber(room.kind)](room), tonumber(room.data.length)
end

return reports
