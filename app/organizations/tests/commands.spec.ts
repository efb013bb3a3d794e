import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { randomText } from '#foundation/core/ids'
import { KeyCreate } from '#organizations/commands/key_create'
import { KeyList } from '#organizations/commands/key_list'
import { KeyRevoke } from '#organizations/commands/key_revoke'
import { KeyRotate } from '#organizations/commands/key_rotate'
import { OrgCreate } from '#organizations/commands/org_create'
import { OrgList } from '#organizations/commands/org_list'
import { OrgUpdate } from '#organizations/commands/org_update'
import { UserCreate } from '#organizations/commands/user_create'
import { UserUpdate } from '#organizations/commands/user_update'
import { apiKeyApps } from '#organizations/tables'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { runCommand } from '#tests/support/console'
import { runAce } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

const lastAudit = async (organizationId: string) =>
  (await db.from('audit_entries').where('organization_id', organizationId).orderBy('created_at'))
    .map(({ action, actor, subject }) => ({ action, actor: JSON.parse(actor), subject }))
    .at(-1)

test.group('org commands', () => {
  test('org:create makes an organization with the default groups', async ({ assert }) => {
    const name = `Acme ${randomText(6)}`
    const { document, code } = await runCommand(OrgCreate, [name])
    assert.equal(code, 0)
    assert.deepEqual(Object.keys(document), ['id', 'name'])
    assert.equal(document.name, name)
    assert.lengthOf(await db.from('groups').where('organization_id', document.id), 10)
    assert.containsSubset(await lastAudit(document.id), {
      action: 'organization.created',
      actor: { type: 'system', name: 'console' },
    })
    const { document: list } = await runCommand(OrgList, [])
    assert.includeDeepMembers(
      list.map((each: any) => ({ id: each.id, name: each.name })),
      [document]
    )
  })

  test('org:update turns settings on and off, and keeps the others', async ({ assert }) => {
    const { organizationId: org } = await makeWorld()
    const on = await runCommand(OrgUpdate, [`--org=${org}`, '--require-if-match'])
    assert.containsSubset(on.document, { requireIfMatch: true, addNewUsersToAllApps: false })
    const off = await runCommand(OrgUpdate, [`--org=${org}`, '--no-require-if-match'])
    assert.containsSubset(off.document, { requireIfMatch: false })
    const nothing = await runCommand(OrgUpdate, [`--org=${org}`])
    assert.equal(nothing.code, 1)
    assert.equal(nothing.stdout, '')
    assert.match(nothing.stderr, /what to change/)
  })

  test('a name identifies an organization only while it is unique', async ({ assert }) => {
    const name = `Twin ${randomText(6)}`
    const first = await makeWorld(name)
    const one = await runCommand(KeyList, [`--org=${name}`])
    assert.lengthOf(one.document, 1)
    const second = await makeWorld(name)
    const two = await runCommand(KeyList, [`--org=${name}`])
    assert.equal(two.code, 1)
    assert.include(two.stderr, first.organizationId)
    assert.include(two.stderr, second.organizationId)
    const none = await runCommand(KeyList, ['--org=Nowhere'])
    assert.deepEqual([none.code, none.stdout], [1, ''])
    assert.equal(none.stderr, 'There is no organization "Nowhere".')
  })
})

test.group('user:create', () => {
  test('adds a person to groups, and to all apps if the organization is set so', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const org = `--org=${world.organizationId}`
    const ada = await runCommand(UserCreate, [
      org,
      '--email=Ada@acme.example',
      '--group=qa',
      '--group=Design',
    ])
    assert.containsSubset(ada.document, { email: 'ada@acme.example', name: null })
    assert.lengthOf(await db.from('group_members').where('user_id', ada.document.id), 2)
    assert.lengthOf(await db.from('app_users').where('app_id', appId), 0)

    await runCommand(OrgUpdate, [org, '--add-new-users-to-all-apps'])
    for (const name of ['bob', 'eve']) {
      await runCommand(UserCreate, [org, `--email=${name}@acme.example`, `--name=${name}`])
    }
    const members = await db.from('app_users').where('app_id', appId).orderBy('position')
    assert.deepEqual(
      members.map(({ position }) => position),
      [0, 1]
    )
    const again = await runCommand(UserCreate, [org, '--email=ADA@acme.example'])
    assert.equal(again.code, 1)
    assert.match(again.stderr, /ada@acme\.example/)
  })
})

