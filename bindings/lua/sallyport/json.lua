--- JSON as Lua values. `null` in an object is nil, in an array it is `json.null`. Arrays have a mark, so that empty ones stay arrays.
local json = {}

--- Deepest nesting; the C library has the same limit.
local MAX_DEPTH = 64
--- Whole numbers up to here are exact.
local MAX_EXACT = 2 ^ 53

local byte, char, concat, find, format, gsub, sub = string.byte, string.char, table.concat, string.find, string.format, string.gsub, string.sub
local floor, sort = math.floor, table.sort

json.null = setmetatable({}, { __tostring = function() return 'null' end })

local ARRAY = {}

--- Marks a table as an array, also when it is empty.
function json.array(items) return setmetatable(items or {}, ARRAY) end

local ESCAPES = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }

local function escape(one) return ESCAPES[one] or format('\\u%04x', byte(one)) end

local function text_of(text)
  if find(text, '[%c"\\]') then text = gsub(text, '[%c"\\]', escape) end
  return '"' .. text .. '"'
end

local function number_of(number)
  if number ~= number or number == math.huge or number == -math.huge then error('a number is not finite', 0) end
  if number == floor(number) and number >= -MAX_EXACT and number <= MAX_EXACT then return format('%d', number) end
  return format('%.17g', number)
end

local append

local function append_array(out, items, depth)
  out[#out + 1] = '['
  for index = 1, #items do
    if index > 1 then out[#out + 1] = ',' end
    append(out, items[index], depth + 1)
  end
  out[#out + 1] = ']'
end

--- Sorted by key, so that the same table is always the same text.
local function append_object(out, members, depth)
  local keys = {}
  for key in pairs(members) do
    if type(key) ~= 'string' then error('an object has the key ' .. tostring(key) .. ', which is no string', 0) end
    keys[#keys + 1] = key
  end
  sort(keys)
  out[#out + 1] = '{'
  for index, key in ipairs(keys) do
    out[#out + 1] = (index > 1 and ',' or '') .. text_of(key) .. ':'
    append(out, members[key], depth + 1)
  end
  out[#out + 1] = '}'
end

function append(out, value, depth)
  local kind = type(value)
  if depth > MAX_DEPTH then error('the nesting is too deep', 0) end
  if value == json.null then out[#out + 1] = 'null'
  elseif kind == 'table' then
    if getmetatable(value) == ARRAY or value[1] ~= nil then append_array(out, value, depth)
    else append_object(out, value, depth) end
  elseif kind == 'string' then out[#out + 1] = text_of(value)
  elseif kind == 'number' then out[#out + 1] = number_of(value)
  elseif kind == 'boolean' then out[#out + 1] = tostring(value)
  -- Integers of 64 bits are ids, which the protocol writes as text.
  elseif kind == 'cdata' then out[#out + 1] = text_of((gsub(tostring(value), 'U?LL$', '')))
  else error('a ' .. kind .. ' is no JSON', 0) end
end

--- Returns the text, or nil and a sentence.
function json.encode(value)
  local out = {}
  local is_written, problem = pcall(append, out, value, 0)
  if not is_written then return nil, problem end
  return concat(out)
end

local PLAIN = { ['"'] = '"', ['\\'] = '\\', ['/'] = '/', b = '\b', f = '\f', n = '\n', r = '\r', t = '\t' }

local function utf8_of(code)
  if code < 0x80 then return char(code) end
  if code < 0x800 then return char(0xC0 + floor(code / 0x40), 0x80 + code % 0x40) end
  local low, middle = 0x80 + code % 0x40, 0x80 + floor(code / 0x40) % 0x40
  if code < 0x10000 then return char(0xE0 + floor(code / 0x1000), middle, low) end
  return char(0xF0 + floor(code / 0x40000), 0x80 + floor(code / 0x1000) % 0x40, middle, low)
end

--- The character of an escape `\uXXXX` whose digits begin at `at`, and where the text goes on. A lone surrogate becomes U+FFFD.
local function unescape_code(text, at)
  local code = tonumber(sub(text, at, at + 3), 16)
  if code < 0xD800 or code > 0xDFFF then return utf8_of(code), at + 4 end
  local low = code < 0xDC00 and tonumber(text:match('^\\u([dD][c-fC-F]%x%x)', at + 4) or '', 16)
  if not low then return '\239\191\189', at + 4 end
  return utf8_of(0x10000 + (code - 0xD800) * 0x400 + low - 0xDC00), at + 10
end

--- The string whose first character is at `at`, and where the text goes on behind its quote.
local function read_string(text, at)
  local stop = find(text, '["\\]', at)
  if byte(text, stop) == 34 then return sub(text, at, stop - 1), stop + 1 end
  local parts = {}
  while byte(text, stop) == 92 do
    parts[#parts + 1] = sub(text, at, stop - 1)
    local kind = sub(text, stop + 1, stop + 1)
    if kind == 'u' then parts[#parts + 1], at = unescape_code(text, stop + 2)
    else parts[#parts + 1], at = PLAIN[kind], stop + 2 end
    stop = find(text, '["\\]', at)
  end
  parts[#parts + 1] = sub(text, at, stop - 1)
  return concat(parts), stop + 1
end

local function skip(text, at) return find(text, '[^ \n\r\t]', at) end

local read

local function read_array(text, at)
  local items, count = {}, 0
  at = skip(text, at)
  while byte(text, at) ~= 93 do
    local value
    value, at = read(text, at)
    count = count + 1
    if value == nil then items[count] = json.null else items[count] = value end
    at = skip(text, at)
    if byte(text, at) == 44 then at = skip(text, at + 1) end
  end
  return json.array(items), at + 1
end

local function read_object(text, at)
  local members = {}
  at = skip(text, at)
  while byte(text, at) ~= 125 do
    local key
    key, at = read_string(text, at + 1)
    at = skip(text, skip(text, at) + 1)
    members[key], at = read(text, at)
    at = skip(text, at)
    if byte(text, at) == 44 then at = skip(text, at + 1) end
  end
  return members, at + 1
end

function read(text, at)
  local first = byte(text, at)
  if first == 34 then return read_string(text, at + 1) end
  if first == 123 then return read_object(text, at + 1) end
  if first == 91 then return read_array(text, at + 1) end
  if first == 116 then return true, at + 4 end
  if first == 102 then return false, at + 5 end
  if first == 110 then return nil, at + 4 end
  local stop = find(text, '[^%d%.eE+-]', at) or #text + 1
  return tonumber(sub(text, at, stop - 1)), stop
end

--- Reads a text that the C library has checked: its grammar, its UTF-8 and its depth.
function json.decode(text)
  local value = read(text, skip(text, 1))
  return value
end

return json
