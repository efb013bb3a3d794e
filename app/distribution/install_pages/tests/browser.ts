import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { isLong } from '#tests/support/effort'
import { PUBLIC_URL } from './support.js'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const SCHEMES = ['light', 'dark'] as const
let turns = 0

/** Returns the color schemes to try next: both in the long run, else one of them in turn. */
export const schemesOfLook = () => (isLong ? SCHEMES : [SCHEMES[turns++ % SCHEMES.length]])

/** The folder of screenshots: of the long run, or of a run that names one. */
const folder = process.env.SCREENSHOTS ?? (isLong ? 'build/screenshots' : null)
export const keepsScreenshots = folder !== null

/** Stores a screenshot of a page, by default the whole of it, if the run keeps any. */
export async function keepScreenshot(page: Page, name: string, fullPage = true): Promise<void> {
  if (folder === null) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage })
}

/** A browser and the size of its screen. */
export interface Screen {
  userAgent: string
  width: number
  height: number
}

/** Starts the installed Chromium. @throws Error that says how to install it */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
  if (!executablePath) {
    throw new Error('There is no Chromium: `apt-get install chromium`, or set CHROMIUM to its path')
  }
  // Chromium has no sandbox for root, as on CI; it loads only pages of the service.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** An open page, and the errors in its console and its requests. */
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
    // Chromium also logs the status of error pages, which are expected.
    if (message.type() === 'error' && !/status of 4(04|10)/.test(message.text())) {
      errors.push(message.text())
    }
  })
  page.on('requestfailed', (request) => errors.push(`${request.url()} failed`))
  await page.goto(PUBLIC_URL + path)
  return { page, errors, close: () => context.close() }
}

/** Serves the public https address from this service. */
async function serve(context: BrowserContext): Promise<void> {
  await context.route('**/*', async (route) => {
    const { origin, pathname, search } = new URL(route.request().url())
    if (origin !== PUBLIC_URL) return route.abort()
    const local = `http://127.0.0.1:${process.env.PORT}${pathname}${search}`
    const response = await fetch(local, { headers: await route.request().allHeaders() })
    const headers = Object.fromEntries(response.headers)
    const body = Buffer.from(await response.arrayBuffer())
    await route.fulfill({ status: response.status, headers, body })
  })
}

/** Returns the violations that axe finds on a page, with their elements. */
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

/** Returns the number of pixels by which a page is wider than its screen. */
export const overhang = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
