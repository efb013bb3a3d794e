import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isProviderError } from '#plugin-kit/provider_error'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { SimReset } from '../commands/sim_reset.js'
import { SimState } from '../commands/sim_state.js'
import { chance } from '#simulated-providers/chance'
import { USUAL_APP_STORE } from '#simulated-providers/app_store_state'
import { USUAL_CI } from '#simulated-providers/ci'
import { worldHost } from '../world_host.js'
import { inWorld, mutation } from './support/world_plugins.js'

const { rejected, metadataRejected } = USUAL_APP_STORE.settings
const seedWhere = (is: (seed: string) => boolean) =>
  Array.from({ length: 2000 }, (_, index) => `seed ${index}`).find(is)!
const builds = (seed: string) => chance(seed, 'ci fails', 1) >= USUAL_CI.settings.failing
const verdict = (seed: string, round: number) => {
  const rolled = chance(seed, 'app store verdict', '4.2.0', round)
  return rolled < rejected ? 'rejected' : rolled < rejected + metadataRejected ? 'texts' : 'good'
}
const BUNDLE = { bundleId: 'com.acme.shop' }
const USED = {
  ci: { plugin: 'sim', type: 'sim-ci', data: { workflowId: 'release' } },
  appStore: { plugin: 'sim-apple', type: 'sim-apple', data: BUNDLE },
  betaTesting: { plugin: 'sim-apple', type: 'sim-apple-beta', data: BUNDLE },
} as const
const INPUT = { version: '4.2.0', buildNumber: '1', phased: true, release: 'manual' } as const

/** Returns a world in which CI has built 4.2.0, and the store has it. */
async function built(seed: string) {
  const world = await inWorld(seed, USED)
  const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
  await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
  await world.advance('1h')
  const state = async () => (await store.listVersions({ version: '4.2.0' })).items[0]
  return { ...world, store, state }
}

/**
 * Returns a world whose store shows versions 40 minutes after their creation, with builds of the
 * given ones.
 */
async function slow(versions: readonly string[]) {
  const world = await inWorld('appearing', USED)
  const { admin, organizationId } = world.of
  const scenario =
    'name: Slow\nci: { failing: 0 }\nappStore: { appearing: 40m, builds: [valid, valid] }\n'
  const at = `/org/${organizationId}/simulatedWorld/scenario`
  const { status, text } = await admin.put(at, undefined, yaml(scenario))
  if (status !== 200) throw new Error(text)
  const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
  const build = (version: string) =>
    ci.trigger('release', { branch: `release/${version}` }, {}, mutation())
  for (const version of versions) await build(version)
  await world.advance('1h')
  /** Returns the store's answers to the creation of a version. */
  const made = async () => {
    await (await app.container.make('integrations.log')).flush()
    const calls = await db
      .from('integration_calls')
      .where({ organization_id: organizationId, method: 'POST' })
      .whereLike('path', '%/versions')
      .orderBy('called_at')
    return calls.map((each) => each.status)
  }
  return { ...world, store, build, made }
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (isProviderError(error) ? `${error.code} ${error.detail.reason}` : String(error))
  )

