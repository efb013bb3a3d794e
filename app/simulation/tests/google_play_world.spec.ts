import { test } from '@japa/runner'
import { isProviderError } from '#plugin-kit/provider_error'
import { runCommand } from '#tests/support/console'
import { yaml } from '#tests/support/requests'
import { SimState } from '../commands/sim_state.js'
import { chance } from '#simulated-providers/chance'
import { USUAL_CI } from '#simulated-providers/ci'
import { USUAL_PLAY } from '#simulated-providers/play_state'
import { linesOfWorld } from '../world/report_world.js'
import { inWorld, mutation } from './support/world_plugins.js'

const { rejected } = USUAL_PLAY.settings
const seedWhere = (is: (seed: string) => boolean) =>
  Array.from({ length: 2000 }, (_, index) => `seed ${index}`).find(is)!
const builds = (seed: string) => chance(seed, 'ci fails', 1) >= USUAL_CI.settings.failing
const passes = (seed: string, attempt = 0) =>
  chance(seed, 'play verdict', 'production', 1, attempt) >= rejected
const PACKAGE = { bundleId: 'com.acme.shop' }
const USED = {
  ci: { plugin: 'sim', type: 'sim-ci', data: { workflowId: 'release' } },
  appStore: { plugin: 'sim-google', type: 'sim-google', data: PACKAGE },
  betaTesting: { plugin: 'sim-google', type: 'sim-google-beta', data: PACKAGE },
} as const
const INPUT = { version: '4.2.0', buildNumber: '1', phased: true, release: 'manual' } as const
const FAIL = () => ({ ...mutation(), onReviewInProgress: 'fail' as const })
const REPLACE = () => ({ ...mutation(), onReviewInProgress: 'replace' as const })

/** Returns a world in which CI has built 4.2.0, and the store has it. */
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

