import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { runCommand } from '#tests/support/console'
import { makeWorld } from '#tests/support/world'
import { SimStart } from '../commands/sim_start.js'
import { findWorld, lockWorld, storeWorld } from '../queries/find_world.js'

/** Makes an organization with a world, and functions to read and rename it. */
async function started() {
  const world = await makeWorld()
  const { organizationId } = world
  const { code } = await runCommand(SimStart, [`--org=${organizationId}`, '--seed=once'])
  if (code !== 0) throw new Error('There is no world')
  const seen = async () => (await world.write(findWorld)).state
  const rename = (name: string) =>
    world.write(async (scope) => {
      const { id, state } = await lockWorld(scope)
      await storeWorld(scope, id, { state: { ...state, app: { ...state.app, name } } })
    })
  return { world, organizationId, seen, rename }
}

test.group('The cache of worlds', () => {
  test('a world is not read again before it changes', async ({ assert }) => {
    const { seen, rename } = await started()
    const first = await seen()
    assert.strictEqual(await seen(), first)
    await rename('Second')
    const second = await seen()
    assert.equal(second.app.name, 'Second')
    assert.strictEqual(await seen(), second)
  })

  test('a state that was rolled back is not cached for others', async ({ assert }) => {
    const { world, seen, rename } = await started()
    const before = await seen()
    const lost = world.write(async (scope) => {
      const { id, state } = await lockWorld(scope)
      await storeWorld(scope, id, { state: { ...state, app: { ...state.app, name: 'Lost' } } })
      assert.equal((await findWorld(scope)).state.app.name, 'Lost')
      throw new Error('It is taken back')
    })
    await assert.rejects(() => lost, 'It is taken back')
    assert.deepEqual(await seen(), before)
    await rename('Kept')
    assert.equal((await seen()).app.name, 'Kept')
  })

  test('a change by an older version of the service, without a stamp, is seen', async ({
    assert,
  }) => {
    const { organizationId, seen } = await started()
    const state = await seen()
    await db
      .from('simulated_worlds')
      .where('organization_id', organizationId)
      .update({
        state: JSON.stringify({ ...state, app: { ...state.app, name: 'Older' } }),
        updated_at: '2030-01-01T00:00:00.000Z',
      })
    assert.equal((await seen()).app.name, 'Older')
  })
})
