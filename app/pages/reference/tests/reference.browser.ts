import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { findingsOf, keepScreenshot, openBrowser } from '#distribution/install_pages/tests/browser'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { Pilot } from '../../tests/pilot.js'
import { LONG } from '#tests/support/effort'

/*
 * The reference of the API in a real browser.
 */

/** Accessibility rules that Scalar itself fails; those who need them can use `/docs/plain`. */
const FINDINGS_OF_SCALAR =
  /^(aria-input-field-name|aria-required-attr) \.code-input|^button-name button\[aria-controls/

test.group('The reference of the API in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('shows operations and tries one with a key, without requests to other hosts', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const pilot = await Pilot.begin(browser)
    const { page } = pilot
    await pilot.open('/docs')
    await page.getByRole('heading', { name: 'Tarmac' }).first().waitFor()
    await page.getByText('Get the configuration of an app as YAML').first().waitFor()
    const found = await findingsOf(page)
    assert.deepEqual(
      found.filter((each) => !FINDINGS_OF_SCALAR.test(each)),
      []
    )
    await keepScreenshot(page, 'docs', false)

    await page
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.scalar-password-input').fill(world.adminKey)
    await dialog.getByText('acme-ios', { exact: true }).first().click()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type(appId)
    const [answer] = await Promise.all([
      page.waitForResponse((each) => each.url().includes(appId)),
      dialog.getByRole('button', { name: 'Send', exact: false }).first().click(),
    ])
    await keepScreenshot(page, 'docs-tried', false)
    assert.deepEqual(
      [new URL(answer.url()).pathname, answer.status()],
      [`/app/${appId}/app/config`, 200]
    )
    await dialog.getByText('200 OK').first().waitFor()
    assert.deepEqual(pilot.errors, [])
    // The key is not stored in the browser.
    const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    assert.notInclude(kept as string, world.adminKey.slice(20))
    await pilot.end()
  })
    .timeout(60_000)
    .tags([LONG])
})
