import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { randomText } from '#foundation/core/ids'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const change = (world: World, appId: string, text: string, headers = {}) =>
  sendYaml(world.admin, 'PATCH', `/app/${appId}/app/config`, text, headers)

const step = (name: string, archetype: string) =>
  `{name: ${name}, archetype: ${archetype}, releaseTypes: {standard: {required: true}}}`

test.group('PATCH /app/{appId}/app/config', () => {
  test('200 replaces what is given, leaves alone what is absent, clears what is null', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(
      world,
      'appGroup: Old\nappUsers: [a@acme.example, b@acme.example]\n' +
        'appSettings: {versionFiles: [a.properties], requireFixApprovals: true}\n'
    )
    const { status, body } = await change(
      world,
      app.id,
      'name: Renamed\nappGroup: null\nappUsers: [c@acme.example, a@acme.example]\nappSettings: {versionFiles: [b.properties]}'
    )
    assert.equal(status, 200)
    assert.containSubset(body, {
      id: app.id,
      name: 'Renamed',
      appGroup: null,
      appUsers: ['c@acme.example', 'a@acme.example'],
      settings: { versionFiles: ['b.properties'], requireFixApprovals: true },
    })
    assert.lengthOf(body.steps, app.steps.length)
    assert.deepEqual((await world.admin.get(`/app/${app.id}`)).body, body)
  })

  test('200 keeps the ids of steps and buckets that stay', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(
      world,
      `stepGroups: [{steps: [${step('A', 'kickoff')}, ${step('B', 'metadata')}, ${step('D', 'rollout')}]}]`
    )
    const before = await db.from('buckets').where('app_id', app.id).orderBy('position')
    const { body } = await change(
      world,
      app.id,
      `stepGroups: [{steps: [${step('C', 'kickoff')}]}, {steps: [${step('B', 'screenshots')}, ${step('D', 'rollout')}]}]\n` +
        'buildDistro: {buckets: {Extra: , Candidates: {type: rc}, Development: {type: dev}}}'
    )
    const [, other, kept] = app.steps
    assert.deepEqual(
      body.steps.map((each: { name: string }) => each.name),
      ['C', 'B', 'D']
    )
    assert.equal(body.steps[0].id, app.steps[0].id)
    assert.containSubset(body.steps[2], { id: kept.id, type: 'rollout', groupIndex: 1 })
    // A different archetype is a different step, even with the same name.
    assert.notEqual(body.steps[1].id, other.id)
    const after = await db.from('buckets').where('app_id', app.id).orderBy('position')
    assert.deepEqual(
      after.map((row) => row.name),
      ['Extra', 'Candidates', 'Development']
    )
    assert.deepEqual([after[1].id, after[2].id], [before[0].id, before[1].id])
  })

  test('200 with its own export changes nothing, not even the tag', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, 'appUsers: [a@acme.example]\nbuildDistro: {buckets: {N: }}')
    const exported = await world.admin.get(`/app/${app.id}/app/config`)
    const plan = await sendYaml(
      world.admin,
      'PATCH',
      `/app/${app.id}/app/config?dryRun=true`,
      exported.text
    )
    assert.deepEqual(plan.body, [])
    const { body, headers } = await change(world, app.id, exported.text)
    assert.equal(body.updatedAt, app.updatedAt)
    assert.equal(headers.etag, exported.headers.etag)
  })

  test('200 with dryRun answers the plan and writes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const path = `/app/${app.id}/config?dryRun=true`
    const { status, body } = await sendYaml(
      world.admin,
      'PATCH',
      path,
      'appGroup: New\nname: Other'
    )
    assert.equal(status, 200)
    assert.containSubset(body, [
      { op: 'change', path: 'name', from: app.name, to: 'Other' },
      { op: 'add', path: 'appGroup', from: null, to: 'New' },
    ])
    assert.deepEqual((await world.admin.get(`/app/${app.id}`)).body, app)
  })

  test('200 invites one address once, although two apps name it at the same time', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const apps = [await makeApp(world), await makeApp(world), await makeApp(world)]
    const email = 'late@acme.example'
    const responses = await Promise.all(
      apps.map(({ id }) => change(world, id, `appUsers: [${email}]`))
    )
    for (const { body } of responses) assert.deepEqual(body.appUsers, [email])
    const { length } = await db
      .from('users')
      .where({ organization_id: world.organizationId, email })
    assert.equal(length, 1)
  })

  test('a changed workflow reaches upcoming releases and the untouched part of the active one', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const all = [step('Go', 'kickoff'), step('Old', 'metadata'), step('Ok', 'approvals')]
    const app = await makeApp(world, `stepGroups: [{steps: [${all.join(', ')}]}]`)
    const release = (version: string) => world.admin.post(`/app/${app.id}/release`, { version })
    const [active, upcoming] = [await release('1.0.0'), await release('2.0.0')]
    assert.deepEqual([active.body.status, upcoming.body.status], ['active', 'upcoming'])
    await world.admin.put(`/app/${app.id}/release/${active.body.id}/kickoff`, {})

    const kept = [step('Begin', 'kickoff'), step('New', 'screenshots'), step('Ok', 'approvals')]
    const text = `stepGroups: [{steps: [${kept.join(', ')}]}]\nappSettings: {versionFiles: [v.properties]}`
    assert.equal((await change(world, app.id, text)).status, 200)
    const stepsOf = async (id: string) =>
      (await world.admin.get(`/app/${app.id}/release/${id}/steps`)).body.map(
        (each: { name: string; status: string }) => `${each.name} ${each.status}`
      )
    assert.deepEqual(await stepsOf(upcoming.body.id), [
      'Begin notStarted',
      'New notStarted',
      'Ok notStarted',
    ])
    // The kickoff of the active release is complete, so it stays unchanged.
    assert.deepEqual(await stepsOf(active.body.id), [
      'Go complete',
      'New notStarted',
      'Ok complete',
    ])
    const settings = await db.from('releases').where('app_id', app.id).orderBy('version_major')
    assert.deepEqual(
      settings.map((row) => JSON.parse(row.settings).versionFiles),
      [[], ['v.properties']]
    )
  })

  test('the first destination starts with the store settings of the app', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    await sendYaml(world.admin, 'POST', `/app/${app.id}/destination/config`, 'name: Second')
    await change(world, app.id, 'appStoreReleaseSettings: {releaseMethod: automatic}')
    const rows = await db.from('destinations').where('app_id', app.id).orderBy('position')
    assert.deepEqual(
      rows.map((row) => JSON.parse(row.app_store_release_settings).releaseMethod),
      ['automatic', 'manual']
    )
  })

  test('another archetype under the same name reaches the releases as another step', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const workflow = (archetype: string) => {
      const steps = [step('Go', 'kickoff'), step('Test', archetype), step('Ok', 'approvals')]
      return `stepGroups: [{steps: [${steps.join(', ')}]}]`
    }
    const app = await makeApp(world, workflow('regressionTesting'))
    const release = (version: string) => world.admin.post(`/app/${app.id}/release`, { version })
    const touched = await release('1.0.0')
    await world.admin.put(`/app/${app.id}/release/${touched.body.id}/kickoff`, {})
    const set = await world.admin.put(
      `/app/${app.id}/release/${touched.body.id}/regressionStatus`,
      { status: 'failed' }
    )
    assert.equal(set.status, 200)
    const upcoming = await release('2.0.0')
    const item = await world.admin.post(`/app/${app.id}/regressionItem`, { title: 'Smoke' })
    assert.equal(item.status, 201)

    const path = `/app/${app.id}/config`
    const planned = await sendYaml(
      world.admin,
      'PATCH',
      `${path}?dryRun=true`,
      workflow('betaTesting')
    )
    assert.containSubset(planned.body, [
      { op: 'remove', path: 'stepGroups[0].steps[1]' },
      { op: 'add', path: 'stepGroups[0].steps[1]' },
    ])
    assert.equal((await change(world, app.id, workflow('betaTesting'))).status, 200)
    const stepsOf = async (id: string) =>
      (await world.admin.get(`/app/${app.id}/release/${id}/steps`)).body.map(
        (each: { type: string; status: string }) => `${each.type} ${each.status}`
      )
    assert.deepEqual(await stepsOf(upcoming.body.id), [
      'kickoff notStarted',
      'betaTesting notStarted',
      'approvals notStarted',
    ])
    const active = await stepsOf(touched.body.id)
    assert.includeMembers(active, ['regressionTesting blocked', 'betaTesting notStarted'])
    const held = await db
      .from('release_items')
      .where('item_id', item.body.id)
      .join('releases', 'releases.id', 'release_items.release_id')
      .select('releases.version')
    assert.deepEqual(
      held.map((row) => row.version),
      ['1.0.0']
    )
  })

  test('an item on a removed step waits for another step of its type', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, `stepGroups: [{steps: [${step('Ok', 'approvals')}]}]`)
    await db.table('checklist_items').insert({
      id: `item_${app.id}`,
      organization_id: world.organizationId,
      app_id: app.id,
      kind: 'checklist',
      title: 'Ask',
      release_types: '["major"]',
      owners: '[]',
      required: true,
      notify_on_completion: false,
      step_config_id: app.steps[0].id,
      position: 0,
      settings: '{}',
      created_at: app.createdAt,
      updated_at: app.createdAt,
    })
    await change(world, app.id, `stepGroups: [{steps: [${step('Else', 'metadata')}]}]`)
    const item = await db.from('checklist_items').where('id', `item_${app.id}`).first()
    assert.containSubset(item, { step_config_id: null, step_type: 'approvals' })
  })

  test('400 and 422 name the errors and write nothing', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    assert.equal((await change(world, app.id, 'a: [')).status, 400)
    const text = 'name: Other\nplatform: android\nappSetings: {}'
    const { status, body } = await change(world, app.id, text)
    assert.equal(status, 422)
    assert.containSubset(body.errors, [
      { path: 'platform', code: 'unchangeable', line: 2 },
      { path: 'appSetings', code: 'unknown_key', suggestion: 'appSettings', line: 3 },
    ])
    assert.equal((await world.admin.get(`/app/${app.id}`)).body.name, app.name)
    const query = await sendYaml(
      world.admin,
      'PATCH',
      `/app/${app.id}/config?dryRun=perhaps`,
      'name: x'
    )
    assert.equal(query.status, 400)
  })

  test('412 when the file was changed meanwhile', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { headers } = await world.admin.get(`/app/${app.id}/app/config`)
    const first = await change(world, app.id, 'appGroup: One', { 'if-match': headers.etag })
    assert.equal(first.status, 200)
    assert.equal(
      (await change(world, app.id, 'appGroup: Two', { 'if-match': headers.etag })).status,
      412
    )
    const fresh = { 'if-match': first.headers.etag }
    assert.equal((await change(world, app.id, 'appGroup: Two', fresh)).status, 200)
  })

  test('403 without the right; 404 for an app of another organization', async ({ assert }) => {
    const [world, theirs] = [await makeWorld(), await makeWorld()]
    const app = await makeApp(world)
    const path = `/app/${app.id}/app/config`
    assert.equal((await sendYaml(theirs.admin, 'PATCH', path, 'name: x')).status, 404)
    const qa = await world.keyed({ groups: ['QA'] })
    assert.equal((await sendYaml(qa, 'PATCH', path, 'name: x')).status, 403)
    const other = await world.keyed({ groups: ['Ops'], appIds: [(await makeApp(world)).id] })
    assert.equal((await sendYaml(other, 'PATCH', path, 'name: x')).status, 403)
  })

  test('a member named by a group stays when the group gets another name', async ({ assert }) => {
    const world = await makeWorld()
    const name = `Beta ${randomText(5)}`
    await world.write((scope) =>
      scope.insertStored('groups', [
        {
          id: `grp_${randomText(8)}`,
          name,
          name_key: name.toLowerCase(),
          is_default: false,
          user_actions: '[]',
          created_at: scope.now,
          updated_at: scope.now,
        },
      ])
    )
    const app = await makeApp(world, `buildDistro: {buckets: {B: {members: {${name}: tester}}}}`)
    await db.from('groups').where('name', name).update({ name: 'New name' })
    assert.include((await world.admin.get(`/app/${app.id}/config`)).text, 'New name: tester')
    await db
      .from('groups')
      .where('name', 'New name')
      .where('organization_id', world.organizationId)
      .delete()
    assert.notInclude((await world.admin.get(`/app/${app.id}/config`)).text, 'tester')
  })
})
