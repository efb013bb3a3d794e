import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { Api } from '#tests/support/api'
import { makeSignedIn, makeApp } from '#tests/support/app_fixture'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld, type World } from '#tests/support/world'

const DAY_MS = 24 * 3600 * 1000

/** Makes an organization with an admin who is signed in; `path` is that of its keys. */
async function office() {
  const world = await makeWorld()
  const adaId = await makeSignedIn(world, { email: 'ada@acme.example' })
  const path = `/org/${world.organizationId}/apiKey`
  return { world, path, adaId, ada: new Api(adaId) }
}

const groupId = async ({ admin, organizationId }: World, name: string): Promise<string> => {
  const { body } = await admin.get(`/org/${organizationId}/group`)
  return body.find((group: { name: string }) => group.name === name).id
}

/** Returns the status of an API request with a key. */
const statusOf = async ({ organizationId }: World, key: string) =>
  (await new Api(key).get(`/org/${organizationId}`)).status

test.group('listApiKeys and getApiKey', () => {
  test('200 with the rights of each key, its maker, and since when it is unused', async ({
    assert,
  }) => {
    const { world, path, ada, adaId } = await office()
    const [qa, app] = [await groupId(world, 'QA'), await makeApp(world)]
    const requested = { name: 'Nightly', groupIds: [qa], appIds: [app] }
    const { body: made } = await ada.post(path, requested)
    const { body: old } = await ada.post(path, { name: 'Old script', expiresAt: null })
    const longAgo = earlier(clock.now(), 91 * DAY_MS)
    await db.from('api_keys').where('id', old.id).update({ created_at: longAgo })

    const { status, body } = await ada.get(path)
    assert.equal(status, 200)
    const of = (id: string) => body.find((key: { id: string }) => key.id === id)
    assert.containsSubset(of(made.id), {
      prefix: made.key.slice(0, 'tarmac_'.length + 12),
      name: 'Nightly',
      status: 'active',
      admin: false,
      groups: [{ id: qa, name: 'QA' }],
      appRestricted: true,
      appIds: [app],
      madeBy: { type: 'user', id: adaId, name: 'ada' },
      lastUsedAt: null,
      unusedSince: null,
    })
    assert.containsSubset(of(old.id), { expiresAt: null, unusedSince: longAgo, appIds: [] })
    assert.notInclude(JSON.stringify(body), made.key)
    assert.deepEqual((await ada.get(`${path}/${made.id}`)).body, of(made.id))

    await new Api(old.key).get(`/org/${world.organizationId}`)
    const { body: used } = await ada.get(`${path}/${old.id}`)
    assert.isNull(used.unusedSince)
    assert.isNotNull(used.lastUsedAt)
  })
})

test.group('createApiKey', () => {
  test('201 shows a working key once, which is not stored', async ({ assert }) => {
    const { world, path, ada } = await office()
    const headers = { 'idempotency-key': 'once' }
    const post = () => ada.post(path, { name: ' Release CI ' }, { headers })
    const { status, headers: answered, body } = await post()
    assert.deepEqual(
      [status, answered['cache-control'], body.name],
      [201, 'no-store', 'Release CI']
    )
    assert.equal(answered.location, `${path}/${body.id}`)
    assert.equal(await statusOf(world, body.key), 200)
    assert.isAbove(Date.parse(body.expiresAt), Date.parse(later(clock.now(), 364 * DAY_MS)))

    const again = await post()
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal(again.headers['cache-control'], 'no-store')
    assert.equal(again.body.key, body.key)
    const stored = Object.values(await snapshot([world.organizationId])).join('\n')
    assert.include(stored, body.id)
    const secret = body.key.slice(`tarmac_${body.id}`.length, -6)
    assert.notInclude(stored, secret)
  })

  test('201 records the person who made the key', async ({ assert }) => {
    const { path, ada, adaId } = await office()
    const { body } = await ada.post(path, { name: 'CI', admin: true })
    const entry = await db.from('audit_entries').where('subject', body.id).firstOrFail()
    assert.equal(entry.action, 'key.created')
    assert.deepEqual(JSON.parse(entry.actor), { type: 'user', id: adaId, name: 'ada' })
    assert.notInclude(entry.data, body.key)
  })

  test('422 lists all errors, and writes nothing', async ({ assert }) => {
    const { world, path, ada } = await office()
    const before = await snapshot([world.organizationId])
    for (const [requested, fault] of [
      [{ name: ' ' }, '/name min_length'],
      [{ name: 'CI', groupIds: ['grp_0'] }, '/groupIds/0 unknown_group'],
      [{ name: 'CI', appIds: ['nowhere'] }, '/appIds/0 unknown_app'],
      [{ name: 'CI', appIds: [] }, '/appIds array_min_length'],
      [{ name: 'CI', expiresAt: clock.now() }, '/expiresAt in_the_past'],
    ] as const) {
      const { status, body } = await ada.post(path, requested)
      const reported = body.errors?.map((each: any) => `${each.pointer} ${each.code}`)
      assert.deepEqual([status, reported], [422, [fault]])
    }
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })
})

