import { Api } from '../api.js'
import { inTurn, ratio, reported } from '../figures.js'
import { Load, statusChanges } from '../load.js'
import type { Row } from '../part.js'
import { makeRunningRelease, seed } from '../seed.js'
import { NAMES, Stand, type DatabaseKind, type LimitStore } from '../stand.js'
import { demandingEvents } from './stored_events.js'

const ITEMS = 20

const AIM = { sqlite: 'at least 0.6', postgres: 'at least 0.45' }

/** Measures PUT of an item's status: service and fair server in turn. */
export function measureWrites(
  database: DatabaseKind,
  limits: LimitStore = 'memory'
): Promise<Row[]> {
  const measure = async (stand: Stand) => {
    const seeded = await seed(stand)
    // One item stays open, so that no change completes or reopens the step.
    const { itemIds, ...release } = await makeRunningRelease(seeded, { items: ITEMS + 1 })
    const written = { ...release, itemIds: itemIds.slice(0, ITEMS) }
    const fairApi = new Api((await stand.reference('fair')).base, seeded.api.key)
    const rows: Row[] = []
    for (const connections of database === 'sqlite' ? [10, 1] : [10]) {
      const service = new Load(seeded.api, statusChanges(written, connections))
      const fair = new Load(fairApi, statusChanges(written, connections))
      const figures = await demandingEvents(
        stand,
        () => ({ service: service.answered, fair: fair.answered }),
        () => inTurn({ service: () => service.measure(), fair: () => fair.measure() })
      )
      const counted = limits === 'default' ? ', requests counted in the database' : ''
      const clients = connections === 1 ? '1 connection' : `${connections} connections`
      const hasAim = connections === 10 && limits === 'memory'
      rows.push({
        what: `PUT item status, ${NAMES[database]}, ${clients}${counted}`,
        service: reported(figures.service, '/s'),
        beside: `fair ${reported(figures.fair, '/s')}`,
        ratio: ratio(figures.service, figures.fair),
        ...(hasAim && { aim: AIM[database] }),
      })
    }
    return rows
  }
  return Stand.use(database, measure, limits)
}
