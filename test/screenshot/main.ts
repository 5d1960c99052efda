/**
 * `npm run screenshot [-- pages|tray]`: writes daemon/docs/dashboard.png, pictures of each page and state into .cache, or daemon/docs/tray.png and,
 * where Wine is, the tray of Windows. Needs Linux, gcc and Chromium; for the tray, xvfb xfce4-panel xfwm4 xfce4-notifyd dbus xdotool scrot imagemagick, and wine trayer gcc-mingw-w64-x86-64.
 */
const [, , what = 'dashboard'] = process.argv

if (what === 'tray') await (await import('./tray.ts')).pictureTray()
else if (what === 'pages') await (await import('./pages.ts')).picturePages()
else if (what === 'dashboard') await (await import('./dashboard.ts')).pictureDashboard()
else throw new Error(`there is no picture ${what}; use dashboard, pages or tray`)
