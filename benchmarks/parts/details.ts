import { Api } from '../api.js'
import { inTurn, median, ratio, report } from '../figures.js'
import { everyConnection, Load } from '../load.js'
import { makeRunningRelease, seed } from '../seed.js'
import { Stand, type DatabaseKind } from '../stand.js'

/** GET of a release with its steps and items: service and bare server in turn. */
export function measureDetails(database: DatabaseKind): Promise<void> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const { detail } = await makeRunningRelease(seeded)
    const bare = new Api((await stand.reference('bare')).base, seeded.api.key)
    const requests = everyConnection({ method: 'GET', path: detail })
    const loads = { service: new Load(seeded.api, requests), bare: new Load(bare, requests) }
    const figures = await inTurn({
      service: () => loads.service.measure(),
      bare: () => loads.bare.measure(),
    })
    const what = `GET release detail, ${database}`
    report(`${what}, service`, `${median(figures.service).toFixed(0)} requests/s`)
    report(`${what}, bare server`, `${median(figures.bare).toFixed(0)} requests/s`)
    const figure = ratio(figures.service, figures.bare).toFixed(2)
    report(`${what}, service : bare`, figure, 'at least 1.0')
  })
}
