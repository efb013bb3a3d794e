import { rmSync } from 'node:fs'
import { call, latency } from './latency.js'
import { inTurn } from './load.js'
import { startService, temporaryHome, type Measured } from './processes.js'
import { seedApp, seedOtherApp, seedReleases, type Seeded } from './seed.js'

const ITEMS = 100
const STEPS = 20
const BATCH = 500
const LISTED = 200

/** A service with one large release and a number of other releases beside it. */
interface Crowd {
  home: string
  service: Measured
  seeded: Seeded
  items: string[]
}

async function makeCrowd(others: number): Promise<Crowd> {
  const home = temporaryHome()
  await (await startService(home)).stop()
  const seeded = seedApp(home, STEPS)
  seedReleases(home, seeded, LISTED)
  seedReleases(home, seeded, others, seedOtherApp(home, seeded))
  const service = await startService(home)
  await call(service, seeded, 'POST', `/app/${seeded.appId}/release`, { version: '1.0.0' })
  await call(service, seeded, 'PUT', `/app/${seeded.appId}/release/${seeded.releaseId}/kickoff`)
  const { created } = await call<{ created: { id: string }[] }>(
    service,
    seeded,
    'POST',
    `/app/${seeded.appId}/regressionItems/batch`,
    { items: Array.from({ length: ITEMS }, (_, index) => ({ title: `Case ${index}` })) }
  )
  return { home, service, seeded, items: created.map((item) => item.id) }
}

/** What regression leads and dashboards do all day, in milliseconds per request. */
function questions({ service, seeded, items }: Crowd) {
  const release = `/app/${seeded.appId}/release/${seeded.releaseId}`
  let turn = 0
  return {
    'item status': () =>
      latency(60, () => {
        turn += 1
        return call(service, seeded, 'PUT', `${release}/checklistItem/${items[turn % 50]}/status`, {
          status: turn % 100 < 50 ? 'passed' : 'inProgress',
        })
      }),
    'whyNotMoving': () =>
      latency(60, () => call(service, seeded, 'GET', `${release}/whyNotMoving`)),
    'list of 200 releases': () =>
      latency(40, () => call(service, seeded, 'GET', `/v2/app/${seeded.appId}/releases?limit=200`)),
    'release detail': () =>
      latency(60, () =>
        call(service, seeded, 'GET', `/v2/app/${seeded.appId}/releases/${seeded.releaseId}`)
      ),
  }
}

/** The same questions beside 10 and beside 100,000 other releases. */
export async function measureCrowds(report: (what: string, figure: string) => void): Promise<void> {
  const few = await makeCrowd(10)
  const many = await makeCrowd(100_000)
  try {
    const [asFew, asMany] = [questions(few), questions(many)]
    for (const name of Object.keys(asFew) as (keyof typeof asFew)[]) {
      const figures = await inTurn({ few: asFew[name], many: asMany[name] }, 5)
      report(`${name}, ${ITEMS} items and ${STEPS} steps`, `${figures.few.toFixed(2)} ms`)
      report(`${name}, 100,000 : 10 other releases`, (figures.many / figures.few).toFixed(2))
    }
    const batch = {
      items: Array.from({ length: BATCH }, (_, index) => ({ title: `More ${index}` })),
    }
    const { created } = await call<{ created: { id: string }[] }>(
      few.service,
      few.seeded,
      'POST',
      `/app/${few.seeded.appId}/regressionItems/batch`,
      batch
    )
    let turn = 0
    const milliseconds = await latency(5, () => {
      turn += 1
      return call(
        few.service,
        few.seeded,
        'PUT',
        `/app/${few.seeded.appId}/regressionItems/batch`,
        {
          releaseId: few.seeded.releaseId,
          items: created.map(({ id }) => ({ id, status: turn % 2 ? 'passed' : 'failed' })),
        }
      )
    })
    report(`batch of ${BATCH} item statuses`, `${milliseconds.toFixed(0)} ms`)
  } finally {
    for (const { home, service } of [few, many]) {
      await service.stop()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
