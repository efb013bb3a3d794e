import { test } from '@japa/runner'
import App from '#apps/models/app'
import { appEntities } from '#apps/queries/app_entities'
import { unitOfWork } from '#foundation/core/services'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

test.group('Apps as the API shows them', () => {
  test('reading any number of apps takes the same number of queries', async ({ assert }) => {
    const world = await makeWorld()
    for (const versions of [['1.0.0', '1.2.0'], ['3.0.0'], []]) {
      const app = await makeApp(world)
      for (const version of versions) await world.admin.post(`/app/${app}/release`, { version })
    }
    const scope = unitOfWork.readScope(world.principal)
    const apps = await scope.query(App).orderBy('createdAt').exec()
    const table = scope.table.bind(scope)
    let queries = 0
    scope.table = (name) => {
      queries += 1
      return table(name)
    }
    const [first] = await appEntities(scope, apps.slice(0, 1), 'http://x')
    const forOne = queries
    queries = 0
    const all = await appEntities(scope, apps, 'http://x')
    assert.equal(queries, forOne)
    assert.deepEqual(all[0], first)
    assert.sameMembers(
      all.map((each) => each.currentRelease?.version ?? null),
      ['1.0.0', '3.0.0', null]
    )
  })

  test('the current release is the lowest of the train, the live one the highest released', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const add = async (version: string, status: string, releaseType = 'release') => {
      const baseTag = releaseType === 'hotfix' ? { name: 'v0' } : undefined
      await world.admin.post(`/app/${app}/release`, { version, releaseType, baseTag })
      await world.write((scope) =>
        scope
          .table('releases')
          .where({ app_id: app, version })
          .update({
            status,
            released_at: status === 'completed' ? '2026-01-01T00:00:00.000Z' : null,
          })
      )
    }
    for (const version of ['1.9.0', '1.10.0', '1.2.11']) await add(version, 'completed')
    await add('1.10.1', 'active', 'hotfix')
    const shown = async () => {
      const { body } = await world.admin.get(`/app/${app}`)
      return [body.currentRelease, body.liveVersion]
    }
    const at = (version: string) => ({ id: `${app}:${version}`, version, status: 'active' })
    assert.deepEqual(await shown(), [at('1.10.1'), '1.10.0'])
    await add('2.10.0', 'active')
    await add('2.9.0', 'active')
    assert.deepEqual(await shown(), [at('2.9.0'), '1.10.0'])
    // Completed but never released: no user has it.
    await world.write((scope) =>
      scope
        .table('releases')
        .where({ app_id: app, version: '2.10.0' })
        .update({ status: 'completed' })
    )
    assert.deepEqual(await shown(), [at('2.9.0'), '1.10.0'])
  })
})

test.group('GET /org/{orgId}/apps', () => {
  test('200 lists the apps the key sees, filtered by platform and group', async ({ assert }) => {
    const world = await makeWorld()
    const ios = await makeApp(world)
    const android = await makeApp(world, { platform: 'android' })
    await world.write((scope) => scope.table('apps').where('id', ios).update({ app_group: 'Shop' }))
    const path = `/org/${world.organizationId}/apps`
    const ids = async (query = '', client = world.admin) =>
      (await client.get(path + query)).body.map((app: { id: string }) => app.id)
    assert.sameMembers(await ids(), [ios, android])
    assert.deepEqual(await ids('?platform=android'), [android])
    assert.deepEqual(await ids('?appGroup=Shop'), [ios])
    assert.deepEqual(await ids('', await world.keyed({ appIds: [ios] })), [ios])
    assert.equal((await world.admin.get(`${path}?platform=symbian`)).status, 422)
  })
})

test.group('GET /app/{appId}', () => {
  test('200 shows settings, workflow, users and where the train is', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const ada = await makeUser(world, 'ada@acme.example')
    await world.write((scope) =>
      scope.insertStored('app_users', [{ app_id: app, user_id: ada, position: 0 }])
    )
    for (const version of ['1.0.0', '1.1.0']) {
      await world.admin.post(`/app/${app}/release`, { version })
    }
    const path = `/app/${app}/release/${app}:1.0.0`
    await world.admin.put(`${path}/kickoff`)
    await world.admin.put(`${path}/complete`)
    const { status, body } = await world.admin.get(`/app/${app}`)
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: app,
      orgId: world.organizationId,
      appUsers: ['ada@acme.example'],
      currentRelease: { id: `${app}:1.1.0`, version: '1.1.0', status: 'active' },
      liveVersion: '1.0.0',
    })
    assert.deepEqual(
      body.steps.map((step: { type: string; groupIndex: number }) => [step.type, step.groupIndex]),
      [
        ['kickoff', 0],
        ['regressionTesting', 1],
        ['screenshots', 2],
        ['approvals', 3],
        ['submission', 4],
      ]
    )
  })

  test('404 for an app that does not exist, is of another organization, or out of scope', async ({
    assert,
  }) => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()]
    const [own, other, foreign] = [
      await makeApp(mine),
      await makeApp(mine, { platform: 'android' }),
      await makeApp(theirs),
    ]
    const bound = await mine.keyed({ appIds: [own] })
    assert.equal((await mine.admin.get('/app/nothing-ios')).status, 404)
    assert.equal((await mine.admin.get(`/app/${foreign}`)).status, 404)
    assert.equal((await bound.get(`/app/${other}`)).status, 404)
    assert.equal((await bound.get(`/app/${own}`)).status, 200)
  })
})
