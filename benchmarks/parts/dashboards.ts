import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { Browser, textOf } from '../browser.js'
import { fixed, inTurn, median, ratio, ROUNDS, reported } from '../figures.js'
import type { Row } from '../part.js'
import { cpuOf } from '../processes.js'
import { makeRunningRelease, seed, type Seeded } from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'

const APPS = 50
const TABS = 50
const POLL_SECONDS = 5

/** Sessions that the tabs belong to: each may ask for twenty pages a second. */
const SESSIONS = 5

/** Duration of a measurement of tabs: the service makes the page anew once a minute. */
const WATCHED_SECONDS = 60

const ADA = 'ada@acme.example'

/** Requests of one measurement: the processor time of one alone is too short to measure. */
const REQUESTS = 100

/** Pause between requests, which keeps a session below its limit of twenty pages a second. */
const PACE_MS = 60

/**
 * Sends sequential requests; answers the service's processor time for each and their median
 * wait, in milliseconds.
 */
async function paced({ service }: Seeded, ask: () => Promise<unknown>) {
  const before = cpuOf(service.pid)
  const waits: number[] = []
  for (let index = 0; index < REQUESTS; index++) {
    const began = performance.now()
    await ask()
    waits.push(performance.now() - began)
    await pause(PACE_MS)
  }
  return { processor: (cpuOf(service.pid) - before) / REQUESTS, wait: median(waits) }
}

/** Measures Home of an organization with fifty apps: opening it, polling it, and its bytes. */
export function measureHome(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const { api, organizationId } = seeded
    for (let index = 0; index < APPS; index++) {
      await makeRunningRelease(seeded, { name: `App ${index}`, items: 5 })
    }
    const browser = await Browser.signedIn(seeded, ADA)
    const home = `/dashboard/org/${organizationId}`
    const overview = `/org/${organizationId}/overview?limit=200`

    const open = () => browser.get(home)
    const ask = () => api.call('GET', overview)
    const tab = new Tab(browser, home)
    const poll = () => tab.poll()
    for (const warm of [open, ask, poll]) await paced(seeded, warm)
    const costs = await inTurn({
      page: async () => (await paced(seeded, open)).processor,
      api: async () => (await paced(seeded, ask)).processor,
    })
    const polls = await inTurn({
      page: async () => (await paced(seeded, poll)).wait,
      api: async () => (await paced(seeded, ask)).wait,
    })
    const { cold, warm } = await bytesOf(browser, home)
    const where = `${APPS} apps, ${NAMES[database]}`
    return [
      {
        what: `Home with ${where}, processor time`,
        service: reported(costs.page, 'ms', 1),
        beside: `its API call ${reported(costs.api, 'ms', 1)}`,
        ratio: ratio(costs.page, costs.api),
        aim: 'at most 3',
      },
      {
        what: `poll of Home without a change, ${where}`,
        service: reported(polls.page, 'ms', 2),
        beside: `its API call ${reported(polls.api, 'ms', 2)}`,
        ratio: ratio(polls.page, polls.api),
        aim: 'under 5 ms',
      },
      {
        what: `Home with ${where}, over the wire with all that it names`,
        service: `${fixed(cold / 1000, 1)} kB`,
        aim: 'under 100 kB',
      },
      {
        what: `Home with ${where}, over the wire alone`,
        service: `${fixed(warm / 1000, 1)} kB`,
        aim: 'under 15 kB',
      },
    ]
  })
}

/**
 * Bytes over the wire of a page with all assets that it names (cold), and of the page alone (warm).
 */
async function bytesOf(browser: Browser, path: string): Promise<{ cold: number; warm: number }> {
  const page = await browser.get(path)
  const named = new Set(assetsIn(textOf(page)))
  let assets = 0
  // The loop also visits the fonts that it adds to the set.
  for (const each of named) {
    const { bytes, headers } = await browser.get(each)
    assets += bytes.length
    if (!each.endsWith('.css')) continue
    const isBrotli = headers['content-encoding'] === 'br'
    const style = isBrotli ? brotliDecompressSync(bytes) : bytes
    for (const font of assetsIn(style.toString())) named.add(font)
  }
  return { cold: page.bytes.length + assets, warm: page.bytes.length }
}

const assetsIn = (text: string): string[] => text.match(/\/assets\/[\w.-]+/g) ?? []

/** Measures fifty tabs that show one release, each of which polls every five seconds. */
export function measureTabs(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const { appId, releaseId } = await makeRunningRelease(seeded)
    const first = await Browser.signedIn(seeded, ADA)
    const browsers = [first]
    while (browsers.length < SESSIONS) browsers.push(await first.another(ADA))
    const path = `/dashboard/app/${appId}/release/${releaseId}`
    await paced(seeded, () => first.get(path))
    const tabs = Array.from(
      { length: TABS },
      (_, index) => new Tab(browsers[index % SESSIONS], path)
    )
    const shares: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuOf(seeded.service.pid)
      await Promise.all(tabs.map((tab, index) => tab.watch(index)))
      const seconds = WATCHED_SECONDS + POLL_SECONDS
      // Percent of a core: milliseconds / (seconds × 1000) × 100.
      shares.push((cpuOf(seeded.service.pid) - before) / (seconds * 10))
    }
    const sum = (count: 'polls' | 'unchanged') => tabs.reduce((all, tab) => all + tab[count], 0)
    const [sent, unchanged] = [sum('polls'), sum('unchanged')]
    return [
      {
        what: `${TABS} tabs on one release, ${NAMES[database]}, processor of the service`,
        service: `${fixed(median(shares), 1)} %`,
        beside: `${fixed((unchanged * 100) / sent)} % of polls 304`,
        aim: 'under 5 % of a core',
      },
    ]
  })
}

/** A browser tab, which polls its page as the script of the page does. */
class Tab {
  #tag = ''
  polls = 0
  unchanged = 0

  constructor(
    private readonly browser: Browser,
    private readonly path: string
  ) {}

  async poll(): Promise<void> {
    const conditions = { 'x-poll': '1', ...(this.#tag && { 'if-none-match': this.#tag }) }
    const { status, headers } = await this.browser.get(this.path, conditions)
    this.polls += 1
    if (status === 304) this.unchanged += 1
    else if (status !== 200) throw new Error(`The poll answered ${status}`)
    this.#tag = String(headers.etag ?? '')
  }

  /** @param index place among the tabs, whose polls are spread evenly over the interval */
  async watch(index: number): Promise<void> {
    await pause((index * POLL_SECONDS * 1000) / TABS)
    for (let second = 0; second < WATCHED_SECONDS; second += POLL_SECONDS) {
      await this.poll()
      await pause(POLL_SECONDS * 1000)
    }
  }
}
