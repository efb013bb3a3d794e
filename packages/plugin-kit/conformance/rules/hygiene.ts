import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kind } from '../../kinds.js'
import type { Bench } from '../bench.js'
import { speaksHttp } from '../options.js'
import { secretTexts } from '../secret_texts.js'
import { tour } from '../tour.js'
import type { Rule, RuleParts } from './rule.js'

/** What Node says of requests that nobody made through the port. */
const CHANNELS = ['undici:request:create', 'http.client.request.start']

/** Turns of the event loop in which whoever was told to end has ended. */
const TURNS = 50

/** Milliseconds of real time, for what is no HTTP. */
const PATIENCE_MS = 10_000

/** H: what a plugin leaves alone. */
export function hygieneRules(parts: RuleParts): Rule[] {
  return [
    {
      id: 'H1',
      title: 'it calls no host but those it names',
      run: (bench) => onlyItsHosts(bench, parts),
    },
    {
      id: 'H2',
      title: 'it calls through the port alone',
      run: (bench) => onlyThePort(bench, parts),
    },
    {
      id: 'H3',
      title: 'no secret is in what it logs, tells and asks for',
      run: (bench) => noSecretTold(bench, parts),
    },
    ...parts.suites.map((suite): Rule => ({
      id: `${suite.kind}.H5`,
      title: 'it ends when nobody waits any more',
      async run(bench) {
        const data = parts.options.data[suite.kind] ?? {}
        bench.seed(suite.scenario(data))
        const caller = new AbortController()
        const opening = { signal: caller.signal, hanging: 'lasting' } as const
        const capability = await bench.capability(suite.kind as Kind, opening)
        bench.fake.failNext('hang', 'hang', 'hang', 'hang')
        let isEnded = false
        const ended = () => (isEnded = true)
        const reading = suite.read(capability as never, data).then(ended, ended)
        await turns()
        caller.abort(new Error('Nobody waits'))
        await turns()
        // A program that it has started takes a moment to end.
        if (!speaksHttp(parts.options.plugin)) await Promise.race([reading, pause(PATIENCE_MS)])
        assert.ok(isEnded, 'It goes on')
      },
    })),
  ]
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((next) => setImmediate(next))
}

async function onlyItsHosts(bench: Bench, parts: RuleParts): Promise<void> {
  await tour(bench, parts)
  assert.deepEqual(bench.refused, [], 'It wants to call hosts that its manifest does not name')
}

async function onlyThePort(bench: Bench, parts: RuleParts): Promise<void> {
  let others = 0
  const seen = () => void (others += 1)
  for (const channel of CHANNELS) subscribe(channel, seen)
  try {
    await tour(bench, parts)
  } finally {
    for (const channel of CHANNELS) unsubscribe(channel, seen)
  }
  assert.equal(others, 0, 'It makes requests beside ctx.http and ctx.fetch')
}

async function noSecretTold(bench: Bench, parts: RuleParts): Promise<void> {
  const { errors, account } = await tour(bench, parts)
  const refused = await tour(bench, parts, { credentials: 'bad' })
  const told = [
    ...bench.logged,
    ...[...errors, ...refused.errors].map((error) => `${error.message} ${error.stack ?? ''}`),
    account,
    ...bench.fake.requests().map(({ url }) => decodeURIComponent(url)),
  ].join('\n')
  const secrets = (['good', 'bad'] as const).flatMap((which) => secretTexts(parts.options, which))
  const places = secrets.filter((secret) => told.includes(secret))
  assert.equal(places.length, 0, 'A secret is in a log, an error, an account or a URL')
}
