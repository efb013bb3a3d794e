import { test } from '@japa/runner'
import { contractFaults, refusal, stageWith } from './support/stage.js'

/*
 * TestFlight: beta reviews, which groups of the house do without, and builds that nobody may test.
 */

test.group('App Store Connect | TestFlight', () => {
  test('others get a build after its beta review', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    const first = await beta.distribute('b41', ['g1', 'g2'], bench.mutation())
    assert.deepInclude(first, { state: 'inReview', raw: 'WAITING_FOR_BETA_REVIEW' })
    // Asked for again it waits on, and is not submitted twice.
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

  test('a build that those of the house test is being tested', async ({ assert }) => {
    const { bench, beta } = await stageWith()
    const seen = async () => (await beta.listBuilds({ version: '1.3.0' })).items[0].testing
    assert.deepInclude(await seen(), { state: 'processing', raw: 'READY_FOR_BETA_SUBMISSION' })
    await beta.distribute('b41', ['g1'], bench.mutation())
    assert.deepInclude(await seen(), { state: 'testing', raw: 'IN_BETA_TESTING' })
  })

  test('a group that has all builds is given none by hand', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    fake.world.groups[0].hasAllBuilds = true
    const { state } = await beta.distribute('b41', ['g1'], bench.mutation())
    assert.equal(state, 'testing')
    assert.deepEqual(fake.world.builds[1].groupIds, [])
  })

  test('another build of the version in review is in the way', async ({ assert }) => {
    const { bench, fake, beta } = await stageWith()
    const other = { ...fake.world.builds[1], id: 'b42', number: '42', betaReview: 'IN_REVIEW' }
    fake.world.builds.push(other)
    const { code, message } = await refusal(beta.distribute('b41', ['g2'], bench.mutation()))
    assert.equal(code, 'conflict')
    assert.match(message, /Another build of the same version is in beta review/)
  })

  test('what cannot be tested is given to nobody: {reason}')
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

  test('states that Apple adds are unknown, with its word', async ({ assert }) => {
    const { fake, beta, store } = await stageWith()
    fake.world.builds[1].processing = 'BEING_WEIGHED'
    fake.world.versions[0].phased!.state = 'SLEEPING'
    const { items } = await beta.listBuilds({ version: '1.3.0' })
    assert.deepInclude(items[0].status, { state: 'unknown', raw: 'BEING_WEIGHED' })
    const { items: versions } = await store.listVersions({})
    assert.deepInclude(versions[0].rollout, { state: 'inactive', raw: 'SLEEPING' })
    assert.notProperty(versions[0].rollout, 'fraction')
  })

  test('only builds since a time are read, and no page after them', async ({ assert }) => {
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
