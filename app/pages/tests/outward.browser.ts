import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { sendFile } from '#distribution/tests/support'
import { isLong } from '#tests/support/effort'
import { makeApp } from '#tests/support/app_fixture'
import { Receiver } from '#webhooks/tests/support/receiver'
import { Stage } from '#webhooks/tests/support/stage'
import { lookAt } from './look_at.js'
import { Pilot } from './pilot.js'
import { signedIn } from './support.js'
import { LONG } from '#tests/support/effort'

/*
 * Outbound traffic in a real browser: webhooks to receivers, builds to testers, keys to CI.
 */

/** The pages that the usual run checks on every screen; the long run checks all. */
const USUAL: ReadonlySet<string> = new Set([
  ...['webhook-degraded', 'webhook-delivery', 'bucket', 'bucket-build'],
])

test.group('Webhooks and buckets in a browser', (group) => {
  let browser: Browser
  const receiver = new Receiver()
  group.setup(async () => {
    browser = await openBrowser()
    await receiver.start()
    return async () => {
      await browser.close()
      await receiver.stop()
    }
  })

  test('are made, used and changed by pages alone, which fit every screen', async ({ assert }) => {
    const stage = await Stage.set()
    const { world } = stage
    const app = await makeApp(world)
    const pilot = await Pilot.begin(browser)
    await pilot.be((await signedIn(world)).browser)
    const { page } = pilot
    const found: string[] = []
    const look = async (name: string) => {
      if (isLong || USUAL.has(name)) found.push(...(await lookAt(pilot, name)))
    }
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const follow = (name: string) =>
      page.locator('main').getByRole('link', { name }).first().click()
    const said = (text: string) => page.locator('#said', { hasText: text }).waitFor()
    const org = `/dashboard/org/${world.organizationId}`

    await pilot.open(`${org}/webhookEndpoint`)
    await look('webhooks-none')
    await follow('Add an endpoint')
    await page.getByLabel('Address').fill('http://10.0.0.1/')
    await press('Add the endpoint')
    await page.locator('#url-error').waitFor()
    await look('webhook-refused')
    await page.getByLabel('Address').fill(receiver.url)
    await page.getByLabel('What it is for (optional)').fill('Release channel of the iOS team')
    await page.getByLabel('Custom headers (optional)').fill('x-team: ios')
    await press('Add the endpoint')
    await page.getByText('This is the only time it is shown.').waitFor()
    await look('webhook-made')
    await follow('Back to the endpoint')
    await look('webhook-new')
    const endpoint = new URL(page.url()).pathname

    await stage.record(...Array.from({ length: 30 }, (_, index) => ({ entity: `e${index}` })))
    await stage.drain()
    receiver.reply = (_received, response) =>
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Down for maintenance')
    const kickedOff = Array.from({ length: 12 }, (_, index) => ({
      ...{ type: 'release.kickedOff', entity: `k${index}`, appId: app },
    }))
    await stage.record(...kickedOff)
    await stage.drain()
    await pilot.open(endpoint)
    await look('webhook-degraded')
    await page.locator('.lines a.cover').first().click()
    await page.getByRole('heading', { name: 'Attempts' }).waitFor()
    await page.locator('details.tried').first().waitFor()
    await look('webhook-delivery')
    receiver.answer(204)
    await press('Send again')
    await said('It is being sent again.')
    await stage.drain()
    await pilot.open(new URL(page.url()).pathname)
    await page.getByText('by hand').waitFor()

    await pilot.open(endpoint)
    await page.getByLabel('Test message').selectOption('release.released')
    await press('Send a test message')
    await said('The test message is on its way.')
    await stage.drain()
    assert.isTrue(receiver.received.some(({ payload }) => payload.test === true))
    await pilot.open(endpoint)
    await press('Disable')
    await said('Disabled.')
    await look('webhook-disabled')
    await press('Enable')
    await said('Enabled.')
    await press('Recover')
    await page.getByRole('heading', { name: /^Recovery since/ }).waitFor()
    await stage.drain()
    await page.getByText('Done.').waitFor()
    await look('webhook-recovery')
    for (const [name, path] of [
      ['webhooks', `${org}/webhookEndpoint`],
      ['webhook-edit', `${endpoint}/edit`],
      ['webhook-rotate', `${endpoint}/rotateSecret`],
      ['webhook-delete', `${endpoint}/delete`],
    ]) {
      await pilot.open(path)
      await look(name)
    }

    await pilot.open(`/dashboard/app/${app}/bucket`)
    await look('buckets-none')
    await follow('Create a bucket')
    await page.getByRole('textbox', { name: 'Name' }).fill('Beta testers')
    await page.getByLabel('Members (optional)').fill('QA, uploader')
    await page.getByLabel('Public links').check()
    await page.getByLabel('Adds').selectOption('Branch')
    await page.getByLabel('Branch', { exact: true }).fill('release/{version}')
    await look('bucket-form')
    await press('Create the bucket')
    await said('Created Beta testers.')
    const bucket = new URL(page.url()).pathname
    const path = `${bucket.replace('/dashboard', '')}/build`
    for (const [fileName, testerNotes] of [
      ['Acme-4.2.0.ipa', 'Log in with a passkey, on an iPad, too.'],
      ['Acme-4.2.0-hotfix-of-the-payment-that-failed-on-older-phones.ipa', null],
    ] as const) {
      const sent = await sendFile(world.admin, path, {
        ...{ fileName, data: { testerNotes, tags: ['passkeys', 'night build'] } },
      })
      assert.equal(sent.status, 200, sent.text)
    }
    await pilot.open(bucket)
    await follow('Create an install link')
    await look('link-new')
    await press('Create the link')
    await said('Created the link.')
    await page.getByRole('img', { name: 'QR code of the install page' }).waitFor()
    await look('link')
    const url = await page.getByLabel('Address').inputValue()
    await pilot.open(bucket)
    await look('bucket')
    await follow('Acme-4.2.0.ipa')
    await page.getByRole('heading', { name: 'The build' }).waitFor()
    await look('bucket-build')
    for (const [name, to] of [
      ['buckets', `/dashboard/app/${app}/bucket`],
      ['bucket-edit', `${bucket}/edit`],
      ['trust', `${org}/trustRule`],
      ['trust-new', `${org}/trustRule/new`],
    ]) {
      await pilot.open(to)
      await look(name)
    }
    await pilot.open(new URL(url).pathname)
    await page.getByText('Acme', { exact: false }).first().waitFor()
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  })
    .timeout(180_000)
    .tags([LONG])
})
