import { dying, startWorker, type Seam } from './dying_worker.js'

/*
 * A process that works through the commands of `JOBS_PROVIDER`, and kills itself where
 * `JOBS_DIES` says.
 */

const { JOBS_PROVIDER: provider, JOBS_DIES: seam } = process.env

const outcomeOf = (isApplied: boolean, status: number) =>
  isApplied
    ? { outcome: 'applied' as const, answer: process.pid }
    : { outcome: 'notApplied' as const, reason: String(status) }

await startWorker(async () => {
  const { onCommand } = await import('../../handlers.js')
  const { order } = await import('./stage.js')
  const work = onCommand(order, {
    actor: 'test',
    // Work of a dead process is taken over before its lease ends.
    lease: 600_000,
    retry: { steps: Array.from({ length: 20 }, () => 50) },
    async call({ idempotencyKey }, { signal }) {
      const { status } = await fetch(`${provider}/${idempotencyKey}`, { method: 'PUT', signal })
      return outcomeOf(status === 204, status)
    },
    async find({ idempotencyKey }, { signal }) {
      const { status } = await fetch(`${provider}/${idempotencyKey}`, { signal })
      return outcomeOf(status === 200, status)
    },
    async answer(scope, { payload }, pid) {
      const title = `${payload.note} by ${pid}`
      scope.events.record({ type: 'test.fact', entityKey: 'test', title })
      await scope.events.flush()
    },
  })
  return [seam ? dying(work, seam as Seam) : work]
})
