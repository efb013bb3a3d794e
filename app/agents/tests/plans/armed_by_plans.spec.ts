import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { DAY, HOUR, makePlanned } from '#planning/tests/support'
import { planned } from './planning.js'

const soon = (milliseconds: number) => later(new Date().toISOString(), milliseconds)

/** Creates an app with a release whose kickoff is planned for tomorrow. */
async function dated() {
  const given = await makePlanned(['2.0.0'])
  const targetKickoffAt = soon(DAY)
  await given.target('2.0.0', { targetKickoffAt })
  return { ...given, targetKickoffAt }
}

const kickoff = { automation: 'kickoffOnTargetDate', release: '2.0.0', asks: 'versionControl' }

test.group('A plan that arms an automation', () => {
  test('states which automations act when, and is bound to that', async ({ assert }) => {
    const { admin, app, target, targetKickoffAt } = await dated()
    const reported = { appId: app, body: { type: 'kickoffOnTargetDate', enabled: true } }
    const first = await planned(admin, 'setAutomation', reported)
    assert.deepEqual(first.plan.arms, [{ ...kickoff, at: targetKickoffAt }])
    await target('2.0.0', { targetKickoffAt: soon(HOUR) })
    assert.equal(await first.confirm(), 'plan_stale')
    const again = await planned(admin, 'setAutomation', reported)
    assert.equal(await again.confirm(), 'done')
  })

  test('is bound to automations that no pause or freeze holds any more', async ({ assert }) => {
    const { admin, app, automate, pause, freeze, target, targetKickoffAt } = await dated()
    await automate('kickoffOnTargetDate')
    await pause({ paused: true })
    await freeze([{ name: 'Now', startAt: soon(HOUR), endAt: soon(9 * DAY), phases: ['kickoff'] }])
    const steps = [
      ['setAutomationPause', { appId: app, body: { paused: false } }],
      ['updateLifecycleFreezes', { appId: app, body: { freezes: [] } }],
    ] as const
    for (const [operation, reported] of steps) {
      const before = await planned(admin, operation, reported)
      assert.containsSubset(before.plan.arms, [kickoff])
      await target('2.0.0', { targetKickoffAt: soon(HOUR) })
      assert.equal(await before.confirm(), 'plan_stale', operation)
      await target('2.0.0', { targetKickoffAt })
      assert.equal(await (await planned(admin, operation, reported)).confirm(), 'done')
    }
  })

  test('of a date is bound to the automation, and to what holds it', async ({ assert }) => {
    const { admin, app, automate, pause } = await makePlanned(['2.0.0'])
    const at = soon(DAY)
    const reported = { appId: app, releaseId: `${app}:2.0.0`, body: { targetKickoffAt: at } }
    const off = await planned(admin, 'updateRelease', reported)
    assert.deepEqual(off.plan.arms, [])
    await automate('kickoffOnTargetDate')
    assert.equal(await off.confirm(), 'plan_stale')
    await pause({ paused: true })
    const held = await planned(admin, 'updateRelease', reported)
    assert.deepEqual(held.plan.arms, [{ ...kickoff, at }])
    await pause({ paused: false })
    assert.equal(await held.confirm(), 'plan_stale')
  })

  test('again is bound to its date', async ({ assert }) => {
    const { admin, app, path, automate, targetKickoffAt } = await dated()
    await automate('kickoffOnTargetDate')
    await admin.put(`${path('2.0.0')}/skip`, {})
    const reported = { appId: app, releaseId: `${app}:2.0.0` }
    const { plan, confirm } = await planned(admin, 'unskipRelease', reported)
    assert.deepEqual(plan.arms, [{ ...kickoff, at: targetKickoffAt }])
    assert.equal(await confirm(), 'done')
  })
})
