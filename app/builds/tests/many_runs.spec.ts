import { test } from '@japa/runner'
import { yieldsOf } from '#tests/support/yields'
import { appExtension } from '../app_extension.js'
import { takeInRuns } from '../work/take_in_runs.js'
import { CiInMemory } from './memory_ci.js'
import { makeCustomCi } from './support.js'

const RUNS = 30

test.group('Many runs of a CI system', () => {
  test('recording runs and removing them with their app yields to other requests', async ({
    assert,
  }) => {
    const { world, app: appId, installation: integrationId } = await makeCustomCi()
    const ci = new CiInMemory()
    for (let index = 0; index < RUNS; index++) ci.begin()
    const place = { appId, integrationId, connectionId: 'con_none' }
    const own = {
      id: integrationId,
      connectionId: 'con_none',
      type: 'generic-ci',
      workflowId: null,
    }
    const builds = () =>
      world.write((scope) => scope.table('ci_builds').where('app_id', appId).select('id'))
    const taken = await world.write((scope) =>
      yieldsOf(() => takeInRuns(scope, place, own, ci.runs))
    )
    assert.isAtLeast(taken, RUNS)
    assert.lengthOf(await builds(), RUNS)
    const removed = await world.write((scope) =>
      yieldsOf(() => appExtension.remove!(scope, { id: appId } as never))
    )
    assert.isAtLeast(removed, 1)
    assert.lengthOf(await builds(), 0)
  })
})
