--- Sallyport for LuaJIT and LÖVE: `local sallyport = require 'sallyport'`. README.md describes it.
local name = ... or 'sallyport'
local protocol = require(name .. '.protocol')
local json = require(name .. '.json')
local Client = require(name .. '.client')

local sallyport = {
  VERSION = Client.VERSION,
  --- Returns a client, or nil and an error for options that are not valid.
  new = Client.new,
  --- Stands for null in arguments, and in arrays of responses.
  null = json.null,
  --- Marks a table as an array, so that an empty one is `[]` and not `{}`.
  array = json.array,
}

return setmetatable(sallyport, { __index = protocol })
