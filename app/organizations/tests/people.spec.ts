import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeSignedIn, makeUser } from '#tests/support/app_fixture'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld, type World } from '#tests/support/world'
import { UpdateOrganization } from '../actions/update_organization.js'
import { requirePerson } from '../queries/on_behalf_of.js'
import type { UserAction } from '../vocabulary.js'

/** Makes an organization with an admin who is signed in; `path` is that of its people. */
async function office() {
  const world = await makeWorld()
  await world.write((scope) =>
    new UpdateOrganization(scope).handle({ roleBasedAccessEnabled: true })
  )
  const adaId = await makeSignedIn(world, { email: 'ada@acme.example' })
  const path = `/org/${world.organizationId}/user`
  return { world, path, adaId, ada: new Api(adaId), at: (id: string) => `${path}/${id}` }
}

async function makeGroup(world: World, name: string, ...userActions: UserAction[]) {
  const { body } = await world.admin.post(`/org/${world.organizationId}/group`, {
    name,
    userActions,
  })
  return body.id as string
}

const defaultGroup = async ({ organizationId }: World, name: string): Promise<string> =>
  (await db.from('groups').where({ organization_id: organizationId, name }).firstOrFail()).id

/** Signs in a person who may manage groups and edit releases, but is no admin. */
async function manager(world: World) {
  const id = await makeSignedIn(world, { email: 'mel@acme.example', admin: false })
  const crew = await makeGroup(world, 'Managers', 'ManageUsersGroups', 'EditRelease')
  await world.admin.patch(`/org/${world.organizationId}/user/${id}`, { groupIds: [crew] })
  return new Api(id)
}

/** Asserts that a request is refused and writes nothing. */
async function refusing(
  { organizationId }: World,
  ask: () => Promise<{ status: number; body: any }>
): Promise<string> {
  const before = await snapshot([organizationId])
  const { status, body } = await ask()
  const after = await snapshot([organizationId])
  return JSON.stringify(before) === JSON.stringify(after) ? `${status} ${body.code}` : 'written'
}

test.group('listUsers and getUser', () => {
  test('200 in pages by address, with groups and status', async ({ assert }) => {
    const { world, path, ada, adaId, at } = await office()
    const eve = await makeUser(world, 'eve@acme.example', ['QA'])
    const grace = (await ada.post(path, { email: 'Grace@acme.example' })).body.id
    await ada.put(`${at(eve)}/deactivate`)
    const first = await ada.get(`${path}?limit=2`)
    assert.deepEqual(
      first.body.data.map(({ id, status }: any) => [id, status]),
      [
        [adaId, 'active'],
        [eve, 'deactivated'],
      ]
    )
    const { nextCursor } = first.body.pagination
    const rest = await ada.get(`${path}?limit=2&cursor=${nextCursor}`)
    assert.deepEqual(
      rest.body.data.map(({ id, email, status }: any) => [id, email, status]),
      [[grace, 'grace@acme.example', 'invited']]
    )
    for (const [status, id] of [
      ['invited', grace],
      ['active', adaId],
      ['deactivated', eve],
    ]) {
      const { body } = await ada.get(`${path}?status=${status}`)
      assert.deepEqual([body.data.length, body.data[0].id], [1, id])
    }
    assert.deepEqual((await ada.get(at(adaId))).body, first.body.data[0])
  })
})

