import { test } from '@japa/runner'
import { keepScreenshot, openBrowser } from '#distribution/install_pages/tests/browser'
import { later } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { rollingOut } from '#rollouts/tests/support'
import { tidy } from '#stores/tests/support'
import { lookAt } from '../../tests/look_at.js'
import { signedIn } from '../../tests/support.js'
import { LONG } from '#tests/support/effort'

/*
 * The page of a release for everybody, and the page of its links, in a real browser.
 */

const base = () => `http://${process.env.HOST}:${process.env.PORT}`

test.group('A release for everybody in a browser', (group) => {
  group.each.teardown(tidy)

  test('fits every screen and paper, in light and dark, and can be used by everybody', async ({
    assert,
    cleanup,
  }) => {
    const browser = await openBrowser()
    cleanup(() => browser.close())
    const { admin, world, path, appId } = await rollingOut()
    await admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: {
        ladder: [
          { percentage: 10, hours: 24 },
          { percentage: 50, hours: 24 },
        ],
      },
    })
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    const next = `/app/${appId}/release/${appId}:1.5.0`
    await admin.put(next, { targetReleaseAt: later(clock.now(), 9 * DAY) })
    const link = async (of: string) => (await admin.post(`${of}/link`)).body.url as string
    const rolling = await link(path)
    await admin.post(`${path}/link`)
    const person = await signedIn(world)
    const context = await browser.newContext({ locale: 'en-GB' })
    const page = await context.newPage()
    const found: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('404')) found.push(message.text())
    })
    for (const [name, address] of [
      ['shared', rolling],
      ['shared-planned', await link(next)],
      ['shared-none', `${base()}/shared/x`],
      ['links', `${base()}/dashboard${path}/link`],
    ]) {
      if (name === 'links') {
        const cookies = [...person.browser.cookies].map(([key, value]) => ({
          ...{ name: key, value, url: base() },
        }))
        await context.addCookies(cookies)
      }
      await page.goto(address)
      await page.emulateMedia({ media: 'screen' })
      found.push(...(await lookAt({ page }, name)))
      await page.emulateMedia({ media: 'print' })
      await keepScreenshot(page, `${name}-print`)
    }
    assert.deepEqual(found, [])
    await page.goto(rolling)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    assert.equal(ground, 'rgb(247, 248, 250)')
    assert.isFalse(await page.getByText('Look again').isVisible())
  })
    .timeout(60_000)
    .tags([LONG])
})
