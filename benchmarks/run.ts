import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { measureCrowds } from './crowd.js'
import { call, latency } from './latency.js'
import { inTurn, measure, median } from './load.js'
import { residentMb, start, startService, temporaryHome } from './processes.js'
import { seedApp, seedReleases } from './seed.js'

/*
 * `npm run bench`: everything that docs/benchmarks.md publishes, as ratios within this
 * one run. The absolute figures belong to the machine.
 */

const ITEMS = 20
const DEPTH = 10_000

const report = (what: string, figure: string) => {
  console.log(`${what.padEnd(64)} ${figure}`)
}

const home = temporaryHome()
const first = await startService(home)
report(
  'first start (migrations, organization, key) to first answer',
  `${(first.bootMs / 1000).toFixed(2)} s`
)
await first.stop()
const boots: number[] = []
const idle: number[] = []
for (let index = 0; index < 3; index++) {
  const again = await startService(home)
  boots.push(again.bootMs)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  idle.push(residentMb(again))
  await again.stop()
}
report('later start to first answer', `${(median(boots) / 1000).toFixed(2)} s`)
report('resident memory, idle after a later start', `${median(idle).toFixed(0)} MB`)

const service = await startService(home)
const bare = await start(
  ['benchmarks/bare_server.js'],
  { BENCH_DATABASE: join(home, 'tarmac.sqlite') },
  '/health/ready'
)
try {
  const seeded = seedApp(home)
  await call(service, seeded, 'POST', `/app/${seeded.appId}/release`, { version: '1.0.0' })
  await call(service, seeded, 'PUT', `/app/${seeded.appId}/release/${seeded.releaseId}/kickoff`)
  const ids: string[] = []
  for (let index = 0; index < ITEMS; index++) {
    const item = await call<{ id: string }>(
      service,
      seeded,
      'POST',
      `/app/${seeded.appId}/regressionItem`,
      {
        title: `Case ${index}`,
      }
    )
    ids.push(item.id)
  }

  const detail = `/v2/app/${seeded.appId}/releases/${seeded.releaseId}`
  const status = (id: string) =>
    `/app/${seeded.appId}/release/${seeded.releaseId}/checklistItem/${id}/status`
  const reads = await inTurn({
    service: () => measure(service.base, seeded.key, [{ method: 'GET', path: detail }]),
    bare: () => measure(bare.base, seeded.key, [{ method: 'GET', path: detail }]),
  })
  report('GET release detail, service', `${reads.service.toFixed(0)} requests/s`)
  report('GET release detail, bare server', `${reads.bare.toFixed(0)} requests/s`)
  report('GET release detail, service : bare', (reads.service / reads.bare).toFixed(2))

  const changes = (base: string) =>
    measure(
      base,
      seeded.key,
      ids.flatMap((id) =>
        ['inProgress', 'passed'].map((value) => ({
          method: 'PUT' as const,
          path: status(id),
          body: JSON.stringify({ status: value }),
        }))
      )
    )
  const writes = await inTurn({
    service: () => changes(service.base),
    bare: () => changes(bare.base),
  })
  report('PUT item status, service', `${writes.service.toFixed(0)} requests/s`)
  report('PUT item status, bare server', `${writes.bare.toFixed(0)} requests/s`)
  report('PUT item status, service : bare', (writes.service / writes.bare).toFixed(2))

  seedReleases(home, seeded, DEPTH + 100)
  const list = `/v2/app/${seeded.appId}/releases`
  const near = await call<{ pagination: { nextCursor: string } }>(
    service,
    seeded,
    'GET',
    `${list}?limit=50`
  )
  let cursor = near.pagination.nextCursor
  for (let depth = 50; depth < DEPTH; depth += 200) {
    const page = await call<typeof near>(
      service,
      seeded,
      'GET',
      `${list}?limit=200&cursor=${cursor}`
    )
    cursor = page.pagination.nextCursor
  }
  const second = near.pagination.nextCursor
  const pages = await inTurn(
    {
      first: () =>
        latency(200, () => call(service, seeded, 'GET', `${list}?limit=50&cursor=${second}`)),
      deep: () =>
        latency(200, () => call(service, seeded, 'GET', `${list}?limit=50&cursor=${cursor}`)),
    },
    5
  )
  report('page of 50 releases at the start', `${pages.first.toFixed(2)} ms`)
  report(`page of 50 releases at depth ${DEPTH}`, `${pages.deep.toFixed(2)} ms`)
  report('page at depth : page at the start', (pages.deep / pages.first).toFixed(2))
} finally {
  await service.stop()
  await bare.stop()
  rmSync(home, { recursive: true, force: true })
}

await measureCrowds(report)
