import { test } from '@japa/runner'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { complete, makeItemWorld } from './helpers/items.js'

test.group('POST /app/{appId}/checklistItem', () => {
  test('201 creates a template with defaults and copies it into open releases', async ({
    assert,
  }) => {
    const { admin, app, titles, eventTypes } = await makeItemWorld()
    const { status, body, headers } = await admin.post(`/app/${app}/checklistItem`, {
      title: '  Tell support ',
      stepType: 'submission',
      id: 'item_mine',
      status: 'complete',
      createdAt: '2001-01-01T00:00:00.000Z',
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `/app/${app}/checklistItem/${body.id}`)
    assert.match(body.id, /^item_[0-9A-Za-z]{20}$/)
    assert.containsSubset(body, {
      appId: app,
      kind: 'checklist',
      title: 'Tell support',
      description: null,
      releaseTypes: ['major', 'minor', 'point', 'hotfix', 'rollback'],
      owners: [],
      required: true,
      notifyOnCompletion: true,
      placement: { stepConfigId: null, stepType: 'submission', position: 0 },
      releaseId: null,
      status: null,
    })
    assert.notEqual(body.createdAt, '2001-01-01T00:00:00.000Z')
    assert.deepEqual(await titles(), [['Tell support', 'notStarted']])
    assert.deepEqual(await eventTypes(), ['release.created'])
  })

  test('201 accepts a step by its id, and owners by id and by address', async ({ assert }) => {
    const { world, admin, app, groupId } = await makeItemWorld()
    const ada = await makeUser(world, 'ada@acme.example')
    const qa = await groupId('QA')
    const { body: appBody } = await admin.get(`/app/${app}`)
    const step = appBody.steps.find((each: any) => each.type === 'screenshots')
    const { status, body } = await admin.post(`/app/${app}/checklistItem`, {
      title: 'Retake the third picture',
      description: 'It shows the old logo.',
      stepConfigId: step.id,
      releaseTypes: ['hotfix', 'major', 'hotfix'],
      required: false,
      notifyOnCompletion: false,
      position: 7,
      owners: [
        { type: 'user', id: 'ADA@acme.example' },
        { type: 'user', id: ada },
        { type: 'group', id: qa, name: 'ignored' },
        { type: 'releasePilot' },
      ],
    })
    assert.equal(status, 201)
    assert.containsSubset(body, {
      releaseTypes: ['major', 'hotfix'],
      required: false,
      notifyOnCompletion: false,
      placement: { stepConfigId: step.id, stepType: null, position: 7 },
    })
    assert.deepEqual(body.owners, [
      { type: 'user', id: ada, name: 'ada' },
      { type: 'group', id: qa, name: 'QA' },
      { type: 'releasePilot', id: null, name: 'Release pilot' },
    ])
  })

  test('201 creates a one-off in its release only', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const next = await itemWorld.release({ version: '1.1.0' })
    const body = await itemWorld.item('checklistItem', {
      title: 'Once',
      releaseId: next,
      releaseTypes: ['hotfix'],
    })
    assert.equal(body.releaseId, next)
    assert.deepEqual(await itemWorld.titles(next), [['Once', 'notStarted']])
    assert.deepEqual(await itemWorld.titles(), [])
    const later = await itemWorld.release({ version: '1.2.0' })
    assert.deepEqual(await itemWorld.titles(later), [])
  })

  test('201 puts the item at the given position and pushes the others back', async ({ assert }) => {
    const { item, titles } = await makeItemWorld()
    await item('checklistItem', { title: 'first' })
    await item('checklistItem', { title: 'second' })
    await item('checklistItem', { title: 'before', position: 0 })
    await item('checklistItem', { title: 'far', position: 90 })
    await item('checklistItem', { title: 'last' })
    assert.deepEqual(
      (await titles()).map(([title]) => title),
      ['before', 'first', 'second', 'far', 'last']
    )
  })

  test('403 names the missing action', async ({ assert }) => {
    const { world, app } = await makeItemWorld()
    const designers = await world.keyed({ groups: ['Design'] })
    const { status, body } = await designers.post(`/app/${app}/checklistItem`, {
      title: 'x',
      stepType: 'submission',
    })
    assert.equal(status, 403)
    assert.equal(body.code, 'action_missing')
    assert.include(body.detail, 'EditChecklists')
  })

  test('404 for a foreign app, and for a release of another app', async ({ assert }) => {
    const mine = await makeItemWorld()
    const other = await makeApp(mine.world)
    const theirs = await makeItemWorld()
    const input = { title: 'x', stepType: 'submission' }
    assert.equal((await theirs.admin.post(`/app/${mine.app}/checklistItem`, input)).status, 404)
    const misplaced = { ...input, releaseId: mine.releaseId }
    assert.equal((await mine.admin.post(`/app/${other}/checklistItem`, misplaced)).status, 404)
    const foreign = { ...input, releaseId: theirs.releaseId }
    assert.equal((await mine.admin.post(`/app/${mine.app}/checklistItem`, foreign)).status, 404)
  })

  test('409 for a one-off of a skipped or completed release', async ({ assert }) => {
    const itemWorld = await makeItemWorld()
    const { admin, app, releaseId } = itemWorld
    const input = { title: 'x', stepType: 'submission', releaseId }
    await admin.put(`/app/${app}/release/${releaseId}/skip`)
    const skipped = await admin.post(`/app/${app}/checklistItem`, input)
    assert.equal(skipped.status, 409)
    assert.containsSubset(skipped.body, { code: 'release_skipped', currentStatus: 'skipped' })
    await admin.put(`/app/${app}/release/${releaseId}/unskip`)
    await complete(itemWorld, releaseId)
    const completed = await admin.post(`/app/${app}/checklistItem`, input)
    assert.equal(completed.status, 409)
    assert.equal(completed.body.code, 'release_completed')
  })

  test('422 lists every broken field', async ({ assert }) => {
    const { admin, app } = await makeItemWorld()
    const { status, body } = await admin.post(`/app/${app}/checklistItem`, {
      title: ' ',
      stepType: 'lunch',
      releaseTypes: [],
      owners: [{ type: 'robot' }],
      required: 'yes',
      position: -1,
    })
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map((each: any) => each.pointer),
      ['/title', '/stepType', '/releaseTypes', '/owners/0/type', '/required', '/position']
    )
  })

  for (const [name, input, code] of [
    ['no step', {}, 'required'],
    ['a step of no app', { stepConfigId: 'sc_none' }, 'unknown_step'],
    ['a type the workflow lacks', { stepType: 'translations' }, 'unknown_step'],
    [
      'an unknown user',
      { stepType: 'submission', owners: [{ type: 'user', id: 'x' }] },
      'unknown_owner',
    ],
    [
      'a group without id',
      { stepType: 'submission', owners: [{ type: 'group' }] },
      'unknown_owner',
    ],
  ] as const) {
    test(`422 for ${name}`, async ({ assert }) => {
      const { admin, app, titles } = await makeItemWorld()
      const { status, body } = await admin.post(`/app/${app}/checklistItem`, {
        title: 'x',
        ...input,
      })
      assert.equal(status, 422)
      assert.equal(body.errors[0].code, code)
      assert.deepEqual(await titles(), [])
    })
  }

  test("422 for another organization's owner or another app's step", async ({ assert }) => {
    const [mine, theirs] = [await makeItemWorld(), await makeItemWorld()]
    const stranger = await makeUser(theirs.world, 'eve@other.example')
    const foreignStep = (await theirs.admin.get(`/app/${theirs.app}`)).body.steps[0].id
    for (const input of [
      { stepType: 'submission', owners: [{ type: 'user', id: stranger }] },
      { stepType: 'submission', owners: [{ type: 'group', id: await theirs.groupId('QA') }] },
      { stepConfigId: foreignStep },
    ]) {
      const path = `/app/${mine.app}/checklistItem`
      assert.equal((await mine.admin.post(path, { title: 'x', ...input })).status, 422)
    }
  })
})

