import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { writeApk } from '#app-archives/writing/sane_archives'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { withLiveVersion } from '#comparison/tests/support'
import { lookAt } from '../../tests/look_at.js'
import { Pilot } from '../../tests/pilot.js'
import { signedIn } from '../../tests/support.js'
import { LONG } from '#tests/support/effort'

/*
 * Two builds side by side in a real browser.
 */

test.group('Two builds in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('are reached from the approval and from the bucket, and fit every screen', async ({
    assert,
  }) => {
    const given = await withLiveVersion()
    const { world, build, release, app, bucket } = given
    await build('1.1.0', {
      ...{ number: '11', uses: ['camera', 'location', 'contacts'], minimum: '17.0' },
      entitlements: { 'aps-environment': 'production' },
      frameworks: { Alamofire: '5.10.2', Lottie: '4.5.0' },
    })
    const pilot = await Pilot.begin(browser)
    await pilot.be((await signedIn(world)).browser)
    const { page } = pilot
    const found: string[] = []
    const step = await release.step('approvals')
    await pilot.open(`/dashboard${release.path}/step/${step.id}`)
    await page.getByText('New permissions since 1.0.0', { exact: true }).waitFor()
    found.push(...(await lookAt(pilot, 'change-approval')))
    await page.getByRole('link', { name: 'What the build changes' }).click()
    await page.getByRole('heading', { name: 'What changed since 1.0.0 (10)' }).waitFor()
    await page.getByText('NSContactsUsageDescription').first().waitFor()
    found.push(...(await lookAt(pilot, 'comparison')))
    await pilot.open(`/dashboard/app/${app}/bucket/${bucket.id}`)
    await page.locator('.lines a.cover').first().click()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByLabel('Compare with').selectOption({ label: '1.0.0 (10)' })
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.waitForURL(/base=/)
    found.push(...(await lookAt(pilot, 'comparison-chosen')))
    await given.uploadBytes(writeApk(), 'Acme.apk')
    await given.read()
    await pilot.open(`/dashboard/app/${app}/bucket/${bucket.id}`)
    await page.locator('.lines a.cover').first().click()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByText(/^Not compared: /).waitFor()
    found.push(...(await lookAt(pilot, 'comparison-partly')))
    assert.deepEqual([...found, ...pilot.errors], [])
  }).tags([LONG])
})
