import { test } from '@japa/runner'
import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { releases, releaseSteps } from '#releases/tables'
import { makeTrain } from '#releases/tests/helpers/release_world'

const NAMES = select(
  of(releases, 'r', ['id', 'releaseName']),
  'from releases r where r.organization_id = :org and r.app_id = :appId order by r.version_minor'
)

/** Makes an app with two releases, and a function that reads their names. */
async function makeTwo() {
  const { admin, app, world } = await makeTrain(['1.0.0', '1.1.0'])
  const names = async (scope: Scope) =>
    (await scope.rows(NAMES, { appId: app })).map(({ releaseName }) => releaseName)
  return { admin, app, world, names }
}

test.group('Reads that are sent in advance', () => {
  test('answer the next read with the same bindings, and no other', async ({ assert }) => {
    const { app, world, names } = await makeTwo()
    await world.write(async (scope) => {
      scope.prefetch(NAMES, { appId: app })
      scope.prefetch(NAMES, { appId: app })
      assert.lengthOf(await names(scope), 2)
      assert.lengthOf(await names(scope), 2)
      scope.prefetch(NAMES, { appId: 'another' })
      assert.lengthOf(await names(scope), 2)
    })
  })

  test('are repeated after a change of their table', async ({ assert }) => {
    const { app, world, names } = await makeTwo()
    await world.write(async (scope) => {
      const [first] = await scope.rows(NAMES, { appId: app })
      scope.prefetch(NAMES, { appId: app })
      await scope.update(releases, { id: first.id }, { releaseName: 'Winter' })
      assert.deepEqual(await names(scope), ['Winter', null])
      scope.prefetch(NAMES, { appId: app })
      await scope.update(releaseSteps, { releaseId: first.id }, { name: 'Step' })
      assert.deepEqual(await names(scope), ['Winter', null])
    })
  })

  test('stay within the organization, and a failure reaches the requester', async ({ assert }) => {
    const { app, world } = await makeTwo()
    const stranger = await makeTwo()
    await stranger.world.write(async (scope) => {
      scope.prefetch(NAMES, { appId: app })
      assert.deepEqual(await scope.rows(NAMES, { appId: app }), [])
    })
    const broken = select(
      of(releases, 'r', ['id']),
      'from releases r where r.organization_id = :org and r.nothing = 1'
    )
    const failing = world.write(async (scope) => {
      scope.prefetch(broken, {})
      return scope.rows(broken)
    })
    await assert.rejects(() => failing, /nothing/)
  })
})
