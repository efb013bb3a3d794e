import config from '@adonisjs/core/services/config'
import { getActiveTest } from '@japa/runner'
import { readOnCommand } from '../../reading/read_on_command.js'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { SystemClock, later } from '#foundation/core/clock'
import { clock } from '#foundation/core/services'
import { Api, type ApiOptions } from '#tests/support/api'
import { makeUser } from '#tests/support/app_fixture'
import { PROFILE, writeApk, writeIpa } from '#app-archives/writing/sane_archives'
import { makeBucket } from '../../tests/support.js'

export const DAY = 24 * 3_600_000
export const PUBLIC_URL = 'https://tarmac.acme.example'

export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
export const IPHONE_IN_SLACK =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Slack/25.10'
export const PIXEL =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
export const PIXEL_IN_AN_APP =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36'
export const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15'
export const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** A client without a key. */
export const visitor = new Api(null)

/** Returns a profile that expires in some days. */
export const profileFor = (days: number, more: object = {}) => ({
  ...PROFILE,
  ExpirationDate: new Date(later(clock.now(), days * DAY)),
  ...more,
})

export const ipaFor = (days = 100, more: object = {}) =>
  writeIpa({ profile: profileFor(days, more) })
export const apk = () => writeApk()

/** Gives the service a public https address, until the test ends. */
export function beReachedByHttps(): void {
  const before = config.get('app.publicUrl')
  config.set('app.publicUrl', PUBLIC_URL)
  getActiveTest()!.cleanup(() => config.set('app.publicUrl', before))
}

/** Makes a bucket with a tester, and functions that add builds, read them and link to them. */
export async function makeInstallable(settings: object = {}) {
  const stage = await Stage.set(readOnCommand)
  const bucket = await makeBucket({ orgWideAccessEnabled: true, ...settings })
  const email = `tester@${bucket.app}.example`
  const testerId = await makeUser(bucket.world, email)
  const read = () => {
    stage.clock.travelTo(new SystemClock().now())
    return stage.worker.turn()
  }
  const add = async (bytes: Buffer | string, fileName?: string, data?: object) => {
    const { body } = await bucket.upload({ bytes, fileName, data })
    await read()
    return (await bucket.admin.get(`${bucket.path}/build/${body.id}`)).body
  }
  const link = async (input: object = { email }) => {
    const { status, body, text } = await bucket.admin.post(`${bucket.path}/installLink`, input)
    if (status !== 201) throw new Error(text)
    return { ...body, path: new URL(body.url).pathname }
  }
  return { ...bucket, stage, email, testerId, add, read, link }
}

/** Requests a page as a device does. */
export const visit = (path: string, userAgent: string, options: ApiOptions = {}) =>
  visitor.get<string>(path, {
    ...options,
    headers: { 'user-agent': userAgent, 'accept': 'text/html,*/*;q=0.8', ...options.headers },
  })

/** Returns the address of the button of a page; null if it has none. */
export function buttonOf(page: string): string | null {
  const buttons = [...page.matchAll(/<a class="button[^"]*" href="([^"]*)"/g)]
  if (buttons.length > 1) throw new Error('A page has one button')
  return buttons.length === 0 ? null : decoded(buttons[0][1])
}

export const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

/** Returns the path of an absolute address of the service. */
export const pathOf = (address: string) => new URL(address).pathname
