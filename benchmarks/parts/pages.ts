import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { addReleases, makeApp, seed } from '../seed.js'
import { Stand } from '../stand.js'

const DEPTH = 10_000

interface Page {
  pagination: { nextCursor: string }
}

/** Measures a page near the start of a long list, and one at depth. */
export function measurePages(): Promise<Row[]> {
  return Stand.use('sqlite', async (stand) => {
    const seeded = await seed(stand)
    const { api } = seeded
    const appId = await makeApp(seeded, 'Bench')
    addReleases(seeded, appId, DEPTH + 100)

    const list = `/v2/app/${appId}/releases`
    const near = (await api.call<Page>('GET', `${list}?limit=50`)).pagination.nextCursor
    let deep = near
    for (let depth = 50; depth < DEPTH; depth += 200) {
      const page = await api.call<Page>('GET', `${list}?limit=200&cursor=${deep}`)
      deep = page.pagination.nextCursor
    }
    const page = (cursor: string) => async () =>
      median(await timings(200, () => api.call('GET', `${list}?limit=50&cursor=${cursor}`)))
    const pages = await inTurn({ first: page(near), deep: page(deep) })
    return [
      {
        what: `page of 50 releases at depth ${fixed(DEPTH)}`,
        service: reported(pages.deep, 'ms', 2),
        beside: `at the start ${reported(pages.first, 'ms', 2)}`,
        ratio: ratio(pages.deep, pages.first),
        aim: 'at most 1.1',
      },
    ]
  })
}
