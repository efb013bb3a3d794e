import { test } from '@japa/runner'
import { operations } from '#foundation/api/operation/registry'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { forgetGuesses, joined } from '../../session/tests/browser.js'

const overview = operations.get('getOrganizationOverview')

test.group('Home', (group) => {
  group.each.setup(forgetGuesses)

  test('reads the overview once per page, and not at all while nothing changes', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { browser } = await joined(world, true)
    const { handle } = overview
    cleanup(() => void (overview.handle = handle))
    let asked = 0
    overview.handle = (call) => {
      asked += 1
      return handle(call)
    }
    const open = (headers: Record<string, string> = {}) =>
      browser.get(`/dashboard/org/${world.organizationId}`, headers)

    await open()
    const { status, headers } = await open()
    assert.equal(status, 200)
    asked = 0
    const poll = { 'x-poll': '1', 'if-none-match': headers.get('etag')! }
    assert.deepEqual([(await open(poll)).status, asked], [304, 0])

    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const changed = await open(poll)
    assert.deepEqual([changed.status, asked], [200, 1])
    assert.include(changed.text, '1.0.0')
    assert.equal(changed.headers.get('content-encoding'), 'gzip')

    // A poll of another page may use a count that is a minute old; opening the page counts again.
    const page = `/dashboard/app/${app}/release/${app}:1.0.0`
    await browser.get(page)
    await world.admin.put(`/app/${app}/release/${app}:1.0.0`, { releaseName: 'Passkeys' })
    asked = 0
    const polled = await browser.get(page, { 'x-poll': '1' })
    assert.include(polled.text, 'Passkeys')
    assert.equal(asked, 0)
    await browser.get(page)
    assert.equal(asked, 1)
  })
})
