import { test } from '@japa/runner'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'

const path = ({ app }: ItemWorld) => `/app/${app}/regressionItems/batch`

const many = async (itemWorld: ItemWorld, count: number): Promise<any[]> => {
  const items = Array.from({ length: count }, (_, index) => ({ title: `Case ${index}` }))
  const { body, status } = await itemWorld.admin.post(path(itemWorld), { items })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.created
}

test.group('POST /app/{appId}/regressionItems/batch', () => {
  test('200 creates 500 items in order, with one event per changed step', async ({ assert }) => {
    const itemWorld = await makeItemWorld({ kickedOff: true })
    const { titles, eventTypes } = itemWorld
    const before = (await eventTypes()).length
    const created = await many(itemWorld, 500)
    assert.lengthOf(created, 500)
    assert.containsSubset(created[499], {
      kind: 'regression',
      title: 'Case 499',
      placement: { stepType: 'regressionTesting', position: 499 },
    })
    assert.deepEqual(
      (await titles()).map(([title]) => title),
      created.map((item) => item.title)
    )
    assert.deepEqual((await eventTypes()).slice(before), ['releaseStep.statusChanged'])
  })

  test('200 creates the valid items, and returns the index and code of the others', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, titles, app, release } = itemWorld
    const over = await release({ version: '0.9.0' })
    await complete(itemWorld, over)
    const { status, body } = await admin.post(path(itemWorld), {
      items: [
        { title: 'good' },
        { title: '' },
        { title: 'owner', owners: [{ type: 'user', id: 'usr_none' }] },
        {},
        { title: 'nowhere', releaseId: `${app}:5.5.5` },
        { title: 'over', releaseId: over },
        { title: 'first', position: 0 },
      ],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.created.map((item: any) => [item.title, item.placement.position]),
      [
        ['good', 1],
        ['first', 0],
      ]
    )
    assert.deepEqual(
      body.errors.map(({ index, code }: any) => [index, code]),
      [
        [1, 'min_length'],
        [2, 'unknown_owner'],
        [3, 'required'],
        [4, 'not_found'],
        [5, 'release_completed'],
      ]
    )
    assert.isTrue(body.errors.every(({ error }: any) => error.length > 0))
    assert.deepEqual(
      (await titles()).map(([title]) => title),
      ['first', 'good']
    )
  })

  test('422 with the same members when every item failed, and nothing is written', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { status, body, headers } = await itemWorld.admin.post(path(itemWorld), {
      items: [{ title: 3 }, { title: 'x', required: 'no' }],
    })
    assert.equal(status, 422)
    assert.match(headers['content-type'], /^application\/problem\+json/)
    assert.equal(body.code, 'all_items_failed')
    assert.deepEqual(body.created, [])
    assert.containsSubset(body.errors, [
      { index: 0, code: 'string' },
      { index: 1, code: 'boolean' },
    ])
    assert.deepEqual(await itemWorld.titles(), [])
  })

  test('422 for no items, for 501, and for items that are not objects', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const tooMany = Array.from({ length: 501 }, () => ({ title: 'x' }))
    for (const items of [[], tooMany, ['x'], {}, null]) {
      assert.equal((await itemWorld.admin.post(path(itemWorld), { items })).status, 422)
    }
    assert.deepEqual(await itemWorld.titles(), [])
  })

  test('403 names the missing action', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const key = await itemWorld.world.keyed({ groups: ['CX'] })
    const { status, body } = await key.post(path(itemWorld), { items: [{ title: 'x' }] })
    assert.equal(status, 403)
    assert.include(body.detail, 'EditChecklists')
  })
})

