import { Api } from '../api.js'
import { inTurn, ratio, reported } from '../figures.js'
import { everyConnection, Load } from '../load.js'
import type { Row } from '../part.js'
import { makeRunningRelease, seed, type Seeded } from '../seed.js'
import { NAMES, Stand, type DatabaseKind, type LimitStore } from '../stand.js'
import { Writer } from './writer.js'

/** Loads of ten connections that GET a release, on the service and on the bare server. */
async function detailLoads(stand: Stand, seeded: Seeded) {
  const { detail } = await makeRunningRelease(seeded)
  const bare = new Api((await stand.reference('bare')).base, seeded.api.key)
  const requests = everyConnection({ method: 'GET', path: detail })
  return { service: new Load(seeded.api, requests), bare: new Load(bare, requests) }
}

const rowOf = (what: string, { service, bare }: Record<'service' | 'bare', number[]>): Row => ({
  what,
  service: reported(service, '/s'),
  beside: `bare ${reported(bare, '/s')}`,
  ratio: ratio(service, bare),
})

/** Measures GET of a release with its steps and items: service and bare server in turn. */
export function measureDetails(
  database: DatabaseKind,
  limits: LimitStore = 'memory'
): Promise<Row[]> {
  const measure = async (stand: Stand) => {
    const { service, bare } = await detailLoads(stand, await seed(stand))
    const figures = await inTurn({
      service: () => service.measure(),
      bare: () => bare.measure(),
    })
    const what = `GET release detail, ${NAMES[database]}`
    return limits === 'memory'
      ? [{ ...rowOf(what, figures), aim: 'at least 1.0' }]
      : [rowOf(`${what}, requests counted in the database`, figures)]
  }
  return Stand.use(database, measure, limits)
}

/**
 * Measures the same while a client changes another app of the organization over and over: a kept
 * answer is valid only as long as nothing of its organization changes.
 */
export function measureDetailsBesideWrites(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const writer = new Writer(seeded.api, await makeRunningRelease(seeded, { name: 'Written' }))
    const { service, bare } = await detailLoads(stand, seeded)
    const rates = { service: [] as number[], bare: [] as number[] }
    const figures = await inTurn({
      service: () => writer.during(rates.service, () => service.measure()),
      bare: () => writer.during(rates.bare, () => bare.measure()),
    })
    const what = `GET release detail while another app is written, ${NAMES[database]}`
    return [
      rowOf(what, figures),
      {
        what: `writes to that other app meanwhile, ${NAMES[database]}`,
        service: reported(rates.service, '/s'),
        beside: `bare ${reported(rates.bare, '/s')}`,
      },
    ]
  })
}
