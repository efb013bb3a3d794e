import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { forgetGuesses, joined } from '../../session/tests/browser.js'
import { textOf } from '../../tests/support.js'

test.group('A hotfix beside the release of the train', (group) => {
  group.each.setup(forgetGuesses)

  test('is on Home, with what waits for the reader', async ({ assert }) => {
    const world = await makeWorld()
    const { admin, organizationId } = world
    const app = await makeApp(world)
    await admin.post(`/app/${app}/release`, { version: '2.0.0' })
    await admin.put(`/app/${app}/release/${app}:2.0.0/kickoff`)
    const hotfix = { version: '1.9.1', releaseType: 'hotfix', baseTag: { name: '1.9.0' } }
    await admin.post(`/app/${app}/release`, hotfix)
    const { browser } = await joined(world, true)
    const home = `/dashboard/org/${organizationId}`
    const hrefs = (text: string) =>
      [...text.matchAll(/class="cover" href="[^"]+%3A([\d.]+)"/g)].map(([, version]) => version)

    const shown = await browser.get(home)
    assert.deepEqual(hrefs(shown.text), ['2.0.0', '1.9.1'])
    // The only app is still the only one, so its next release needs no choice.
    assert.include(shown.text, `/dashboard/app/${app}/release/new`)
    const turn = textOf((await browser.get(`${home}/turn`)).text)
    assert.match(turn, /1\.9\.1 · kickoff/i)
    assert.deepEqual(hrefs((await browser.get(`${home}?show=turn`)).text), ['2.0.0', '1.9.1'])

    await admin.put(`/app/${app}/release/${app}:1.9.1/skip`)
    assert.deepEqual(hrefs((await browser.get(home)).text), ['2.0.0'])
  })
})
