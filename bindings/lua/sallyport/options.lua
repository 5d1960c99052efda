--- The options of a client: what they may be, and how the C library gets them.
local errors = require((...):match('^(.*%.)[^.]+$') .. 'errors')

local options = {}

--- Those that the C library gets under the same name; sallyport.h describes them.
local PASSED = {
  application_id = 'string',
  runtime_dir = 'string',
  slot = 'number',
  ipc_prefix = 'string',
  sdk_version = 'string',
  require_bridge = 'boolean',
  allow_packaged_client = 'boolean',
  reconnect = 'boolean',
  call_timeout_ms = 'number',
  early_cap_ms = 'number',
  cap_ms = 'number',
  max_pending_calls = 'number',
  max_subscriptions = 'number',
}

--- Those of this module.
local OWN = { library = 'string', on_state = 'function', on_account = 'function', on_error = 'function' }

local E_ARGUMENT = -1

--- Returns an error, or nil if the options have known names and types.
function options.problem(given)
  if type(given) ~= 'table' then return errors.own(E_ARGUMENT, 'E_ARGUMENT', 'the options are no table') end
  for key, value in pairs(given) do
    local wanted = PASSED[key] or OWN[key]
    if not wanted then return errors.own(E_ARGUMENT, 'E_ARGUMENT', 'there is no option ' .. tostring(key)) end
    if type(value) ~= wanted then return errors.own(E_ARGUMENT, 'E_ARGUMENT', 'the option ' .. key .. ' must be a ' .. wanted) end
  end
  if given.application_id == nil then return errors.own(E_ARGUMENT, 'E_ARGUMENT', 'the option application_id is missing') end
end

--- Creates a client of the C library, or returns nil. It copies the texts.
function options.create(ffi, lib, given, version)
  local own = ffi.new('sallyport_options')
  lib.sallyport_options_init(own, ffi.sizeof(own))
  own.queue_reports = 1
  own.sdk_version = version
  for key in pairs(PASSED) do
    if given[key] ~= nil then own[key] = given[key] end
  end
  local handle = lib.sallyport_create(own)
  if handle == nil then return nil end
  return ffi.gc(handle, lib.sallyport_destroy)
end

return options
