import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

test.group('listReleaseBuilds and listTranslationProgress', () => {
  for (const part of ['candidateBuilds', 'translationProgress']) {
    test(`200 with an empty list; 404 for a release of another organization (${part})`, async ({
      assert,
    }) => {
      const [world, other] = [await makeWorld(), await makeWorld()]
      const appId = await makeApp(world)
      await world.admin.post(`/app/${appId}/release`, { version: '1.0.0' })
      const path = `/app/${appId}/release/${appId}:1.0.0/${part}`
      const { status, body } = await world.admin.get(path)
      assert.deepEqual([status, body], [200, []])
      assert.equal((await other.admin.get(path)).status, 404)
    })
  }
})
