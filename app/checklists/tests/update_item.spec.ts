import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import {
  createChecklistItem,
  createImpliedItem,
  updateChecklistItem,
} from '../validators/item_inputs.js'
import { complete, makeItemWorld, type ItemWorld } from './helpers/items.js'

const edit = ({ admin, app }: ItemWorld, id: string, changes: object, query = '') =>
  admin.put(`/app/${app}/checklistItem/${id}${query}`, changes)

test.group('PUT /app/{appId}/checklistItem/{checklistItemId}', () => {
  test('200 changes what is given and leaves the rest', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const ada = await makeUser(itemWorld.world, 'ada@acme.example')
    const made = await itemWorld.item('checklistItem', { description: 'Old' })
    const { status, body } = await edit(itemWorld, made.id, {
      title: 'New title',
      owners: [{ type: 'user', id: ada }],
      required: false,
      kind: 'approval',
      releaseId: itemWorld.releaseId,
    })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      ...made,
      title: 'New title',
      owners: [{ type: 'user', id: ada, name: 'ada' }],
      required: false,
      updatedAt: body.updatedAt,
    })
    const cleared = await edit(itemWorld, made.id, { description: null, owners: [] })
    assert.isNull(cleared.body.description)
    assert.deepEqual(cleared.body.owners, [])
  })

  test('accepts the same members as creating an item, with the step as a placement', ({
    assert,
  }) => {
    const members = (validator: { toJSONSchema(): { properties?: object } }) =>
      Object.keys(validator.toJSONSchema().properties!)
    const created = new Set([...members(createChecklistItem), ...members(createImpliedItem)])
    const placed = ['stepType', 'stepConfigId', 'releaseId']
    assert.sameMembers(
      members(updateChecklistItem).filter((name) => name !== 'placement'),
      [...created].filter((name) => !placed.includes(name))
    )
  })

  test('200 repeating a request writes nothing and fires no event', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval', { title: 'Legal', releaseTypes: ['major'] })
    const events = (await itemWorld.world.events()).length
    const { body } = await edit(itemWorld, made.id, made)
    assert.deepEqual(body, made)
    assert.lengthOf(await itemWorld.world.events(), events)
  })

  test('200 edits upcoming releases and untouched items, never touched or completed ones', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { releaseId, item, setStatus, titles, admin, app } = itemWorld
    const [touched, commented, untouched] = [
      await item('regressionItem', { title: 'touched' }),
      await item('regressionItem', { title: 'commented' }),
      await item('regressionItem', { title: 'untouched' }),
    ]
    await setStatus(touched.id, 'inProgress')
    await admin.put(`/app/${app}/release/${releaseId}/checklistItem/${commented.id}/comment`, {
      comment: 'Wait for the device.',
    })
    const next = await itemWorld.release({ version: '1.1.0' })
    await setStatus(touched.id, 'blocked', {}, next)
    for (const { id, title } of [touched, commented, untouched]) {
      assert.equal((await edit(itemWorld, id, { title: `${title}!` })).status, 200)
    }
    assert.deepEqual(await titles(), [
      ['touched', 'inProgress'],
      ['commented', 'notStarted'],
      ['untouched!', 'notStarted'],
    ])
    assert.deepEqual(await titles(next), [
      ['touched!', 'blocked'],
      ['commented!', 'notStarted'],
      ['untouched!', 'notStarted'],
    ])
    await complete(itemWorld, releaseId)
    await edit(itemWorld, untouched.id, { title: 'later' })
    assert.deepEqual((await titles()).at(-1), ['untouched!', 'notStarted'])
    assert.deepEqual((await titles(next)).at(-1), ['later', 'notStarted'])
  })

  test('200 other release types remove the item from some releases and add it to others', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const next = await itemWorld.release({ version: '1.1.0' })
    const made = await itemWorld.item('approval', { title: 'Legal', releaseTypes: ['major'] })
    assert.lengthOf(await itemWorld.titles(), 1)
    assert.lengthOf(await itemWorld.titles(next), 0)
    await edit(itemWorld, made.id, { releaseTypes: ['minor'] })
    assert.lengthOf(await itemWorld.titles(), 0)
    assert.lengthOf(await itemWorld.titles(next), 1)
  })

  test('200 a change of required changes the status of the step, with its event', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { item, setStatus } = itemWorld
    await item('approval', { title: 'open' })
    const failed = await item('approval', { title: 'rejected', required: false })
    await setStatus(failed.id, 'rejected')
    const before = (await itemWorld.eventTypes()).length
    await edit(itemWorld, failed.id, { required: true })
    // The item is touched: in the active release it stays as it is.
    assert.lengthOf(await itemWorld.eventTypes(), before)
    const next = await itemWorld.release({ version: '1.1.0' })
    await setStatus(failed.id, 'rejected', {}, next)
    const blocked = (await itemWorld.eventTypes()).length
    await edit(itemWorld, failed.id, { required: false })
    assert.deepEqual((await itemWorld.eventTypes()).slice(blocked), ['releaseStep.statusChanged'])
  })

  test('200 placement moves the item within its step and to another one', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { item, titles, admin, app } = itemWorld
    const names = async () => (await titles()).map(([title]) => title)
    for (const title of ['a', 'b']) await item('checklistItem', { title })
    const c = await item('checklistItem', { title: 'c' })
    await edit(itemWorld, c.id, { placement: { position: 0 } })
    assert.deepEqual(await names(), ['c', 'a', 'b'])
    await edit(itemWorld, c.id, { position: 50 })
    assert.deepEqual(await names(), ['a', 'b', 'c'])
    const moved = await edit(itemWorld, c.id, { placement: { stepType: 'kickoff' } })
    assert.deepEqual(moved.body.placement, { stepConfigId: null, stepType: 'kickoff', position: 0 })
    assert.deepEqual(await names(), ['c', 'a', 'b'])
    const steps = (await admin.get(`/app/${app}`)).body.steps
    const submission = steps.find((step: any) => step.type === 'submission').id
    await edit(itemWorld, c.id, { placement: { stepConfigId: submission, position: 99 } })
    assert.deepEqual(await names(), ['a', 'b', 'c'])
  })

  test('200 with releaseId returns the item of the release, which If-Match refers to as well', async ({
    assert,
  }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId, item } = itemWorld
    const made = await item('approval')
    const path = `/app/${app}/checklistItem/${made.id}?releaseId=${releaseId}`
    const read = await admin.get(path)
    const written = await admin.put(
      path,
      { title: 'Legal' },
      { headers: { 'if-match': read.headers.etag } }
    )
    assert.equal(written.status, 200)
    assert.containsSubset(written.body, { title: 'Legal', status: { type: 'notStarted' } })
    assert.equal(written.headers.etag, (await admin.get(path)).headers.etag)
    const stale = await admin.put(
      path,
      { title: 'Other' },
      { headers: { 'if-match': read.headers.etag } }
    )
    assert.equal(stale.status, 412)
    const gone = await edit(
      itemWorld,
      made.id,
      { releaseTypes: ['hotfix'] },
      `?releaseId=${releaseId}`
    )
    assert.equal(gone.status, 200)
    assert.isNull(gone.body.status)
  })

  test('403 names the missing action', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval')
    const approvers = await itemWorld.world.keyed({ groups: ['Approvers'] })
    const { status, body } = await edit({ ...itemWorld, admin: approvers }, made.id, { title: 'x' })
    assert.equal(status, 403)
    assert.include(body.detail, 'EditChecklists')
  })

  test('404 for unknown, foreign and deleted items, and for an unknown release', async ({
    assert,
  }) => {
    const [mine, theirs] = [await makeItemWorld(), await makeItemWorld()]
    const foreign = await theirs.item('approval')
    const made = await mine.item('regressionItem', { title: 'mine' })
    assert.equal((await edit(mine, 'item_none', { title: 'x' })).status, 404)
    assert.equal((await edit(mine, foreign.id, { title: 'x' })).status, 404)
    const nowhere = `?releaseId=${mine.app}:7.7.7`
    assert.equal((await edit(mine, made.id, { title: 'x' }, nowhere)).status, 404)
    assert.deepEqual(await mine.titles(), [['mine', 'notStarted']])
    await mine.admin.delete(`/app/${mine.app}/regressionItems/batch`, { ids: [made.id] })
    assert.equal((await edit(mine, made.id, { title: 'x' })).status, 404)
  })

  test('409 for a one-off of a completed release', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const made = await itemWorld.item('approval', { releaseId: itemWorld.releaseId })
    await complete(itemWorld, itemWorld.releaseId)
    const { status, body } = await edit(itemWorld, made.id, { title: 'x' })
    assert.equal(status, 409)
    assert.containsSubset(body, { code: 'release_completed', currentStatus: 'completed' })
  })

  for (const [name, changes, code] of [
    ['an unknown owner', { owners: [{ type: 'group', id: 'grp_none' }] }, 'unknown_owner'],
    ['a step of another kind', { placement: { stepType: 'submission' } }, 'step_mismatch'],
    ['an unknown step', { placement: { stepConfigId: 'sc_none' } }, 'unknown_step'],
    ['an empty title', { title: '' }, 'min_length'],
    ['an unknown release type', { releaseTypes: ['patch'] }, 'enum'],
  ] as const) {
    test(`422 for ${name}, and nothing changes`, async ({ assert }) => {
      const itemWorld = await makeItemWorld()
      const made = await itemWorld.item('approval', { title: 'Legal' })
      const { status, body } = await edit(itemWorld, made.id, { description: 'new', ...changes })
      assert.equal(status, 422)
      assert.equal(body.errors[0].code, code)
      const after = await itemWorld.admin.get(`/app/${itemWorld.app}/checklistItem/${made.id}`)
      assert.deepEqual(after.body, made)
    })
  }
})
