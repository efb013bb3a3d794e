import assert from 'node:assert/strict'
import type { Failure } from '../../fake/failures.js'
import type { Kind } from '../../kinds.js'
import type { Bench } from '../bench.js'
import { errorOf, failsWith } from '../expecting.js'
import { speaksHttp } from '../options.js'
import type { KindSuite } from '../kinds/suite.js'
import type { Rule, RuleInput } from './rule.js'

/** More failures than the host makes attempts. */
const MANY = 12
/** Maximum number of requests per change whose responses are lost, one after the other. */
const MAX_REQUESTS = 10
const times = (failure: Failure): Failure[] => Array.from({ length: MANY }, () => failure)

/** Group R: failures of the provider, and how the plugin reports them. */
export function resilienceRules(input: RuleInput): Rule[] {
  return input.suites.flatMap((suite) => {
    const open = (bench: Bench) => opened(bench, input, suite)
    const outage: Rule = {
      id: `${suite.kind}.R2`,
      title: 'a failing provider is reported as such, never as an empty result',
      async run(bench) {
        const { read } = await open(bench)
        bench.fake.failNext(...times({ status: 503 }))
        await failsWith(read(), 'unavailable')
      },
    }
    const others = [...changeRules(input, suite), ...strangeRules(input, suite)]
    if (!speaksHttp(input.options.plugin)) return [outage, ...others]
    const rules: Rule[] = [
      {
        id: `${suite.kind}.R1`,
        title: 'rate limiting is reported, with the time to retry',
        async run(bench) {
          const { read } = await open(bench)
          bench.fake.setRateLimit(0)
          const { detail } = await failsWith(read(), 'rateLimited', 'quotaExhausted')
          assert.ok((detail.retryAfterMs ?? 0) > 0, 'It does not say when to retry')
        },
      },
      outage,
      {
        id: `${suite.kind}.R3`,
        title: 'reads are retried',
        async run(bench) {
          for (const failure of [{ status: 502 }, 'reset', 'hang'] as const) {
            const { read } = await open(bench)
            bench.fake.failNext(failure)
            await read()
          }
        },
      },
      ...(['html', 'truncate', 'huge'] as const).map((failure, index): Rule => ({
        id: `${suite.kind}.R6${'abc'[index]}`,
        title: `a response that does not come from the API is protocol: ${failure}`,
        async run(bench) {
          const { read } = await open(bench)
          bench.fake.failNext(...times(failure))
          await failsWith(read(), 'protocol')
        },
      })),
    ]
    return [...rules, ...others]
  })
}

function changeRules(input: RuleInput, suite: KindSuite): Rule[] {
  const { change, kind } = suite
  const features = input.options.plugin.manifest.capabilities[kind]?.features ?? []
  if (!change || (change.feature && !features.includes(change.feature))) return []
  const data = input.options.data[kind] ?? {}
  return [
    {
      id: `${kind}.R4`,
      title: 'a change whose response is lost happens once, and is not reported as not applied',
      async run(bench) {
        // Loses the response to the first request, then to the second, and so on.
        for (let requested = 0; requested < MAX_REQUESTS; requested++) {
          const { capability } = await opened(bench, input, suite)
          const before = change.effects(bench.fake.state())
          const first = bench.fake.requests().length
          bench.fake.failNext(...Array.from({ length: requested }, () => 'pass' as const), 'lost')
          const call = change.run(capability as never, bench.mutation(), data)
          const isAnswered = await call.then(
            () => true,
            () => false
          )
          const effects = change.effects(bench.fake.state()) - before
          assert.ok(effects <= 1, `It was applied ${effects} times`)
          if (!isAnswered) {
            const { detail } = await errorOf(call)
            const isHonest = effects === 0 || detail.outcome !== 'notApplied'
            assert.ok(isHonest, 'It reports notApplied for an applied change')
          }
          if (bench.fake.requests().length - first <= requested) return
        }
      },
    },
    {
      id: `${kind}.R5`,
      title: 'a change that is retried with its key has no second effect',
      async run(bench) {
        const { capability } = await opened(bench, input, suite)
        const before = change.effects(bench.fake.state())
        const mutation = bench.mutation()
        const inDoubtSince = new Date(bench.nowMs).toISOString()
        await change.run(capability as never, mutation, data)
        await change.run(capability as never, { ...mutation, inDoubtSince }, data)
        assert.equal(change.effects(bench.fake.state()) - before, 1)
      },
    },
  ]
}

function strangeRules(input: RuleInput, { kind, strange }: KindSuite): Rule[] {
  const features = input.options.plugin.manifest.capabilities[kind]?.features ?? []
  if (!strange || (strange.feature && !features.includes(strange.feature))) return []
  const data = input.options.data[kind] ?? {}
  return [
    {
      id: `${kind}.R7`,
      title: 'an unexpected state is unknown, with the provider’s term for it',
      async run(bench) {
        bench.seed(strange.scenario('somethingNew', data))
        const capability = await bench.capability(kind as Kind)
        const { state, raw } = await strange.observe(capability as never, data)
        assert.equal(state, 'unknown')
        assert.ok(typeof raw === 'string' && raw !== '', 'The provider’s term is missing')
      },
    },
  ]
}

async function opened(bench: Bench, { options }: RuleInput, suite: KindSuite) {
  const data = options.data[suite.kind] ?? {}
  bench.seed(suite.scenario(data))
  const capability = await bench.capability(suite.kind as Kind)
  return { capability, read: () => suite.read(capability as never, data) }
}
