import 'reflect-metadata'
import { ignite } from '../../../../bin/ignite.js'

/*
 * A process that does what releases ask of version control, and kills itself where `CODE_DIES`
 * says: `release.tag afterCall`, with the kind of the wish before the place: beforeCall, afterCall
 * or inAnswer.
 */

const [kind, place] = (process.env.CODE_DIES ?? '').split(' ')

function dieAt(name: string, here: string): void {
  if (name === kind && here === place) process.kill(process.pid, 'SIGKILL')
}

const app = ignite().createApp('console')
await app.init()
await app.boot()
await app.start(() => {})

const { Works } = await import('#foundation/agenda/handlers')
const { makeWorker } = await import('#foundation/agenda/make_worker')
const { tenants } = await import('#organizations/queries/find_tenants')
const { modules } = await import('#start/modules')

const works = new Works()
works.add(
  modules
    .flatMap(({ work = [] }) => work)
    .map((work) => {
      const { name, handler } = work
      if (handler.nature !== 'wish') return work
      const watched = {
        ...handler,
        async call(...given: Parameters<typeof handler.call>) {
          dieAt(name, 'beforeCall')
          const answer = await handler.call(...given)
          dieAt(name, 'afterCall')
          return answer
        },
        async answer(...given: Parameters<typeof handler.answer>) {
          const kept = await handler.answer(...given)
          dieAt(name, 'inAnswer')
          return kept
        },
      }
      return { ...work, handler: watched as typeof handler }
    })
)

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
