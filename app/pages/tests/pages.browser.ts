import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { openBrowser } from '#distribution/install_pages/tests/browser'
import { tidy } from '#stores/tests/support'
import { illustrate } from './illustrations.js'
import { lookAt } from './look_at.js'
import { Pilot } from './pilot.js'
import { makeSimulatedApp, type SimulatedApp } from './simulated_app.js'

/*
 * A release pilot at work in a real browser: with script and without it, by keyboard alone, on
 * every screen.
 */

type Look = (name: string) => Promise<void>

/** Takes a release from its plan to its rollout, with pages alone. @returns its address */
async function bringToUsers(pilot: Pilot, app: SimulatedApp, look: Look) {
  const { org, appId, setReleaseBranch, runJobs, advance } = app
  const { page } = pilot
  await pilot.open(org)
  await look('home-new')
  await page.locator('main a.cover').first().click()
  await page.getByRole('link', { name: 'Plan a release' }).click()
  await look('plan')
  await page.getByLabel('Version').fill('4.2.0')
  await page.getByLabel('Name (optional)').fill('Winter')
  await page.getByRole('button', { name: 'Plan the release' }).click()
  await page.locator('#said', { hasText: '4.2.0 is planned.' }).waitFor()
  await look('release-planned')
  const release = `/dashboard/app/${appId}/release/${appId}:4.2.0`

  await pilot.step('Kickoff')
  await pilot.press('Kick off', 'Kicked off.')
  await runJobs()
  await setReleaseBranch('release/4.2.0')
  await runJobs()
  await pilot.open(release)
  await pilot.step('Candidate')
  await pilot.press('Run the build', 'The build was requested from CI.')
  await look('release-building')
  await runJobs()
  await advance({ hours: 3 })
  await pilot.open(release)
  await pilot.step('Regression testing')
  await look('release-items')
  await pilot.tick('Log in with a passkey', 'Pass', 'Passed: Log in with a passkey.')
  await pilot.tick('Check out', 'Pass', 'Passed: Check out.')
  await pilot.step('Approvals')
  await pilot.tick('Legal agrees', 'Approve', 'Approved: Legal agrees.')
  await pilot.step('Submission')
  await look('release-submission')
  await page.locator('.c2 .formend a', { hasText: 'Submit' }).click()
  await page.locator('#ask').waitFor()
  await look('ask')
  await page.locator('.ask button.go').click()
  await page.locator('#said', { hasText: 'The store is being asked to review it.' }).waitFor()
  await runJobs()
  await advance({ days: 2 })
  await pilot.open(release)
  await pilot.step('Takeoff')
  await look('release-approved')
  await pilot.press('Release to users', 'The store is being asked to release it.')
  await runJobs()
  await advance({ days: 1 })
  await pilot.open(release)
  await look('release-rolling')
  return release
}

/** Stops a rollout with the red button, resumes it, and gives it to all users. */
async function stopAndResume(pilot: Pilot, release: string, app: SimulatedApp, look: Look) {
  const { runJobs, advance } = app
  const { page } = pilot
  const red = page.locator('.acts .red')
  await red.click()
  await page.locator('#said', { hasText: 'The red button was pressed.' }).waitFor()
  await page.locator('.acts .red', { hasText: 'Stopping…' }).waitFor()
  await look('release-stopping')
  await runJobs()
  await pilot.open(release)
  await page.locator('.acts .red', { hasText: /^\s*Stopped .*confirmed by App Store/ }).waitFor()
  await look('release-stopped')
  await page
    .getByRole('button', { name: /^Resume at/ })
    .first()
    .click()
  await page.locator('#said', { hasText: 'asked to resume' }).waitFor()
  await runJobs()
  await pilot.open(release)
  await page.locator('.acts .red', { hasText: 'Stop the rollout' }).waitFor()
  await page.locator('summary', { hasText: 'Roll out to all' }).click()
  await page.getByRole('button', { name: 'Roll out to all users' }).click()
  await page.locator('#said', { hasText: 'roll it out to all' }).waitFor()
  await runJobs()
  await advance({ hours: 1 })
  await pilot.open(release)
  await look('release-all')
}

test.group('A newcomer in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })
  group.each.teardown(tidy)

  test('brings a release to all users by pages alone, which fit every screen', async ({
    assert,
  }) => {
    const app = await makeSimulatedApp()
    const pilot = await Pilot.begin(browser)
    const found: string[] = []
    const look = async (name: string) =>
      void found.push(...(await lookAt(pilot, name)), ...(await illustrate(pilot.page, name)))
    await pilot.open('/')
    await look('sign-in')
    await pilot.join(app.link)
    const release = await bringToUsers(pilot, app, look)
    await stopAndResume(pilot, release, app, look)
    assert.match(await pilot.sentence(), /All users|Nothing is holding it up/)
    for (const [name, path] of [
      ['home', app.org],
      ['turn', `${app.org}/turn`],
      ['app', `/dashboard/app/${app.appId}`],
      ['timeline', `${release}/timelineEvents`],
      ['me', '/dashboard/me'],
      ['nowhere', '/dashboard/app/nothing'],
    ] as const) {
      await pilot.open(path)
      await look(name)
    }
    assert.deepEqual([...found, ...pilot.errors], [])
    await pilot.end()
  }).timeout(240_000)

  test('does the same without script', async ({ assert }) => {
    const app = await makeSimulatedApp()
    const pilot = await Pilot.begin(browser, { javaScriptEnabled: false })
    await pilot.join(app.link)
    const none = async () => {}
    const release = await bringToUsers(pilot, app, none)
    await stopAndResume(pilot, release, app, none)
    assert.match(await pilot.sentence(), /All users|Nothing is holding it up/)
    assert.deepEqual(pilot.errors, [])
    await pilot.end()
  }).timeout(120_000)
})
