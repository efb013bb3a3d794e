import { test } from '@japa/runner'
import { complete, makeItemWorld } from './helpers/items.js'

test.group('GET /app/{appId}/checklistItem/{checklistItemId}', () => {
  test('200 returns the template, or with releaseId the item with its status', async ({
    assert,
  }) => {
    const { admin, app, releaseId, item } = await makeItemWorld()
    const made = await item('approval', { title: 'Legal' })
    const plain = await admin.get(`/app/${app}/checklistItem/${made.id}`)
    assert.equal(plain.status, 200)
    assert.deepEqual(plain.body, made)
    assert.match(plain.headers.etag, /^".+"$/)

    const shown = await admin.get(`/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`)
    assert.deepEqual(shown.body.status, {
      type: 'notStarted',
      updatedAt: null,
      updatedBy: null,
      comment: null,
    })
    assert.equal(shown.body.placement.stepType, 'approvals')
    assert.match(shown.body.placement.stepConfigId, /^sc_/)
  })

  test('200 without a status when the release does not hold the item', async ({ assert }) => {
    const { admin, app, releaseId, item } = await makeItemWorld()
    const made = await item('approval', { releaseTypes: ['hotfix'] })
    const path = `/app/${app}/checklistItem/${made.id}?releaseId=${encodeURIComponent(releaseId)}`
    const { status, body } = await admin.get(path)
    assert.equal(status, 200)
    assert.isNull(body.status)
  })

  test('200 shows the current names of owners', async ({ assert }) => {
    const { world, admin, app, item } = await makeItemWorld()
    const group = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Beta club',
      userActions: [],
    })
    const made = await item('regressionItem', { owners: [{ type: 'group', id: group.body.id }] })
    await admin.put(`/org/${world.organizationId}/group/${group.body.id}`, { name: 'Beta crew' })
    const { body } = await admin.get(`/app/${app}/checklistItem/${made.id}`)
    assert.equal(body.owners[0].name, 'Beta crew')
  })

  test('200 finds the release by a former id', async ({ assert }) => {
    const { admin, app, releaseId, item } = await makeItemWorld()
    const made = await item('approval')
    await admin.put(`/app/${app}/release/${releaseId}`, { version: '1.0.5' })
    const { status, body } = await admin.get(
      `/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`
    )
    assert.equal(status, 200)
    assert.equal(body.status.type, 'notStarted')
  })

  test('200 a completed release shows the item as it was, even after edits and deletion', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId, item } = itemWorld
    const made = await item('regressionItem', { title: 'Then' })
    await complete(itemWorld, releaseId)
    const path = `/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`
    const before = await admin.get(path)
    await admin.put(`/app/${app}/checklistItem/${made.id}`, {
      title: 'Now',
      releaseTypes: ['hotfix'],
    })
    assert.deepEqual((await admin.get(path)).body, before.body)
    await admin.delete(`/app/${app}/regressionItems/batch`, { ids: [made.id] })
    assert.deepEqual((await admin.get(path)).body, before.body)
    assert.equal((await admin.get(`/app/${app}/checklistItem/${made.id}`)).status, 404)
  })

  test('404 for an unknown item, another app, another organization, an unknown release', async ({
    assert,
  }) => {
    const [mine, theirs] = [await makeItemWorld(), await makeItemWorld()]
    const made = await mine.item('approval')
    const foreign = await theirs.item('approval')
    for (const path of [
      `/app/${mine.app}/checklistItem/item_none`,
      `/app/${mine.app}/checklistItem/${foreign.id}`,
      `/app/${theirs.app}/checklistItem/${made.id}`,
      `/app/${mine.app}/checklistItem/${made.id}?releaseId=${mine.app}:9.9.9`,
      `/app/${mine.app}/checklistItem/${made.id}?releaseId=${theirs.releaseId}`,
    ]) {
      assert.equal((await mine.admin.get(path)).status, 404, path)
    }
  })
})
