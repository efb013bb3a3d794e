import { inTurn, median, ratio, report, timings } from '../figures.js'
import { addReleases, makeApp, seed } from '../seed.js'
import { Stand } from '../stand.js'

const DEPTH = 10_000

interface Page {
  pagination: { nextCursor: string }
}

/** A page of a long list at its start and far behind it. */
export function measurePages(): Promise<void> {
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
    report('page of 50 releases at the start', `${median(pages.first).toFixed(2)} ms`)
    report(`page of 50 releases at depth ${DEPTH}`, `${median(pages.deep).toFixed(2)} ms`)
    const figure = ratio(pages.deep, pages.first).toFixed(2)
    report('page at depth : page at the start', figure, 'at most 1.1')
  })
}
