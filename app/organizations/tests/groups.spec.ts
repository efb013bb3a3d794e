import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { CreateKey } from '#organizations/actions/create_key'
import { CreateUser } from '#organizations/actions/create_user'
import { defaultGroups } from '#organizations/vocabulary'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'

async function withPeople(...emails: string[]) {
  const world = await makeWorld()
  const ids = await world.write(async (scope) => {
    const users = []
    for (const email of emails) users.push(await new CreateUser(scope).handle({ email }))
    return users.map(({ id }) => id)
  })
  return { world, ids, path: `/org/${world.organizationId}/group` }
}

const auditActions = async (world: World) =>
  (await db.from('audit_entries').where('organization_id', world.organizationId)).map(
    ({ action }) => action
  )

test.group('GET /org/{orgId}/group', () => {
  test('200 is a bare array: the default groups, then custom ones by name', async ({ assert }) => {
    const { world, path } = await withPeople()
    await world.admin.post(path, { name: 'zebra', userActions: [] })
    await world.admin.post(path, { name: 'Alpha', userActions: [] })
    const { status, body } = await world.admin.get(path)
    assert.equal(status, 200)
    assert.isArray(body)
    assert.sameMembers(
      body.filter((group: any) => group.isDefault).map((group: any) => group.name),
      defaultGroups.map(({ name }) => name)
    )
    assert.deepEqual(
      body.slice(defaultGroups.length).map((group: any) => group.name),
      ['Alpha', 'zebra']
    )
  })
})

test.group('POST /org/{orgId}/group', () => {
  test('201 and 200 for a name that is longer in lower case', async ({ assert }) => {
    const { world, path } = await withPeople()
    const made = await world.admin.post(path, { name: 'İ'.repeat(100), userActions: [] })
    assert.equal(made.status, 201)
    const renamed = await world.admin.put(`${path}/${made.body.id}`, { name: 'İ'.repeat(99) })
    assert.equal(renamed.status, 200)
    const taken = await world.admin.post(path, { name: 'İ'.repeat(99), userActions: [] })
    assert.equal(taken.body.code, 'name_taken')
  })

  test('201 with the path of the group, its actions in order and its members', async ({
    assert,
  }) => {
    const { world, path, ids } = await withPeople('ada@acme.example')
    const { status, body, headers } = await world.admin.post(path, {
      id: 'grp_mine',
      isDefault: true,
      name: '  Security ',
      userActions: ['SubmitForReview', 'EditRelease', 'SubmitForReview'],
      userEmails: ['ADA@acme.example'],
    })
    assert.equal(status, 201)
    assert.equal(headers.location, `${path}/${body.id}`)
    assert.notEqual(body.id, 'grp_mine')
    assert.containsSubset(body, {
      name: 'Security',
      isDefault: false,
      userActions: ['EditRelease', 'SubmitForReview'],
      members: [{ id: ids[0], email: 'ada@acme.example', name: null }],
    })
    assert.deepEqual((await world.admin.get(headers.location)).body, body)
    assert.include(await auditActions(world), 'group.created')
  })

  test('409 for a name that is taken, ignoring case, including default names', async ({
    assert,
  }) => {
    const { world, path } = await withPeople()
    await world.admin.post(path, { name: 'Security', userActions: [] })
    for (const name of ['SECURITY', 'qa']) {
      const { status, body } = await world.admin.post(path, { name, userActions: [] })
      assert.equal(status, 409)
      assert.equal(body.code, 'name_taken')
    }
  })

  test('422 lists every broken field and writes nothing', async ({ assert }) => {
    const { world, path } = await withPeople()
    const before = (await world.admin.get(path)).text
    const broken: [unknown, string][] = [
      [{ name: '  ', userActions: [] }, '/name'],
      [{ name: 'x'.repeat(101), userActions: [] }, '/name'],
      [{ name: 5, userActions: [] }, '/name'],
      [{ name: 'A' }, '/userActions'],
      [{ name: 'A', userActions: ['Fly'] }, '/userActions/0'],
      [{ name: 'A', userActions: 'EditRelease' }, '/userActions'],
      [{ name: 'A', userActions: [], userEmails: ['nobody@acme.example'] }, '/userEmails/0'],
      [{ name: 'A', userActions: [], userEmails: ['no address'] }, '/userEmails/0'],
    ]
    for (const [json, pointer] of broken) {
      const { status, body } = await world.admin.post(path, json)
      assert.equal(status, 422, JSON.stringify(json))
      assert.equal(body.errors[0].pointer, pointer)
    }
    const many = await world.admin.post(path, { userActions: ['Fly', 'Swim'] })
    assert.lengthOf(many.body.errors, 3)
    assert.equal((await world.admin.get(path)).text, before)
  })

  test('403 names the missing action', async ({ assert }) => {
    const { world, path } = await withPeople()
    const engineer = await world.keyed({ groups: ['Engineers'] })
    const { status, body } = await engineer.post(path, { name: 'A', userActions: [] })
    assert.equal(status, 403)
    assert.deepEqual(body.missingActions, ['ManageUsersGroups'])
    const manager = await world.keyed({ groups: ['Engineering Managers'] })
    assert.equal((await manager.post(path, { name: 'A', userActions: [] })).status, 201)
  })
})