test.group('rotateApiKey', () => {
  test('200 shows a key with the same rights; both keys work for a while', async ({ assert }) => {
    const { world, path, ada } = await office()
    const qa = await groupId(world, 'QA')
    const { body: former } = await ada.post(path, { name: 'CI', groupIds: [qa] })
    const at = `${path}/${former.id}/rotate`
    const { status, headers, body } = await ada.post(at, { overlapHours: 2, expiresAt: null })
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    assert.containsSubset(body, { name: 'CI', rotatedFrom: former.id, expiresAt: null })
    assert.deepEqual(body.groups, former.groups)
    assert.equal(await statusOf(world, body.key), 200)
    assert.equal(await statusOf(world, former.key), 200)
    const { body: ending } = await ada.get(`${path}/${former.id}`)
    assert.equal(ending.expiresAt, body.previousExpiresAt)
    const hours = (Date.parse(ending.expiresAt) - Date.parse(body.createdAt)) / 3_600_000
    assert.equal(hours, 2)
  })

  test('409 for a key that was revoked, with nothing written', async ({ assert }) => {
    const { world, path, ada } = await office()
    const { body } = await ada.post(path, { name: 'CI' })
    await ada.put(`${path}/${body.id}/revoke`)
    const before = await snapshot([world.organizationId])
    const refused = await ada.post(`${path}/${body.id}/rotate`)
    assert.deepEqual([refused.status, refused.body.currentStatus], [409, 'revoked'])
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })
})

test.group('revokeApiKey', () => {
  test('200 revokes a key at once; repeating it keeps the first time', async ({ assert }) => {
    const { world, path, ada } = await office()
    const { body } = await ada.post(path, { name: 'CI' })
    assert.equal(await statusOf(world, body.key), 200)
    const first = await ada.put(`${path}/${body.id}/revoke`)
    assert.deepEqual([first.status, first.body.status], [200, 'revoked'])
    assert.equal(await statusOf(world, body.key), 401)
    const again = await ada.put(`${path}/${body.id}/revoke`)
    assert.equal(again.body.revokedAt, first.body.revokedAt)
  })

  test('409 last_admin if no other key or person is an admin', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/apiKey`
    const [{ id }] = (await world.admin.get(path)).body
    const before = await snapshot([world.organizationId])
    const refused = await world.admin.put(`${path}/${id}/revoke`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'last_admin'])
    assert.deepEqual(await snapshot([world.organizationId]), before)

    // A person counts once they have signed in.
    const user = `/org/${world.organizationId}/user`
    const { body: eve } = await world.admin.post(user, { email: 'eve@acme.example', admin: true })
    assert.equal((await world.admin.put(`${path}/${id}/revoke`)).body.code, 'last_admin')
    await db.from('users').where('id', eve.id).update({ account_id: 'account_of_eve' })
    assert.equal((await world.admin.put(`${path}/${id}/revoke`)).status, 200)
  })
})

test.group('endApiKey', () => {
  test('204 revokes the requester’s own key; 404 for any other', async ({ assert }) => {
    const { world, path, ada } = await office()
    const { body: own } = await ada.post(path, { name: 'CI' })
    const { body: other } = await ada.post(path, { name: 'Nightly' })
    const ci = new Api(own.key)
    assert.equal((await ci.delete(`${path}/${other.id}`)).status, 404)
    assert.equal((await ci.delete(`${path}/${own.id}`)).status, 204)
    assert.equal(await statusOf(world, own.key), 401)
    assert.equal(await statusOf(world, other.key), 200)
  })
})