test.group('POST /app/{appId}/approval', () => {
  test('201 puts the item on the approvals step, whatever step is named', async ({ assert }) => {
    const { admin, app } = await makeItemWorld()
    const { status, body } = await admin.post(`/app/${app}/approval`, {
      title: 'Legal',
      stepType: 'submission',
    })
    assert.equal(status, 201)
    assert.equal(body.kind, 'approval')
    assert.deepEqual(body.placement, { stepConfigId: null, stepType: 'approvals', position: 0 })
  })

  test('422 when the workflow has no approvals step', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, { steps: [{ type: 'kickoff' }] })
    const { status, body } = await world.admin.post(`/app/${app}/approval`, { title: 'Legal' })
    assert.equal(status, 422)
    assert.equal(body.errors[0].code, 'unknown_step')
  })
})

test.group('POST /app/{appId}/regressionItem', () => {
  test('201 reopens a step that was complete without items', async ({ assert }) => {
    const { admin, app, releaseId, eventTypes } = await makeItemWorld({ kickedOff: true })
    const before = (await eventTypes()).length
    const { status, body } = await admin.post(`/app/${app}/regressionItem`, { title: 'Log in' })
    assert.equal(status, 201)
    assert.equal(body.placement.stepType, 'regressionTesting')
    assert.deepEqual((await eventTypes()).slice(before), ['releaseStep.statusChanged'])
    const steps = await admin.get(`/app/${app}/release/${releaseId}/steps?type=regressionTesting`)
    assert.containsSubset(steps.body[0], {
      status: 'notStarted',
      checklistItems: { total: 1, done: 0 },
    })
  })
})
