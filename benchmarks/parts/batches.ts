import { Api } from '../api.js'
import { inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { makeItems, makeRunningRelease, seed, setStatuses } from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'
import { demandingEvents } from './stored_events.js'

const BATCH = 500
const TIMES = 10

/** PUT of 500 item statuses, each of them a change: service and fair server in turn. */
export function measureBatches(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const release = await makeRunningRelease(seeded, { items: BATCH })
    // One more item stays open, so that no batch completes or reopens the step.
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
    return [
      {
        what: `batch of ${BATCH} item statuses, ${NAMES[database]}`,
        service: reported(figures.service, 'ms'),
        beside: `fair ${reported(figures.fair, 'ms')}`,
        ratio: ratio(figures.fair, figures.service),
        aim: 'at least 0.5',
      },
    ]
  })
}
