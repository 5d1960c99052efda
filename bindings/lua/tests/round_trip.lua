--- Reads each line as JSON and writes it again.
package.path = (arg[0]:match('^(.*)tests/') or '') .. '?.lua;' .. package.path
local json = require('sallyport.json')
for line in io.lines() do print((assert(json.encode(json.decode(line))))) end
