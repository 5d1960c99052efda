/** Files and variables that the program uses, for the manual. */

type Described = readonly (readonly [string, string])[]

export const FILES: Described = [
  ['~/.config/sallyport/config.json', 'The settings file (below XDG_CONFIG_HOME if that is set). sallyport config set writes it.'],
  [
    '~/.local/share/sallyport/',
    'The data folder (below XDG_DATA_HOME if that is set): the vault with the tokens, grants, launch commands, message history.',
  ],
  ['~/.local/share/sallyport/log/sallyport.log', 'The log, as sallyport logs prints it; with the older sallyport.log.1 at most 2 MiB.'],
  ['$XDG_RUNTIME_DIR/discord-ipc-0', 'The socket of the first slot; up to discord-ipc-9 if another program has the first.'],
  ['sallyport.socket, sallyport.service', 'Units of the systemd of the user: the first game starts the bridge.'],
]

export const VARIABLES: Described = [
  ['SALLYPORT_…', 'The setting of the flag with that name, for example SALLYPORT_LOG_LEVEL for --log-level.'],
  ['SALLYPORT_BOT_TOKEN', 'The token of a bot for login --bot. It has no flag, because every program can read a command line.'],
  ['XDG_RUNTIME_DIR, TMPDIR, TMP, TEMP', 'The first that is set is the folder of the sockets, else /tmp.'],
  ['XDG_CONFIG_HOME, XDG_DATA_HOME', 'Folders of the settings file and of the data.'],
  ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'Proxies for requests to the platform, unless --proxy is set.'],
  ['NODE_EXTRA_CA_CERTS', 'A file with more certificate authorities, as --ca-file.'],
  ['DBUS_SESSION_BUS_ADDRESS', 'The session bus, for the keychain and the tray.'],
  ['NO_COLOR, FORCE_COLOR', 'No colours at a terminal, or colours also elsewhere.'],
]
