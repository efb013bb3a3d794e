import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { addReleases, makeApp, makeRunningRelease, seed, type Seeded } from '../seed.js'
import { Stand } from '../stand.js'

const ITEMS = 100
const STEPS = 20
const LISTED = 200
const FEW = 10
const MANY = 100_000

/** Makes one large release and a number of other releases of the organization. */
async function makeCrowd(stand: Stand, others: number) {
  const seeded = await seed(stand)
  addReleases(seeded, await makeApp(seeded, 'Other'), others)
  const release = await makeRunningRelease(seeded, { items: ITEMS, steps: STEPS })
  addReleases(seeded, release.appId, LISTED)
  return questions(seeded, release)
}

type Running = Awaited<ReturnType<typeof makeRunningRelease>>

/**
 * Functions that measure daily requests of regression leads and dashboards, in milliseconds each.
 */
function questions({ api }: Seeded, { appId, releaseId, itemIds, detail }: Running) {
  const path = `/app/${appId}/release/${releaseId}`
  let turn = 0
  const asking = (times: number, ask: () => Promise<unknown>) => async () =>
    median(await timings(times, ask))
  return {
    'item status': asking(60, () => {
      const item = itemIds[turn % 50]
      const status = turn++ % 100 < 50 ? 'passed' : 'inProgress'
      return api.call('PUT', `${path}/checklistItem/${item}/status`, { status })
    }),
    'whyNotMoving': asking(60, () => api.call('GET', `${path}/whyNotMoving`)),
    'list of 200 releases': asking(40, () =>
      api.call('GET', `/v2/app/${appId}/releases?limit=${LISTED}`)
    ),
    'release detail': asking(60, () => api.call('GET', detail)),
  }
}

/** Measures the same requests with 10 and with 100,000 other releases. */
export function measureCrowds(): Promise<Row[]> {
  return Stand.use('sqlite', (first) =>
    Stand.use('sqlite', async (second) => {
      const asFew = await makeCrowd(first, FEW)
      const asMany = await makeCrowd(second, MANY)
      const rows: Row[] = []
      for (const name of Object.keys(asFew) as (keyof typeof asFew)[]) {
        const figures = await inTurn({ few: asFew[name], many: asMany[name] })
        rows.push({
          what: `${name}, ${ITEMS} items and ${STEPS} steps, beside ${fixed(MANY)} releases`,
          service: reported(figures.many, 'ms', 2),
          beside: `beside ${FEW}: ${reported(figures.few, 'ms', 2)}`,
          ratio: ratio(figures.many, figures.few),
          aim: 'at most 1.2',
        })
      }
      return rows
    })
  )
}
