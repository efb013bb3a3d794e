import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'

test.group('GET /org/{orgId}', () => {
  test('200 returns the organization with its counts', async ({ assert }) => {
    const world = await makeWorld('Acme')
    const { status, body, headers } = await world.admin.get(`/org/${world.organizationId}`)
    assert.equal(status, 200)
    assert.containsSubset(body, {
      id: world.organizationId,
      name: 'Acme',
      appCount: 0,
      userCount: 0,
    })
    assert.match(headers.etag, /^".+"$/)
    assert.equal((await world.admin.get(`/v1/org/${world.organizationId}`)).status, 200)
  })

  test('304 if the tag still matches', async ({ assert }) => {
    const world = await makeWorld()
    const { headers } = await world.admin.get(`/org/${world.organizationId}`)
    const again = await world.admin.get(`/org/${world.organizationId}`, {
      headers: { 'if-none-match': headers.etag },
    })
    assert.equal(again.status, 304)
    assert.equal(again.text, '')
  })

  test('401 without a key, 404 for another organization', async ({ assert }) => {
    const [mine, theirs] = [await makeWorld(), await makeWorld()]
    const anonymous = await new Api(null).get(`/org/${mine.organizationId}`)
    assert.equal(anonymous.status, 401)
    assert.equal(anonymous.body.code, 'key_missing')
    assert.include(anonymous.body.detail, 'X-API-Key')
    assert.equal((await mine.admin.get(`/org/${theirs.organizationId}`)).status, 404)
  })
})
