import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'

test.group('All errors in the settings of an endpoint', () => {
  test('are listed, both at its creation and at a change', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/webhookEndpoint`
    const made = await world.admin.post(path, { url: 'https://acme.example/hook' })
    const { body } = await world.admin.get(made.headers.location)
    const given = {
      url: 'https://ada:secret@acme.example/hook',
      events: ['*', 'release.created'],
      appIds: ['nowhere', 5],
      headers: { 'host': 'x', 'x-count': 5 },
      timeoutSeconds: 4,
      asymmetric: null,
    }
    for (const response of [
      await world.admin.post(path, given),
      await world.admin.patch(`${path}/${body.id}`, given),
    ]) {
      assert.equal(response.status, 422)
      const pointers = response.body.errors.map(({ pointer }: any) => pointer)
      assert.sameMembers(pointers, [
        '/url',
        '/events',
        '/appIds/0',
        '/appIds/1',
        '/headers/host',
        '/headers/x-count',
        '/timeoutSeconds',
        '/asymmetric',
      ])
      assert.notInclude(response.text, 'secret')
    }
    assert.deepEqual((await world.admin.get(`${path}/${body.id}`)).body, body)
  })
})
