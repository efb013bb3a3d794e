import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { rollingOut } from '#rollouts/tests/support'
import { tidy } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { linkTo } from '../session/tests/browser.js'
import { Pilot } from './pilot.js'

/*
 * Script keeps pages live, and the pages are small.
 */

/** Returns a release with items, and an admin who has opened their step. */
async function items(browser: Browser) {
  const world = await makeWorld('Acme')
  const appId = await makeApp(world)
  await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
  const ids: string[] = []
  const owners = [{ type: 'releasePilot' }]
  for (const title of ['Log in', 'Check out']) {
    const { body } = await world.admin.post(`/app/${appId}/regressionItem`, { title, owners })
    ids.push(body.id)
  }
  const path = `/app/${appId}/release/${appId}:1.4.0`
  await world.admin.put(`${path}/kickoff`)
  const { body: steps } = await world.admin.get(`${path}/steps`)
  const { id } = steps.find(({ type }: { type: string }) => type === 'regressionTesting')
  const pilot = await joined(browser, world)
  const user = await db.from('users').where({ organization_id: world.organizationId }).first()
  await world.admin.put(path, { releasePilotId: user.id })
  await pilot.open(`/dashboard${path}/step/${id}`)
  const set = (item: string, body: object) =>
    world.admin.put(`${path}/checklistItem/${item}/status`, body)
  return { world, pilot, ids, set, appId }
}

async function joined(browser: Browser, world: World): Promise<Pilot> {
  const pilot = await Pilot.begin(browser)
  await pilot.join(await linkTo(world, { userId: null, admin: true }))
  return pilot
}

