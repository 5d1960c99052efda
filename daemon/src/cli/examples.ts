/** Examples of each command, for help and manual. Not in the commands, because each start would load those of `run`. */

export interface Example {
  /** What is typed after the program's name. */
  readonly line: string
  /** What it does: a sentence. */
  readonly does: string
}

const example = (line: string, does: string): Example => ({ line, does })

export const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  run: [
    example('run', 'Runs the bridge with your settings, until Ctrl-C.'),
    example('run --platform sandbox', 'Plays offline: users, guilds and messages are made up.'),
    example('run --trace on --log-level debug', 'Keeps each call and event for sallyport trace, and logs all that it does.'),
    example('run --json --consent allow --platform sandbox', 'Runs in a test: the first line of stdout says when everything listens.'),
  ],
  sandbox: [example('sandbox --sandbox-port 8080', 'Serves the HTTP API of the sandbox on 127.0.0.1:8080.')],
  status: [
    example('status', 'Says in a few lines what runs, who plays and what is wrong.'),
    example('status --json', 'Prints the whole state for a program.'),
  ],
  metrics: [
    example('metrics', 'Prints counters, times and states in the text format of Prometheus.'),
    example(
      'metrics --textfile /var/lib/prometheus/node-exporter/sallyport.prom',
      'Writes them for the textfile collector of node_exporter, for example each minute.',
    ),
  ],
  logs: [
    example('logs --level warn --lines 20', 'Prints the last 20 warnings and errors.'),
    example('logs --follow', 'Prints new lines as they come, until Ctrl-C.'),
  ],
  doctor: [example('doctor', 'Checks this machine, and says what to do about each finding.')],
  inspect: [
    example('inspect', 'Shows the frames of all games.'),
    example('inspect --application 1234567890 --cmd SET_ACTIVITY', 'Shows what one game sets as its activity.'),
  ],
  trace: [
    example('trace', 'Lists the calls that failed, newest first; and the events that an operator could see.'),
    example('trace c12-345', 'Explains the call whose error names this id.'),
    example('trace --all --har calls.har', 'Writes every kept call to a file that browsers open.'),
  ],
  bugreport: [example('bugreport report.txt', 'Lists what the report holds, and writes it when you agree.')],
  record: [example('record game.jsonl --application 1234567890', 'Writes the frames of one game to a new file.')],
  replay: [
    example('replay game.jsonl', 'Plays the recording in a sandbox of its own, and names what differs.'),
    example('replay --report report.txt', 'Lets the calls of a report fail once more, and names what differs.'),
    example('replay game.jsonl --against running', 'Plays it to your bridge, with your account.'),
  ],
  call: [
    example('call GET_CURRENT_USER_GUILDS', 'Prints the guilds of the signed-in user.'),
    example(`call GET_GUILD '{"guild_id":"81384788765712384"}'`, 'Passes arguments as JSON.'),
  ],
  login: [
    example('login', 'Signs in through the browser.'),
    example('login --device', 'Shows an address and a code for another device.'),
    example('login --bot', 'Stores the token of a bot, which you type without an echo.'),
  ],
  logout: [example('logout', 'Deletes and revokes the tokens of the application.')],
  link: [example('link --application 1234567890', 'Asks the running game to link the account.')],
  grants: [
    example('grants', 'Lists what each program may do.'),
    example('grants revoke k3v9', 'Signs the program out; it needs a new grant.'),
    example('grants narrow k3v9 guilds email', 'Takes two scopes from the program.'),
  ],
  tray: [example('tray', 'Shows the icon until you quit it.')],
  prompts: [example('prompts', 'Lists what waits for you.'), example('prompts deny a1b2', 'Denies the prompt with this id.')],
  open: [example('open', 'Opens the dashboard in your browser.')],
  games: [
    example('games', 'Lists the games, and the places where they can be shown.'),
    example('games hide-now 3', 'Hides what a game shows until it has left.'),
    example('games show-on all account', 'Shows every game on the account of its sign-in only.'),
  ],
  stop: [example('stop', 'Ends the bridge and the tray, for example before you replace the program.')],
  presence: [
    example('presence', 'Says whether activities are shown.'),
    example('presence pause', 'Hides all activities until you resume; games go on.'),
  ],
  callback: [example("callback 'my-game:/authorize/callback?code=…'", 'Is what the system runs for a registered scheme.')],
  install: [
    example('install --dry-run', 'Prints the steps, and changes nothing.'),
    example('install my-game', 'Also registers the URL scheme my-game.'),
  ],
  uninstall: [
    example('uninstall', 'Removes what install placed; your data stays.'),
    example('uninstall --purge', 'Also removes data, settings, and the key in the keychain.'),
  ],
  wine: [
    example('wine list', 'Lists the Wine prefixes in the usual places.'),
    example('wine install ~/.wine', 'Lets the Windows games of this prefix reach the bridge.'),
  ],
  config: [
    example('config', 'Prints each setting, and where it comes from.'),
    example('config set platform sandbox', 'Writes the settings file.'),
  ],
  completion: [
    example('completion bash', 'Prints the script. In ~/.bashrc: eval "$(sallyport completion bash)"'),
    example('completion fish', 'In fish: sallyport completion fish | source'),
  ],
  version: [example('version --json', 'Prints the versions for a program.')],
}
