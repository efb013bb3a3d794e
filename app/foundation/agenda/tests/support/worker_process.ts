import 'reflect-metadata'
import { ignite } from '../../../../../bin/ignite.js'

/*
 * A process that works through the wishes of `AGENDA_PROVIDER`, and kills itself where
 * `AGENDA_DIES` says: beforeCall, afterCall, inAnswer or afterCommit.
 */

const { AGENDA_PROVIDER: provider, AGENDA_DIES: seam } = process.env

function dieAt(place: string): void {
  if (seam === place) process.kill(process.pid, 'SIGKILL')
}

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { onWish, Works } = await import('../../handlers.js')
const { makeWorker } = await import('../../make_worker.js')
const { tenants } = await import('#organizations/queries/find_tenants')
const { order } = await import('./stage.js')

const works = new Works()
works.add([
  onWish(order, {
    actor: 'test',
    lease: Number(process.env.AGENDA_LEASE ?? 1500),
    retry: { steps: Array.from({ length: 20 }, () => 50) },
    async call({ idempotencyKey }, { signal }) {
      dieAt('beforeCall')
      const { status } = await fetch(`${provider}/${idempotencyKey}`, { method: 'PUT', signal })
      dieAt('afterCall')
      return status === 204
        ? { outcome: 'applied' as const, answer: process.pid }
        : { outcome: 'notApplied' as const, reason: String(status) }
    },
    async find({ idempotencyKey }, { signal }) {
      const { status } = await fetch(`${provider}/${idempotencyKey}`, { signal })
      return status === 200
        ? { outcome: 'applied' as const, answer: process.pid }
        : { outcome: 'notApplied' as const, reason: String(status) }
    },
    async answer(scope, { payload }, pid) {
      const title = `${payload.note} by ${pid}`
      scope.events.record({ type: 'test.fact', entityKey: 'test', title })
      await scope.events.flush()
      dieAt('inAnswer')
      scope.transaction.after('commit', () => dieAt('afterCommit'))
    },
  }),
])

const { container } = app
const worker = makeWorker({
  database: await container.make('lucid.db'),
  selects: await container.make('selects'),
  unitOfWork: await container.make('unitOfWork'),
  tenants,
  works,
  clock: await container.make('clock'),
  random: Math.random,
  logger: await container.make('logger'),
})
app.terminating(() => worker.stop(5000))
worker.start()