test.group('The App Store of a world', () => {
  test('has what CI built: processed for a while, then valid', async ({ assert }) => {
    const seed = seedWhere(builds)
    const world = await inWorld(seed, USED)
    const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
    const seen = async () =>
      (await store.listBuilds({ version: '4.2.0' })).items.map(({ number, status }) => [
        number,
        status.state,
      ])
    const run = await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
    await ci.trigger('development', { branch: 'release/4.2.0' }, {}, mutation())
    await ci.trigger('release', { branch: 'main' }, {}, mutation())
    assert.deepEqual(await seen(), [])
    if (!('id' in run)) throw new Error('A run was expected')
    for (let minutes = 0; (await ci.getRun(run.id))?.status.state !== 'succeeded'; minutes++) {
      assert.isBelow(minutes, 40)
      await world.advance('1m')
    }
    assert.deepEqual(await seen(), [['1', 'processing']])
    assert.equal(await codeOf(store.prepare(INPUT, mutation())), 'preconditionFailed buildNotReady')
    await world.advance('15m')
    assert.deepEqual(await seen(), [['1', 'ready']])
    const { items } = await store.listVersions({})
    assert.isEmpty(items, 'A refused version was left behind')
  })

  test('a version goes from its build to all users in the time of the store', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(
      seedWhere((seed) => builds(seed) && verdict(seed, 0) === 'good')
    )
    const { id } = await store.prepare(INPUT, mutation())
    await store.setMetadata(id, [{ locale: 'en-US', whatsNew: 'New' }], mutation())
    await store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })
    await advance('1m')
    assert.containsSubset(await state(), {
      status: { state: 'waitingForReview', lagSeconds: 15 },
      buildNumbers: ['1'],
      submissionId: '4.2.0-1',
      release: { method: 'manual' },
      rollout: { raw: 'INACTIVE', pausedDays: 0 },
    })
    assert.equal(
      await codeOf(store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })),
      'conflict notEditable'
    )
    await advance('9h')
    assert.equal((await state()).status.state, 'inReview')
    assert.equal(
      await codeOf(store.setMetadata(id, [{ locale: 'en-US', whatsNew: 'Late' }], mutation())),
      'conflict notEditable'
    )
    await advance('2h')
    assert.equal((await state()).status.state, 'pendingRelease')
    assert.equal((await store.release!(id, mutation())).status.state, 'processing')
    await advance('1h')
    assert.containsSubset(await state(), {
      status: { state: 'rolledOutPartially', raw: 'READY_FOR_DISTRIBUTION' },
      rollout: { mode: 'phased', state: 'active', fraction: 0.01, day: 1 },
    })
    await advance('2d')
    const halted = await store.setRollout(
      id,
      { action: 'halt' },
      { ...mutation(), onReviewInProgress: 'replace' }
    )
    assert.containsSubset(halted, {
      before: { status: { lagSeconds: 15 }, rollout: { state: 'active', fraction: 0.05 } },
      after: { status: { lagSeconds: 0 }, rollout: { state: 'paused', fraction: 0.05 } },
    })
    assert.equal((await state()).rollout?.state, 'active', 'Reads lag behind')
    await advance('121h')
    assert.containsSubset(await state(), {
      rollout: { state: 'paused', raw: 'PAUSED', fraction: 0.05, day: 3, pausedDays: 5 },
    })
    await store.setRollout(id, { action: 'resume' }, { ...mutation(), onReviewInProgress: 'fail' })
    await advance('5d')
    assert.containsSubset(await state(), { status: { state: 'live' }, rollout: { fraction: 1 } })
    const { items } = await store.listReviews({})
    assert.isAbove(items.length, 20)
    assert.isTrue(items.every(({ version, rating }) => version === '4.2.0' && rating >= 1))
  })

  test('a rejection is seen and can be answered with another submission', async ({ assert }) => {
    const { store, state, advance } = await built(
      seedWhere(
        (seed) => builds(seed) && verdict(seed, 0) === 'rejected' && verdict(seed, 1) === 'texts'
      )
    )
    const { id } = await store.prepare({ ...INPUT, release: 'auto' }, mutation())
    const submission = () => ({ ...mutation(), onReviewInProgress: 'fail' as const })
    await store.submit(id, submission())
    await advance('12h')
    assert.equal((await state()).status.state, 'rejected')
    await store.submit(id, submission())
    await advance('12h')
    assert.equal((await state()).status.state, 'metadataRejected')
    await store.setMetadata(id, [{ locale: 'en-US', whatsNew: 'Better' }], mutation())
  })

  test('a cancellation takes time; a call that replaces a review has to be repeated', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(seedWhere(builds))
    const { id } = await store.prepare(INPUT, mutation())
    await store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })
    const replace = () => store.submit(id, { ...mutation(), onReviewInProgress: 'replace' })
    assert.equal(await codeOf(replace()), 'preconditionFailed preparing')
    await advance('1m')
    assert.equal((await state()).status.state, 'waitingForReview')
    await advance('3m')
    assert.equal((await state()).status.state, 'developerRejected')
    assert.equal((await replace()).status.state, 'waitingForReview')
  })

  test('a version that is not shown yet is made once, and found once it is shown', async ({
    assert,
  }) => {
    const { store, advance, made } = await slow(['4.2.0'])
    const { id } = await store.prepare(INPUT, mutation())
    for (let again = 0; again < 3; again++) {
      assert.equal(await codeOf(store.prepare(INPUT, mutation())), 'preconditionFailed preparing')
    }
    await advance('41m')
    assert.equal((await store.prepare(INPUT, mutation())).id, id)
    assert.deepEqual(await made(), [200])
  })

  test('a version that somebody makes meanwhile is refused once, and found once it is shown', async ({
    assert,
    cleanup,
  }) => {
    const { store, advance, made } = await slow(['4.2.0'])
    const { answer: result } = worldHost
    cleanup(() => void (worldHost.answer = result))
    worldHost.answer = async (request) => {
      if (request.method === 'POST') await result(request.clone())
      return result(request)
    }
    for (let again = 0; again < 4; again++) {
      assert.equal(await codeOf(store.prepare(INPUT, mutation())), 'preconditionFailed preparing')
    }
    await advance('41m')
    assert.equal((await store.prepare(INPUT, mutation())).version, '4.2.0')
    assert.deepEqual(await made(), [409])
  })

  test('another version that is not shown yet blocks a new one, and the error says so', async ({
    assert,
  }) => {
    const { store } = await slow(['4.2.0', '4.3.0'])
    await store.prepare(INPUT, mutation())
    const next = { ...INPUT, version: '4.3.0', buildNumber: '2' }
    assert.equal(await codeOf(store.prepare(next, mutation())), 'conflict versionInFlight')
  })

  test('a world that begins anew has no version of the world before', async ({ assert }) => {
    const { store, advance, build, org } = await slow(['4.2.0'])
    await store.prepare(INPUT, mutation())
    assert.equal(await codeOf(store.prepare(INPUT, mutation())), 'preconditionFailed preparing')
    await runCommand(SimReset, [org, `--seed=${seedWhere(builds)}`])
    await build('4.2.0')
    await advance('1h')
    const { status } = await store.prepare({ ...INPUT, buildNumber: '2' }, mutation())
    assert.equal(status.state, 'preparing')
  })

  test('internal testers have a build at once, others after a review', async ({ assert }) => {
    const { capability, advance } = await built(
      seedWhere((seed) => builds(seed) && chance(seed, 'beta verdict', 'ci-1') > 0.5)
    )
    const beta = await capability('betaTesting')
    const { items } = await beta.listBuilds({ version: '4.2.0' })
    const give = async (group: string) =>
      (await beta.distribute(items[0].id, [group], mutation())).raw
    await beta.setNotes(items[0].id, [{ locale: 'en-US', text: 'Try it' }], mutation())
    assert.equal(await give('employees'), 'IN_BETA_TESTING')
    assert.equal(await give('everybody'), 'WAITING_FOR_BETA_REVIEW')
    await advance('4h')
    assert.equal(await give('everybody'), 'IN_BETA_REVIEW')
    await advance('1h')
    assert.equal(await give('everybody'), 'IN_BETA_TESTING')
    await advance('90d')
    assert.equal(await codeOf(give('everybody')), 'preconditionFailed buildExpired')
  })

  test('a reply to a review is published after a while', async ({ assert }) => {
    const { store, advance } = await built(
      seedWhere((seed) => builds(seed) && verdict(seed, 0) === 'good')
    )
    const { id } = await store.prepare({ ...INPUT, release: 'auto', phased: false }, mutation())
    await store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })
    await advance('5d')
    const [review] = (await store.listReviews({})).items
    const replied = await store.replyToReview!(review.id, 'Thank you', mutation())
    assert.containsSubset(replied.reply, { text: 'Thank you', state: 'pending' })
    await advance('5h')
    const { items } = await store.listReviews({})
    const found = items.find((each) => each.id === review.id)
    assert.deepEqual(found?.reply, { ...replied.reply!, state: 'published' })
    assert.equal(
      await codeOf(store.replyToReview!('nobody', 'Hello', mutation())),
      'notFound reviewUnknown'
    )
  })

  test('stores of two organizations are separate, and sim:state shows one', async ({ assert }) => {
    const [one, other] = [await built(seedWhere(builds)), await built(seedWhere(builds))]
    await one.store.prepare(INPUT, mutation())
    assert.lengthOf((await other.store.listVersions({})).items, 0)
    const reported = await runCommand(SimState, [one.org])
    assert.containsSubset(reported.document, {
      appStores: [
        {
          bundleId: 'com.acme.shop',
          builds: [{ id: 'ci-1', version: '4.2.0', number: '1', state: 'VALID' }],
          versions: [{ version: '4.2.0', state: 'PREPARE_FOR_SUBMISSION' }],
        },
      ],
    })
    const there = await runCommand(SimState, [other.org])
    assert.deepEqual(there.document.appStores[0].versions, [])
  })
})
