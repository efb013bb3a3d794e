import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const HEAD =
  '--bb\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'

test.group('Incomplete multipart bodies', () => {
  for (const [what, raw] of [
    ['within a part', `${HEAD}abcdefgh`],
    ['within the head of a part', '--bb\r\nContent-Disposition: form-data; na'],
    ['before the first part', 'nothing here'],
    ['within another part', HEAD.replace('"file"', '"other"') + 'abc'],
  ]) {
    test(`that end ${what} are refused with 400, and the service goes on`, async ({ assert }) => {
      const world = await makeWorld()
      const app = await makeApp(world)
      const headers = { 'content-type': 'multipart/form-data; boundary=bb' }
      for (const path of [`/app/${app}/icon`, `/org/${world.organizationId}/app/config`]) {
        const { status, body } = await world.admin.post(path, undefined, { raw, headers })
        assert.equal(status, 400)
        assert.equal(body.code, 'malformed_multipart')
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
      assert.equal((await world.admin.get(`/app/${app}`)).status, 200)
    })
  }
})
