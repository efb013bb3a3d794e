import { setTimeout as pause } from 'node:timers/promises'
import { fixed } from '../figures.js'
import type { Row } from '../part.js'
import {
  makeApp,
  makeItems,
  makeRelease,
  makeRunningRelease,
  seed,
  workflow,
  type Seeded,
} from '../seed.js'
import { NAMES, Stand, type DatabaseKind } from '../stand.js'

/** Half of the templates an app may have; a batch brings the other half. */
const TEMPLATES = 500
/** One less than may be open, so that one more can be drafted. */
const RELEASES = 99
const STEPS = 15

const PAUSE_MS = 2

/**
 * Measures the most far-reaching requests: the duration of each, and the longest wait of a GET of
 * another app meanwhile.
 */
export function measureReaches(database: DatabaseKind): Promise<Row[]> {
  return Stand.use(database, async (stand) => {
    const seeded = await seed(stand)
    const other = await makeRunningRelease(seeded, { name: 'Other' })
    const ask = () => seeded.api.call('GET', other.detail)
    const rows: Row[] = []
    for (const [what, request] of requests(seeded, await makeLargeApp(seeded))) {
      const { took, waited } = await beside(ask, request)
      rows.push({
        what: `${what}, ${NAMES[database]}`,
        service: `${fixed(took)} ms`,
        beside: `GET of another app waits ${fixed(waited)} ms`,
        aim: 'waits at most 100 ms',
      })
    }
    return rows
  })
}

/** An app with as many open releases as there may be, each with its items; answers its ids. */
async function makeLargeApp(seeded: Seeded) {
  const appId = await makeApp(seeded, 'Large', STEPS)
  const itemIds = await makeItems(seeded, appId, TEMPLATES)
  const releaseIds: string[] = []
  for (let minor = 0; minor < RELEASES; minor++) {
    releaseIds.push(await makeRelease(seeded, appId, `1.${minor}.0`))
  }
  await seeded.api.call('PUT', `/app/${appId}/release/${releaseIds[0]}/kickoff`)
  return { appId, itemIds, releaseIds }
}

type Request = readonly [what: string, request: () => Promise<unknown>]

/** The requests in the order in which they run: each needs the data that the one before left. */
function* requests(
  seeded: Seeded,
  { appId, itemIds, releaseIds }: Awaited<ReturnType<typeof makeLargeApp>>
): Generator<Request> {
  const { api } = seeded
  const app = `/app/${appId}`
  let created: string[] = []
  yield [
    'batch of 500 items into 99 releases',
    async () => (created = await makeItems(seeded, appId, 500)),
  ]
  yield [
    'item to position 0 of 1,000, in 99 releases',
    () => api.call('PUT', `${app}/checklistItem/${created[499]}`, { placement: { position: 0 } }),
  ]
  yield [
    'one status among 1,000 items',
    () =>
      api.call('PUT', `${app}/release/${releaseIds[0]}/checklistItem/${itemIds[0]}/status`, {
        status: 'passed',
      }),
  ]
  yield [
    'release drafted with 1,000 items',
    () => api.call('POST', `${app}/release`, { version: '2.0.0' }),
  ]
  const patch = (stepGroups: object[], query = '') =>
    api.call('PATCH', `${app}/config${query}`, JSON.stringify({ stepGroups }))
  const groups = workflow(STEPS)
  const hasItems = ({ steps }: (typeof groups)[number]) =>
    steps.some(({ archetype }) => archetype === 'regressionTesting')
  yield ['PATCH of a workflow, one step more in 100 releases', () => patch(workflow(STEPS + 1))]
  yield ['dry run of a PATCH, one step less in 100 releases', () => patch(groups, '?dryRun=true')]
  yield [
    'PATCH that removes the step of 1,000 items',
    () => patch(groups.filter((group) => !hasItems(group))),
  ]
  yield ['PATCH that puts that step back', () => patch(groups)]
  yield [
    'batch of 500 items deleted from 100 releases',
    () => api.call('DELETE', `${app}/regressionItems/batch`, { ids: created }),
  ]
  yield [
    'DELETE of a release among 100',
    () => api.call('DELETE', `${app}/release/${releaseIds[50]}`),
  ]
  yield ['DELETE of the app with 99 releases', () => api.call('DELETE', `${app}/config?force=true`)]
}

/**
 * Runs a request; answers its duration and the longest wait of `ask` meanwhile, in milliseconds.
 */
async function beside(ask: () => Promise<unknown>, request: () => Promise<unknown>) {
  for (let index = 0; index < 20; index++) await ask()
  let isOver = false
  const began = performance.now()
  const ended = request().finally(() => (isOver = true))
  let waited = 0
  while (!isOver) {
    const asked = performance.now()
    await ask()
    waited = Math.max(waited, performance.now() - asked)
    await pause(PAUSE_MS)
  }
  await ended
  return { took: performance.now() - began, waited }
}
