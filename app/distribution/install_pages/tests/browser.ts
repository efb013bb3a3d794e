import { existsSync } from 'node:fs'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { isLong } from '#tests/support/effort'
import { PUBLIC_URL } from './support.js'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const SCHEMES = ['light', 'dark'] as const
let looks = 0

/** Returns the schemes of the next look: the long run tries both, the usual one takes turns. */
export const schemesOfLook = () => (isLong ? SCHEMES : [SCHEMES[looks++ % SCHEMES.length]])

/** A screen that pages are looked at on. */
export interface Screen {
  userAgent: string
  width: number
  height: number
}

/** Chromium as it is installed. @throws Error that says how to install it */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
  if (!executablePath) {
    throw new Error('There is no Chromium: `apt-get install chromium`, or set CHROMIUM to its path')
  }
  // Root, as on CI, has no sandbox; nothing is loaded but pages of the service.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** Forbidden activity of a page. */
export interface Look {
  page: Page
  errors: string[]
  close(): Promise<void>
}

/** Opens a path of the service at its public address. */
export async function lookAt(browser: Browser, path: string, screen: Screen): Promise<Look> {
  const { userAgent, width, height } = screen
  const context = await browser.newContext({
    userAgent,
    viewport: { width, height },
    deviceScaleFactor: 2,
  })
  await serve(context)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    // Chromium logs the status of a page that is meant to be read all the same.
    if (message.type() === 'error' && !/status of 4(04|10)/.test(message.text())) {
      errors.push(message.text())
    }
  })
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`))
  await page.goto(PUBLIC_URL + path)
  return { page, errors, close: () => context.close() }
}

/** The public address is this service: browsers ask it by https. */
async function serve(context: BrowserContext): Promise<void> {
  await context.route('**/*', async (route) => {
    const { origin, pathname, search } = new URL(route.request().url())
    if (origin !== PUBLIC_URL) return route.abort()
    const local = `http://127.0.0.1:${process.env.PORT}${pathname}${search}`
    const answer = await fetch(local, { headers: await route.request().allHeaders() })
    const headers = Object.fromEntries(answer.headers)
    const body = Buffer.from(await answer.arrayBuffer())
    await route.fulfill({ status: answer.status, headers, body })
  })
}

/** Findings of axe on what is shown, each with where. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations, passes } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run()
  )
  if (passes.length === 0) throw new Error('axe looked at nothing')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`)
  )
}

/** By how many pixels a page is wider than its screen. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
