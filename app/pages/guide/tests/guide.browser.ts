import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { findingsOf, openBrowser, overhang } from '#distribution/install_pages/tests/browser'
import { Pilot } from '../../tests/pilot.js'
import { isLong } from '#tests/support/effort'

/*
 * The built guide in a real browser: it loads from the service alone, and works under its content
 * security policy.
 */

/** One page of each kind; the last is from a folder outside of docs. */
const PATHS = [
  '/guide/',
  '/guide/how-to/',
  '/guide/reference/configuration-file',
  '/guide/packages/cli/',
]

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

test('the guide can be built and searched, and loads from this service alone', async ({
  assert,
}) => {
  const { status, stderr } = spawnSync('npm', ['run', '-s', 'docs:build'], { cwd: ROOT })
  assert.equal(status, 0, String(stderr))
  const browser = await openBrowser()
  const pilot = await Pilot.begin(browser)
  const { page } = pilot
  const found: string[] = []
  for (const path of PATHS) {
    await pilot.open(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    if ((await overhang(page)) > 0) found.push(`${path} is wider than the screen`)
    // Other findings are about the theme itself.
    found.push(...(await findingsOf(page)).filter((each) => each.startsWith('color-contrast')))
  }
  await page.locator('main').getByRole('link', { name: 'the client' }).first().click()
  await page.locator('main').getByRole('link', { name: 'OpenAPI document' }).click()
  await page.waitForURL('**/openapi.json')
  await pilot.open('/guide/reference/')
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.locator('input.search-input').fill('harmBudget')
  await page.locator('#localsearch-list a').first().click()
  await page.waitForURL(/health-guard|rollout-policy|configuration-file/)
  assert.deepEqual([...found, ...pilot.errors], [])
  await pilot.end()
  await browser.close()
})
  .timeout(240_000)
  .skip(!isLong, 'the long run builds it')
