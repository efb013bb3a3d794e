import { test } from '@japa/runner'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { LEGAL_ITEM_STATUSES } from '#releases/engine/item_statuses'
import { makeWorld } from '#tests/support/world'
import { makeItem, makeTrain, setItem, reported } from './helpers/release_world.js'

const codes = (conditions: { code: string }[]) => conditions.map(({ code }) => code)

test.group('GET /app/{appId}/release/{releaseId}/whyNotMoving', () => {
  test('200 lists the unmet conditions of each step and who can meet them', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { admin, path, app } = train
    const item = await makeItem(train, {
      kind: 'approval',
      stepType: 'approvals',
      title: 'Legal agrees',
    })
    const { status, body } = await admin.get(path('1.0.0') + '/whyNotMoving')
    assert.equal(status, 200)
    assert.containsSubset(body, {
      releaseId: `${app}:1.0.0`,
      status: 'active',
      phase: 'upcoming',
      readyToSubmit: false,
      readyToRelease: false,
      next: [],
    })
    assert.deepEqual(codes(body.release), ['not_kicked_off'])
    assert.containsSubset(body.release[0].who, [
      { type: 'userAction', name: 'CreateBranchPromoteCode' },
    ])
    const [approvals] = body.steps.filter((step: { type: string }) => step.type === 'approvals')
    assert.containsSubset(approvals.unmet, [
      {
        code: 'item_not_done',
        subject: { type: 'approval', id: item, name: 'Legal agrees' },
        who: [{ type: 'userAction', name: 'UpdateApprovalItemStatus' }],
      },
    ])
  })

  test('200 the reasons change with the release until its end', async ({ assert }) => {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    const { admin, path } = train
    const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    const reasons = async (version = '1.0.0') =>
      codes((await admin.get(path(version) + '/whyNotMoving')).body.release)
    assert.deepEqual(await reasons('1.1.0'), ['train_held', 'not_kicked_off'])
    const { body: upcoming } = await admin.get(path('1.1.0') + '/whyNotMoving')
    assert.deepEqual(upcoming.release[0].subject, {
      type: 'release',
      id: `${train.app}:1.0.0`,
      name: '1.0.0',
    })
    await admin.put(path('1.0.0') + '/kickoff')
    assert.deepEqual(await reasons(), ['required_step_incomplete'])
    await setItem(train, '1.0.0', item, 'approved')
    assert.deepEqual(await reasons(), ['not_submitted'])
    await admin.put(path('1.0.0') + '/complete')
    assert.deepEqual(await reasons(), [])
    await admin.put(path('1.1.0') + '/skip')
    assert.deepEqual(await reasons('1.1.0'), ['release_skipped'])
  })

  test('200 ifItem answers for hypothetical changes without making them', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { world, admin, path, detail } = train
    const one = await makeItem(train, { kind: 'approval', stepType: 'approvals', title: 'One' })
    const two = await makeItem(train, { kind: 'approval', stepType: 'approvals', title: 'Two' })
    await admin.put(path('1.0.0') + '/kickoff')
    const [before, events] = [await detail('1.0.0'), await reported(world)]
    const ask = async (...ifItems: string[]) => {
      const query = ifItems.map((each) => `ifItem=${encodeURIComponent(each)}`).join('&')
      return (await admin.get(`${path('1.0.0')}/whyNotMoving?${query}`)).body
    }
    assert.containsSubset(await ask(`${one}:approved`), { readyToSubmit: false })
    const both = await ask(`${one}:approved`, `${two}:approved`)
    assert.containsSubset(both, { readyToSubmit: true, phase: 'readyToSubmit' })
    assert.deepEqual(codes(both.release), ['not_submitted'])
    const rejected = await ask(`${one}:approved`, `${two}:approved`, `${two}:rejected`)
    const [step] = rejected.steps.filter((each: { type: string }) => each.type === 'approvals')
    assert.equal(step.status, 'blocked')
    assert.deepEqual(codes(step.unmet), ['item_blocked'])
    assert.deepEqual(await detail('1.0.0'), before)
    assert.deepEqual(await reported(world), events)

    await setItem(train, '1.0.0', one, 'approved')
    await setItem(train, '1.0.0', two, 'approved')
    const { body } = await admin.get(path('1.0.0') + '/whyNotMoving')
    assert.deepEqual(body, both)
  })

  test('200 ifItem accepts every legal status of every kind', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    await train.admin.put(train.path('1.0.0') + '/kickoff')
    for (const kind of ['checklist', 'approval', 'regression'] as const) {
      const item = await makeItem(train, { kind, stepType: 'submission' })
      for (const status of LEGAL_ITEM_STATUSES[kind]) {
        const query = `ifItem=${item}:${status}`
        const response = await train.admin.get(`${train.path('1.0.0')}/whyNotMoving?${query}`)
        assert.equal(response.status, 200, `${kind} ${status}`)
      }
    }
  })

  test('422 lists every invalid hypothetical change', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    const theirs = await makeItem(stranger, { kind: 'approval', stepType: 'approvals' })
    const broken: [string, string][] = [
      ['nothing', 'format'],
      ['', 'format'],
      ['nothing:approved', 'unknown_item'],
      [`${theirs}:approved`, 'unknown_item'],
      [`${item}:passed`, 'illegal_status'],
      [`${item}:nonsense`, 'illegal_status'],
      [`${item}:`, 'illegal_status'],
    ]
    const query = broken.map(([text]) => `ifItem=${encodeURIComponent(text)}`).join('&')
    const { status, body } = await train.admin.get(`${train.path('1.0.0')}/whyNotMoving?${query}`)
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ parameter, code }: any) => [parameter, code]),
      broken.map(([, code]) => ['ifItem', code])
    )
    assert.match(
      body.errors[4].message,
      /kind approval can be notStarted, .* blocked, but not passed/
    )
  })

  test('200 names the groups with members that hold a user action', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    await makeUser(world, 'grace@acme.example', ['Engineering Managers'])
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const { body } = await world.admin.get(`/app/${app}/release/${app}:1.0.0/whyNotMoving`)
    const [kickoff] = body.steps[0].unmet
    assert.deepEqual(
      kickoff.who.map((each: { type: string; name: string }) => [each.type, each.name]).slice(-2),
      [
        ['userAction', 'CreateBranchPromoteCode'],
        ['group', 'Engineering Managers'],
      ]
    )
  })

  test('404 for another organization', async ({ assert }) => {
    const { admin } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    assert.equal((await admin.get(stranger.path('1.0.0') + '/whyNotMoving')).status, 404)
  })
})
