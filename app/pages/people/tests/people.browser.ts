import { test } from '@japa/runner'
import type { Browser, Page } from 'playwright-core'
import { findingsOf, keepScreenshot, openBrowser } from '#distribution/install_pages/tests/browser'
import { CreateKey } from '#organizations/actions/create_key'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { addUser, joined, type Person } from '../../session/tests/browser.js'
import { lookAt } from '../../tests/look_at.js'

/*
 * Keys, people and groups in a real browser, on a desktop and a phone, in both color schemes.
 */

async function office() {
  const world = await makeWorld('Acme')
  const app = await makeApp(world)
  const person = await joined(world, true)
  const org = `/dashboard/org/${world.organizationId}`
  const { userId: invited } = await addUser(world, 'grace.brewster.murray.hopper@acme.example')
  const { body: groups } = await world.admin.get(`/org/${world.organizationId}/group`)
  const crew = await world.admin.post(`/org/${world.organizationId}/group`, {
    name: 'Crew of the night',
    userActions: ['EditRelease', 'SelectBuild'],
    userEmails: [person.email],
  })
  const key = await world.write((scope) =>
    new CreateKey(scope).handle({
      name: 'Release CI',
      groupIds: [groups[0].id, groups[2].id],
      appIds: [app],
    })
  )
  return { world, person, org, invited, key, crew: crew.body.id, standard: groups[0].id }
}

/** Opens a page of the service as somebody who is signed in. */
async function openAs(browser: Browser, { browser: signedIn }: Person): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  const url = `http://${process.env.HOST}:${process.env.PORT}`
  const cookies = [...signedIn.cookies].map(([name, value]) => ({ name, value, url }))
  await context.addCookies(cookies)
  const page = await context.newPage()
  return page
}

const base = () => `http://${process.env.HOST}:${process.env.PORT}`

test.group('Keys, people and groups in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('fit every screen, load nothing that is forbidden, and are accessible', async ({
    assert,
  }) => {
    const { person, org, invited, key, crew, standard } = await office()
    const page = await openAs(browser, person)
    const errors: string[] = []
    const found: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    for (const [name, path] of [
      ['keys', `${org}/apiKey`],
      ['key-new', `${org}/apiKey/new`],
      ['key-rotate', `${org}/apiKey/${key.id}/rotate`],
      ['key-revoke', `${org}/apiKey/${key.id}/revoke`],
      ['people', `${org}/user`],
      ['person-new', `${org}/user/new`],
      ['person', `${org}/user/${invited}`],
      ['person-own', `${org}/user/${person.userId}`],
      ['person-deactivate', `${org}/user/${person.userId}/deactivate`],
      ['groups', `${org}/group`],
      ['group', `${org}/group/${crew}`],
      ['group-new', `${org}/group/new`],
      ['group-default', `${org}/group/${standard}`],
      ['group-delete', `${org}/group/${crew}/delete`],
    ]) {
      await page.goto(base() + path)
      for (const details of await page.locator('details.ended').all()) {
        await details.evaluate((each) => each.setAttribute('open', ''))
      }
      found.push(...(await lookAt({ page }, name)))
    }
    assert.deepEqual([...found, ...errors], [])
  }).timeout(120_000)

  test('a key is made with the keyboard alone, and copied', async ({ assert }) => {
    const { world, person, org } = await office()
    const page = await openAs(browser, person)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${base()}${org}/apiKey`)
    await page.getByRole('link', { name: 'Create a key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await page.keyboard.press('Enter')
    // The form is refused, and the summary links to the field.
    await page.getByRole('alert').getByRole('link').first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').focus()
    await page.keyboard.type('Nightly')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText('This is the only time it is shown.').waitFor()
    const key = await page.getByLabel('Key', { exact: true }).inputValue()
    await page.getByRole('button', { name: 'Copy' }).press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
    assert.match(key, /^tarmac_/)
    const { body } = await world.admin.get(`/org/${world.organizationId}/apiKey`)
    const made = body.find((each: { name: string }) => each.name === 'Nightly')
    assert.lengthOf(made.groups, 1)
    await keepScreenshot(page, 'key-made')
    assert.deepEqual(await findingsOf(page), [])
  }).timeout(60_000)
})
