import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { DAY } from '#foundation/core/durations'
import { guarded } from '#rollouts/tests/guarded'
import { tidy } from '#stores/tests/support'
import { lookAt } from '../../tests/look_at.js'
import { Pilot } from '../../tests/pilot.js'
import { signedIn } from '../../tests/support.js'

/*
 * The pages of an app in a real browser: change its configuration, move its trains by a freeze, and
 * change the ladder of its policy.
 */

/** Makes an app with known traffic, and a cadence that skips frozen dates. */
async function given() {
  const found = await guarded('google')
  const { admin, appId, world } = found
  const next = new Date(Date.now() + 7 * DAY).toISOString().slice(0, 10)
  const { status, text } = await admin.put(`/app/${appId}/scheduleCadence`, {
    startDate: next,
    intervalWeeks: 2,
    timezone: 'Europe/Berlin',
    skipFrozenDates: true,
    targets: [
      {
        kickoff: { dayOffset: 0, time: '10:00' },
        submit: { dayOffset: 3, time: '09:30' },
        release: { dayOffset: 8, time: '10:00' },
      },
    ],
  })
  if (status !== 200) throw new Error(text)
  return { ...found, person: await signedIn(world), base: `/dashboard/app/${appId}` }
}

/** Returns a local time in the format of form fields, some days from now. */
const localTime = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 16)

test.group('The pages of an app in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.teardown(tidy)

  test('change configuration, schedule and policy, and fit every screen', async ({ assert }) => {
    const { person, base, admin, appId } = await given()
    const pilot = await Pilot.begin(browser)
    await pilot.be(person.browser)
    const { page } = pilot
    const found: string[] = []
    const look = async (name: string) => void found.push(...(await lookAt(pilot, name)))
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const said = (text: string) => page.locator('#said', { hasText: text }).waitFor()

    await pilot.open(base)
    await page.getByRole('link', { name: 'Configuration' }).click()
    const text = page.getByLabel('Configuration as YAML')
    const before = await text.inputValue()
    const wrong = `${before}appGruop: Shop\n`
    await text.fill(wrong)
    await press('Check')
    const place = page.locator('.faults a').first()
    await look('configuration-wrong')
    await place.click()
    const chosen =
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)'
    assert.equal(await page.evaluate(chosen), 'appGruop: Shop')
    assert.equal(await text.inputValue(), wrong)
    await text.fill(`${before}appGroup: Shop\n`)
    await press('Plan')
    await page.locator('#plan').waitFor()
    await look('configuration-plan')
    await press('Apply')
    await said('Applied')
    assert.equal((await admin.get(`/app/${appId}`)).body.appGroup, 'Shop')

    await page.getByRole('link', { name: 'Schedule' }).click()
    const trains = page.locator('.trains > li')
    const kickoffs = () =>
      trains.locator('time').evaluateAll((all) => all.map((each) => each.getAttribute('datetime')))
    const planned = await kickoffs()
    await page.getByLabel('What it is for').fill('Holidays')
    await page.getByLabel('From', { exact: true }).fill(localTime(18))
    await page.getByLabel('Until', { exact: true }).fill(localTime(40))
    await press('Add the freeze')
    await said('Frozen: Holidays.')
    await look('schedule-frozen')
    const moved = await kickoffs()
    assert.isBelow(moved.length, planned.length)
    assert.includeMembers(planned, moved)
    await page.getByLabel('Weeks between trains').fill('3')
    await press('Preview')
    await page.getByText('Nothing is set yet.').waitFor()
    await press('Set the cadence')
    await said('The cadence was set')

    await page.getByRole('link', { name: 'Automations' }).click()
    await look('automations')
    await page.getByRole('link', { name: 'Rollout policy' }).click()
    const drawn = () => page.locator('#ladder-chart').textContent()
    const ladder = await drawn()
    await page.getByLabel('Stage 1: hours that it lasts at least').fill('96')
    await press('Preview')
    await page.getByText('Not set yet').waitFor()
    assert.notEqual(await drawn(), ladder)
    await look('policy-preview')
    await press('Set the policy')
    await said('The policy was set.')
    const { body } = await admin.get(`/app/${appId}/rolloutPolicy`)
    assert.equal(body.policy.ladder[0].hours, 96)
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  }).timeout(240_000)
})
