import { chromium, type Browser as Chromium } from 'playwright-core'
import { Browser } from '../browser.js'
import { inTurn, reported } from '../figures.js'
import type { Row } from '../part.js'
import { makeRunningRelease, seed } from '../seed.js'
import { Stand } from '../stand.js'

const APPS = 50

const PAINTED = `new Promise((resolve) =>
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint')
    if (paint) resolve(paint.startTime)
  }).observe({ type: 'paint', buffered: true }))`

/** Measures the first contentful paint of pages in Chromium with an empty cache. */
export function measurePaints(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const seeded = await seed(stand)
    const { service, organizationId } = seeded
    const releases: Awaited<ReturnType<typeof makeRunningRelease>>[] = []
    for (let index = 0; index < APPS; index++) {
      releases.push(await makeRunningRelease(seeded, { name: `App ${index}`, items: 5 }))
    }
    const [{ appId, releaseId }] = releases
    const release = `/dashboard/app/${appId}/release/${releaseId}`
    const { cookies } = await Browser.signedIn(seeded, 'ada@acme.example')
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM,
      args: ['--no-sandbox'],
    })
    try {
      const open = (path: string) => () => paintOf(browser, service.base + path, cookies)
      const pages: [what: string, open: () => Promise<number>][] = [
        [`Home with ${APPS} apps`, open(`/dashboard/org/${organizationId}`)],
        ['a release', open(release)],
        ['a timeline', open(`${release}/timelineEvents`)],
        ['keys', open(`/dashboard/org/${organizationId}/apiKey`)],
      ]
      for (const [, warm] of pages) await warm()
      const paints = await inTurn(Object.fromEntries(pages))
      return pages.map(([what]) => ({
        what: `${what} in Chromium, until its first contentful paint`,
        service: reported(paints[what], 'ms'),
        aim: 'under 1,000 ms',
      }))
    } finally {
      await browser.close()
    }
  })
}

/** Milliseconds to the first contentful paint for a signed-in person with an empty cache. */
async function paintOf(
  browser: Chromium,
  url: string,
  cookies: ReadonlyMap<string, string>
): Promise<number> {
  const context = await browser.newContext()
  try {
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })))
    const page = await context.newPage()
    await page.goto(url)
    return (await page.evaluate(PAINTED)) as number
  } finally {
    await context.close()
  }
}
