import { test } from '@japa/runner'
import type { Browser } from 'playwright-core'
import { writeAab } from '#app-archives/writing/sane_archives'
import { CI_BUILD } from '../../tests/support.js'
import {
  findingsOf,
  keepScreenshot,
  keepsScreenshots,
  lookAt,
  openBrowser,
  overhang,
  SCHEMES,
  schemesOfLook,
  type Screen,
} from './browser.js'
import {
  apk,
  beReachedByHttps,
  ipaFor,
  IPHONE,
  IPHONE_IN_SLACK,
  MAC,
  makeInstallable,
  PIXEL,
} from './support.js'

/*
 * Opens every kind of page in a real browser, in both color schemes.
 */

const PHONE = { userAgent: IPHONE, width: 390, height: 844 }
const SMALL = { userAgent: IPHONE, width: 320, height: 568 }
const ANDROID = { userAgent: PIXEL, width: 412, height: 915 }
const DESKTOP = { userAgent: MAC, width: 1280, height: 800 }

const NOTES = `Please log in with a passkey, then:
- switch between two accounts
- turn on airplane mode while a message is sent`

/** Returns a page of every kind, with a screen to open it on. */
async function makePages(): Promise<[name: string, path: string, screen: Screen][]> {
  const { add, link, email } = await makeInstallable({ name: 'Release candidates' })
  const of = async (bytes: Buffer | string, fileName: string, testerNotes?: string) => {
    const build = await add(bytes, fileName, testerNotes ? { testerNotes } : undefined)
    return (await link({ email, buildDistroBuildId: build.id })).path
  }
  const ios = await of(ipaFor(), 'Acme-4.2.0.ipa', NOTES)
  await add(ipaFor(60, { Name: 'Second' }), 'Acme-4.2.0.ipa', {
    testerNotes: NOTES,
    tags: ['passkeys', 'beta'],
    ciBuildInfo: CI_BUILD,
  })
  const { path: newest } = await link()
  const ending = await of(ipaFor(5, { Name: 'Ending' }), 'Acme-4.2.0.ipa')
  return [
    ['install', ios, PHONE],
    ['small', ios, SMALL],
    ['desktop', ios, DESKTOP],
    ['other-phone', ios, ANDROID],
    ['in-app', ios, { ...PHONE, userAgent: IPHONE_IN_SLACK }],
    ['ending', ending, PHONE],
    ['newest', newest, PHONE],
    ['device', `${newest}/device`, PHONE],
    ['device-done', `${newest}/device?registered=true`, PHONE],
    ['list', `${newest}/builds`, PHONE],
    ['list-small', `${newest}/builds?tag=beta`, SMALL],
    ['list-desktop', `${newest}/builds?q=passkeys`, DESKTOP],
    ['android', await of(apk(), 'Acme-4.2.0.apk', NOTES), ANDROID],
    ['bundle', await of(writeAab(), 'Acme-4.2.0.aab'), ANDROID],
    ['unreadable', await of('no archive', 'symbols.zip'), PHONE],
    ['expired', await of(ipaFor(-1), 'Acme-4.1.0.ipa'), PHONE],
    ['unknown', `/install/${'x'.repeat(42)}`, PHONE],
  ]
}

test.group('Install pages in a browser', (group) => {
  let browser: Browser
  group.setup(async () => {
    browser = await openBrowser()
    return () => browser.close()
  })

  test('load without errors, fit every screen, and are accessible', async ({ assert }) => {
    beReachedByHttps()
    for (const [name, path, screen] of await makePages()) {
      const { page, errors, close } = await lookAt(browser, path, screen)
      for (const colorScheme of keepsScreenshots ? SCHEMES : schemesOfLook()) {
        await page.emulateMedia({ colorScheme })
        const what = `${name} ${colorScheme}`
        assert.deepEqual(await findingsOf(page), [], what)
        assert.equal(await overhang(page), 0, what)
        await keepScreenshot(page, `${name}-${colorScheme}`)
      }
      assert.deepEqual(errors, [], name)
      await close()
    }
  })
})
