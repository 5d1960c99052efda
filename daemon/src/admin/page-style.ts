/** The look of the dashboard: system fonts, light or dark as the user's system is. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f4f5f7, #14161a); --card: light-dark(#fff, #1d2026); --line: light-dark(#dfe2e7, #2d323b);
  --ink: light-dark(#1b1e24, #e7e9ee); --soft: light-dark(#5f6773, #98a1b0); --accent: light-dark(#2f6f5e, #6fcfb2); --warn: light-dark(#a4511b, #f0a868);
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; padding: 2rem 1.25rem 4rem; }
main, header { max-width: 62rem; margin: 0 auto; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: 1.5rem; }
h1 { font-size: 1.35rem; letter-spacing: -.01em; }
h2 { font-size: .8rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); margin: 2rem 0 .6rem; }
a { color: var(--accent); }
code { font: .87em ui-monospace, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
.soft { color: var(--soft); }
.dot { display: inline-block; width: .6em; height: .6em; border-radius: 50%; background: var(--accent); margin-right: .45em; }
.lost .dot { background: var(--warn); }
#state { margin-left: auto; color: var(--soft); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: .8rem; }
.card, .hint, table { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
.card { padding: .9rem 1.1rem; overflow-wrap: anywhere; }
.cards .card { border-left: 3px solid var(--accent); }
.card .kind { font-size: .8rem; color: var(--soft); }
.card .name { font-weight: 600; }
.hint { padding: .9rem 1.1rem; color: var(--soft); border-style: dashed; }
.problem { padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-left: 3px solid var(--warn); border-radius: .6rem; }
.ask { border-left: 3px solid var(--warn); margin-bottom: .8rem; }
.ask p + p, .ask .acts { margin-top: .5rem; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem; }
button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem; padding: .2rem .8rem; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--accent); }
button:disabled { opacity: .5; cursor: default; }
.rest { padding: .55rem .9rem; color: var(--soft); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: separate; border-spacing: 0; }
th, td { text-align: left; vertical-align: top; padding: .55rem .9rem; border-top: 1px solid var(--line); }
th { font-size: .8rem; font-weight: 600; color: var(--soft); border-top: 0; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .2rem 1.2rem; }
dt { color: var(--soft); }
dt::first-letter { text-transform: uppercase; }
dd { overflow-wrap: anywhere; }
`
