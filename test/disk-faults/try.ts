import { startPlatform, World } from './world.ts'
import { SCENARIOS } from './scenarios.ts'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pointsOf, shownPoint } from './points.ts'
const platform = await startPlatform()
let n = 0
for (const [name, { earlier, before, steps, ends, ...more }] of Object.entries(SCENARIOS)) {
  if (process.argv[2] && process.argv[2] !== name) continue
  const t0 = performance.now()
  const app = String(888000700 + n++)
  if ('isShortLived' in more) platform.shortLived.add(app)
  const world = await World.create(platform, app)
  const list = join(world.at.base, 'list')
  const go = async (all) => { for (const s of all ?? []) await s.run(world).then(() => console.log('  ok', s.name), (e) => console.log('  FAIL', s.name, e.code, e.message)) }
  if (earlier.length) { await world.start(); await go(earlier); await world.leave() }
  let mark = Date.now()
  await world.start({ words: [], list })
  await go(before); if (before) mark = Date.now()
  await go(steps)
  const s = await world.state().catch(String)
  console.log(JSON.stringify({ g: s.grants, w: s.warnings, p: s.presence_paused, games: s.games, keys: Object.keys(s) }))
  const end0 = Date.now()
  console.log(await world.leave())
  const points = pointsOf(readFileSync(list, 'utf8'), world.at.data).filter((p) => p.at >= mark && (ends || p.at < end0))
  console.log(name, points.length, 'points', Math.round(performance.now() - t0), 'ms', readdirSync(world.at.data).join())
  if (process.argv[3]) console.log(points.map((p) => p.thread + ' ' + shownPoint(p)).join('\n'))
  if (process.argv[4]) console.log(world.bridge.said())
  await world.at.remove()
}
await platform.close()