test.group('createUser', () => {
  test('201 adds an invited person to groups; the audit names the requester', async ({
    assert,
  }) => {
    const { world, path, ada, adaId } = await office()
    const qa = await defaultGroup(world, 'QA')
    const requested = { email: 'Grace@Acme.example', name: ' Grace Hopper ', groupIds: [qa] }
    const { status, body, headers } = await ada.post(path, requested)
    assert.equal(status, 201)
    assert.containsSubset(body, {
      email: 'grace@acme.example',
      name: 'Grace Hopper',
      status: 'invited',
      admin: false,
      groups: [{ id: qa, name: 'QA' }],
    })
    assert.equal(headers.location, `${path}/${body.id}`)
    const entry = await db.from('audit_entries').where('subject', body.id).firstOrFail()
    assert.equal(entry.action, 'user.created')
    assert.deepEqual(JSON.parse(entry.actor), { type: 'user', id: adaId, name: 'ada' })
  })

  test('409 for a taken address, with its field', async ({ assert }) => {
    const { world, path, ada } = await office()
    const ask = () => ada.post(path, { email: 'ADA@acme.example' })
    assert.equal(await refusing(world, ask), '409 conflict')
    assert.equal((await ask()).body.errors[0].pointer, '/email')
  })

  test('422 for an invalid address, and for a group of another organization', async ({
    assert,
  }) => {
    const { world, path, ada } = await office()
    const elsewhere = await makeGroup(await makeWorld(), 'Crew')
    for (const requested of [
      { email: 'nobody' },
      { email: 'a@b.example', groupIds: [elsewhere] },
    ]) {
      assert.equal(await refusing(world, () => ada.post(path, requested)), '422 invalid_input')
    }
  })

  test('403 for a requester who may only manage groups', async ({ assert }) => {
    const { world, path } = await office()
    const mel = await manager(world)
    const ask = () => mel.post(path, { email: 'eve@acme.example' })
    assert.equal(await refusing(world, ask), '403 admin_required')
  })
})

test.group('updateUser', () => {
  test('200 changes the name, the groups and whether the person is an admin', async ({
    assert,
  }) => {
    const { world, ada, at } = await office()
    const [qa, design] = [await defaultGroup(world, 'QA'), await defaultGroup(world, 'Design')]
    const eve = await makeUser(world, 'eve@acme.example', ['QA'])
    const change = { name: 'Eve', groupIds: [design], admin: true }
    const { status, body } = await ada.patch(at(eve), change)
    assert.equal(status, 200)
    assert.containsSubset(body, { name: 'Eve', admin: true, email: 'eve@acme.example' })
    assert.deepEqual(body.groups, [{ id: design, name: 'Design' }])
    const entry = await db.from('audit_entries').where('subject', eve).firstOrFail()
    assert.containsSubset(JSON.parse(entry.data), { added: [design], removed: [qa], admin: true })
    const unnamed = await ada.patch(at(eve), { name: null })
    assert.deepEqual([unnamed.body.name, unnamed.body.admin], [null, true])
  })

  test('200 for a manager of groups: custom groups with rights that they hold themselves', async ({
    assert,
  }) => {
    const { world, at } = await office()
    const mel = await manager(world)
    const eve = await makeUser(world, 'eve@acme.example', ['QA'])
    const qa = await defaultGroup(world, 'QA')
    const crew = await makeGroup(world, 'Crew', 'EditRelease')
    const joined = await mel.patch(at(eve), { groupIds: [qa, crew] })
    assert.deepEqual([joined.status, joined.body.groups.length], [200, 2])

    const store = await makeGroup(world, 'Store', 'EditRelease', 'SubmitForReview')
    const ask = (json: object) => refusing(world, () => mel.patch(at(eve), json))
    assert.equal(await ask({ groupIds: [qa, store] }), '403 action_missing')
    assert.equal(await ask({ groupIds: [crew] }), '403 admin_required')
    assert.equal(await ask({ admin: true }), '403 admin_required')
  })

  test('403 for granting more by a change of the groups themselves', async ({ assert }) => {
    const { world } = await office()
    const mel = await manager(world)
    const org = `/org/${world.organizationId}`
    const crew = await makeGroup(world, 'Crew', 'EditRelease')
    const store = await makeGroup(world, 'Store', 'SubmitForReview')
    const api = await world.keyed({ groups: ['Managers'] })
    const name = 'Escape'
    for (const ask of [
      () => api.post(`${org}/group`, { name, userActions: ['SubmitForReview'] }),
      () => api.put(`${org}/group/${crew}`, { userActions: ['EditRelease', 'SubmitForReview'] }),
      () => api.put(`${org}/group/${store}`, { userEmails: ['mel@acme.example'] }),
    ]) {
      assert.equal(await refusing(world, ask), '403 action_missing')
    }
    const assign = { email: 'mel@acme.example', groupIds: [store] }
    const assigned = await api.put(`${org}/users/groups`, assign)
    assert.deepEqual([assigned.status, assigned.body.users[0].code], [422, 'action_missing'])
    // A granted right can be taken away, and granted again by anybody who holds it.
    const less = await api.put(`${org}/group/${store}`, { userActions: [], name: 'Store crew' })
    assert.equal(less.status, 200)
    assert.equal((await mel.get(`${org}/user`)).status, 200)
  })

  test('409 last_admin while no other key or person may do everything', async ({ assert }) => {
    const { world, ada, adaId, at } = await office()
    await db.from('api_keys').where('organization_id', world.organizationId).delete()
    const ask = () => ada.patch(at(adaId), { admin: false })
    assert.equal(await refusing(world, ask), '409 last_admin')
    await makeSignedIn(world, { email: 'grace@acme.example' })
    assert.equal((await ask()).status, 200)
  })

  test('412 for a stale tag', async ({ assert }) => {
    const { ada, adaId, at } = await office()
    const { headers } = await ada.get(at(adaId))
    const send = (name: string) =>
      ada.patch(at(adaId), { name }, { headers: { 'if-match': headers.etag } })
    assert.equal((await send('Ada Lovelace')).status, 200)
    assert.equal((await send('Ada King')).status, 412)
  })
})

