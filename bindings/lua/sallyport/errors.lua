--- Errors as values: `code`, `name`, `message`, `is_retryable`, and where they apply `retry_after_ms` and `close_code`.
local errors = {}

local Error = {
  __tostring = function(self) return self.name .. ': ' .. self.message end,
}

--- The code of `E_NO_LIBRARY`, which only this module has: the C library cannot say that it is not there.
local NO_LIBRARY = -100

function errors.no_library(message)
  return setmetatable({ code = NO_LIBRARY, name = 'E_NO_LIBRARY', message = message, is_retryable = false }, Error)
end

--- An error of this module with a code of the C library. `name` is the name of the code.
function errors.own(code, name, message)
  return setmetatable({ code = tonumber(code), name = name, message = message, is_retryable = false }, Error)
end

--- Copies a `sallyport_error`, whose texts end with the next call of the library.
function errors.copy(ffi, from)
  local retry_after_ms, close_code = tonumber(from.retry_after_ms), from.close_code
  return setmetatable({
    code = from.code,
    name = ffi.string(from.name),
    message = ffi.string(from.message),
    is_retryable = from.is_retryable ~= 0,
    retry_after_ms = retry_after_ms > 0 and retry_after_ms or nil,
    close_code = close_code ~= 0 and close_code or nil,
  }, Error)
end

return errors
