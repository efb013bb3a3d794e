import { test } from '@japa/runner'
import { CreateUser } from '#organizations/actions/create_user'
import { yieldsOf } from '#tests/support/yields'
import { makeWorld } from '#tests/support/world'
import { AssignGroups } from '../actions/assign_groups.js'

async function crew() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}`
  await world.write(async (scope) => {
    for (const email of ['ada@acme.example', 'bob@acme.example']) {
      await new CreateUser(scope).handle({ email })
    }
  })
  const make = async (name: string) =>
    (await world.admin.post(`${path}/group`, { name, userActions: [] })).body.id as string
  const [security, web] = [await make('Security'), await make('Web')]
  const { body: groups } = await world.admin.get(`${path}/group`)
  return { world, path: `${path}/users/groups`, security, web, pilots: groups[0].id as string }
}

test.group('PUT /org/{orgId}/users/groups', () => {
  test('changing many users does not block the event loop', async ({ assert }) => {
    const { world, security } = await crew()
    const many = Array.from({ length: 30 }, (_, index) => `user${index}@acme.example`)
    await world.write(async (scope) => {
      for (const email of many) await new CreateUser(scope).handle({ email })
    })
    const assignments = many.map((email) => ({ email, groupIds: [security] }))
    const turns = await world.write((scope) =>
      yieldsOf(() => new AssignGroups(scope).handle(assignments))
    )
    assert.isAtLeast(turns, many.length)
  })

  test('200 replaces the custom groups of each user', async ({ assert }) => {
    const { world, path, security, web } = await crew()
    const first = await world.admin.put(path, {
      users: [
        { email: 'Ada@acme.example', groupIds: [web, security] },
        { email: 'bob@acme.example', groupIds: [] },
      ],
    })
    assert.equal(first.status, 200)
    assert.deepEqual(first.body.summary, { total: 2, updated: 1, unchanged: 1, failed: 0 })
    const [ada] = first.body.users
    assert.deepEqual(ada.groups, [
      { id: security, name: 'Security' },
      { id: web, name: 'Web' },
    ])
    assert.deepEqual(ada.added, ada.groups)

    const second = await world.admin.put(path, { email: 'ada@acme.example', groupIds: [web, web] })
    assert.deepEqual(second.body.users[0].removed, [{ id: security, name: 'Security' }])
    assert.deepEqual(second.body.users[0].groups, [{ id: web, name: 'Web' }])
    const again = await world.admin.put(path, { email: 'ada@acme.example', groupIds: [web] })
    assert.deepEqual(again.body.summary, { total: 1, updated: 0, unchanged: 1, failed: 0 })
  })

  test('200 leaves default groups as they are', async ({ assert }) => {
    const { world, path, web, pilots } = await crew()
    await world.write((scope) =>
      new CreateUser(scope).handle({ email: 'eve@acme.example', groupIds: [pilots] })
    )
    await world.admin.put(path, { email: 'eve@acme.example', groupIds: [web] })
    const group = await world.admin.get(`/org/${world.organizationId}/group/${pilots}`)
    assert.deepEqual(
      group.body.members.map(({ email }: any) => email),
      ['eve@acme.example']
    )
  })

  test('200 changes the other users if one cannot be changed', async ({ assert }) => {
    const { world, path, web, pilots } = await crew()
    const { status, body } = await world.admin.put(path, {
      users: [
        { email: 'nobody@acme.example', groupIds: [web] },
        { email: 'ada@acme.example', groupIds: [web] },
        { email: 'ADA@acme.example', groupIds: [] },
        { email: 'bob@acme.example', groupIds: ['grp_absent'] },
        { email: 'bob@acme.example', groupIds: [pilots] },
      ],
    })
    assert.equal(status, 200)
    assert.deepEqual(body.summary, { total: 5, updated: 1, unchanged: 0, failed: 4 })
    assert.deepEqual(
      body.users.map(({ code }: any) => code ?? null),
      ['unknown_user', null, 'duplicate', 'unknown_group', 'duplicate']
    )
    const ofDefault = await world.admin.put(path, {
      users: [
        { email: 'bob@acme.example', groupIds: [pilots] },
        { email: 'ada@acme.example', groupIds: [] },
      ],
    })
    assert.equal(ofDefault.body.users[0].code, 'default_group')
  })

  test('422 with all errors if no user could be changed', async ({ assert }) => {
    const { world, path, web } = await crew()
    const { status, body } = await world.admin.put(path, {
      email: 'nobody@acme.example',
      groupIds: [web],
    })
    assert.equal(status, 422)
    assert.equal(body.code, 'all_items_failed')
    assert.sameMembers(Object.keys(body.users[0]), ['email', 'code', 'error'])
    assert.equal(body.users[0].code, 'unknown_user')
    assert.equal(body.summary.failed, 1)
  })

  test('422 for a body in neither of the two forms', async ({ assert }) => {
    const { world, path } = await crew()
    for (const json of [
      {},
      { email: 'ada@acme.example' },
      { users: [] },
      { users: [{ email: 'ada@acme.example', groupIds: [] }], email: 'bob@acme.example' },
      { users: [{ email: 'ada@acme.example' }] },
      { users: Array.from({ length: 501 }, () => ({ email: 'a@b.example', groupIds: [] })) },
    ]) {
      const { status, body } = await world.admin.put(path, json)
      assert.equal(status, 422)
      assert.equal(body.code, 'invalid_input')
    }
  })
})
