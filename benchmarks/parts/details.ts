import { Api } from '../api.js'
import { inTurn, median, ratio, report } from '../figures.js'
import { everyConnection, Load } from '../load.js'
import { makeRunningRelease, seed, type Seeded } from '../seed.js'
import { Stand, type DatabaseKind, type LimitStore } from '../stand.js'
import { Writer } from './writer.js'

/** GET of a release on ten connections, of the service and of the bare server. */
async function detailLoads(stand: Stand, seeded: Seeded) {
  const { detail } = await makeRunningRelease(seeded)
  const bare = new Api((await stand.reference('bare')).base, seeded.api.key)
  const requests = everyConnection({ method: 'GET', path: detail })
  return { service: new Load(seeded.api, requests), bare: new Load(bare, requests) }
}

function tell(what: string, figures: Record<'service' | 'bare', number[]>, aim?: string) {
  report(`${what}, service`, `${median(figures.service).toFixed(0)} requests/s`)
  report(`${what}, bare server`, `${median(figures.bare).toFixed(0)} requests/s`)
  report(`${what}, service : bare`, ratio(figures.service, figures.bare).toFixed(2), aim)
}

/** GET of a release with its steps and items: service and bare server in turn. */
export function measureDetails(
  database: DatabaseKind,
  limits: LimitStore = 'memory'
): Promise<void> {
  const measure = async (stand: Stand) => {
    const { service, bare } = await detailLoads(stand, await seed(stand))
    const figures = await inTurn({
      service: () => service.measure(),
      bare: () => bare.measure(),
    })
    if (limits === 'memory') tell(`GET release detail, ${database}`, figures, 'at least 1.0')
    else tell(`GET release detail, ${database}, default store of limits`, figures)
  }
  return Stand.use(database, measure, limits)
}

/**
 * The same while a client writes to another app of the service, one change after the other: what
 * is kept of the release is true until anybody commits.
 */
export function measureDetailsBesideWrites(database: DatabaseKind): Promise<void> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const writer = new Writer(seeded.api, await makeRunningRelease(seeded, { name: 'Written' }))
    const { service, bare } = await detailLoads(stand, seeded)
    const rates = { service: [] as number[], bare: [] as number[] }
    const figures = await inTurn({
      service: () => writer.during(rates.service, () => service.measure()),
      bare: () => writer.during(rates.bare, () => bare.measure()),
    })
    const what = `GET release detail while another app is written, ${database}`
    tell(what, figures)
    const each = [rates.service, rates.bare].map((every) => median(every).toFixed(0))
    report(`${what}, writes beside each`, `${each.join(' and ')} /s`)
  })
}
