import { test } from '@japa/runner'
import { newId } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import { RELEASE_TYPES } from '#workflow/vocabulary'
import { MAX_RELEASE_ITEMS, MAX_TEMPLATES } from '#workflow/bounds'
import { findRelease } from '#releases/queries/find_release'
import { copyItems } from '../release_items/copy_items.js'
import { checklistItems } from '../tables.js'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'

const VIA_BATCH = 'regressionItems/batch'

/** Inserts items directly into the database, and copies them into the release. */
function fill({ world, app, releaseId }: ItemWorld, count: number, kind: 'template' | 'oneOff') {
  return world.write(async (scope: Scope) => {
    const release = await findRelease(scope, app, releaseId)
    const ids = Array.from({ length: count }, () => newId('item'))
    await scope.insert(
      checklistItems,
      ids.map((id, position) => ({
        id,
        appId: app,
        kind: 'regression' as const,
        title: `Case ${position}`,
        description: null,
        releaseTypes: [...RELEASE_TYPES],
        owners: [],
        required: true,
        notifyOnCompletion: true,
        position,
        settings: {},
        demand: null,
        stepConfigId: null,
        stepType: 'regressionTesting' as const,
        releaseId: kind === 'oneOff' ? release.id : null,
        createdBy: null,
        createdAt: scope.now,
        updatedAt: scope.now,
        deletedAt: null,
      }))
    )
    await copyItems(scope, release)
    return ids
  })
}

const batchOf = (count: number, more: object = {}) => ({
  items: Array.from({ length: count }, (_, index) => ({ title: `Item ${index}`, ...more })),
})

test.group('Limits for items', () => {
  test('an app accepts templates of any kind up to the limit, and then answers 409', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app } = itemWorld
    const [first] = await fill(itemWorld, MAX_TEMPLATES - 3, 'template')
    const inputs = [
      ['checklistItem', { title: 'x', stepType: 'submission' }],
      ['approval', { title: 'x' }],
      ['regressionItem', { title: 'x' }],
    ] as const
    for (const [path, input] of inputs) {
      assert.equal((await admin.post(`/app/${app}/${path}`, input)).status, 201)
    }
    for (const [path, input] of inputs) {
      const { status, body } = await admin.post(`/app/${app}/${path}`, input)
      assert.equal(status, 409)
      assert.containsSubset(body, { code: 'too_many_items', limit: MAX_TEMPLATES })
      assert.include(body.detail, `${MAX_TEMPLATES} item templates`)
    }
    assert.equal((await admin.delete(`/app/${app}/${VIA_BATCH}`, { ids: [first] })).status, 200)
    assert.equal((await admin.post(`/app/${app}/approval`, { title: 'x' })).status, 201)
  })

  test('errors of an item are reported before the limit', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    await fill(itemWorld, MAX_TEMPLATES, 'template')
    const input = { title: 'x', stepType: 'rollout' }
    const { status, body } = await itemWorld.admin.post(
      `/app/${itemWorld.app}/checklistItem`,
      input
    )
    assert.equal(status, 422)
    assert.equal(body.errors[0].code, 'unknown_step')
  })

  test('a batch creates the items that fit, and reports the rest', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app } = itemWorld
    await fill(itemWorld, MAX_TEMPLATES - 2, 'template')
    const { status, body } = await admin.post(`/app/${app}/${VIA_BATCH}`, batchOf(4))
    assert.equal(status, 200)
    assert.lengthOf(body.created, 2)
    assert.deepEqual(
      body.errors.map(({ index, code }: any) => [index, code]),
      [
        [2, 'too_many_items'],
        [3, 'too_many_items'],
      ]
    )
    const none = await admin.post(`/app/${app}/${VIA_BATCH}`, batchOf(1))
    assert.equal(none.status, 422)
    assert.equal(none.body.code, 'all_items_failed')
    assert.equal(none.body.errors[0].code, 'too_many_items')
  })

  test('a release accepts one-offs up to the limit, and then answers 409', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId } = itemWorld
    await fill(itemWorld, MAX_RELEASE_ITEMS - 2, 'oneOff')
    const oneOff = { title: 'Once', releaseId }
    assert.equal((await admin.post(`/app/${app}/approval`, oneOff)).status, 201)
    const batch = await admin.post(`/app/${app}/${VIA_BATCH}`, batchOf(2, { releaseId }))
    assert.equal(batch.status, 200)
    assert.deepEqual([batch.body.created.length, batch.body.errors.length], [1, 1])
    assert.equal(batch.body.errors[0].code, 'too_many_items')
    const { status, body } = await admin.post(`/app/${app}/approval`, oneOff)
    assert.equal(status, 409)
    assert.containsSubset(body, { code: 'too_many_items', limit: MAX_RELEASE_ITEMS })
    assert.include(body.detail, 'The release 1.0.0')
    // Other releases have a count of their own.
    const next = await itemWorld.release({ version: '1.1.0' })
    const other = { ...oneOff, releaseId: next }
    assert.equal((await admin.post(`/app/${app}/approval`, other)).status, 201)
  })

  test('a template that does not fit into an open release is refused as a whole', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, world } = itemWorld
    await fill(itemWorld, MAX_RELEASE_ITEMS - 1, 'oneOff')
    const before = await world.events()
    const batch = await admin.post(`/app/${app}/${VIA_BATCH}`, batchOf(2))
    assert.equal(batch.status, 409)
    assert.equal(batch.body.code, 'too_many_items')
    assert.deepEqual(await world.events(), before)
    assert.equal((await admin.post(`/app/${app}/regressionItem`, { title: 'x' })).status, 201)
    const refused = await admin.post(`/app/${app}/regressionItem`, { title: 'y' })
    assert.equal(refused.status, 409)
    // A template that does not apply to the full release is accepted.
    const elsewhere = { title: 'y', releaseTypes: ['hotfix'] }
    const made = await admin.post(`/app/${app}/regressionItem`, elsewhere)
    assert.equal(made.status, 201)
    const widened = { releaseTypes: ['hotfix', 'major'] }
    const update = await admin.put(`/app/${app}/checklistItem/${made.body.id}`, widened)
    assert.equal(update.status, 409)
    assert.equal(update.body.code, 'too_many_items')
  })

  test('a release whose items would exceed the limit cannot be unskipped', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId } = itemWorld
    await fill(itemWorld, MAX_RELEASE_ITEMS, 'oneOff')
    const path = `/app/${app}/release/${releaseId}`
    assert.equal((await admin.put(`${path}/skip`, {})).status, 200)
    assert.equal((await admin.post(`/app/${app}/approval`, { title: 'New' })).status, 201)
    const { status, body } = await admin.put(`${path}/unskip`)
    assert.equal(status, 409)
    assert.equal(body.code, 'too_many_items')
  })

  test('a full release that is completed blocks nothing', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    await fill(itemWorld, MAX_RELEASE_ITEMS, 'oneOff')
    await complete(itemWorld, itemWorld.releaseId)
    await itemWorld.release({ version: '2.0.0' })
    const { id } = await itemWorld.item('regressionItem', { title: 'x' })
    assert.match(id, /^item_/)
  })
})
