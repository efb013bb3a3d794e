import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { makeItem, makeTrain, recordFacts, setItem } from '#releases/tests/helpers/release_world'
import { passMinutes, tidy, workThrough } from '#stores/tests/support'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { makeWorld } from '#tests/support/world'
import { joined, linkTo } from '../session/tests/browser.js'
import { lookAt } from './look_at.js'
import { Pilot } from './pilot.js'
import { LONG } from '#tests/support/effort'

/*
 * A rehearsal from its button to its result, and a release's retrospective, in a real browser.
 */

const stepsOf = (...types: ReleaseStepType[]) =>
  types.map((type) => ({
    name: type,
    type,
    releaseTypes: { standard: { required: true }, hotfix: { required: true } },
  }))

test.group('Rehearsals and retrospectives in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.teardown(tidy)

  test('a newcomer makes an app by pages alone and rehearses weeks of it', async ({ assert }) => {
    const world = await makeWorld('Acme')
    const pilot = await Pilot.begin(browser)
    const { page } = pilot
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await pilot.join(await linkTo(world, { userId: null, admin: true }))
    const found = await lookAt(pilot, 'home-empty')
    await page.getByRole('link', { name: 'Connect a provider' }).click()
    await press('Connect the simulated providers')
    await page.locator('#said', { hasText: 'Connected 3 simulated providers.' }).waitFor()
    await page.getByRole('navigation', { name: 'Main' }).getByText('Home').click()
    await page.getByRole('link', { name: 'New app' }).click()
    await press('Create the app')
    await page.getByRole('alert').getByRole('link').first().waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Acme Shop')
    await page
      .getByLabel('Store', { exact: true })
      .selectOption('Rehearsal App Store (Simulated App Store, iOS)')
    await press('Show its file')
    await page.getByText('It is valid.').waitFor()
    found.push(...(await lookAt(pilot, 'new-app')))
    await press('Create the app')
    await page.locator('#said', { hasText: 'Created Acme Shop.' }).waitFor()
    await page.getByRole('link', { name: 'Rehearse' }).click()
    await page.getByLabel('How long').selectOption('1')
    await page.getByRole('button', { name: 'Rehearse with simulated providers' }).click()
    await page.getByText('It starts in a moment.').waitFor()
    found.push(...(await lookAt(pilot, 'rehearsal-begins')))

    // Without script, the page reloads itself.
    const plain = await Pilot.begin(browser, { javaScriptEnabled: false })
    await plain.page.context().addCookies(await page.context().cookies())
    await plain.page.goto(page.url())
    assert.isNotNull(await plain.page.locator('meta[http-equiv="refresh"]').getAttribute('content'))
    await plain.end()

    await workThrough(world.organizationId, 0)
    const story = page.getByRole('img', { name: /^Releases over time: 1\.0\.0/ })
    await story.waitFor()
    assert.isAbove(await story.locator('rect').count(), 0)
    await page.getByText('Releases over time as a table').click()
    await page.getByRole('cell', { name: '1.0.0' }).first().waitFor()
    await page.getByRole('heading', { name: 'What happens, and when' }).waitFor()
    found.push(...(await lookAt(pilot, 'rehearsal')))
    assert.isNull(await page.locator('#live').getAttribute('data-live'))
    await page.getByRole('link', { name: 'Rehearse again' }).click()
    found.push(...(await lookAt(pilot, 'rehearse')))

    await page.getByRole('link', { name: 'Releases' }).click()
    await page.getByRole('link', { name: 'Plan a release' }).click()
    await page.getByLabel('Version').fill('1.0.0')
    await press('Plan the release')
    await page.locator('#said', { hasText: '1.0.0 is planned.' }).waitFor()
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  })
    .timeout(120_000)
    .tags([LONG])

  test('a completed release links to what it waited for', async ({ assert }) => {
    const train = await makeTrain(['1.0.0', '1.1.0', '1.2.0'], {
      platform: 'react-native-ota',
      steps: stepsOf('kickoff', 'regressionTesting', 'approvals'),
    })
    const { world, app, admin, path } = train
    const tested = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
    const approved = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
    for (const [version, testing, approving] of [
      ['1.0.0', 30, 20],
      ['1.1.0', 40, 2],
      ['1.2.0', 70, 9],
    ] as const) {
      await admin.put(`${path(version)}/kickoff`)
      passMinutes(testing * 60)
      await setItem(train, version, tested, 'passed')
      passMinutes(approving * 60)
      await setItem(train, version, approved, 'approved')
      await recordFacts(train, version, async (scope, release) => {
        release.releasedAt = scope.now
      })
    }
    const pilot = await Pilot.begin(browser)
    await pilot.be((await joined(world, true)).browser)
    await pilot.open(`/dashboard/app/${app}/release/${app}:1.2.0`)
    await pilot.page.getByRole('link', { name: 'What it waited for' }).click()
    await pilot.page.getByRole('img', { name: /^Hours per step: regressionTesting/ }).waitFor()
    const found = await lookAt(pilot, 'retrospective')
    await pilot.page.getByRole('link', { name: '1.1.0' }).click()
    await pilot.page.getByRole('heading', { name: 'What 1.1.0 waited for' }).waitFor()
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  }).timeout(60_000)
})
