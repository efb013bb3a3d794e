import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { APP } from '@tarmac/plugin-slack/fake'
import { sampleScenario } from '@tarmac/plugin-app-store-connect/fake'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import config from '#config/integrations'
import { clock } from '#foundation/core/services'
import { plugins } from '#integrations/plugins/plugin_registry'
import { credentials, makeAppStore, reached } from '#tests/support/app_store'
import { isLong, LONG } from '#tests/support/effort'
import { hasty, leaveSlack, openWorkspace } from '#tests/support/slack'
import { makeWorld } from '#tests/support/world'
import { linkTo } from '../../session/tests/browser.js'
import { lookAt } from '../../tests/look_at.js'
import { Pilot } from '../../tests/pilot.js'
import { signedIn } from '../../tests/support.js'

/*
 * A newcomer connects providers in a real browser, with pages alone: the simulated ones, App Store
 * Connect with a key file, and Slack by consent in the browser. The vendors are fakes.
 */

type Look = (name: string) => Promise<void>

/** The pages that are checked in the usual run, too; the long run checks all. */
const USUAL = ['catalogue', 'connect-refused', 'connection', 'providers']

const KEY_FILE = {
  name: 'AuthKey_2X9R4HXF34.p8',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(credentials.privateKey),
}

async function given() {
  const configured = await config.resolver(null as never)
  await plugins.load({ ...configured.plugins, slack: hasty })
  reached.apple = makeAppStore(() => clock.milliseconds())
  reached.apple.seed(sampleScenario())
  const { slack } = openWorkspace(false)
  const world = await makeWorld('Acme')
  return { world, slack, link: await linkTo(world, { userId: null, admin: true }) }
}

type Given = Awaited<ReturnType<typeof given>>

/** Serves a consent page in the place of Slack's. */
async function openSlack({ page }: Pilot, { slack }: Given) {
  await page.context().route('https://slack.com/**', async (route) => {
    const { searchParams } = new URL(route.request().url())
    const redirect = searchParams.get('redirect_uri')!
    const back = new URL(redirect)
    back.searchParams.set('code', slack.agree(redirect))
    back.searchParams.set('state', searchParams.get('state')!)
    const body = `<!doctype html><title>Slack</title><a href="${back.href.replaceAll('&', '&amp;')}">Allow</a>`
    await route.fulfill({ contentType: 'text/html', body })
  })
}

/** @returns the address that Slack leads back to, which a thief may have seen */
async function connectSlack(pilot: Pilot, look: Look): Promise<string> {
  const { page } = pilot
  await page.getByRole('link', { name: 'Connect a provider' }).click()
  await page.getByRole('link', { name: 'Slack', exact: true }).click()
  await look('connect-slack')
  await page.getByLabel('Name (optional)').fill('Acme on Slack')
  await page.getByLabel('Client ID').fill(APP.clientId)
  await page.getByLabel('Client secret').fill(APP.clientSecret)
  await page.getByLabel('Signing secret').fill(APP.signingSecret)
  await page.getByRole('button', { name: 'Go on at Slack' }).click()
  await page.getByRole('link', { name: 'Go to Slack' }).waitFor()
  await look('go-on')
  await page.getByRole('link', { name: 'Go to Slack' }).click()
  const back = await page.getByRole('link', { name: 'Allow' }).getAttribute('href')
  return back!
}

/** Connects with a key, after a refused attempt. */
async function connectApple({ page }: Pilot, look: Look) {
  await page.getByRole('link', { name: 'Connect a provider' }).click()
  await look('catalogue')
  await page.getByRole('link', { name: 'App Store Connect' }).click()
  await page.getByLabel('Name (optional)').fill('Acme at Apple')
  await page.getByLabel('Issuer ID').fill(credentials.issuerId)
  await page.getByLabel('Key ID').fill('x')
  await page.getByLabel('Or its file').setInputFiles(KEY_FILE)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page
    .getByRole('alert')
    .getByRole('link', { name: /^Key ID/ })
    .waitFor()
  await look('connect-refused')
  await page.getByLabel('Key ID').fill(credentials.keyId)
  await page.getByLabel('Or its file').setInputFiles(KEY_FILE)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.locator('#said', { hasText: 'Connected Acme at Apple.' }).waitFor()
  await page.getByText('not known until first used').waitFor()
  await look('connection')
}

async function connectAll(pilot: Pilot, { world, slack, link }: Given, look: Look) {
  const { page } = pilot
  await pilot.join(link)
  await page.getByRole('link', { name: 'Providers' }).first().click()
  await look('providers-none')
  await page.getByRole('link', { name: 'Connect a provider' }).first().click()
  await page.getByRole('button', { name: 'Connect the simulated providers' }).click()
  await page.locator('#said', { hasText: 'Connected 3 simulated providers.' }).waitFor()
  await connectApple(pilot, look)
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.locator('#said', { hasText: 'Checked: it works.' }).waitFor()
  await page.getByRole('link', { name: 'Rotate' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByText('Providers').click()
  await openSlack(pilot, { world, slack, link })
  return connectSlack(pilot, look)
}

test.group('A newcomer and providers', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.teardown(async () => {
    reached.apple = null
    await leaveSlack()
  })

  test('connects them with pages alone; a stolen state is useless', async ({ assert }) => {
    const found = await given()
    const pilot = await Pilot.begin(browser)
    const { page } = pilot
    const findings: string[] = []
    const look = async (name: string) => {
      if (isLong || USUAL.includes(name)) findings.push(...(await lookAt(pilot, name)))
    }
    const back = await connectAll(pilot, found, look)

    const thief = await Pilot.begin(browser)
    await thief.be((await signedIn(found.world)).browser)
    await thief.page.goto(back)
    await thief.page.getByRole('heading', { name: 'Not connected' }).waitFor()
    await page.getByRole('link', { name: 'Allow' }).click()
    await page.locator('#said', { hasText: 'Connected Acme on Slack.' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Acme on Slack' }).waitFor()
    const named = async () =>
      (await db.from('connections').where('organization_id', found.world.organizationId))
        .map(({ plugin_id: plugin, status }) => `${plugin} ${status}`)
        .toSorted()
    assert.deepEqual(await named(), [
      'app-store-connect connected',
      'sim connected',
      'sim-apple connected',
      'sim-google connected',
      'slack connected',
    ])

    await page.getByRole('navigation', { name: 'Main' }).getByText('Providers').click()
    await look('providers')
    await page.getByRole('link', { name: 'Acme on Slack' }).click()
    await page.getByRole('link', { name: 'Disconnect' }).click()
    await look('disconnect')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await page.locator('#said', { hasText: 'Disconnected.' }).waitFor()
    assert.lengthOf(await named(), 4)
    const foreign = [...pilot.errors, ...thief.errors].filter(
      (fault) => !fault.startsWith('asks https://slack.com/')
    )
    assert.deepEqual([...findings, ...foreign], [])
    await thief.end()
    await pilot.end()
  }).timeout(120_000)

  test('does the same without script', async ({ assert }) => {
    const found = await given()
    const pilot = await Pilot.begin(browser, { javaScriptEnabled: false })
    await connectAll(pilot, found, async () => {})
    await pilot.page.getByRole('link', { name: 'Allow' }).click()
    await pilot.page.locator('#said', { hasText: 'Connected Acme on Slack.' }).waitFor()
    assert.deepEqual(
      pilot.errors.filter((fault) => !fault.startsWith('asks https://slack.com/')),
      []
    )
    await pilot.end()
  })
    .timeout(60_000)
    .tags([LONG])
})
