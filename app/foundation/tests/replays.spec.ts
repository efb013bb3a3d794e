import { test } from '@japa/runner'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { fingerprint } from '../api/execution/idempotency.js'
import { clock } from '../core/services.js'
import type { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

/*
 * Tests who gets the first answer when a request with an Idempotency-Key is repeated.
 */

const once = { headers: { 'idempotency-key': 'once' } }

async function groups() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/group`
  const crew = { name: 'Crew', userActions: [] }
  const kept = () => db.from('idempotency_keys').where('organization_id', world.organizationId)
  return { world, path, crew, kept }
}

/**
 * Returns an app with two releases, and a key whose group has some user actions and can lose them.
 */
async function train(...userActions: string[]) {
  const { world, path: groupsPath } = await groups()
  const app = await makeApp(world)
  const at = (version: string) => `/app/${app}/release/${app}:${version}`
  for (const version of ['1.0.0', '1.1.0']) {
    await world.admin.post(`/app/${app}/release`, { version })
  }
  const { body } = await world.admin.post(groupsPath, { name: 'Crew', userActions })
  const crew = await world.keyed({ groups: ['Crew'] })
  const loseActions = () => world.admin.put(`${groupsPath}/${body.id}`, { userActions: [] })
  return { world, app, at, crew, loseActions }
}

/** Creates a group with one user action; returns its name. */
async function group(world: Awaited<ReturnType<typeof makeWorld>>, userAction: string) {
  const body = { name: userAction, userActions: [userAction] }
  await world.admin.post(`/org/${world.organizationId}/group`, body)
  return userAction
}

/** Returns the answers to a key's DELETE with and without the Idempotency-Key. */
async function removing(api: Api, path: string) {
  const [withKey, without] = [await api.delete(path, undefined, once), await api.delete(path)]
  return [withKey, without].map(({ status, body }) => [status, (body as any)?.code])
}

test.group('A stored answer', () => {
  test('belongs to the organization: a rotated API key gets it, and writes nothing', async ({
    assert,
  }) => {
    const { world, path, crew, kept } = await groups()
    const first = await world.admin.post(path, crew, once)
    assert.equal(first.status, 201)
    const rotated = await world.keyed({ admin: true })
    const again = await rotated.post(path, crew, once)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const other = await rotated.post(path, { ...crew, name: 'Other' }, once)
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch'])
    assert.lengthOf(await kept(), 1)
  })

  test('is found even if its requester was not recorded', async ({ assert }) => {
    const { world, path, crew } = await groups()
    const route = '/org/{orgId}/group'
    const purpose = `idempotency ${world.organizationId} once POST ${route}`
    await db.table('idempotency_keys').insert({
      organization_id: world.organizationId,
      idempotency_key: 'once',
      method: 'POST',
      route,
      fingerprint: fingerprint(path, JSON.stringify(crew)),
      status: 201,
      headers: '{"content-type":"application/json; charset=utf-8"}',
      body: encryption.encrypt('{"id":"grp_1"}', { purpose }),
      created_at: clock.now(),
    })
    const again = await world.admin.post(path, crew, { ...once, unchecked: true })
    assert.deepEqual([again.status, again.body], [201, { id: 'grp_1' }])
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })
})

test.group('A stored answer is not given', () => {
  test('to a key without the app in its scopes, which gets the same answer as without it', async ({
    assert,
  }) => {
    const { world, app, at } = await train()
    const [kickoff, elsewhere] = [`${at('1.0.0')}/kickoff`, await makeApp(world)]
    assert.equal((await world.admin.put(kickoff, undefined, once)).status, 200)
    const restricted = await world.keyed({ groups: ['Engineering Managers'], appIds: [elsewhere] })
    for (const options of [once, {}]) {
      const { status, body } = await restricted.put(kickoff, undefined, options)
      assert.deepEqual([status, body.code], [403, 'app_scope_missing'])
    }
    const within = await world.keyed({ groups: ['Engineering Managers'], appIds: [app] })
    const again = await within.put(kickoff, undefined, once)
    assert.equal(again.headers['idempotent-replayed'], 'true')
  })

  test('to a key that has lost the user action, which does not even learn that the key was used', async ({
    assert,
  }) => {
    const { at, crew, loseActions } = await train('CreateDeleteRelease')
    assert.equal((await crew.delete(at('1.1.0'), undefined, once)).status, 204)
    const again = await crew.delete(at('1.1.0'), undefined, once)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [204, 'true'])
    await loseActions()
    for (const version of ['1.1.0', '1.0.0']) {
      const refusal = [403, 'action_missing']
      assert.deepEqual(await removing(crew, at(version)), [refusal, refusal])
    }
  })

  test('to a key that the handler refuses, by the owner of an item or the kind of release', async ({
    assert,
  }) => {
    const { world, app, at } = await train()
    const { body: item } = await world.admin.post(`/app/${app}/regressionItem`, {
      title: 'Log in',
      placement: { stepType: 'regressionTesting' },
    })
    const status = `${at('1.0.0')}/checklistItem/${item.id}/status`
    const release = `/app/${app}/release`
    const hotfixer = await world.keyed({ groups: [await group(world, 'CreateHotfix')] })
    const seller = await world.keyed({ groups: [await group(world, 'RequestFixes')] })
    const cases = [
      [seller, 'put', status, { status: 'failed' }],
      [hotfixer, 'post', release, { version: '2.0.0' }],
    ] as const
    for (const [other, method, path, json] of cases) {
      const first = await world.admin[method](path, json, once)
      assert.isBelow(first.status, 300)
      for (const options of [once, {}]) {
        const { status: refused, body } = await other[method](path, json, options)
        assert.deepEqual([refused, body.code], [403, 'action_missing'])
      }
      const again = await world.admin[method](path, json, once)
      assert.deepEqual([again.status, again.text], [first.status, first.text])
    }
    const { body: releases } = await world.admin.get(`/v2/app/${app}/releases?version=2.0.0`)
    assert.lengthOf(releases.data, 1)
  })

  test('for a removed entity, except to the same requester who still has access', async ({
    assert,
  }) => {
    const { world, app, crew, loseActions } = await train('UpdateAppSettings')
    const path = `/app/${app}/app/config?force=true`
    assert.equal((await crew.delete(path, undefined, once)).status, 204)
    const again = await crew.delete(path, undefined, once)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [204, 'true'])

    const gone = [404, 'not_found']
    assert.deepEqual(await removing(world.admin, path), [gone, gone])
    const other = `/app/${app}/app/config`
    assert.deepEqual(await removing(world.admin, other), [gone, gone])
    assert.deepEqual(await removing(crew, other), [[422, 'idempotency_mismatch'], gone])
    await loseActions()
    assert.deepEqual(await removing(crew, path), [gone, gone])
  })
})
