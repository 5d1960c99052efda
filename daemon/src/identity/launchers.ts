/**
 * Table of programs that start any program on request, under the names that Debian and their own releases give to the program file or script.
 * A grant for one of them would serve every program that runs it. Pure.
 */
import { isShell } from './interpreters.ts'

/**
 * `launcher`: the program before it decides. `terminal`: shows a terminal to a user, who decides. `adopter`: becomes the parent of processes
 * whose parent has ended, or starts services for all programs.
 */
export type Role = 'launcher' | 'terminal' | 'adopter'

const WORDS: Readonly<Record<Role, string>> = {
  launcher: `
    timeout env nice nohup stdbuf chroot runcon coreutils toybox busybox
    ionice setsid flock chrt taskset unshare nsenter setpriv setarch linux32 linux64 prlimit choom script scriptlive uclampset time
    find fdfind fd xargs parallel chronic ifne watch entr watchexec inotifywait incrond
    sudo su doas runuser pkexec run0 gosu su-exec capsh sg newgrp
    at atd batch cron crond CRON anacron fcron run-parts start-stop-daemon daemonize daemon
    systemd-run systemd-inhibit systemd-cat systemd-nspawn systemd-executor dbus-run-session dbus-launch dbus-daemon dbus-broker dbus-broker-launch
    make gmake bmake ninja samu meson cmake ctest just task rake cargo rustup go bundle tox poetry pipx uv uvx
    npm npx npm-cli.js npx-cli.js yarn yarn.js yarnpkg pnpm pnpm.cjs pnpx.cjs corepack.js nodemon.js concurrently.js bunx
    strace ltrace gdb gdbserver lldb perf rr valgrind eatmydata fakeroot proot rlwrap unbuffer socat dtach abduco ttyrec asciinema
    vi vim vim.basic vim.tiny vim.gtk3 vim.nox nvim emacs emacs-gtk emacs-nox nano ed less more most man mc ranger tar git rsync ssh-agent
    xonsh ipython ipython3 ptpython bpython
    flatpak flatpak-spawn flatpak-session-helper snap bwrap firejail toolbox distrobox podman docker conmon crun runc
    gio gtk-launch kde-open kde-open5 kioclient kioclient5 exo-open dex xdg-terminal-exec xvfb-run xinit startx gamemoderun proxychains4
    gnome-shell plasmashell krunner xfdesktop xfce4-panel xfce4-appfinder mate-panel cinnamon lxpanel lxqt-panel lxqt-runner pcmanfm nautilus
    dolphin thunar nemo caja rofi dmenu wofi fuzzel i3 sway Hyprland openbox fluxbox
    gnome-session-binary gnome-session-service ksmserver startplasma-wayland startplasma-x11 xfce4-session lxqt-session mate-session
    gdm-session-worker gdm-x-session gdm-wayland-session sddm sddm-helper lightdm
    sallyport sallyport.mjs sallyport.cjs`,
  terminal: `
    login agetty mingetty sshd sshd-session sshd-auth dropbear mosh-server in.telnetd ttyd gotty kmscon fbterm
    tmux screen zellij byobu
    xterm uxterm lxterm koi8rxterm rxvt urxvt urxvtd st mlterm Eterm aterm cool-retro-term terminology
    gnome-terminal-server gnome-terminal kgx ptyxis ptyxis-agent tilix terminator guake konsole yakuake xfce4-terminal mate-terminal
    lxterminal qterminal deepin-terminal sakura roxterm tilda kitty alacritty foot footclient wezterm wezterm-gui wezterm-mux-server ghostty
    rio warp contour zutty hyper tabby cosmic-term io.elementary.terminal
    code code-insiders codium vscodium cursor zed zed-editor kate kdevelop`,
  adopter: 'systemd init launchd tini dumb-init catatonit docker-init containerd-shim containerd-shim-runc-v2 s6-svscan runsvdir reaper',
}

const ROLES: ReadonlyMap<string, Role> = new Map(
  (Object.entries(WORDS) as [Role, string][]).flatMap(([role, words]) =>
    words
      .trim()
      .split(/\s+/)
      .map((name) => [name, role] as const),
  ),
)

/** `name`: of the program file, or of the script. A shell counts where it runs no script. Undefined: a program like any other. */
export const roleOf = (name: string): Role | undefined => ROLES.get(name) ?? (isShell(name) ? 'launcher' : undefined)
