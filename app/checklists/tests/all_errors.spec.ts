import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)

async function makeRelease() {
  const world = await makeWorld()
  const app = await makeApp(world)
  const { body } = await world.admin.post(`/app/${app}/release`, { version: '1.0' })
  return { world, app, releaseId: body.id as string }
}

async function makeApproval({ world, app, releaseId }: Awaited<ReturnType<typeof makeRelease>>) {
  const { body } = await world.admin.post(`/app/${app}/approval`, { title: 'Legal agrees' })
  return {
    id: body.id as string,
    path: `/app/${app}/release/${releaseId}/checklistItem/${body.id}`,
  }
}

/** Makes a key whose group has the given user actions only. */
const makeGroupKey = async (world: World, ...userActions: string[]) => {
  const name = `Crew ${userActions.length}`
  await world.admin.post(`/org/${world.organizationId}/group`, { name, userActions })
  return world.keyed({ groups: [name] })
}

test.group('Errors of an item', () => {
  test('all errors are listed when the item is created', async ({ assert }) => {
    const { world, app } = await makeRelease()
    const owners = [
      { type: 'group', id: 'grp_0' },
      { type: 'crew', id: 'x' },
      { type: 'user', id: 5 },
      { type: 'user' },
      { type: 'releasePilot' },
    ]
    const checklist = await world.admin.post(`/app/${app}/checklistItem`, {
      title: ' ',
      stepType: 'takeoff',
      owners,
      required: null,
      position: -1,
    })
    assert.equal(checklist.status, 422)
    assert.sameMembers(errorsOf(checklist), [
      '/title min_length',
      '/stepType unknown_step',
      '/owners/0/id unknown_owner',
      '/owners/1/type enum',
      '/owners/2/id string',
      '/owners/3/id unknown_owner',
      '/required null',
      '/position min',
    ])
    const regression = await world.admin.post(`/app/${app}/regressionItem`, {
      title: 'A',
      fourEyes: true,
      requiredApprovals: 2,
      owners,
      releaseId: `${app}:9.9`,
    })
    assert.sameMembers(errorsOf(regression), [
      '/owners/1/type enum',
      '/owners/2/id string',
      '/requiredApprovals approvals_only',
      '/fourEyes approvals_only',
      '/owners/0/id unknown_owner',
      '/owners/3/id unknown_owner',
    ])
    // A release that does not exist is a 404 only if the body has no other error.
    const unknownRelease = { title: 'A', releaseId: `${app}:9.9` }
    assert.equal((await world.admin.post(`/app/${app}/regressionItem`, unknownRelease)).status, 404)
    // An unknown type of step is the only error: rules that depend on the step are skipped.
    const step = await world.admin.post(`/app/${app}/checklistItem`, { title: 'A', stepType: 'x' })
    assert.deepEqual(errorsOf(step), ['/stepType enum'])
  })

  test('all errors are listed when the item is changed', async ({ assert }) => {
    const { world, app } = await makeRelease()
    const made = await world.admin.post(`/app/${app}/regressionItem`, { title: 'A' })
    const path = `/app/${app}/checklistItem/${made.body.id}`
    const changed = await world.admin.put(path, {
      title: '',
      fourEyes: true,
      owners: [
        { type: 'group', id: 'grp_0' },
        { type: 'user', id: 'nobody@acme.example' },
      ],
      placement: { stepType: 'submission' },
    })
    assert.sameMembers(errorsOf(changed), [
      '/title min_length',
      '/fourEyes approvals_only',
      '/owners/0/id unknown_owner',
      '/owners/1/id unknown_owner',
      '/placement/stepType step_mismatch',
    ])
    assert.deepEqual((await world.admin.get(path)).body, made.body)
  })

  test('a placement may have null for one of its members, if the other one names the step', async ({
    assert,
  }) => {
    const { world, app } = await makeRelease()
    const { body: item } = await world.admin.post(`/app/${app}/checklistItem`, {
      title: 'A',
      stepType: 'submission',
    })
    const path = `/app/${app}/checklistItem/${item.id}`
    const move = (placement: object) => world.admin.put(path, { placement })
    const { body: detail } = await world.admin.get(`/app/${app}`)
    const { id: stepConfigId } = detail.steps.find(({ type }: any) => type === 'screenshots')

    assert.equal((await move({ stepType: 'submission', stepConfigId: null })).status, 200)
    assert.deepEqual(errorsOf(await move({ stepType: null })), ['/placement/stepType required'])
    const pinned = await move({ stepType: null, stepConfigId })
    assert.equal(pinned.body.placement.stepConfigId, stepConfigId)
    assert.equal((await move({ stepType: null })).status, 200)
    const withoutStep = await move({ stepConfigId: null })
    assert.deepEqual(errorsOf(withoutStep), ['/placement/stepConfigId required'])
    assert.deepEqual((await world.admin.get(path)).body.placement, pinned.body.placement)
    const back = await move({ stepConfigId: null, stepType: 'submission' })
    assert.containSubset(back.body.placement, { stepConfigId: null, stepType: 'submission' })
  })

  test('all errors are listed when the status of the item is set', async ({ assert }) => {
    const fixture = await makeRelease()
    const { world } = fixture
    const { path } = await makeApproval(fixture)
    const put = (body: object) => world.admin.put(`${path}/status`, body)
    const wellFormed = await put({
      status: 'passed',
      userEmail: 'nobody@acme.example',
      breakGlass: { reason: 'The store closes in an hour' },
    })
    assert.sameMembers(errorsOf(wellFormed), [
      '/status illegal_status',
      '/breakGlass approved_only',
      '/userEmail unknown_user',
    ])
    const malformed = await put({ status: 'passed', comment: 5, userEmail: 'nobody@acme.example' })
    assert.sameMembers(errorsOf(malformed), [
      '/comment string',
      '/status illegal_status',
      '/userEmail unknown_user',
    ])
  })

  test('each item of a batch has one error, whose text lists all errors of the item', async ({
    assert,
  }) => {
    const { world, app, releaseId } = await makeRelease()
    const path = `/app/${app}/regressionItems/batch`
    const owners = [{ type: 'group', id: 'grp_0' }]
    const made = await world.admin.post(path, {
      items: [
        { title: 'A' },
        { title: '', required: null, owners },
        { title: 'C', fourEyes: true, owners },
      ],
    })
    assert.equal(made.status, 200)
    const [shape, rules] = made.body.errors
    assert.deepEqual([shape.index, shape.code, rules.code], [1, 'min_length', 'approvals_only'])
    for (const part of [/title/, /required field cannot be null/, /no group "grp_0"/]) {
      assert.match(shape.error, part)
    }
    assert.match(rules.error, /fourEyes is for approvals.*; There is no group "grp_0"/)
    const items = [{ id: made.body.created[0].id, status: 'approved', comment: 5 }]
    const set = await world.admin.put(path, { releaseId, items })
    assert.match(set.body.errors[0].error, /comment.*; An item of kind regression/)
  })
})

test.group('Missing rights to change an item', () => {
  test('the refusal names the user action that the kind of item needs', async ({ assert }) => {
    const fixture = await makeRelease()
    const { world, app, releaseId } = fixture
    const { path } = await makeApproval(fixture)
    const reader = await world.keyed()
    const tester = await makeGroupKey(world, 'UpdateRegressionTesting')
    const NEEDED = { missingActions: ['UpdateApprovalItemStatus'] }
    for (const key of [reader, tester]) {
      const responses = [
        await key.put(`${path}/status`, { status: 'approved' }),
        await key.put(`${path}/comment`, { comment: 'Looks good' }),
      ]
      for (const { status, body } of responses) {
        assert.equal(status, 403)
        assert.containSubset(body, { code: 'action_missing', ...NEEDED })
        assert.equal(
          body.detail,
          'This needs the user action UpdateApprovalItemStatus, or ownership of the item.'
        )
      }
    }
    const { body } = await world.admin.post(`/app/${app}/regressionItem`, { title: 'A' })
    const other = `/app/${app}/release/${releaseId}/checklistItem/${body.id}/status`
    const refused = await reader.put(other, { status: 'passed' })
    assert.equal(refused.body.detail, 'This needs the user action UpdateRegressionTesting.')
  })
})
