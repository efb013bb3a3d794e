import 'reflect-metadata'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import { Type } from '@sinclair/typebox'
import type BetterSqlite3 from 'better-sqlite3'
import { ignite } from '../bin/ignite.js'
import { inTurn } from './figures.js'
import { PROVIDER } from './parts/ports.js'
import type { Observed } from './parts/observations.js'

/*
 * A process with a worker and 1,000 observations that are due at once. Each opens the
 * credentials of its connection, calls the provider through the port, and stores what it saw in a
 * transaction. For comparison, it makes the same calls through the port alone and by bare `fetch`.
 */

const LOOKS = 1000
const MINUTE = 60_000

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { MAX_EACH } = await import('#foundation/jobs/share_out')
const { poolOf } = await import('#foundation/core/database/connections')
const { onObservation, Works } = await import('#foundation/jobs/handlers')
const { makeWorker } = await import('#foundation/jobs/make_worker')
const { observationKind } = await import('#foundation/core/jobs/kinds')
const { unrestricted } = await import('#foundation/core/principal')
const { CreateOrganization } = await import('#organizations/actions/create_organization')
const { tenants } = await import('#organizations/queries/find_tenants')
const { ConnectProvider } = await import('#integrations/actions/connect_provider')
const { openConnection } = await import('#integrations/connections/open_connection')
const { findConnection } = await import('#integrations/queries/find_connection')
const { benchPlugin } = await import('./bench_plugin.js')

const { container } = app
const migrations = await container.make('migrations')
await migrations.runDue()
const clock = await container.make('clock')
const unitOfWork = await container.make('unitOfWork')
const secrets = await container.make('integrations.secrets')
const caller = await container.make('integrations.caller')
const database = await container.make('lucid.db')

const provider = new Thread(PROVIDER, { eval: true })
const [portNumber] = (await once(provider, 'message')) as [number]
const origin = `http://127.0.0.1:${portNumber}`

const organization = await new CreateOrganization(database as never, clock).handle({
  name: 'Bench',
})
const principal = {
  organization,
  actor: { type: 'system', id: null, name: 'benchmark' } as const,
  permissions: unrestricted,
}
const { manifest } = benchPlugin
const { id } = await unitOfWork.inTransaction(principal, (scope) =>
  new ConnectProvider(scope, secrets).handle({
    manifest,
    alias: null,
    settings: { host: origin },
    credentials: { token: 'bench-token' },
    check: null,
  })
)

const kind = observationKind('bench.look', Type.Object({}))
const works = new Works()
let taken = 0
works.add([
  onObservation(kind, {
    actor: 'benchmark',
    lease: MINUTE,
    every: { least: MINUTE, most: MINUTE },
    retry: { steps: [MINUTE] },
    async poll(_job, { scope, signal }) {
      const opened = await openConnection(scope, secrets, await findConnection(scope, id))
      const chat = await caller.capability(benchPlugin, 'chat', opened, { data: {}, signal })
      return (await chat.listChannels('')).items.length
    },
    async store() {
      taken += 1
      return 'over'
    },
  }),
])
const worker = makeWorker({
  database,
  selects: await container.make('selects'),
  unitOfWork,
  tenants,
  works,
  clock,
  random: Math.random,
  logger: await container.make('logger'),
})

worker.start()

/** COMMITs of each round. */
const commits: number[] = []

/** COMMITs on the single writing connection so far. */
let committed = 0
const pool = poolOf<BetterSqlite3.Database>(database as never)
const writer = await pool.acquireConnection()
const prepare = writer.prepare
writer.prepare = ((sql: string) => {
  if (sql === 'COMMIT') committed += 1
  return prepare(sql)
}) as typeof prepare
await pool.releaseConnection(writer)

async function observe(): Promise<number> {
  taken = 0
  await unitOfWork.inTransaction(principal, async (scope) => {
    for (let index = 0; index < LOOKS; index++) {
      await scope.jobs.plan(kind, { subject: `look ${index}`, payload: {} })
    }
  })
  const began = performance.now()
  const before = committed
  while (taken < LOOKS) await pause(5)
  commits.push(committed - before)
  return performance.now() - began
}

/**
 * Makes `LOOKS` calls, as many at once as a worker makes for one organization; answers the
 * milliseconds of all of them together.
 */
async function timed(call: () => Promise<unknown>): Promise<number> {
  let remaining = LOOKS
  const began = performance.now()
  await Promise.all(
    Array.from({ length: MAX_EACH.observation }, async () => {
      while (remaining-- > 0) await call()
    })
  )
  return performance.now() - began
}

const opened = await openConnection(
  unitOfWork.readScope(principal),
  secrets,
  await findConnection(unitOfWork.readScope(principal), id)
)
const { signal } = new AbortController()
const chat = await caller.capability(benchPlugin, 'chat', opened, { data: {}, signal })
const figures = await inTurn({
  worker: observe,
  port: () => timed(() => chat.listChannels('')),
  bare: () =>
    timed(async () => (await fetch(origin, { headers: { authorization: 'Bearer x' } })).json()),
})
const observed: Observed = { looks: LOOKS, commits, ...figures }
await worker.stop(5000)
await provider.terminate()
await app.terminate()
console.log(JSON.stringify(observed))
process.exit(0)