test.group('PUT /org/{orgId}/group/{groupId}', () => {
  test('200 changes given members; lists replace, null empties, absent members stay', async ({
    assert,
  }) => {
    const { world, path } = await withPeople('ada@acme.example', 'bob@acme.example')
    const { body: made } = await world.admin.post(path, {
      name: 'Security',
      userActions: ['EditRelease'],
      userEmails: ['ada@acme.example'],
    })
    const emailsOf = (group: any) => group.members.map((member: any) => member.email)
    const at = `${path}/${made.id}`

    const renamed = await world.admin.put(at, { name: 'security' })
    assert.equal(renamed.status, 200)
    assert.equal(renamed.body.name, 'security')
    assert.deepEqual(renamed.body.userActions, ['EditRelease'])
    assert.deepEqual(emailsOf(renamed.body), ['ada@acme.example'])

    const moved = await world.admin.put(at, { userEmails: ['bob@acme.example'] })
    assert.deepEqual(emailsOf(moved.body), ['bob@acme.example'])
    const emptied = await world.admin.put(at, { userEmails: null, userActions: [] })
    assert.deepEqual([emptied.body.members, emptied.body.userActions], [[], []])
    assert.equal(emptied.headers.etag, (await world.admin.get(at)).headers.etag)
  })

  test('equal values write nothing', async ({ assert }) => {
    const { world, path } = await withPeople('ada@acme.example')
    const input = {
      name: 'Security',
      userActions: ['EditRelease'],
      userEmails: ['ada@acme.example'],
    }
    const { body: made } = await world.admin.post(path, input)
    const before = await auditActions(world)
    const again = await world.admin.put(`${path}/${made.id}`, input)
    assert.deepEqual(again.body, made)
    assert.deepEqual(await auditActions(world), before)
  })

  test('a key has the actions of its group at once', async ({ assert }) => {
    const { world, path } = await withPeople()
    const { body: made } = await world.admin.post(path, { name: 'Crew', userActions: [] })
    const member = await world.keyed({ groups: ['Crew'] })
    assert.equal((await member.post(path, { name: 'A', userActions: [] })).status, 403)
    await world.admin.put(`${path}/${made.id}`, { userActions: ['ManageUsersGroups'] })
    assert.equal((await member.post(path, { name: 'A', userActions: [] })).status, 201)
  })

  test('409 for a default group and for the name of another', async ({ assert }) => {
    const { world, path } = await withPeople()
    const { body: groups } = await world.admin.get(path)
    const ofDefault = await world.admin.put(`${path}/${groups[0].id}`, { userActions: [] })
    assert.equal(ofDefault.body.code, 'default_group')
    const { body: made } = await world.admin.post(path, { name: 'Crew', userActions: [] })
    const taken = await world.admin.put(`${path}/${made.id}`, { name: 'Ops' })
    assert.equal(taken.body.code, 'name_taken')
  })

  test('412 for a stale tag, 428 without one if the organization requires it', async ({
    assert,
  }) => {
    const { world, path } = await withPeople()
    const { body: made } = await world.admin.post(path, { name: 'Crew', userActions: [] })
    const at = `${path}/${made.id}`
    const { etag } = (await world.admin.get(at)).headers
    const first = await world.admin.put(at, { name: 'B' }, { headers: { 'if-match': etag } })
    assert.equal(first.status, 200)
    const stale = await world.admin.put(at, { name: 'C' }, { headers: { 'if-match': etag } })
    assert.equal(stale.status, 412)
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ require_if_match: true })
    assert.equal((await world.admin.put(at, { name: 'C' })).status, 428)
    const headers = { 'if-match': first.headers.etag }
    assert.equal((await world.admin.delete(at, undefined, { headers })).status, 204)
  })
})

