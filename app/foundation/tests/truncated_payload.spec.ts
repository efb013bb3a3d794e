import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

test.group('Payloads over 256 KiB', () => {
  test('are sent thin, with the place of the resource', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const entries = Array.from({ length: 30 }, (_, index) => ({
      key: `note ${index}`,
      value: 'x'.repeat(10_000),
    }))
    const { status } = await world.admin.post(`/app/${app}/release`, {
      version: '1.0.0',
      customMetadata: { entries },
    })
    assert.equal(status, 201)
    const [{ payload }] = await world.events()
    assert.isTrue(payload.truncated)
    assert.equal(payload.url, `/v2/app/${app}/releases/${app}:1.0.0`)
    assert.equal(payload.eventType, 'release.created')
    assert.isUndefined(payload.release)
  })
})
