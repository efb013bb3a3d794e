import { test } from '@japa/runner'
import { makeStoreReview } from '#stores/tests/builds'
import { storeWorld, tidy } from '#stores/tests/support'
import { planned } from './planning.js'

test.group('A plan of what testers and reviewers get', (group) => {
  group.each.teardown(tidy)

  test('says where a build goes, and is refused once others are to get it', async ({ assert }) => {
    const { admin, appId, path, store, work, step } = await storeWorld('apple', [
      'kickoff',
      'betaTesting',
      'submission',
    ])
    store.betaBuilds.push(structuredClone(store.upload('4711')))
    await work()
    const { stepRunId } = await step('betaTesting')
    const place = { appId, releaseId: `${appId}:1.4.0`, stepRunId }
    const reported = { ...place, body: { groups: ['Everybody'] } }
    const first = await planned(admin, 'distributeBetaBuild', reported)
    assert.containsSubset(first.plan.calls, [
      { asks: 'betaTesting', integrations: ['beta (apple-beta)'], what: 'store.giveToTesters' },
    ])
    await admin.put(`${path}/stepRun/${stepRunId}/testers`, { groups: ['Employees'] })
    assert.equal(await first.confirm(), 'plan_stale')
    const second = await planned(admin, 'distributeBetaBuild', reported)
    assert.equal(await second.confirm(), 'done')
    await work()
    assert.deepEqual(store.changes, ['distribute B4711 to G2'])
  })

  test('says in which store a review is answered', async ({ assert }) => {
    const given = await storeWorld()
    const { admin, appId, world, target } = given
    const { integrationId } = await target()
    const reviewId = await makeStoreReview(world, appId, integrationId)
    const reported = { appId, reviewId, body: { text: 'Sorry' } }
    const { plan, confirm } = await planned(admin, 'replyToAppStoreReview', reported)
    assert.containsSubset(plan.calls, [
      { asks: 'appStore', integrations: ['store (apple)'], what: 'store.replyToReview' },
    ])
    assert.equal(await confirm(), 'done')
    assert.equal(await confirm(), 'plan_used')
  })
})