test.group('user:update', () => {
  test('changes the name and the groups, including default ones', async ({ assert }) => {
    const world = await makeWorld()
    const org = `--org=${world.organizationId}`
    await runCommand(UserCreate, [org, '--email=ada@acme.example', '--group=QA'])
    const { document } = await runCommand(UserUpdate, [
      org,
      '--email=ADA@acme.example',
      '--name=Ada',
      '--add-group=Release Pilots',
      '--remove-group=QA',
      '--remove-group=Ops',
    ])
    assert.equal(document.name, 'Ada')
    const groups = (await world.admin.get(`/org/${world.organizationId}/group`)).body
    const joined = groups.filter(({ members }: any) => members.length > 0)
    assert.deepEqual(
      joined.map(({ id, name }: any) => [id, name]),
      [[document.groupIds[0], 'Release Pilots']]
    )
    assert.lengthOf(document.groupIds, 1)
    const unknown = await runCommand(UserUpdate, [org, '--email=eve@acme.example', '--name=Eve'])
    assert.equal(unknown.code, 1)
  })
})

test.group('key commands', () => {
  test('key:create shows the key once; the key has the given rights', async ({ assert }) => {
    const world = await makeWorld()
    const org = `--org=${world.organizationId}`
    const { document } = await runCommand(KeyCreate, [
      org,
      '--name=CI',
      '--group=engineering managers',
      '--expires=90d',
    ])
    assert.deepEqual(Object.keys(document), ['id', 'name', 'key'])
    const path = `/org/${world.organizationId}/group`
    const made = await new Api(document.key).post(path, { name: 'A', userActions: [] })
    assert.equal(made.status, 201)
    assert.equal((await lastAudit(world.organizationId))?.action, 'group.created')

    const list = await runCommand(KeyList, [org])
    const listed = list.document.find((each: any) => each.id === document.id)
    assert.containsSubset(listed, {
      name: 'CI',
      admin: false,
      status: 'active',
      groups: [{ name: 'Engineering Managers' }],
      appIds: [],
    })
    assert.equal(Date.parse(listed.expiresAt) - Date.parse(listed.createdAt), 90 * 86_400_000)
    assert.notInclude(list.stdout, document.key.slice(-38))
  })

  test('key:create refuses invalid options with one line', async ({ assert }) => {
    const { organizationId } = await makeWorld()
    const refusals: [string[], RegExp][] = [
      [['--expires=soon'], /--expires takes/],
      [['--expires=2001-01-01'], /past/],
      [['--group=Nobody'], /no group "Nobody"/],
      [['--app=nowhere'], /no app "nowhere"/],
    ]
    for (const [options, line] of refusals) {
      const { code, stdout, stderr } = await runCommand(KeyCreate, [
        `--org=${organizationId}`,
        '--name=k',
        '--json',
        ...options,
      ])
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, line)
      assert.notInclude(stderr, '\n')
    }
    assert.lengthOf(await db.from('api_keys').where('organization_id', organizationId), 1)
  })

  test('key:create refuses an admin key with apps, as it would be for all apps', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const options = [`--org=${world.organizationId}`, '--name=k', '--admin', `--app=${appId}`]
    const { code, stdout, stderr } = await runCommand(KeyCreate, options)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^An admin key is for all apps/)
    assert.lengthOf(await db.from('api_keys').where('organization_id', world.organizationId), 1)
  })

  test('key:list warns of an admin key with apps; rotating it drops them', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const org = `--org=${world.organizationId}`
    const [{ id }] = await db.from('api_keys').where('organization_id', world.organizationId)
    const before = await runCommand(KeyList, [org])
    assert.isNull(before.document[0].warning)

    await db
      .from('api_keys')
      .where('id', id)
      .update({ app_restricted: true, name: 'one\n\u001b[31mtwo\u202ethree' })
    await world.write((scope) => scope.insert(apiKeyApps, [{ apiKeyId: id, appId }]))
    const list = await runCommand(KeyList, [org])
    assert.match(list.document[0].warning, /admin key is for all apps/)
    const { stdout } = await runAce('key:list', org)
    assert.match(stdout, /Note: It is an admin key with app scopes/)
    assert.include(stdout, 'one  [31mtwo three', 'no name steers the terminal')

    const rotated = await runCommand(KeyRotate, [id])
    const after = (await runCommand(KeyList, [org])).document
    const fresh = after.find((key: any) => key.id === rotated.document.id)
    assert.containsSubset(fresh, { admin: true, appRestricted: false, appIds: [], warning: null })
  })

  test('key:rotate keeps both keys working until the overlap ends', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}`
    const [{ id }] = await db.from('api_keys').where('organization_id', world.organizationId)
    const { document } = await runCommand(KeyRotate, [id, '--overlap=1h'])
    assert.equal(document.rotatedFrom, id)
    assert.equal((await world.admin.get(path)).status, 200)
    assert.equal((await new Api(document.key).get(path)).status, 200)
    const none = await runCommand(KeyRotate, [document.id, '--overlap=0m'])
    assert.equal(none.code, 0)
    const ended = await new Api(document.key).get(path)
    assert.deepEqual([ended.status, ended.body.code], [401, 'key_expired'])
    const refused = await runCommand(KeyRotate, [document.id])
    assert.match(refused.stderr, /expired/)
  })

  test('key:revoke revokes a key at once, given by its id or the key itself', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const other = await makeWorld()
    const foreign = await runCommand(KeyRevoke, [world.adminKey, `--org=${other.organizationId}`])
    assert.deepEqual([foreign.code, foreign.stderr], [1, 'There is no such key.'])
    assert.equal((await world.admin.get(`/org/${world.organizationId}`)).status, 200)
    const { document } = await runCommand(KeyRevoke, [world.adminKey])
    const refused = await world.admin.get(`/org/${world.organizationId}`)
    assert.equal(refused.body.code, 'key_revoked')
    const again = await runCommand(KeyRevoke, [document.id])
    assert.equal(again.document.revokedAt, document.revokedAt)
    assert.containsSubset(await lastAudit(world.organizationId), {
      action: 'key.revoked',
      subject: document.id,
    })
  })
})

test.group('commands as processes beside the service', () => {
  test('print one document and nothing else, and take effect at once', async ({ assert }) => {
    const { organizationId } = await makeWorld()
    const org = `--org=${organizationId}`
    const made = await runAce('key:create', org, '--name=beside', '--json')
    assert.deepEqual([made.code, made.stderr], [0, ''])
    const { id, key } = JSON.parse(made.stdout)
    assert.equal(made.stdout, `${JSON.stringify({ id, name: 'beside', key })}\n`)
    assert.equal((await new Api(key).get(`/org/${organizationId}`)).status, 200)
    const revoked = await runAce('key:revoke', id)
    assert.equal(revoked.code, 0)
    assert.equal((await new Api(key).get(`/org/${organizationId}`)).status, 401)
  })

  test('fail with a line on standard error', async ({ assert }) => {
    const unknown = await runAce('org:list', '--colour', '--json')
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /--colour/)
  })

  test('show their usage with --help', async ({ assert }) => {
    const { code, stdout, stderr } = await runAce('key:create', '--help')
    assert.deepEqual([code, stderr], [0, ''])
    assert.include(stdout, '--org=ORG')
  })
})
