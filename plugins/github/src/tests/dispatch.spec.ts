import { test } from '@japa/runner'
import {
  isProviderError,
  type CiRun,
  type ContinuousIntegration,
  type RunRequest,
} from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { makeApp } from '../fake/apps.js'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import plugin from '../plugin.js'

/*
 * Which run belongs to a request: GitHub has no idempotency keys, and runs do not tell their inputs.
 */

const WORKFLOW = 'release.yml'
const AT = { branch: 'main' }
const TOKEN = { token: 'good-token-4711' }
/** The users of the token and of the App. */
const ME = 'tarmac-bot'
const APP = 'tarmac[bot]'

const app = makeApp()

async function open(good: Record<string, string> = TOKEN) {
  const bench = new Bench({
    plugin,
    fake: () => new GitHubFake(undefined, [app]),
    credentials: { good, bad: { token: 'bad-token-4711' } },
    data: { versionControl: { repoName: 'acme/app' }, ci: { workflowId: WORKFLOW } },
  })
  bench.seed(sampleScenario())
  const fake = bench.fake as GitHubFake
  const ci: ContinuousIntegration = await bench.capability('ci')
  const trigger = (lane: string, m: RunRequest) => ci.trigger(WORKFLOW, AT, { lane }, m)
  /** Requests a run whose answer is lost, and returns the request of the repetition. */
  const lose = async (lane: string): Promise<RunRequest> => {
    const m = bench.mutation()
    const inDoubtSince = new Date(bench.nowMs).toISOString()
    fake.failNext('lost')
    await trigger(lane, m).catch(() => {})
    return { ...m, inDoubtSince }
  }
  const lanes = () => fake.actions.runs.map(({ inputs, actor }) => inputs.lane ?? actor)
  const laneOf = (run: unknown) =>
    fake.actions.runs.find(({ id }) => String(id) === (run as CiRun).id)?.inputs.lane
  return { bench, fake, ci, trigger, lose, lanes, laneOf }
}

test.group('GitHub | the run of a request', () => {
  test('requests within two minutes have runs of their own, with their own inputs', async ({
    assert,
  }) => {
    const { bench, fake, trigger, lanes, laneOf } = await open()
    fake.actions.begin(WORKFLOW, 'main', { actor: ME })
    const { length } = fake.requests()
    const beta = await trigger('beta', bench.mutation())
    bench.pass(5000)
    const prod = await trigger('prod', bench.mutation())
    assert.deepEqual([laneOf(beta), laneOf(prod)], ['beta', 'prod'])
    assert.deepEqual(lanes(), [ME, 'beta', 'prod'])
    const asked = fake.requests().slice(length)
    assert.isFalse(asked.some(({ url }) => url.includes('/runs?')))
  })

  for (const [who, credentials] of [
    [ME, TOKEN],
    [APP, app],
  ] as const) {
    test(`a repetition finds the run that ${who} dispatched, and no other`, async ({ assert }) => {
      const { bench, fake, trigger, lose, lanes, laneOf } = await open(credentials)
      fake.actions.begin(WORKFLOW, 'main', { actor: who })
      bench.pass(30_000)
      const known = (await trigger('beta', bench.mutation())) as CiRun
      const again = await lose('prod')
      for (let person = 0; person < 120; person++) {
        fake.actions.begin(WORKFLOW, 'main', { actor: 'ada' })
      }
      bench.pass(60_000)
      const run = await trigger('prod', { ...again, isTaken: ({ id }) => id === known.id })
      assert.equal(laneOf(run), 'prod')
      assert.lengthOf(lanes(), 123)
    })
  }

  test('a run that did not begin is dispatched by the repetition', async ({ assert }) => {
    const { bench, fake, trigger, lanes, laneOf } = await open()
    const m = { ...bench.mutation(), inDoubtSince: new Date(bench.nowMs).toISOString() }
    fake.actions.begin(WORKFLOW, 'main', { actor: 'ada' })
    assert.equal(laneOf(await trigger('beta', m)), 'beta')
    assert.deepEqual(lanes(), ['ada', 'beta'])
  })

  test('a run that a push of the same account began is not taken for it', async ({ assert }) => {
    const { bench, fake, trigger, lanes, laneOf } = await open()
    const m = { ...bench.mutation(), inDoubtSince: new Date(bench.nowMs).toISOString() }
    fake.actions.begin(WORKFLOW, 'main', { actor: ME, event: 'push' })
    assert.equal(laneOf(await trigger('beta', m)), 'beta')
    assert.deepEqual(lanes(), [ME, 'beta'])
  })

  test('clocks that differ by minutes do not matter', async ({ assert }) => {
    for (const ahead of [-300_000, 300_000]) {
      const { bench, fake, trigger, lose, laneOf, lanes } = await open()
      fake.advance(ahead)
      fake.actions.begin(WORKFLOW, 'main', { actor: ME })
      bench.pass(30_000)
      const again = await lose('beta')
      bench.pass(60_000)
      assert.equal(laneOf(await trigger('beta', again)), 'beta')
      assert.lengthOf(lanes(), 2)
    }
  })

  test('of two runs that may be the requested one, none is guessed, and none is added', async ({
    assert,
  }) => {
    const { lose, trigger, lanes, laneOf, fake } = await open()
    const beta = await lose('beta')
    const prod = await lose('prod')
    const error: unknown = await trigger('prod', prod).catch((reason: unknown) => reason)
    assert.isTrue(isProviderError(error))
    assert.containsSubset(error, { code: 'conflict', detail: { outcome: 'unknown' } })
    assert.match(String(error), /each of these runs may be.*runs\/1.*runs\/2/)
    assert.deepEqual(lanes(), ['beta', 'prod'])
    const first = String(fake.actions.runs[0].id)
    const run = await trigger('prod', { ...prod, isTaken: ({ id }) => id === first })
    assert.equal(laneOf(run), 'prod')
    assert.isDefined(beta)
  })

  test('an older server that {what} does not name runs: each request finds its own')
    .with([
      { what: 'ignores the key', knowsKey: true },
      { what: 'refuses the key', knowsKey: false },
    ])
    .run(async ({ assert }, { knowsKey }) => {
      const { bench, ci, fake, trigger, laneOf } = await open()
      fake.actions.reportsRuns = false
      fake.actions.knowsRunDetails = knowsKey
      const request = async (lane: string) => {
        bench.pass(5000)
        return (await trigger(lane, bench.mutation())) as { pendingToken: string }
      }
      const beta = await request('beta')
      fake.actions.begin(WORKFLOW, 'main', { actor: 'ada' })
      const prod = await request('prod')
      const second = await ci.resolvePending!(prod.pendingToken)
      const first = await ci.resolvePending!(beta.pendingToken, ({ id }) => id === second!.id)
      assert.deepEqual([laneOf(first), laneOf(second)], ['beta', 'prod'])
    })

  test('a run that GitHub names and does not show yet is followed by its id', async ({
    assert,
  }) => {
    const { bench, ci, fake, trigger, laneOf, lanes } = await open()
    fake.failNext('pass', ...Array.from({ length: 12 }, () => ({ status: 503 }) as const))
    const answer = (await trigger('beta', bench.mutation())) as { pendingToken: string }
    assert.property(answer, 'pendingToken')
    for (let left = 0; left < 12; left++) await ci.getRun('1').catch(() => {})
    assert.equal(laneOf(await ci.resolvePending!(answer.pendingToken)), 'beta')
    assert.deepEqual(lanes(), ['beta'])
  })
})
