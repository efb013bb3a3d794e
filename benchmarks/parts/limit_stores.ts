import type autocannon from 'autocannon'
import { Api } from '../api.js'
import { inTurn, ratio, reported } from '../figures.js'
import { everyConnection, Load } from '../load.js'
import type { Row } from '../part.js'
import { makeApp, makeRelease, makeRunningRelease, seed } from '../seed.js'
import { Stand } from '../stand.js'
import { Writer } from './writer.js'

const CONNECTIONS = 10
/** Apps made at once: the service reads as many configuration files at a time. */
const AT_A_TIME = 2
const WRITES_A_SECOND = 100

/** A Redis that counts requests; without one, only memory and the database are compared. */
const REDIS_URL = process.env.BENCH_REDIS_URL ?? ''

interface Organization {
  id: string
  key: string
}

/** The stores of request counts, with their settings. */
const STORES: [name: string, settings: Record<string, string>][] = [
  ['memory', { LIMIT_STORE: 'memory' }],
  ['database', { LIMIT_STORE: 'database' }],
]
if (REDIS_URL) STORES.push(['Redis', { LIMIT_STORE: 'redis', REDIS_URL }])

/**
 * Measures GET of a release on PostgreSQL for each store of request counts: of one organization,
 * and of many (1,000) in turn, while another one writes 100 times a second.
 */
export function measureLimitStores(): Promise<Row[]> {
  return Stand.use('postgres', async (stand) => {
    const seeded = await seed(stand)
    const organizations = await stand.program<Organization[]>('benchmarks/organizations.ts')
    const written = await makeRunningRelease(seeded, { name: 'Written', items: 101 })
    const requests = await someAtATime(organizations, (one) => detailOf(seeded.service.base, one))
    const apis: [string, Api][] = []
    for (const [store, settings] of STORES) {
      apis.push([store, new Api((await stand.service(settings)).base, seeded.api.key)])
    }
    // The writer uses the first service, whichever one is measured.
    const writer = new Writer(seeded.api, written)
    const cycles = {
      'one organization': everyConnection(requests[0]),
      [`${requests.length} organizations`]: connectionsOf(requests),
    }
    const rows: Row[] = []
    for (const [whose, cycle] of Object.entries(cycles)) {
      const rates: number[] = []
      const runs = apis.map(([store, api]) => {
        const load = new Load(api, cycle)
        const paced = () => writer.during(rates, () => load.measure(), WRITES_A_SECOND)
        return [store, paced] as const
      })
      const figures = await inTurn<string>(Object.fromEntries(runs))
      const what = `GET release detail of ${whose} while another one writes, PostgreSQL, limits in`
      for (const [store] of apis.slice(1)) {
        rows.push({
          what: `${what} ${store}`,
          service: reported(figures[store], '/s'),
          beside: `memory ${reported(figures.memory, '/s')}`,
          ratio: ratio(figures[store], figures.memory),
          aim: 'at least 0.8',
        })
      }
      rows.push({
        what: `writes of that other one beside ${whose}`,
        service: reported(rates, '/s'),
      })
    }
    return rows
  })
}

/**
 * Makes a release of an organization; answers the request that gets it with the organization's key.
 */
async function detailOf(base: string, { id, key }: Organization): Promise<autocannon.Request> {
  const owned = { api: new Api(base, key), organizationId: id, pilotId: undefined }
  const appId = await makeApp(owned, `Bench ${id}`)
  const releaseId = await makeRelease(owned, appId, '1.0.0')
  const path = `/v2/app/${appId}/releases/${releaseId}`
  return { method: 'GET', path, headers: { 'x-api-key': key } }
}

/** Distributes requests over the connections, so that no two of them send the same one. */
function connectionsOf(requests: readonly autocannon.Request[]): autocannon.Request[][] {
  return Array.from({ length: CONNECTIONS }, (_, connection) =>
    requests.filter((_request, index) => index % CONNECTIONS === connection)
  )
}

/** Does work for all in their order, `AT_A_TIME` of them at once. */
async function someAtATime<One, Done>(all: readonly One[], work: (one: One) => Promise<Done>) {
  const done: Done[] = []
  for (let index = 0; index < all.length; index += AT_A_TIME) {
    done.push(...(await Promise.all(all.slice(index, index + AT_A_TIME).map(work))))
  }
  return done
}
