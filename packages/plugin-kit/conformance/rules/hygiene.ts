import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kind } from '../../kinds.js'
import { Bench, type Opening } from '../bench.js'
import type { KindSuite } from '../kinds/suite.js'
import { usedOfMachine } from '../machine_watch.js'
import { speaksHttp } from '../options.js'
import { secretTexts } from '../secret_texts.js'
import { tour } from '../tour.js'
import type { Rule, RuleInput } from './rule.js'

/** Node's diagnostics channels of requests that bypass the port. */
const CHANNELS = ['undici:request:create', 'http.client.request.start']

/** Turns of the event loop within which an aborted call has to end. */
const TURNS = 50

/** Real time in milliseconds that a call without HTTP has to end in. */
const TIMEOUT_MS = 10_000

/** Group H: what a plugin must not do. */
export function hygieneRules(input: RuleInput): Rule[] {
  return [
    // First, because a value that a module has cached is not requested again.
    ...input.suites.flatMap((suite) => usesApart(suite, input)),
    {
      id: 'H1',
      title: 'it calls no host but those it names',
      run: (bench) => onlyItsHosts(bench, input),
    },
    {
      id: 'H2',
      title: 'it calls through the port alone',
      run: (bench) => onlyThePort(bench, input),
    },
    {
      id: 'H3',
      title: 'no secret is in its logs, errors and requests',
      run: (bench) => noSecretReported(bench, input),
    },
    ...machineRules(input),
    ...input.suites.map((suite): Rule => ({
      id: `${suite.kind}.H5`,
      title: 'it ends when nobody waits any more',
      async run(bench) {
        const data = input.options.data[suite.kind] ?? {}
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
        // A program that the plugin has started takes a moment to end.
        if (!speaksHttp(input.options.plugin)) await Promise.race([reading, pause(TIMEOUT_MS)])
        assert.ok(isEnded, 'It goes on')
      },
    })),
  ]
}

function machineRules(input: RuleInput): Rule[] {
  if (input.options.usesMachine) return []
  return [
    {
      id: 'H4',
      title: 'it leaves files, programs, sockets and the environment of the machine alone',
      async run(bench) {
        const used = await usedOfMachine(() => tour(bench, input))
        assert.deepEqual(used, [], 'It uses the machine that it runs on')
      },
    },
  ]
}

/**
 * Each use gets a new fake in the same state. A use that makes fewer or other requests than the
 * first has cached something in its module.
 */
function usesApart(suite: KindSuite, { options }: RuleInput): Rule[] {
  if (!speaksHttp(options.plugin)) return []
  const data = options.data[suite.kind] ?? {}
  const requestsWith = async (credentials: Opening['credentials']): Promise<string[]> => {
    const bench = new Bench(options)
    try {
      bench.seed(suite.scenario(data))
      const capability = await bench.capability(suite.kind as Kind, { credentials })
      await suite.read(capability as never, data)
      return bench.fake.requests().map(({ method, url }) => `${method} ${url}`)
    } finally {
      bench.close()
    }
  }
  return [
    {
      id: `${suite.kind}.H6`,
      title: 'a use asks what the one before asked: nothing is kept in its module',
      async run() {
        const first = await requestsWith('good')
        const other = options.credentials.other ? 'other' : 'good'
        assert.deepEqual(
          await requestsWith(other),
          first,
          'It has kept something of the use before'
        )
      },
    },
  ]
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((next) => setImmediate(next))
}

async function onlyItsHosts(bench: Bench, input: RuleInput): Promise<void> {
  await tour(bench, input)
  assert.deepEqual(bench.refused, [], 'It wants to call hosts that its manifest does not name')
}

async function onlyThePort(bench: Bench, input: RuleInput): Promise<void> {
  let others = 0
  const seen = () => void (others += 1)
  for (const channel of CHANNELS) subscribe(channel, seen)
  try {
    await tour(bench, input)
  } finally {
    for (const channel of CHANNELS) unsubscribe(channel, seen)
  }
  assert.equal(others, 0, 'It makes requests beside ctx.http and ctx.fetch')
}

async function noSecretReported(bench: Bench, input: RuleInput): Promise<void> {
  const { errors, account } = await tour(bench, input)
  const refused = await tour(bench, input, { credentials: 'bad' })
  const reported = [
    ...bench.logged,
    ...[...errors, ...refused.errors].map((error) => `${error.message} ${error.stack ?? ''}`),
    account,
    ...bench.fake.requests().map(({ url }) => decodeURIComponent(url)),
  ].join('\n')
  const secrets = (['good', 'bad'] as const).flatMap((which) => secretTexts(input.options, which))
  const places = secrets.filter((secret) => reported.includes(secret))
  assert.equal(places.length, 0, 'A secret is in a log, an error, an account or a URL')
}