/** Sums the layout shifts without recent input. */
const watchShifts = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value
  }).observe({ type: 'layout-shift', buffered: true })`

test.group('A live page', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.teardown(tidy)

  test('keeps what is half typed while another acts, and moves nothing else', async ({
    assert,
  }) => {
    const { pilot, ids, set } = await items(browser)
    const { page } = pilot
    await page.evaluate(watchShifts)
    const first = page.locator('.check > li', { hasText: 'Log in' })
    await first.locator('summary', { hasText: 'Fail' }).click()
    await first.getByLabel('What did you see?').first().fill('It cra')
    await set(ids[1], { status: 'passed' })
    await page.evaluate("document.querySelector('[data-live]').dispatchEvent(new Event('look'))")
    await page.locator('.cardh', { hasText: '1 of 2' }).waitFor()
    const field = first.locator('textarea:visible')
    assert.equal(await field.inputValue(), 'It cra')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
    await page.keyboard.type('shes')
    assert.equal(await field.inputValue(), 'It crashes')
    await first.locator('form:has(textarea:visible) button').click()
    await page.locator('#said', { hasText: 'Failed: Log in.' }).waitFor()
    assert.include(await page.locator('.check').innerText(), 'It crashes')
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  })

  test('can be used by keyboard alone, and keeps the focus', async ({ assert }) => {
    const { world, pilot, ids, set } = await items(browser)
    const { page } = pilot
    await page.keyboard.press('Tab')
    assert.equal(await pilot.focused(), 'Skip to content')
    await page.keyboard.press('Enter')
    assert.equal(await pilot.focused(), 'main')
    await page.keyboard.press('a')
    assert.equal(await pilot.focused(), `${ids[0]}-passed`)
    await page.keyboard.press('Enter')
    await page.locator('#said', { hasText: 'Passed: Log in.' }).waitFor()
    // The button is gone, so its row gets the focus, which is where it was.
    assert.equal(await pilot.focused(), `item-${ids[0]}`)
    assert.match((await page.locator('.check > li').allInnerTexts())[0], /^\s*Log in/)
    assert.equal(await page.locator('#polite').textContent(), 'Passed: Log in.')
    // No poll takes it away.
    await set(ids[1], { status: 'passed' })
    await page.evaluate("document.querySelector('[data-live]').dispatchEvent(new Event('look'))")
    await page.locator('.cardh', { hasText: '2 of 2' }).waitFor()
    assert.equal(await page.locator('#said').count(), 1)
    await page.locator(`[id="${ids[0]}-undo"]`).focus()
    await page.keyboard.press('Enter')
    await page.locator('#said', { hasText: 'Not started: Log in.' }).waitFor()

    await makeApp(world)
    await pilot.open(`/dashboard/org/${world.organizationId}`)
    const rows = page.locator('.cover')
    const names = (await rows.allInnerTexts()).map((each) => each.replace(/\s+/g, ' ').trim())
    assert.isAtLeast(names.length, 2)
    await page.keyboard.press('j')
    assert.include(names[0], await pilot.focused())
    await page.keyboard.press('j')
    assert.include(names[1], await pilot.focused())
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/dashboard\/app\//)

    // People with speech input turn single keys off.
    const home = `/dashboard/org/${world.organizationId}`
    for (const [isOn, focused] of [
      [false, null],
      [true, names[0]],
    ] as const) {
      await pilot.open('/dashboard/me')
      const keys = page.getByLabel('Single keys')
      assert.equal(await keys.isChecked(), !isOn)
      await keys.setChecked(isOn)
      await pilot.open(home)
      await page.keyboard.press('j')
      const isOnRow = await page.evaluate("document.activeElement.matches('.cover')")
      assert.equal(isOnRow, focused !== null)
    }
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  })

  test('folds nothing up, and reads out a stop when it is asked for and when the store confirms it', async ({
    assert,
  }) => {
    const { world, appId, work } = await rollingOut()
    const pilot = await joined(browser, world)
    const { page } = pilot
    await pilot.open(`/dashboard/app/${appId}/release/${appId}:1.4.0`)
    // A poll folds nothing up that is about to be used.
    const toAll = page.getByRole('button', { name: 'Roll out to all users' })
    await page.locator('summary', { hasText: 'Roll out to all' }).click()
    await page.evaluate(`new Promise((done) => {
      document.addEventListener('htmx:after:swap', () => done(), { once: true })
      document.querySelector('[data-live]').dispatchEvent(new Event('look'))
    })`)
    assert.isTrue(await toAll.isVisible())
    const alert = page.getByRole('alert')
    assert.equal(await alert.textContent(), '')
    await page.locator('.acts .red').click()
    await alert.filter({ hasText: 'Stopping…' }).waitFor()
    await work()
    await page.evaluate("document.querySelector('[data-live]').dispatchEvent(new Event('look'))")
    await alert.filter({ hasText: /Stopped \S+, confirmed by Google Play/ }).waitFor()
    assert.match(await page.title(), /^Stopped · 1\.4\.0/)
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  })

  test('is small with fifty apps, smaller the second time, and does not shift', async ({
    assert,
  }) => {
    const world = await makeWorld('Acme')
    for (let each = 0; each < 50; each++) {
      const appId = await makeApp(world)
      await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
      if (each % 2) await world.admin.put(`/app/${appId}/release/${appId}:1.4.0/kickoff`)
    }
    const pilot = await joined(browser, world)
    const { page } = pilot
    const client = await page.context().newCDPSession(page)
    await client.send('Network.enable')
    let bytes = 0
    client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    const open = async () => {
      bytes = 0
      await pilot.open(`/dashboard/org/${world.organizationId}`)
      await page.evaluate('document.fonts.ready')
      await page.waitForLoadState('networkidle')
      return bytes
    }
    await client.send('Network.clearBrowserCache')
    const cold = await open()
    assert.isAtLeast(await page.locator('.cover').count(), 50)
    await page.evaluate(watchShifts)
    await page.waitForTimeout(300)
    assert.equal(await page.evaluate('window.shifted'), 0)
    assert.isAbove(cold, 10_000)
    assert.isBelow(cold, 100_000)
    await pilot.open('/dashboard/me')
    const warm = await open()
    assert.isBelow(warm, 15_000)
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  })
})