test.group('DELETE /org/{orgId}/group/{groupId}', () => {
  test('204 removes the group from memberships and key scopes', async ({ assert }) => {
    const { world, path } = await withPeople('ada@acme.example')
    const { body: made } = await world.admin.post(path, {
      name: 'Crew',
      userActions: ['ManageUsersGroups'],
      userEmails: ['ada@acme.example'],
    })
    const { key } = await world.write((scope) =>
      new CreateKey(scope).handle({ name: 'k', groupIds: [made.id] })
    )
    const { status, text } = await world.admin.delete(`${path}/${made.id}`)
    assert.deepEqual([status, text], [204, ''])
    assert.equal((await world.admin.get(`${path}/${made.id}`)).status, 404)
    for (const table of ['group_members', 'api_key_groups']) {
      assert.lengthOf(await db.from(table).where('group_id', made.id), 0)
    }
    const bereft = await new Api(key).post(path, { name: 'A', userActions: [] })
    assert.equal(bereft.status, 403)
    assert.equal((await world.admin.delete(`${path}/${made.id}`)).status, 404)
  })

  test('204 removes the group from bucket members and item owners', async ({ assert }) => {
    const { world, path, ids } = await withPeople('ada@acme.example')
    const { body: made } = await world.admin.post(path, { name: 'Crew', userActions: [] })
    const user = { type: 'user', id: ids[0], name: 'ada@acme.example' }
    const parties = [{ type: 'group', id: made.id, name: 'Crew' }, user]
    const appId = await makeApp(world)
    const rows = await world.write(async (scope) => {
      const dates = { created_at: scope.now, updated_at: scope.now }
      await scope.insertStored('buckets', [
        {
          ...dates,
          app_id: appId,
          id: `bucket_${made.id}`,
          name: 'B',
          type: 'custom',
          status: 'active',
          org_wide_access_enabled: false,
          notifications_enabled: false,
          position: 0,
          members: JSON.stringify(parties),
          rules: '[]',
        },
      ])
      await scope.insertStored('checklist_items', [
        {
          ...dates,
          app_id: appId,
          id: `item_${made.id}`,
          kind: 'checklist',
          title: 'T',
          release_types: '[]',
          owners: JSON.stringify(parties),
          required: true,
          notify_on_completion: true,
          position: 0,
          settings: '{}',
        },
      ])
      return { bucket: `bucket_${made.id}`, item: `item_${made.id}` }
    })
    await world.admin.delete(`${path}/${made.id}`)
    const bucket = await db.from('buckets').where('id', rows.bucket).firstOrFail()
    const item = await db.from('checklist_items').where('id', rows.item).firstOrFail()
    assert.deepEqual(JSON.parse(bucket.members), [user])
    assert.deepEqual(JSON.parse(item.owners), [user])
  })

  test('409 for a default group', async ({ assert }) => {
    const { world, path } = await withPeople()
    const { body: groups } = await world.admin.get(path)
    const { status, body } = await world.admin.delete(`${path}/${groups[0].id}`)
    assert.equal(status, 409)
    assert.equal(body.code, 'default_group')
  })
})
