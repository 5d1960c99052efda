--- Starts Dockside: in a terminal with `luajit main.lua`, in LÖVE with `love .`, without a picture with `love . --headless`.
local Game = require('game')

local USAGE = 'usage: main.lua [--headless] [--fast] [--rounds N] [--secret TEXT] [--application ID] [--runtime-dir FOLDER]'
--- Without a picture a frame waits so long for something to happen.
local FRAME_MS = 16
local SHOWN_LINES = 24

--- Returns the options, or nil and a sentence.
local function read_options(words)
  local options = { application = '1180000000000000042', rounds = 5, pause = 40, secret = 'dockside-pier-9' }
  local texts = { ['--secret'] = 'secret', ['--application'] = 'application', ['--runtime-dir'] = 'runtime_dir' }
  local index = 1
  while words[index] do
    local word, value = words[index], words[index + 1]
    if word == '--headless' then options.is_headless = true
    elseif word == '--fast' then options.pause = 4
    elseif word == '--rounds' then options.rounds, index = tonumber(value), index + 1
    elseif texts[word] and value then options[texts[word]], index = value, index + 1
    else return nil, USAGE end
    index = index + 1
  end
  if not options.rounds or options.rounds % 1 ~= 0 or options.rounds < 1 or options.rounds > 100 then
    return nil, '--rounds must be a whole number from 1 to 100'
  end
  return options
end

local function print_line(line)
  io.stdout:write(line, '\n')
  io.stdout:flush()
end

local function run_in_terminal()
  local options, problem = read_options(arg)
  if not options then
    io.stderr:write(problem, '\n')
    os.exit(2)
  end
  local game = Game.new(options, print_line)
  while not game.is_over do game:update(FRAME_MS) end
  game:close()
  os.exit(game.has_failed and 1 or 0)
end

if not love then return run_in_terminal() end

local game, wait_ms
local lines = {}

local function show_line(line)
  print_line(line)
  lines[#lines + 1] = line
  if #lines > SHOWN_LINES then table.remove(lines, 1) end
end

function love.load(words)
  local options, problem = read_options(words)
  if not options then
    print_line(problem)
    return love.event.quit(2)
  end
  wait_ms = options.is_headless and FRAME_MS or 0
  game = Game.new(options, show_line)
end

function love.update()
  if not game then return end
  game:update(wait_ms)
  -- A window stays until the player closes it.
  if game.is_over and wait_ms > 0 then love.event.quit(game.has_failed and 1 or 0) end
end

function love.draw() love.graphics.print(table.concat(lines, '\n'), 16, 16) end

function love.quit()
  if game then game:close() end
end