test.group('PUT /app/{appId}/regressionItems/batch', () => {
  test('200 causes one event per changed item, and those of the step at the end', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld({ kickedOff: true })
    const { world, admin, releaseId } = itemWorld
    const items = await many(itemWorld, 500)
    const before = (await world.events()).length
    const { status, body } = await admin.put(path(itemWorld), {
      releaseId,
      items: items.map(({ id }, index) => ({
        id,
        status: 'passed',
        ...(index % 100 === 0 ? { comment: `Build ${index}` } : {}),
      })),
    })
    assert.equal(status, 200)
    assert.lengthOf(body.updated, 500)
    assert.deepEqual(body.errors, [])
    assert.equal(body.updated[100].status.comment.text, 'Build 100')
    assert.isNull(body.updated[101].status.comment)
    const events = (await world.events()).slice(before)
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        ...Array.from({ length: 500 }, () => 'checklistItem.statusChanged'),
        'release.regressionStatusUpdated',
        'releaseStep.statusChanged',
        'release.stepsReadyToSubmit',
      ]
    )
    assert.deepEqual(
      events.slice(0, 500).map(({ payload }) => payload.checklistItem.id),
      items.map(({ id }) => id)
    )
    assert.deepEqual(
      events.map(({ sequence }) => sequence! - events[0].sequence!),
      events.map((_, index) => index)
    )
  })

  test('200 sets the valid statuses; unchanged items are returned without an event', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { world, admin, releaseId, item, setStatus } = itemWorld
    const [a, b, c] = await many(itemWorld, 3)
    const approval = await item('approval')
    const elsewhere = await item('regressionItem', { releaseTypes: ['hotfix'] })
    await setStatus(c.id, 'passed')
    const before = (await world.events()).length
    const { status, body } = await admin.put(path(itemWorld), {
      releaseId,
      items: [
        { id: a.id, status: 'failed' },
        { id: a.id, status: 'passed' },
        { id: b.id, status: 'approved' },
        { id: b.id, status: 'passed' },
        { id: c.id, status: 'passed' },
        { id: 'item_none', status: 'passed' },
        { id: approval.id, status: 'approved' },
        { id: elsewhere.id, status: 'passed' },
      ],
    })
    assert.equal(status, 200)
    assert.deepEqual(
      body.updated.map((each: any) => [each.id, each.status.type]),
      [
        [a.id, 'failed'],
        [c.id, 'passed'],
      ]
    )
    assert.deepEqual(
      body.errors.map(({ id, code }: any) => [id, code]),
      [
        [a.id, 'duplicate_id'],
        [b.id, 'illegal_status'],
        [b.id, 'duplicate_id'],
        ['item_none', 'not_found'],
        [approval.id, 'not_found'],
        [elsewhere.id, 'not_found'],
      ]
    )
    assert.deepEqual(
      (await world.events()).slice(before).map(({ type }) => type),
      [
        'checklistItem.statusChanged',
        'release.regressionStatusUpdated',
        'releaseStep.statusChanged',
      ]
    )
  })

  test('422 with the same members when every item failed, and nothing is written', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const [a] = await many(itemWorld, 1)
    const { status, body } = await itemWorld.admin.put(path(itemWorld), {
      releaseId: itemWorld.releaseId,
      items: [
        { id: a.id, status: 'approved' },
        { id: 'item_none', status: 'passed' },
        { id: 'item_odd', status: 'done' },
      ],
    })
    assert.equal(status, 422)
    assert.equal(body.code, 'all_items_failed')
    assert.deepEqual(body.updated, [])
    assert.containsSubset(body.errors, [
      { id: a.id, code: 'illegal_status' },
      { id: 'item_none', code: 'not_found' },
      { id: 'item_odd', code: 'not_found' },
    ])
    assert.deepEqual(await itemWorld.titles(), [['Case 0', 'notStarted']])
  })

  test('403 names the missing action', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const [a] = await many(itemWorld, 1)
    const key = await itemWorld.world.keyed({ groups: ['Approvers'] })
    const { status, body } = await key.put(path(itemWorld), {
      releaseId: itemWorld.releaseId,
      items: [{ id: a.id, status: 'passed' }],
    })
    assert.equal(status, 403)
    assert.include(body.detail, 'UpdateRegressionTesting')
  })

  test('404 for an unknown or foreign release, 409 for a completed one', async ({ assert }) => {
    const [mine, theirs] = [await makeItemWorld(), await makeItemWorld()]
    const [a] = await many(mine, 1)
    const items = [{ id: a.id, status: 'passed' }]
    const put = (releaseId: string) => mine.admin.put(path(mine), { releaseId, items })
    assert.equal((await put(theirs.releaseId)).status, 404)
    assert.equal((await put(`${mine.app}:6.0.0`)).status, 404)
    await complete(mine, mine.releaseId)
    const over = await put(mine.releaseId)
    assert.equal(over.status, 409)
    assert.equal(over.body.code, 'release_completed')
  })

  test('422 for no items, for 501, without a release or an id', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, releaseId } = itemWorld
    const one = { id: 'item_a', status: 'passed' }
    for (const body of [
      { releaseId, items: [] },
      { releaseId, items: Array.from({ length: 501 }, () => one) },
      { items: [one] },
      { releaseId, items: [{ status: 'passed' }] },
      { releaseId, items: [{ id: 7, status: 'passed' }] },
    ]) {
      assert.equal((await admin.put(path(itemWorld), body)).status, 422)
    }
  })
})

