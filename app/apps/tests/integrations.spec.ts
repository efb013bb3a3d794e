import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { recordCall } from '#integrations/tests/support/record_call'
import { connect } from '#integrations/tests/support/connect'
import { replaceIntegrations } from '#integrations/store_integrations'

test.group('GET /app/{appId}/integrations', () => {
  test('200 lists what the app uses, in order, and of one kind', async ({ assert }) => {
    const world = await makeWorld()
    const [appId, other] = [await makeApp(world), await makeApp(world)]
    const { id: provider } = await connect(world, 'memory', { alias: 'Chat' })
    await world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'onCall', type: 'pagerduty', kind: 'onCall', provider, data: { scheduleId: 'S1' } },
        { key: 'chat', type: 'slack', kind: 'chat', provider, data: {} },
      ])
    )
    const path = `/app/${appId}/integrations`
    const { status, body } = await world.admin.get(path)
    assert.equal(status, 200)
    const [{ id, createdAt, ...first }, second] = body
    assert.match(id, /^int_/)
    assert.isString(createdAt)
    assert.deepEqual(first, {
      alias: 'onCall',
      type: 'pagerduty',
      kind: 'onCall',
      provider: { id: provider, alias: 'Chat' },
      data: { scheduleId: 'S1' },
      status: 'connected',
      lastSyncedAt: null,
      failure: null,
    })
    assert.deepEqual((await world.admin.get(`${path}?kind=chat`)).body, [second])
    assert.deepEqual((await world.admin.get(`${path}?kind=ci`)).body, [])
    assert.deepEqual((await world.admin.get(`/app/${other}/integrations`)).body, [])
  })

  test('200 includes the state of the connection', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const { id: provider } = await connect(world, 'memory')
    const chat = { key: 'chat', type: 'slack', kind: 'chat', provider, data: {} } as const
    await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
    for (const [status, shown] of [
      ['unverified', 'connected'],
      ['connected', 'connected'],
      ['needs_reauth', 'authError'],
      ['disconnected', 'disconnected'],
    ]) {
      await world.write((scope) =>
        scope.table('connections').where('id', provider).update({ status })
      )
      const [integration] = (await world.admin.get(`/app/${appId}/integrations`)).body
      assert.equal(integration.status, shown, status)
    }
  })

  test('200 describes the failure of the provider and who can fix it', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const { id: provider } = await connect(world, 'memory', { alias: 'Talk' })
    const chat = { key: 'chat', type: 'slack', kind: 'chat', provider, data: {} } as const
    await world.write((scope) => replaceIntegrations(scope, appId, [chat]))
    const failure = async () =>
      (await world.admin.get(`/app/${appId}/integrations`)).body[0].failure
    for (const [code, expected] of [
      [null, null],
      ['forbidden', null],
      ['unavailable', 'noAnswer'],
      ['timeout', 'noAnswer'],
      [null, null],
    ] as const) {
      const at = await recordCall(world, provider, code)
      const reported = await failure()
      assert.equal(reported?.code ?? null, expected)
      if (expected === null) continue
      assert.equal(reported.since, at)
      assert.include(reported.message, 'Talk did not respond')
      assert.include(reported.message, 'someone who may change integrations')
    }
    for (const [status, code] of [
      ['needs_reauth', 'refused'],
      ['disconnected', 'noCredentials'],
    ]) {
      await world.write((scope) =>
        scope.table('connections').where('id', provider).update({ status })
      )
      assert.equal((await failure()).code, code)
    }
  })

  test('401 without a key, 404 for a hidden app, 422 for an unknown kind', async ({ assert }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const [appId, hidden] = [await makeApp(world), await makeApp(world)]
    const path = `/app/${appId}/integrations`
    assert.equal((await new Api(null).get(path)).status, 401)
    assert.equal((await other.admin.get(path)).status, 404)
    const restricted = await world.keyed({ appIds: [appId] })
    assert.equal((await restricted.get(path)).status, 200)
    assert.equal((await restricted.get(`/app/${hidden}/integrations`)).status, 404)
    assert.equal((await world.admin.get(`${path}?kind=telepathy`)).status, 422)
  })
})

test.group('Storing integrations', () => {
  test('409 for a connection that does not exist, or is of another organization', async ({
    assert,
  }) => {
    const [world, other] = [await makeWorld(), await makeWorld()]
    const appId = await makeApp(world)
    const theirs = await connect(other, 'memory')
    for (const provider of ['memory:1', theirs.id]) {
      const chat = { key: 'chat', type: 'slack', kind: 'chat', provider, data: {} } as const
      const error = await world
        .write((scope) => replaceIntegrations(scope, appId, [chat]))
        .catch((each) => each)
      assert.equal(error.code, 'conflict')
    }
    assert.deepEqual((await world.admin.get(`/app/${appId}/integrations`)).body, [])
  })
})
