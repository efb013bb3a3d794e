import { Api } from '../api.js'
import { inTurn, median, ratio, report, timings } from '../figures.js'
import { makeItems, makeRunningRelease, seed, setStatuses } from '../seed.js'
import { Stand, type DatabaseKind } from '../stand.js'
import { demandingEvents } from './stored_events.js'

const BATCH = 500
const TIMES = 10

/** PUT of 500 item statuses, each of them a change: service and fair server in turn. */
export function measureBatches(database: DatabaseKind): Promise<void> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const release = await makeRunningRelease(seeded, { items: BATCH })
    // It stays open, so that no batch completes or reopens the step.
    await makeItems(seeded, release.appId, 1)
    const fair = new Api((await stand.reference('fair')).base, seeded.api.key)
    const answered = { service: 0, fair: 0 }
    let turn = 0
    const batches = (name: keyof typeof answered, api: Api) => async () =>
      median(
        await timings(TIMES, async () => {
          await setStatuses(api, release, ++turn % 2 ? 'notApplicable' : 'inProgress')
          answered[name] += BATCH
        })
      )
    const figures = await demandingEvents(
      stand,
      () => answered,
      () => inTurn({ service: batches('service', seeded.api), fair: batches('fair', fair) })
    )
    const what = `batch of ${BATCH} item statuses, ${database}`
    report(`${what}, service`, `${median(figures.service).toFixed(0)} ms`)
    report(`${what}, fair server`, `${median(figures.fair).toFixed(0)} ms`)
    const figure = ratio(figures.fair, figures.service).toFixed(2)
    report(`${what}, rate of service : fair`, figure, 'at least 0.5')
  })
}
