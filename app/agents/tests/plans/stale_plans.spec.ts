import { test } from '@japa/runner'
import { operations } from '#foundation/api/operation/registry'
import { newId } from '#foundation/core/ids'
import { SavedRows } from '#tests/support/saved_rows'
import { LEFT_OUT } from '../../tools/catalog.js'
import { changesBetween } from './changes_between.js'
import { plannedActions } from './planned_actions.js'
import { makePlannedWorld } from './planned_world.js'
import { planned } from './planning.js'
import { STALE } from './stale.js'
import { isLong } from '#tests/support/effort'

/*
 * Every action of two steps, and every change that somebody else makes between its plan and its
 * confirmation: the plan holds, or it is stale. The usual run tries two changes of each action, one
 * of either kind; the long one all of them.
 */

/** Actions that need others to be there, and the spec that shows them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  updateFeatureFlag: 'plans_of_stores.spec.ts',
  triggerCIWorkflow: 'plans_of_stores.spec.ts',
  submitRelease: 'plans_of_stores.spec.ts',
  submitStepRun: 'plans_of_stores.spec.ts',
  developerRejectSubmission: 'plans_of_stores.spec.ts',
  developerRejectStepRunSubmission: 'plans_of_stores.spec.ts',
  takeOffRelease: 'plans_of_stores.spec.ts',
  takeOffStepRun: 'plans_of_stores.spec.ts',
  replyToAppStoreReview: 'plans_of_testers.spec.ts',
  distributeBetaBuild: 'plans_of_testers.spec.ts',
  joinReleases: 'plans_of_pairs.spec.ts',
  partReleases: 'plans_of_pairs.spec.ts',
  changeRollout: 'plans_of_stores.spec.ts',
  changeStepRunRollout: 'plans_of_stores.spec.ts',
  // It needs a freeze that ends.
  updateLifecycleFreezes: 'ways_round.spec.ts',
  // It needs a release that was skipped.
  unskipRelease: 'plan_contents.spec.ts',
}

/** Returns the changes that are tried of an action: all, or the next of each kind. */
function triedOf(operation: string, index: number, names: readonly string[]): string[] {
  if (isLong) return [...names]
  const stale = STALE[operation]
  const others = names.filter((name) => !stale.includes(name))
  const one = (list: readonly string[]) => list.slice(index % list.length).slice(0, 1)
  return index % 2 === 0 ? one(stale) : one(others)
}

test.group('A plan of two steps', () => {
  test('is shown here of every operation that takes two', async ({ assert }) => {
    const shown = Object.keys(plannedActions(await makePlannedWorld()))
    const taking = operations
      .all()
      .filter(({ id, steps }) => steps && steps.take !== 'one' && !(id in LEFT_OUT))
      .map(({ id }) => id)
    assert.sameMembers([...shown, ...Object.keys(ELSEWHERE)], taking)
    assert.sameMembers(Object.keys(STALE), shown)
  })

  test('holds something that counts, whatever the action', async ({ assert }) => {
    const world = await makePlannedWorld()
    for (const [operation, reported] of Object.entries(plannedActions(world))) {
      const { plan } = await planned(world.admin, operation, reported)
      const counts = [plan.changes, plan.destroys, plan.calls, plan.messages].flat()
      assert.isNotEmpty(counts, operation)
    }
  })

  test('states its effect, and is bound to it, if something was set before', async ({ assert }) => {
    const world = await makePlannedWorld()
    const changes = changesBetween(world)
    await changes['a notification is set']()
    const reported = plannedActions(world).setNotification
    const { plan, confirm } = await planned(world.admin, 'setNotification', reported)
    assert.include(JSON.stringify(plan.changes), 'leadTimeMinutes')
    await changes['the reminder is set']()
    assert.equal(await confirm(), 'plan_stale')
  })

  test('holds where something else of the same row is changed', async ({ assert }) => {
    const world = await makePlannedWorld()
    const { confirm } = await planned(
      world.admin,
      'updateRelease',
      plannedActions(world).updateRelease
    )
    await changesBetween(world)['a regression item of the release is set']()
    assert.equal(await confirm(), 'done')
  })

  test('holds where the service itself noted something', async ({ assert }) => {
    const world = await makePlannedWorld()
    const changes = changesBetween(world)
    await changes['an automation is switched on']()
    const { deleteAppByConfiguration, requestTriageIssueFix } = plannedActions(world)
    const app = await planned(world.admin, 'deleteAppByConfiguration', deleteAppByConfiguration)
    const fix = await planned(world.admin, 'requestTriageIssueFix', requestTriageIssueFix)
    await world.write(async (scope) => {
      const items = () => scope.table('feature_items').where('app_id', world.appId)
      await items().update({ authors: '\nada\n', is_gone: true })
      const [item] = await items()
      const found = { ...item, id: newId('fri'), item_key: 'commit 1', ignored_by: null }
      await scope.insertStored('feature_items', [{ ...found, ignored: false, ignored_at: null }])
      const plan = scope.table('app_plans').where('app_id', world.appId)
      const { automations } = await plan.clone().firstOrFail()
      const { kickoff } = JSON.parse(automations)
      const last = { lastRunAt: scope.now, lastResult: 'done' }
      await plan.update({ automations: JSON.stringify({ kickoff: { ...kickoff, ...last } }) })
      const seen = { metrics: JSON.stringify({ users: 9 }), affected_versions: '["9.9.9"]' }
      await scope.table('triage_issues').where('id', world.ids.issue.issueId).update(seen)
    })
    assert.equal(await fix.confirm(), 'done')
    assert.equal(await app.confirm(), 'done')
  })

  test('holds, or is stale after a change of what it changes or destroys', async ({ assert }) => {
    const world = await makePlannedWorld()
    const saved = await SavedRows.of(world.organizationId)
    const changes = changesBetween(world)
    for (const [index, [operation, reported]] of Object.entries(plannedActions(world)).entries()) {
      const { confirm } = await planned(world.admin, operation, reported)
      for (const name of triedOf(operation, index, Object.keys(changes))) {
        await changes[name]()
        const outcome = await confirm()
        const what = `${operation}, and meanwhile ${name}`
        if (STALE[operation].includes(name)) assert.notEqual(outcome, 'done', what)
        else {
          assert.equal(outcome, 'done', what)
          assert.equal(await confirm(), 'plan_used', `${operation} a second time`)
        }
        await saved.restore()
      }
    }
  }).timeout(isLong ? 3_600_000 : 120_000)
})
