/** The arguments of each command: `NAME JSON`. The generated parsers say what the schemas say, and nothing throws. */
import { isDeepStrictEqual } from 'node:util'
import { commandArgsParser, type CommandRow, COMMANDS } from '@sallyport/protocol'
import { hold, type Target } from '../target.ts'

const ROWS = Object.values<CommandRow>(COMMANDS)
const PARSERS = new Map(ROWS.map((row) => [row.name, { row, parse: commandArgsParser(row) }]))
const SPACE = 0x20

export const target: Target = {
  seeds: [
    'SET_ACTIVITY {"pid":1,"activity":{"state":"a","details":"b","timestamps":{"start":1},"assets":{"large_image":"x"},"party":{"id":"1","size":[1,4]},"buttons":[{"label":"a","url":"https://a.test"}],"secrets":{"join":"s"},"instance":true,"type":0}}',
    'AUTHORIZE {"client_id":"1","scopes":["identify"],"code_challenge":"a","code_challenge_method":"S256","state":"x"}',
    'AUTHENTICATE {"access_token":"a"}',
    'GET_TOKEN {"code":"a","code_verifier":"b","redirect_uri":"http://127.0.0.1"}',
    'SUBSCRIBE {}',
    'CREATE_OR_JOIN_LOBBY {"secret":"a","lobby_metadata":{"a":"b"},"member_metadata":{"c":"d"}}',
    'SEND_LOBBY_MESSAGE {"lobby_id":"1","content":"x"}',
    'SEND_USER_MESSAGE {"user_id":"1","content":"x"}',
  ],
  words: ROWS.map(({ name }) => `${name} `),
  run(bytes) {
    const end = bytes.indexOf(SPACE)
    const found = PARSERS.get(bytes.toString('latin1', 0, Math.max(end, 0)))
    if (found === undefined) return
    let args: unknown
    try {
      args = JSON.parse(bytes.toString('utf8', end + 1))
    } catch {
      return
    }
    const { row, parse } = found
    const said = parse(args)
    const schema = row.args.safeParse(args)
    hold(said.success === schema.success, `the parser of ${row.name} accepts what its schema accepts`)
    if (said.success) hold(isDeepStrictEqual(said.data, schema.data), `the parser of ${row.name} gives what its schema gives`)
    else hold((said.error?.issues.length ?? 0) > 0, 'a refusal says why')
  },
}
