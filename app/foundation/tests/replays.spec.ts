import { test } from '@japa/runner'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { fingerprint } from '../api/execution/idempotency.js'
import { clock } from '../core/services.js'
import { makeWorld } from '#tests/support/world'

/*
 * Who gets the first answer of a request with an Idempotency-Key again.
 */

const once = { headers: { 'idempotency-key': 'once' } }

async function groups() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/group`
  const crew = { name: 'Crew', userActions: [] }
  const kept = () => db.from('idempotency_keys').where('organization_id', world.organizationId)
  return { world, path, crew, kept }
}

test.group('A kept answer', () => {
  test('is of the organization: a rotated API key gets it, and writes nothing', async ({
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

  test('is found where it was kept without its asker', async ({ assert }) => {
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