test.group('deactivateUser and activateUser', () => {
  test('200 takes all rights at once, and restores them', async ({ assert }) => {
    const { world, ada, at } = await office()
    const [qa, crew] = [await defaultGroup(world, 'QA'), await makeGroup(world, 'Crew')]
    const eve = await makeUser(world, 'eve@acme.example')
    await ada.patch(at(eve), { groupIds: [qa, crew] })
    const { status, body } = await ada.put(`${at(eve)}/deactivate`)
    assert.containsSubset({ status, ...body }, { status: 'deactivated', groups: [] })
    const members = await ada.get(`/org/${world.organizationId}/user?status=deactivated`)
    assert.lengthOf(members.body.data, 1)
    const group = await world.admin.get(`/org/${world.organizationId}/group/${qa}`)
    assert.deepEqual(group.body.members, [])

    await world.admin.delete(`/org/${world.organizationId}/group/${crew}`)
    const back = await ada.put(`${at(eve)}/activate`)
    assert.containsSubset(back.body, { status: 'active', deactivatedAt: null })
    assert.deepEqual(back.body.groups, [{ id: qa, name: 'QA' }])
  })

  test('a deactivated person cannot join groups, and nobody can act on their behalf', async ({
    assert,
  }) => {
    const { world, ada, at } = await office()
    const crew = await makeGroup(world, 'Crew')
    const eve = await makeUser(world, 'eve@acme.example')
    await ada.put(`${at(eve)}/deactivate`)
    const org = `/org/${world.organizationId}`
    const changed = await ada.patch(at(eve), { groupIds: [crew] })
    assert.deepEqual([changed.status, changed.body.currentStatus], [409, 'deactivated'])
    const added = await world.admin.put(`${org}/group/${crew}`, {
      userEmails: ['eve@acme.example'],
    })
    assert.deepEqual([added.status, added.body.errors[0].code], [422, 'deactivated_user'])
    const assigned = await world.admin.put(`${org}/users/groups`, {
      email: 'eve@acme.example',
      groupIds: [crew],
    })
    assert.equal(assigned.body.users[0].code, 'deactivated_user')
    const spoken = world.write((scope) => requirePerson(scope, 'eve@acme.example'))
    await assert.rejects(() => spoken, /no user/)
  })

  test('a signed-in person loses all rights at once', async ({ assert }) => {
    const { world, path, ada, at } = await office()
    const grace = await makeSignedIn(world, { email: 'grace@acme.example' })
    const status = async () => (await new Api(grace).get(path)).status
    assert.equal(await status(), 200)
    await ada.put(`${at(grace)}/deactivate`)
    assert.equal(await status(), 401)
    await ada.put(`${at(grace)}/activate`)
    assert.equal(await status(), 200)
  })

  test('409 last_admin while no other key or person may do everything', async ({ assert }) => {
    const { world, ada, adaId, at } = await office()
    await db.from('api_keys').where('organization_id', world.organizationId).delete()
    const ask = () => ada.put(`${at(adaId)}/deactivate`)
    assert.equal(await refusing(world, ask), '409 last_admin')
  })
})
