import { Api } from '../api.js'
import { inTurn, ratio, report, median } from '../figures.js'
import { Load, statusChanges } from '../load.js'
import { makeRunningRelease, seed } from '../seed.js'
import { Stand, type DatabaseKind } from '../stand.js'

const ITEMS = 20

const AIM = { sqlite: 'at least 0.6', postgres: 'at least 0.45' }

const STORED = {
  service: `select count(*) from events where type = 'checklistItem.statusChanged'`,
  fair: 'select count(*) from bench_events',
}

/** PUT of an item's status: service and fair server in turn. */
export function measureWrites(database: DatabaseKind): Promise<void> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    // One item stays open, so that no change completes or reopens the step.
    const { itemIds, ...release } = await makeRunningRelease(seeded, { items: ITEMS + 1 })
    const driven = { ...release, itemIds: itemIds.slice(0, ITEMS) }
    const fair = new Api((await stand.reference('fair')).base, seeded.api.key)
    for (const connections of database === 'sqlite' ? [10, 1] : [10]) {
      const loads = {
        service: new Load(seeded.api, statusChanges(driven, connections)),
        fair: new Load(fair, statusChanges(driven, connections)),
      }
      const before = await storedEvents(stand)
      const figures = await inTurn({
        service: () => loads.service.measure(),
        fair: () => loads.fair.measure(),
      })
      const after = await storedEvents(stand)
      for (const name of ['service', 'fair'] as const) {
        demandEqual(`events of the ${name}`, after[name] - before[name], loads[name].answered)
      }
      const what = `PUT item status, ${database}, ${connections} connections`
      report(`${what}, service`, `${median(figures.service).toFixed(0)} requests/s`)
      report(`${what}, fair server`, `${median(figures.fair).toFixed(0)} requests/s`)
      const figure = ratio(figures.service, figures.fair).toFixed(2)
      report(`${what}, service : fair`, figure, AIM[database])
    }
  })
}

async function storedEvents(stand: Stand) {
  return { service: await stand.count(STORED.service), fair: await stand.count(STORED.fair) }
}

/** Every answered request was a change: otherwise the rate would say nothing. */
function demandEqual(what: string, stored: number, answered: number): void {
  if (stored !== answered) throw new Error(`${stored} ${what} for ${answered} answers`)
}
