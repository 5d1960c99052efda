/** What all runs did together, as a person reads it. */
import { createHash } from 'node:crypto'
import type { RunReport } from './simulate.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

export const sumOf = (reports: readonly RunReport[]) => ({
  seeds: reports.length,
  hours: sum(reports.map(({ hours }) => hours)),
  games: sum(reports.map(({ games }) => games)),
  calls: sum(reports.map(({ calls }) => calls)),
  events: sum(reports.map(({ events }) => events)),
  faults: sum(reports.flatMap(({ faults }) => Object.values(faults))),
  checked: sum(reports.map(({ checked }) => checked)),
  failures: sum(reports.map(({ failures }) => failures.length)),
  hash: createHash('sha256')
    .update(reports.map(({ hash }) => hash).join())
    .digest('hex'),
})

export const reportText = (all: ReturnType<typeof sumOf>, seconds: number): string =>
  [
    `seeds     ${all.seeds}`,
    `hours     ${all.hours.toFixed(1)} in ${seconds.toFixed(1)} s`,
    `games     ${all.games}`,
    `calls     ${all.calls}`,
    `events    ${all.events}`,
    `faults    ${all.faults}`,
    `checked   ${all.checked}`,
    `failures  ${all.failures}`,
    `hash      ${all.hash}`,
  ].join('\n')