test.group('The Google Play of a world', () => {
  test('a version goes from a build of CI to all users, share by share', async ({ assert }) => {
    const { store, state, advance, org, of } = await built(
      seedWhere((seed) => builds(seed) && passes(seed))
    )
    const { items } = await store.listBuilds({ version: '4.2.0' })
    assert.deepEqual(
      items.map(({ number, status }) => [number, status.state]),
      [['1', 'ready']]
    )
    const { id, status } = await store.prepare(INPUT, mutation())
    assert.equal(status.state, 'preparing')
    assert.equal(status.lagSeconds, 0)
    assert.isUndefined(await state(), 'Lists lag behind')
    const notes = [
      { locale: 'en-US', whatsNew: 'New', title: 'Shop', shortDescription: 'Buy things' },
    ]
    assert.deepEqual(await store.setMetadata(id, notes, mutation()), notes)
    assert.equal((await store.submit(id, FAIL())).status.state, 'inReview')
    assert.equal(await codeOf(store.submit(id, FAIL())), 'conflict reviewInProgress')
    await advance('6h')
    assert.containsSubset(await state(), {
      status: { state: 'pendingRelease', raw: 'APPROVED_NOT_PUBLISHED', lagSeconds: 30 },
      name: '4.2.0 (1)',
      review: { state: 'approved' },
      buildNumbers: ['1'],
      release: { method: 'manual' },
      rollout: { state: 'inactive' },
    })
    const world = `/org/${of.organizationId}/simulatedWorld`
    const action = { store: 'googlePlay', deed: 'publishes' }
    assert.equal((await of.admin.post(`${world}/console`, action)).status, 200)
    await advance('1m')
    assert.containsSubset(await state(), {
      status: { state: 'rolledOutPartially' },
      rollout: { mode: 'staged', state: 'active', fraction: 0.01 },
    })
    await store.setRollout(id, { fraction: 0.2 }, FAIL())
    const { before, after } = await store.setRollout(id, { action: 'halt' }, REPLACE())
    assert.containsSubset(before, {
      status: { state: 'rolledOutPartially', lagSeconds: 0 },
      rollout: { state: 'active', fraction: 0.2 },
    })
    assert.containsSubset(after, {
      status: { state: 'halted', lagSeconds: 0 },
      rollout: { state: 'halted', fraction: 0.2 },
    })
    assert.equal((await state()).rollout?.fraction, 0.01, 'Lists lag behind, and edits do not')
    await advance('1d')
    assert.containsSubset(await state(), {
      status: { state: 'halted' },
      rollout: { state: 'halted', fraction: 0.2 },
    })
    const resumed = await store.setRollout(id, { fraction: 0.4 }, FAIL())
    assert.containsSubset(resumed.before, { status: { state: 'halted' } })
    assert.containsSubset(resumed.after, { rollout: { state: 'active', fraction: 0.4 } })
    await store.setRollout(id, { action: 'complete' }, FAIL())
    await advance('1m')
    assert.containsSubset(await state(), { status: { state: 'live' }, rollout: { fraction: 1 } })
    assert.equal(
      await codeOf(store.setRollout(id, { fraction: 0.5 }, FAIL())),
      'preconditionFailed fullyReleased'
    )
    const halted = await store.setRollout(id, { action: 'halt' }, REPLACE())
    assert.containsSubset(halted.after, { status: { state: 'halted' }, rollout: { fraction: 1 } })
    await advance('1m')
    const again = await store.setRollout(id, { action: 'resume' }, FAIL())
    assert.equal(again.after.status.state, 'live')
    await advance('10d')
    assert.isAbove((await store.listReviews({})).items.length, 20)
    const reported = await runCommand(SimState, [org])
    assert.containsSubset(reported.document.plays[0], {
      bundleId: 'com.acme.shop',
      releases: [{ version: '4.2.0', versionCode: 1, state: 'PUBLISHED', status: 'completed' }],
    })
    assert.match(linesOfWorld(reported.document).join('\n'), /on production: PUBLISHED, completed/)
  })

  test('the priority of an update is set by the preparation, and stays after the release', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(seedWhere((seed) => builds(seed) && passes(seed)))
    const input = { ...INPUT, release: 'auto', inAppUpdatePriority: 4 } as const
    const { id, updatePriority } = await store.prepare(input, mutation())
    assert.equal(updatePriority, 4)
    await store.submit(id, FAIL())
    await advance('6h')
    await store.setRollout(id, { fraction: 0.5 }, FAIL())
    await advance('1m')
    assert.containsSubset(await state(), {
      status: { state: 'rolledOutPartially' },
      updatePriority: 4,
    })
  })

  test('a rejected release can be sent again, and is published by itself if automatic', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(
      seedWhere((seed) => builds(seed) && !passes(seed) && passes(seed, 1))
    )
    const input = { ...INPUT, phased: false, release: 'auto' } as const
    const { id } = await store.prepare(input, mutation())
    await store.submit(id, FAIL())
    await advance('6h')
    assert.equal((await state()).status.state, 'rejected')
    await store.submit(id, FAIL())
    await advance('6h')
    assert.equal((await state()).status.state, 'live')
  })

  test('a release that is prepared and not sent is not sent by other changes', async ({
    assert,
  }) => {
    const { store, advance, capability, of } = await built(seedWhere(builds))
    const at = `/org/${of.organizationId}/simulatedWorld/scenario`
    const calm = 'name: Calm\nci: { failing: 0 }\ngooglePlay: { rejected: 0 }\n'
    assert.equal((await of.admin.put(at, undefined, yaml(calm))).status, 200)
    const ci = await capability('ci')
    for (const version of ['4.2.0', '4.3.0']) {
      await ci.trigger('release', { branch: `release/${version}` }, {}, mutation())
    }
    await advance('1h')
    // The previous world had one build, so numbers continue at 2.
    const first = { ...INPUT, buildNumber: '2', release: 'auto' } as const
    const live = await store.prepare(first, mutation())
    await store.submit(live.id, FAIL())
    await advance('6h')
    const next = { ...INPUT, version: '4.3.0', buildNumber: '3' }
    const beta = await capability('betaTesting')
    const { items } = await beta.listBuilds({ version: '4.3.0' })
    const actions = [
      ['1s', () => store.setRollout(live.id, { fraction: 0.2 }, FAIL())],
      ['1m', () => store.setRollout(live.id, { fraction: 0.3 }, FAIL())],
      ['1s', () => beta.distribute(items[0].id, ['beta'], mutation())],
      ['1m', () => beta.distribute(items[0].id, ['alpha'], mutation())],
    ] as const
    for (const [lasting, action] of actions) {
      await store.prepare(next, mutation())
      await advance(lasting)
      await action()
      await advance('6h')
      const [seen] = (await store.listVersions({ version: '4.3.0' })).items
      assert.equal(seen.review?.state, 'notSubmitted')
    }
  })

  test('a review is replaced or cancelled on request', async ({ assert }) => {
    const { store, state, advance } = await built(seedWhere(builds))
    const { id } = await store.prepare(INPUT, mutation())
    await store.submit(id, FAIL())
    await advance('4h')
    await store.submit(id, { ...mutation(), onReviewInProgress: 'replace' })
    await advance('4h')
    assert.equal((await state()).status.state, 'inReview')
    assert.equal((await store.cancelReview(id, mutation())).status.state, 'preparing')
    await advance('1m')
    assert.equal(await codeOf(store.cancelReview(id, mutation())), 'conflict notInReview')
    assert.equal(
      await codeOf(
        store.prepare({ ...INPUT, release: { at: '2026-12-01T00:00:00.000Z' } }, mutation())
      ),
      'unsupported schedule'
    )
  })

  test('an edit that another one deleted is made again, and all take effect', async ({
    assert,
  }) => {
    const { store, state, advance } = await built(seedWhere(builds))
    const { id } = await store.prepare(INPUT, mutation())
    const given = ['en-US', 'de-DE', 'fr-FR']
    await Promise.all(
      given.map((locale) => store.setMetadata(id, [{ locale, whatsNew: locale }], mutation()))
    )
    await advance('1m')
    const texts = (await store.getMetadata((await state()).id)).map(({ locale }) => locale)
    assert.sameMembers(texts, given)
  })

  test('internal testers have a build at once, others after a review', async ({ assert }) => {
    const { capability, advance } = await built(
      seedWhere((seed) => builds(seed) && chance(seed, 'play verdict', 'beta', 1, 0) > 0.5)
    )
    const beta = await capability('betaTesting')
    const { items: groups } = await beta.listGroups()
    assert.deepEqual(
      groups.map(({ id, internal }) => [id, internal]),
      [
        ['internal', true],
        ['alpha', false],
        ['beta', false],
      ]
    )
    const { items } = await beta.listBuilds({ version: '4.2.0' })
    const give = async (...tracks: string[]) =>
      (await beta.distribute(items[0].id, tracks, mutation())).state
    await beta.setNotes(items[0].id, [{ locale: 'en-US', text: 'Try it' }], mutation())
    assert.equal(await give('internal'), 'testing')
    await advance('1m')
    assert.equal(await give('internal', 'beta'), 'inReview')
    await advance('2h')
    assert.equal(await give('internal', 'beta'), 'testing')
    assert.equal(await codeOf(give('production')), 'notFound trackUnknown')
    assert.equal(
      await codeOf(
        beta.setNotes(items[0].id, [{ locale: 'en-US', text: 'x'.repeat(501) }], mutation())
      ),
      'invalid textTooLong'
    )
  })
})