test.group('DELETE /app/{appId}/regressionItems/batch', () => {
  test('200 deletes templates; releases lose untouched items and keep touched ones', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, setStatus, titles, release, releaseId } = itemWorld
    const [a, b, c] = await many(itemWorld, 3)
    const next = await release({ version: '1.1.0' })
    await setStatus(a.id, 'passed')
    const { status, body } = await admin.delete(path(itemWorld), { ids: [a.id, b.id] })
    assert.equal(status, 200)
    assert.deepEqual(body, { deleted: [a.id, b.id], errors: [] })
    assert.deepEqual(await titles(), [
      ['Case 0', 'passed'],
      ['Case 2', 'notStarted'],
    ])
    assert.deepEqual(await titles(next), [['Case 2', 'notStarted']])
    const kept = await setStatus(a.id, 'failed')
    assert.equal(kept.status, 200)
    assert.equal(kept.headers.etag !== undefined, true)
    assert.equal((await admin.get(`/app/${app}/checklistItem/${a.id}`)).status, 404)
    assert.equal((await admin.get(`/app/${app}/checklistItem/${c.id}`)).status, 200)
    assert.equal(
      (await admin.get(`/app/${app}/checklistItem/${a.id}?releaseId=${releaseId}`)).status,
      200
    )
  })

  test('200 deletes the items it can, and returns the errors of the others', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, item, release } = itemWorld
    const [a] = await many(itemWorld, 1)
    const approval = await item('approval')
    const over = await release({ version: '0.9.0' })
    const once = await item('regressionItem', { releaseId: over })
    await complete(itemWorld, over)
    const ids = [a.id, a.id, approval.id, 'item_none', once.id]
    const { status, body } = await admin.delete(path(itemWorld), { ids })
    assert.equal(status, 200)
    assert.deepEqual(body.deleted, [a.id])
    assert.deepEqual(
      body.errors.map(({ id, code }: any) => [id, code]),
      [
        [a.id, 'duplicate_id'],
        [approval.id, 'not_found'],
        ['item_none', 'not_found'],
        [once.id, 'release_completed'],
      ]
    )
    const again = await admin.delete(path(itemWorld), { ids: [a.id] })
    assert.equal(again.status, 422)
    assert.deepEqual(again.body.deleted, [])
    assert.containsSubset(again.body.errors, [{ id: a.id, code: 'not_found' }])
  })

  test('200 deleting the last open item completes the step, with its events', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld({ kickedOff: true })
    const items = await many(itemWorld, 500)
    const before = (await itemWorld.eventTypes()).length
    const ids = items.map(({ id }) => id)
    const { body } = await itemWorld.admin.delete(path(itemWorld), { ids })
    assert.lengthOf(body.deleted, 500)
    assert.deepEqual((await itemWorld.eventTypes()).slice(before), [
      'releaseStep.statusChanged',
      'release.stepsReadyToSubmit',
    ])
  })

  test('403 without the action, 415 without a body, 422 for invalid ids', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { world, admin } = itemWorld
    const key = await world.keyed({ groups: ['CX'] })
    assert.equal((await key.delete(path(itemWorld), { ids: ['item_a'] })).status, 403)
    assert.equal((await admin.delete(path(itemWorld))).status, 415)
    for (const ids of [[], [3], Array.from({ length: 501 }, () => 'item_a'), 'item_a']) {
      assert.equal((await admin.delete(path(itemWorld), { ids })).status, 422)
    }
  })
})
