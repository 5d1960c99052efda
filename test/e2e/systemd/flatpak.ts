/** Two Flatpak applications in a machine, with a runtime that is BusyBox, and the permissions that games ask Flatpak for. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Installed } from './installed.ts'
import { SHARED } from './machine.ts'

export const APPLICATION = 'org.example.Game'
export const OTHER_APPLICATION = 'org.example.Other'
/** As its sandbox shows it. */
export const GAME_OF_APPLICATION = '/app/bin/game'
/** In the runtime folder; the bridge listens there once it runs. */
export const CLIENT_FOLDER = 'app/com.discordapp.Discord'

const RUNTIME = 'org.example.Platform'

/** Without a key, because nothing here comes from elsewhere. */
const MAKE = `
set -e
cd "$(mktemp -d)"
arch="$(flatpak --default-arch)"
mkdir -p runtime/usr/bin runtime/files
cp /bin/busybox runtime/usr/bin
for name in sh cat; do ln -s busybox runtime/usr/bin/$name; done
printf '[Runtime]\\nname=${RUNTIME}\\nruntime=${RUNTIME}/%s/1\\nsdk=${RUNTIME}/%s/1\\n' "$arch" "$arch" >runtime/metadata
flatpak build-export --runtime repository runtime 1
flatpak --user remote-add --no-gpg-verify here "$PWD/repository"
flatpak --user install --noninteractive here ${RUNTIME}//1
for id in ${APPLICATION} ${OTHER_APPLICATION}; do
  mkdir -p $id/files/bin $id/export
  cp ${SHARED}/game $id/files/bin
  # Runs the command line that it gets.
  printf '#!/bin/sh\\nexec "$@"\\n' >$id/files/bin/start
  chmod +x $id/files/bin/start
  printf '[Application]\\nname=%s\\nruntime=${RUNTIME}/%s/1\\ncommand=start\\n' $id "$arch" >$id/metadata
  printf '[Context]\\nfilesystems=xdg-run/discord-ipc-0;xdg-run/${CLIENT_FOLDER}:create;\\n' >>$id/metadata
  flatpak build-export repository $id 1
  flatpak --user install --noninteractive here $id//1
done`

export function installApplications({ machine, shared }: Installed): void {
  writeFileSync(join(shared, 'applications.sh'), MAKE)
  machine.run('player', 'sh', `${SHARED}/applications.sh`)
}

/** Words before a command line in the sandbox of an application, which a desktop starts. */
export const inFlatpak = ({ machine }: Installed, id = APPLICATION): readonly string[] => [...machine.inUnit(), 'flatpak', 'run', id]
