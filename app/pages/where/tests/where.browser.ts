import { test } from '@japa/runner'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { makeFeatures } from '#features/tests/support'
import { lookAt } from '../../tests/look_at.js'
import { Pilot } from '../../tests/pilot.js'
import { signedIn } from '../../tests/support.js'
import { LONG } from '#tests/support/effort'

test.group('Where a change is, in a browser', () => {
  test('is found from the page of the app, and fits every screen', async ({ assert, cleanup }) => {
    const browser = await openBrowser()
    cleanup(() => browser.close())
    const { repository, release, kickOff, look, world, app } = await makeFeatures(cleanup)
    repository.commit({ message: 'Before' })
    repository.git('tag', 'v0.9.0', 'main')
    repository.commit({ message: `Log in with a passkey, ${'also '.repeat(40)}(#812)` })
    await release('1.0.0')
    await kickOff('1.0.0')
    await look()
    const pilot = await Pilot.begin(browser)
    const { page } = pilot
    await pilot.be((await signedIn(world)).browser)
    await pilot.open(`/dashboard/app/${app}`)
    await page.getByRole('link', { name: 'Where is my change' }).click()
    const found = await lookAt(pilot, 'where')
    await page.getByLabel('Commit, pull request or ticket').fill('#812')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByText('which no user has yet').waitFor()
    found.push(...(await lookAt(pilot, 'where-found')))
    assert.deepEqual([...found, ...pilot.errors], [])
  }).tags([LONG])
})
