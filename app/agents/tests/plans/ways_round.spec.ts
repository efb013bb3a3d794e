import { test } from '@japa/runner'
import { call } from '../support.js'
import { makePlannedWorld } from './planned_world.js'
import { placeOf, planned } from './planning.js'

/* Actions that would undo an agreement, or send or ship something not agreed, without a plan. */

test.group('Without a plan nobody', () => {
  test('weakens the rules of an approval', async ({ assert }) => {
    const { admin, ids, app, approval } = await makePlannedWorld()
    const reported = { ...ids.app, checklistItemId: approval, body: { requiredApprovals: 1 } }
    const { plan, confirm } = await planned(admin, 'updateChecklistItem', reported)
    assert.deepEqual(plan.changes, [{ op: 'change', path: 'requiredApprovals', from: 2, to: 1 }])
    const required = async () =>
      (await admin.get<any>(`${app}/checklistItem/${approval}`)).body.requiredApprovals
    assert.equal(await required(), 2)
    assert.equal(await confirm(), 'done')
    assert.equal(await required(), 1)
  })

  test('takes results away by the kinds of releases that an item is for', async ({ assert }) => {
    const { admin, ids, item, shown, regression } = await makePlannedWorld()
    await admin.send('PUT', `${item(regression)}/status`, { json: { status: 'passed' } })
    const about = { ...ids.app, checklistItemId: regression }
    await planned(admin, 'updateChecklistItem', { ...about, body: { releaseTypes: ['hotfix'] } })
    assert.equal((await admin.get<any>(shown(regression))).body.status.type, 'passed')
    const { tool, action } = placeOf('updateChecklistItem')
    const renamed = await call(admin, tool, { action, ...about, body: { title: 'Log out' } })
    assert.equal(renamed.structuredContent.outcome, 'done')
  })

  test('ends or shortens a freeze, but adds one', async ({ assert }) => {
    const { admin, ids, app } = await makePlannedWorld()
    const { tool, action } = placeOf('updateLifecycleFreezes')
    const freeze = (name: string, endAt: string, phases: string[]) => ({
      ...{ name, startAt: '2999-12-21T00:00:00Z', endAt: `${endAt}T00:00:00Z`, phases },
    })
    const set = async (...freezes: object[]) => {
      const response = await call(admin, tool, { action, ...ids.app, body: { freezes } })
      return response.structuredContent.outcome
    }
    const first = freeze('Holidays', '2999-12-28', ['release'])
    assert.equal(await set(first), 'done')
    const longer = freeze('Holidays', '2999-12-29', ['release', 'submit'])
    assert.equal(await set(longer, freeze('Fair', '2999-12-22', ['kickoff'])), 'done')
    for (const less of [
      [],
      [longer],
      [first, freeze('Fair', '2999-12-22', ['kickoff'])],
      [{ ...longer, phases: ['release'] }, freeze('Fair', '2999-12-22', ['kickoff'])],
    ])
      assert.equal(await set(...less), 'planned')
    const reported = { ...ids.app, body: { freezes: [longer] } }
    const { confirm } = await planned(admin, 'updateLifecycleFreezes', reported)
    assert.equal(await set(longer, freeze('Fair', '2999-12-23', ['kickoff'])), 'done')
    assert.equal(await confirm(), 'plan_stale')
    assert.lengthOf((await admin.get<any>(`${app}/lifecycleFreezes`)).body, 2)
    const again = await planned(admin, 'updateLifecycleFreezes', reported)
    assert.equal(await again.confirm(), 'done')
  })

  test('renames what is still to be cut', async ({ assert }) => {
    const { admin, ids } = await makePlannedWorld()
    for (const [name, to] of [
      ['releaseName', 'Winter'],
      ['version', '1.1.1'],
    ]) {
      const reported = { ...ids.release('1.1.0'), body: { [name]: to } }
      const { plan, confirm } = await planned(admin, 'updateRelease', reported)
      assert.containsSubset(plan.changes, [{ path: name, to }])
      assert.equal(await confirm(), 'done')
    }
  })

  test('has a webhook sent again, and names its address', async ({ assert }) => {
    const { admin, ids, org, hook } = await makePlannedWorld()
    await admin.send('PATCH', `${org}/webhookEndpoint/${hook}`, { json: { status: 'enabled' } })
    const again = await planned(admin, 'redeliverWebhook', ids.delivery)
    assert.deepEqual(again.plan.messages, [{ to: 'webhook https://acme.example', about: ['ping'] }])
    const since = '2026-01-01T00:00:00.000Z'
    const missed = await planned(admin, 'recoverWebhooks', { ...ids.hook, body: { since } })
    assert.deepEqual(missed.plan.messages, [
      { to: 'webhook https://acme.example', about: [`all that was missed since ${since}`] },
    ])
    assert.equal(await again.confirm(), 'done')
    assert.equal(await missed.confirm(), 'done')
  })
})
