/**
 * `npm run screenshot [-- guides [sign-in|lobby|refusal|faults]|pages|tray]`: writes daemon/docs/dashboard.png, the pictures of the guides, pictures of each page and state into
 * .cache, or daemon/docs/tray.png and, where Wine is, the tray of Windows. Needs Linux, gcc and Chromium; for the tray, xvfb xfce4-panel xfwm4 xfce4-notifyd dbus xdotool scrot imagemagick, and wine trayer gcc-mingw-w64-x86-64.
 */
const [, , what = 'dashboard', only] = process.argv

if (what === 'tray') await (await import('./tray.ts')).pictureTray()
else if (what === 'guides') await (await import('./guides.ts')).pictureGuides(only)
else if (what === 'pages') await (await import('./pages.ts')).picturePages()
else if (what === 'dashboard') await (await import('./dashboard.ts')).pictureDashboard()
else throw new Error(`there is no picture ${what}; use dashboard, guides, pages or tray`)
