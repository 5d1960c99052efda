--- Settings of LÖVE. With `--headless` it starts without a display.
local is_headless = false
for _, word in ipairs(arg) do is_headless = is_headless or word == '--headless' end

function love.conf(settings)
  settings.identity = 'dockside'
  settings.window.title = 'Dockside'
  for _, name in ipairs({ 'audio', 'joystick', 'physics', 'sound', 'touch', 'video' }) do settings.modules[name] = false end
  if not is_headless then return end
  for _, name in ipairs({ 'font', 'graphics', 'image', 'keyboard', 'mouse', 'window' }) do settings.modules[name] = false end
end
