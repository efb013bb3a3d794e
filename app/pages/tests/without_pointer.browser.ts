import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { withLiveVersion } from '#comparison/tests/support'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { Pilot } from './pilot.js'
import { signedIn } from './support.js'
import { LONG } from '#tests/support/effort'

/*
 * An administrator's way through the pages, once with the keyboard alone and once without script.
 */

/** The hand of a person on the page that is shown. */
interface Hand {
  /** Presses a button or follows a link. */
  press(name: string | RegExp): Promise<void>
  /** Writes a text in place of that of a field. */
  write(id: string, text: string): Promise<void>
  /** Chooses an option of a select. */
  choose(id: string, label: string): Promise<void>
}

const onKeyboard = (pilot: Pilot): Hand => ({
  async press(name) {
    await pilot.walkTo(name)
    await pilot.page.keyboard.press('Enter')
  },
  async write(id, text) {
    await pilot.walkTo(id)
    await pilot.page.keyboard.press('Control+A')
    await pilot.page.keyboard.type(text)
  },
  async choose(id, label) {
    await pilot.walkTo(id)
    await pilot.page.keyboard.type(label)
  },
})

const withoutScript = ({ page }: Pilot): Hand => ({
  async press(name) {
    const either = page.getByRole('button', { name, exact: true })
    await either
      .or(page.getByRole('link', { name, exact: true }))
      .first()
      .click()
  },
  write: (id, text) => page.locator(`#${id}`).fill(text),
  async choose(id, label) {
    await page.locator(`#${id}`).selectOption({ label })
  },
})

async function given() {
  await loadTestPlugins()
  const { world, build, app, bucket, release, admin } = await withLiveVersion({ rules: '' })
  const candidate = await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
  const hook = `/org/${world.organizationId}/webhookEndpoint`
  const { body: endpoint } = await admin.post(hook, { url: 'https://acme.example/hook' })
  const { body: delivery } = await admin.post(`${hook}/${endpoint.id}/ping`)
  return {
    person: await signedIn(world),
    catalogue: `/dashboard/org/${world.organizationId}/integration/connect`,
    app: `/dashboard/app/${app}`,
    release: `/dashboard${release.path}`,
    delivery: `/dashboard${hook}/${endpoint.id}/delivery/${delivery.id}`,
    build: `/dashboard/app/${app}/bucket/${bucket.id}/build/${candidate}`,
  }
}

/** Connects, rehearses, configures, sends again, shares and compares. */
async function walk(pilot: Pilot, { press, write, choose }: Hand) {
  const { page } = pilot
  const { person, catalogue, app, release, delivery, build } = await given()
  await pilot.be(person.browser)
  const said = (text: string) => page.locator('#said', { hasText: text }).waitFor()

  await pilot.open(catalogue)
  await press('Connect the simulated providers')
  await said('Connected 3 simulated providers.')

  await pilot.open(`${app}/rehearsal`)
  await press('Rehearse with simulated providers')
  await page.getByText('It starts in a moment.').waitFor()
  await press('Stop the rehearsal')
  await said('The rehearsal was stopped.')

  await pilot.open(`${app}/config`)
  await write('configuration', 'changeApprovals: [{change: targetChanged, groups: [Legal]}]')
  await press('Plan')
  await page.getByText('changeApprovals', { exact: true }).waitFor()
  await press('Apply')
  await said('Applied')

  await pilot.open(delivery)
  await press('Send again')
  await said('It is being sent again.')

  await pilot.open(`${release}/link`)
  await press('Create a link')
  await said('Created the link.')
  await press(/^Revoke ?: /)
  await page.locator('h1', { hasText: 'Revoke' }).waitFor()
  await press('Revoke')
  await said('Revoked the link.')

  await pilot.open(`${build}/buildComparison`)
  await page.getByText('NSLocationWhenInUseUsageDescription').first().waitFor()
  await choose('choice', '1.0.0 (10)')
  await press('Compare')
  await page.waitForURL(/base=/)
  await page.getByText('NSLocationWhenInUseUsageDescription').first().waitFor()
}

test.group('Pages of administrators in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('can be used with the keyboard alone', async ({ assert }) => {
    const pilot = await Pilot.begin(browser)
    await walk(pilot, onKeyboard(pilot))
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  }).tags([LONG])

  test('can be used without script', async ({ assert }) => {
    const pilot = await Pilot.begin(browser, { javaScriptEnabled: false })
    await walk(pilot, withoutScript(pilot))
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  }).tags([LONG])
})
