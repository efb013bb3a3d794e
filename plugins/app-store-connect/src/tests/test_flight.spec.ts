import { test } from '@japa/runner'
import { contractFaults, refusal, stageWith } from './support/stage.js'

/*
 * TestFlight: beta reviews, which internal groups do not need, and builds that nobody may test.
 */

/** Returns a build as Apple shows it, with its state. */
const detailOf = (state: string) => ({
  data: { type: 'builds', id: 'b41', links: { self: '/' } },
  included: [
    {
      type: 'buildBetaDetails',
      id: 'b41',
      attributes: { internalBuildState: state, externalBuildState: state },
    },
  ],
  links: { self: '/' },
})

test.group('App Store Connect | TestFlight', () => {
  test('external testers get a build after its beta review', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    const first = await beta.distribute('b41', ['g1', 'g2'], bench.mutation())
    assert.deepInclude(first, { state: 'inReview', raw: 'WAITING_FOR_BETA_REVIEW' })
    // Requested again, it keeps waiting, and is not submitted twice.
    const again = await beta.distribute('b41', ['g2'], bench.mutation())
    assert.equal(again.state, 'inReview')
    fake.world.builds[1].betaReview = 'APPROVED'
    const { items } = await beta.listBuilds({ version: '1.3.0' })
    assert.deepInclude(items[0].testing, { state: 'testing', raw: 'IN_BETA_TESTING' })
    fake.world.builds[1].betaReview = 'REJECTED'
    const rejected = await beta.distribute('b41', ['g2'], bench.mutation())
    assert.equal(rejected.state, 'rejected')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a build that internal testers have is in testing', async ({ assert }) => {
    const { bench, beta } = await stageWith()
    const seen = async () => (await beta.listBuilds({ version: '1.3.0' })).items[0].testing
    assert.deepInclude(await seen(), { state: 'processing', raw: 'READY_FOR_BETA_SUBMISSION' })
    await beta.distribute('b41', ['g1'], bench.mutation())
    assert.deepInclude(await seen(), { state: 'testing', raw: 'IN_BETA_TESTING' })
  })

  test('notes that somebody made meanwhile are replaced', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    fake.world.builds[1].notes = [{ id: 'n1', locale: 'en-US', text: 'Old' }]
    fake.failNext({ status: 200, body: { data: [], links: { self: '/' } } })
    await beta.setNotes('b41', [{ locale: 'en-US', text: 'New' }], bench.mutation())
    assert.deepEqual(fake.world.builds[1].notes, [{ id: 'n1', locale: 'en-US', text: 'New' }])
  })

  test('a build that is not ready for testers yet is sent to its beta review once it is', async ({
    assert,
  }) => {
    const { bench, fake, beta } = await stageWith()
    const pass = 'pass' as const
    const early = { status: 200, body: detailOf('PROCESSING') }
    fake.failNext(pass, pass, pass, early, early)
    const { state } = await beta.distribute('b41', ['g2'], bench.mutation())
    assert.equal(state, 'inReview')
    // A build that stays in processing is reported as such, and can be distributed again.
    const { bench: other, fake: slow, beta: later } = await stageWith()
    slow.failNext(pass, pass, pass, ...Array.from({ length: 5 }, () => early))
    const first = await later.distribute('b41', ['g2'], other.mutation())
    assert.deepInclude(first, { state: 'processing', raw: 'PROCESSING' })
    const again = await later.distribute('b41', ['g2'], other.mutation())
    assert.equal(again.state, 'inReview')
  })

  test('a group that gets all builds automatically is given none', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    fake.world.groups[0].hasAllBuilds = true
    const { state } = await beta.distribute('b41', ['g1'], bench.mutation())
    assert.equal(state, 'testing')
    assert.deepEqual(fake.world.builds[1].groupIds, [])
  })

  test('another build of the version in review is a conflict', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    const other = { ...fake.world.builds[1], id: 'b42', number: '42', betaReview: 'IN_REVIEW' }
    fake.world.builds.push(other)
    const { code, message } = await refusal(beta.distribute('b41', ['g2'], bench.mutation()))
    assert.equal(code, 'conflict')
    assert.match(message, /Another build of the same version is in beta review/)
  })

  test('a build that cannot be tested is given to nobody: {reason}')
    .with([
      { reason: 'buildExpired', build: { isExpired: true } },
      { reason: 'preparing', build: { processing: 'PROCESSING' } },
      { reason: 'complianceMissing', build: { encrypts: null } },
    ])
    .run(async ({ assert }, { reason, build }) => {
      const { bench, fake, beta } = await stageWith()
      Object.assign(fake.world.builds[1], build)
      const { code, detail } = await refusal(beta.distribute('b41', ['g1'], bench.mutation()))
      assert.deepEqual([code, detail.reason], ['preconditionFailed', reason])
      assert.deepEqual(fake.world.builds[1].groupIds, [])
    })

  test('states that Apple adds are reported as unknown, with Apple’s word', async ({ assert }) => {
    const { fake, beta, store } = await stageWith()
    fake.world.builds[1].processing = 'BEING_WEIGHED'
    fake.world.versions[0].phased!.state = 'SLEEPING'
    const { items } = await beta.listBuilds({ version: '1.3.0' })
    assert.deepInclude(items[0].status, { state: 'unknown', raw: 'BEING_WEIGHED' })
    const { items: versions } = await store.listVersions({})
    assert.deepInclude(versions[0].rollout, { state: 'inactive', raw: 'SLEEPING' })
    assert.notProperty(versions[0].rollout, 'fraction')
  })

  test('only builds since a time are read, and no later page', async ({ assert }) => {
    const { fake, beta } = await stageWith()
    const [one] = fake.world.builds
    const day = (index: number) => Date.parse('2026-11-19T12:00:00.000Z') - index * 3_600_000
    fake.world.builds = Array.from({ length: 500 }, (_, index) => ({
      ...one,
      id: `b${index}`,
      number: String(1000 - index),
      uploadedAt: day(index),
    }))
    const { items, next } = await beta.listBuilds({ since: new Date(day(9)).toISOString() })
    assert.lengthOf(items, 10)
    assert.isUndefined(next)
  })
})
