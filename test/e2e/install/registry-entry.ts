/** Runs under Wine: does the steps of an installation on Windows, or of its undo, and prints each outcome. */
import { carryOut } from '#daemon/src/install/carry-out.ts'
import { planInstall, planUninstall } from '#daemon/src/install/plan.ts'
import type { Facts } from '#daemon/src/install/steps.ts'

const [, , word, folder = ''] = process.argv

const facts: Facts = {
  platform: 'win32',
  home: folder,
  env: process.env,
  uid: undefined,
  program: [`${folder}\\sally port\\sallyport.exe`],
  quietProgram: undefined,
  hasTray: false,
  icon: '<svg/>',
  keychainEntries: [],
  flags: ['--data-dir', `${folder}\\my data\\`],
  hasSystemd: false,
  ipcPrefix: 'discord-ipc',
  runtimeDir: undefined,
  // So that nothing is started.
  isRunning: true,
  hasForeignServer: false,
  hasPackageUnit: false,
  hasOwnUnit: false,
  platformChoice: undefined,
  schemes: ['sallyport', 'my-game'],
  dataDir: `${folder}\\data`,
  configDir: `${folder}\\config`,
  recordFile: `${folder}\\data\\installed.json`,
}

const { steps } = word === 'install' ? planInstall(facts) : planUninstall(facts, true)
void carryOut(
  steps,
  async () => false,
  () => {},
).then((done) => console.log(JSON.stringify(done.map(({ outcome }) => outcome))))
