/** `sallyport metrics`: prints the metrics of the bridge in the text format of Prometheus, or writes them for a collector that reads files. */
import type { BridgeMetrics } from '@sallyport/protocol'
import { LABELS, METRICS } from '../operator/metrics/table.ts'
import { prometheusText } from '../operator/metrics/text.ts'
import { SettingsError } from '../config/settings-error.ts'
import { isAsleep } from './asleep.ts'
import type { Command, Context } from './command.ts'
import { withBridge } from './daemon-client.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { FIND_FLAGS } from './find-flags.ts'
import { writeMetricsFile } from './metrics-file.ts'
import { asOperator } from './operator.ts'

/** All that is known of a bridge that does not run. */
const { type, help } = METRICS.sallyport_up
const DOWN: BridgeMetrics = { metrics: [{ name: 'sallyport_up', type, help, series: [{ labels: {}, value: 0 }] }] }

async function read(context: Context): Promise<BridgeMetrics> {
  if (await isAsleep(context))
    throw new CommandFailure(EXIT.noDaemon, 'No bridge is running. The next game starts it; this command does not.')
  return withBridge(context, (client) => asOperator<BridgeMetrics>(client, context, 'GET_BRIDGE_METRICS', {}))
}

const labelOf = (pair: string): readonly [name: string, value: string] => {
  const end = pair.indexOf('=')
  return [pair.slice(0, end), pair.slice(end + 1)]
}

/** Of a metric itself, or of Prometheus. */
const isTaken = (name: string): boolean => Object.hasOwn(LABELS, name) || name === 'le' || name === 'quantile'

const isMissing = (failure: unknown): boolean => failure instanceof CommandFailure && failure.exitCode === EXIT.noDaemon

export const metrics: Command = {
  name: 'metrics',
  summary: 'Print the metrics of the bridge for Prometheus, or write them to a file.',
  usage: '[--textfile FILE] [flags]',
  operands: { min: 0, max: 0 },
  flags: ['textfile', 'label', ...FIND_FLAGS],
  async run(context) {
    const { io, loaded } = context
    const { textfile, label: pairs = [], json } = loaded.settings
    const label = Object.fromEntries(pairs.map(labelOf))
    const taken = Object.keys(label).find(isTaken)
    if (taken !== undefined) throw new SettingsError(`--label cannot be ${taken}: metrics have a label of that name. Choose another name.`)
    if (textfile === undefined) {
      const found = await read(context)
      io.out(json ? JSON.stringify(found) : prometheusText(found, label).trimEnd())
      return EXIT.ok
    }
    try {
      writeMetricsFile(textfile, prometheusText(await read(context), label))
    } catch (failure) {
      // The values of the last run would look like those of now.
      if (isMissing(failure)) writeMetricsFile(textfile, prometheusText(DOWN, label))
      throw failure
    }
    if (json) io.out(JSON.stringify({ file: textfile }))
    return EXIT.ok
  },
}
