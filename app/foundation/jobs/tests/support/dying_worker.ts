import 'reflect-metadata'
import { ignite } from '../../../../../bin/ignite.js'
import type { Work } from '../../handlers.js'

/*
 * Shared parts of the processes that work through the job queue and kill themselves on the way.
 */

/**
 * Points at which a worker dies: around the call of a command, before its response is stored, or
 * right after.
 */
export const SEAMS = ['beforeCall', 'afterCall', 'inAnswer', 'afterCommit'] as const
export type Seam = (typeof SEAMS)[number]

/** Wraps work so that its process kills itself at one point. */
export function dying(work: Work, seam: Seam): Work {
  const { handler } = work
  if (handler.nature !== 'command') return work
  const dieAt = (place: Seam) => {
    if (place === seam) process.kill(process.pid, 'SIGKILL')
  }
  const watched: typeof handler = {
    ...handler,
    async call(...given) {
      dieAt('beforeCall')
      const outcome = await handler.call(...given)
      dieAt('afterCall')
      return outcome
    },
    async storeResult(scope, ...given) {
      const kept = await handler.storeResult(scope, ...given)
      dieAt('inAnswer')
      scope.transaction.after('commit', () => dieAt('afterCommit'))
      return kept
    },
  }
  return { ...work, handler: watched }
}

/** Starts a worker for the given work only, in this process, until the process is asked to end. */
export async function startWorker(load: () => Promise<readonly Work[]>): Promise<void> {
  const app = ignite().createApp('console')
  await app.init()
  await app.boot()
  await app.start(() => {})
  const { Works } = await import('../../handlers.js')
  const { makeWorker } = await import('../../make_worker.js')
  const { tenants } = await import('#organizations/queries/find_tenants')
  const works = new Works()
  works.add(await load())
  const { container } = app
  const presence = await container.make('presence')
  await presence.start()
  const worker = makeWorker({
    database: await container.make('lucid.db'),
    selects: await container.make('selects'),
    unitOfWork: await container.make('unitOfWork'),
    tenants,
    works,
    clock: await container.make('clock'),
    random: Math.random,
    logger: await container.make('logger'),
    presence,
  })
  app.terminating(async () => {
    await worker.stop(5000)
    await presence.stop()
  })
  worker.start()
}
