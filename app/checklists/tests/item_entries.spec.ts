import { test } from '@japa/runner'
import { verifyTimeline } from '#releases/queries/verify_timeline'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'

/**
 * Returns the entries about items in the timeline of a release, oldest first: type, title and data.
 */
async function reported({ admin, app, releaseId }: ItemWorld, id = releaseId): Promise<any[]> {
  const { body } = await admin.get(`/app/${app}/release/${id}/timelineEvents?limit=200`)
  return body.data.reverse().filter(({ type }: { type: string }) => /^checklistItem/.test(type))
}

const edit = ({ admin, app }: ItemWorld, id: string, changes: object) =>
  admin.put(`/app/${app}/checklistItem/${id}`, changes)

test.group('Items in the timelines of releases', () => {
  test('an edit is recorded in every open release it reaches, with old and new values', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const next = await itemWorld.release({ version: '1.1.0' })
    const { id } = await itemWorld.item('approval', { title: 'Legal' })
    await edit(itemWorld, id, { title: 'Law', requiredApprovals: 2 })
    for (const release of [itemWorld.releaseId, next]) {
      const [added, updated] = await reported(itemWorld, release)
      assert.containsSubset(added, {
        type: 'checklistItem.added',
        title: '"Legal" was added',
        data: { items: [{ checklistItemId: id, kind: 'approval', title: 'Legal' }] },
      })
      assert.isString(added.stepConfigId)
      assert.deepEqual(updated.data.items[0].changes, {
        title: { from: 'Legal', to: 'Law' },
        requiredApprovals: { from: 1, to: 2 },
      })
      assert.equal(updated.actor.name, 'admin')
    }
  })

  test('a change records its own comment, not an earlier one', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { id } = await itemWorld.item('regressionItem', { title: 'Log in' })
    const status = `/app/${itemWorld.app}/release/${itemWorld.releaseId}/checklistItem/${id}/status`
    await itemWorld.admin.put(status, { status: 'failed', comment: 'Crash' })
    const { body } = await itemWorld.admin.put(status, { status: 'passed' })
    assert.equal(body.status.comment.text, 'Crash')
    const changes = (await reported(itemWorld)).filter(({ type }) => /statusChanged/.test(type))
    assert.deepEqual(
      changes.map(({ data: { to, comment } }) => [to, comment]),
      [
        ['failed', 'Crash'],
        ['passed', null],
      ]
    )
  })

  test('an edit is not recorded for a touched item, nor in a completed release', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const next = await itemWorld.release({ version: '1.1.0' })
    const { id } = await itemWorld.item('regressionItem')
    await itemWorld.setStatus(id, 'passed')
    await edit(itemWorld, id, { title: 'Sign in' })
    const types = (entries: any[]) => entries.map(({ type }) => type)
    assert.deepEqual(types(await reported(itemWorld)), [
      'checklistItem.added',
      'checklistItem.statusChanged',
    ])
    assert.deepEqual(types(await reported(itemWorld, next)), [
      'checklistItem.added',
      'checklistItem.updated',
    ])
    await complete(itemWorld, itemWorld.releaseId)
    const before = (await reported(itemWorld)).length
    await itemWorld.item('regressionItem', { title: 'Later' })
    assert.lengthOf(await reported(itemWorld), before)
  })

  test('a one-off is recorded in its release, and so is its removal', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId } = itemWorld
    const next = await itemWorld.release({ version: '1.1.0' })
    const { id } = await itemWorld.item('regressionItem', { title: 'Once', releaseId })
    await admin.delete(`/app/${app}/regressionItems/batch`, { ids: [id] })
    const entries = await reported(itemWorld)
    assert.deepEqual(
      entries.map(({ type }) => type),
      ['checklistItem.added', 'checklistItem.removed']
    )
    assert.isTrue(entries[0].data.items[0].oneOff)
    assert.isEmpty(await reported(itemWorld, next))
  })

  test('an item that made room for another is not recorded; a moved one is', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const first = await itemWorld.item('regressionItem', { title: 'First' })
    const second = await itemWorld.item('regressionItem', { title: 'Second' })
    const before = (await reported(itemWorld)).length
    await edit(itemWorld, second.id, { placement: { position: 0 } })
    const [entry, ...more] = (await reported(itemWorld)).slice(before)
    assert.isEmpty(more)
    assert.deepEqual(entry.data.items, [
      {
        checklistItemId: second.id,
        kind: 'regression',
        title: 'Second',
        changes: { position: { from: 1, to: 0 } },
      },
    ])
    assert.notEqual(first.id, second.id)
  })

  test('a batch is recorded in entries of fifty items, and the hash chain is intact', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { world, admin, app } = itemWorld
    const items = Array.from({ length: 120 }, (_, index) => ({ title: `Item ${index}` }))
    await admin.post(`/app/${app}/regressionItems/batch`, { items })
    const entries = await reported(itemWorld)
    assert.deepEqual(
      entries.map(({ data }) => data.items.length),
      [50, 50, 20]
    )
    assert.equal(entries[0].title, '50 items were added')
    const { broken } = await world.write(async (scope) => {
      const { id } = await scope.table('releases').where('app_id', app).firstOrFail()
      return verifyTimeline(scope, id)
    })
    assert.isNull(broken)
  })

  test('a removed owner is recorded', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, world } = itemWorld
    const org = `/org/${world.organizationId}`
    const { body: group } = await admin.post(`${org}/group`, { name: 'Crew', userActions: [] })
    const owner = { type: 'group', id: group.id, name: 'Crew' }
    await itemWorld.item('regressionItem', { owners: [owner] })
    await admin.delete(`${org}/group/${group.id}`)
    const entry = (await reported(itemWorld)).at(-1)
    assert.equal(entry.type, 'checklistItem.updated')
    assert.deepEqual(entry.data.items[0].changes, { owners: { from: [owner], to: [] } })
  })

  test('a drafted release does not record its initial items', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    await itemWorld.item('regressionItem')
    const next = await itemWorld.release({ version: '1.1.0' })
    assert.isEmpty(await reported(itemWorld, next))
  })
})
