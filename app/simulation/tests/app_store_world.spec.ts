import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isProviderError } from '#plugin-kit/provider_error'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { SimState } from '../commands/sim_state.js'
import { chance } from '../core/chance.js'
import { USUAL_APP_STORE } from '../core/app_store_state.js'
import { USUAL_CI } from '../core/ci.js'
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

/** A world in which CI has built 4.2.0, and the store has it. */
async function built(seed: string) {
  const world = await inWorld(seed, USED)
  const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
  await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
  await world.advance('1h')
  const state = async () => (await store.listVersions({ version: '4.2.0' })).items[0]
  return { ...world, store, state }
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
    assert.containsSubset(await state(), {
      status: { state: 'waitingForReview' },
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
    assert.equal((await store.release(id, mutation())).status.state, 'processing')
    await advance('1h')
    assert.containsSubset(await state(), {
      status: { state: 'rolledOutPartially', raw: 'READY_FOR_DISTRIBUTION' },
      rollout: { mode: 'phased', state: 'active', fraction: 0.01, day: 1 },
    })
    await advance('2d')
    await store.setRollout(id, { action: 'halt' }, mutation())
    await advance('5d')
    assert.containsSubset(await state(), {
      rollout: { state: 'paused', raw: 'PAUSED', fraction: 0.05, day: 3, pausedDays: 5 },
    })
    await store.setRollout(id, { action: 'resume' }, mutation())
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

  test('a cancellation takes its time; who replaces a review is told to come again', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(seedWhere(builds))
    const { id } = await store.prepare(INPUT, mutation())
    await store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })
    const replace = () => store.submit(id, { ...mutation(), onReviewInProgress: 'replace' })
    assert.equal(await codeOf(replace()), 'preconditionFailed preparing')
    assert.equal((await state()).status.state, 'waitingForReview')
    await advance('3m')
    assert.equal((await state()).status.state, 'developerRejected')
    assert.equal((await replace()).status.state, 'waitingForReview')
  })

  test('a version that is not shown yet is asked for once, and found when it is', async ({
    assert,
  }) => {
    const world = await inWorld('appearing', USED)
    const { admin, organizationId } = world.of
    const slow = 'name: Slow\nci: { failing: 0 }\nappStore: { appearing: 40m, builds: [valid] }\n'
    const at = `/org/${organizationId}/simulatedWorld/scenario`
    assert.equal((await admin.put(at, undefined, yaml(slow))).status, 200)
    const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
    await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
    await world.advance('1h')
    const { id } = await store.prepare(INPUT, mutation())
    for (let again = 0; again < 3; again++) {
      assert.equal(await codeOf(store.prepare(INPUT, mutation())), 'preconditionFailed preparing')
    }
    await world.advance('40m')
    assert.equal((await store.prepare(INPUT, mutation())).id, id)
    await (await app.container.make('integrations.log')).flush()
    const made = await db
      .from('integration_calls')
      .where({ organization_id: organizationId, method: 'POST' })
      .whereLike('path', '%/versions')
      .orderBy('called_at')
    assert.deepEqual(
      made.map(({ status }) => status),
      [200, 409]
    )
  })

  test('testers of the house have a build at once, others after a review', async ({ assert }) => {
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

  test('an answer to a review is seen by all after a while', async ({ assert }) => {
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

  test('stores of two organizations do not touch, and sim:state tells of one', async ({
    assert,
  }) => {
    const [one, other] = [await built(seedWhere(builds)), await built(seedWhere(builds))]
    await one.store.prepare(INPUT, mutation())
    assert.lengthOf((await other.store.listVersions({})).items, 0)
    const told = await runCommand(SimState, [one.org])
    assert.containsSubset(told.document, {
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
