import { test } from '@japa/runner'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'

const path = ({ app, releaseId }: ItemWorld, id: string) =>
  `/app/${app}/release/${releaseId}/checklistItem/${id}/comment`

test.group('PUT /app/{appId}/release/{releaseId}/checklistItem/{checklistItemId}/comment', () => {
  test('200 sets and clears the comment; no event fires, and the tag changes', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { eventTypes, admin, app, releaseId, item } = itemWorld
    const made = await item('checklistItem')
    const events = (await eventTypes()).length
    const read = () => admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
    const before = await read()
    const set = await admin.put(path(itemWorld, made.id), { comment: 'Wait for Grace.' })
    assert.equal(set.status, 200)
    assert.containsSubset(set.body.status, {
      type: 'notStarted',
      updatedAt: null,
      comment: { text: 'Wait for Grace.', author: { type: 'apiKey', name: 'admin' } },
    })
    assert.isTrue(set.body.updatedAt >= before.body.updatedAt)
    assert.notEqual(set.headers.etag, before.headers.etag)
    assert.equal(set.headers.etag, (await read()).headers.etag)
    const again = await admin.put(path(itemWorld, made.id), { comment: 'Wait for Grace.' })
    assert.deepEqual(again.body, set.body)
    const cleared = await admin.put(path(itemWorld, made.id), { comment: null })
    assert.isNull(cleared.body.status.comment)
    assert.lengthOf(await eventTypes(), events)
  })

  test('403 without the action of the kind', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval')
    const design = await itemWorld.world.keyed({ groups: ['Design'] })
    const { status, body } = await design.put(path(itemWorld, made.id), { comment: 'x' })
    assert.equal(status, 403)
    assert.include(body.detail, 'UpdateApprovalItemStatus')
  })

  test('404 for an item the release does not hold', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { status } = await itemWorld.admin.put(path(itemWorld, 'item_none'), { comment: 'x' })
    assert.equal(status, 404)
  })

  test('409 on a completed release', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval')
    await complete(itemWorld, itemWorld.releaseId)
    const { status, body } = await itemWorld.admin.put(path(itemWorld, made.id), { comment: 'x' })
    assert.equal(status, 409)
    assert.equal(body.code, 'release_completed')
  })

  test('422 without a comment, and for one that is not text, empty or too long', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval')
    for (const body of [{}, { comment: 3 }, { comment: '' }, { comment: 'x'.repeat(5001) }]) {
      assert.equal((await itemWorld.admin.put(path(itemWorld, made.id), body)).status, 422)
    }
  })
})
