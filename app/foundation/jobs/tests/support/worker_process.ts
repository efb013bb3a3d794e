import { dying, startWorker, type Seam } from './dying_worker.js'

/*
 * A process that carries out commands by calling the provider at `JOBS_PROVIDER`, and kills itself
 * at the seam that `JOBS_DIES` names.
 */

const { JOBS_PROVIDER: provider, JOBS_DIES: seam } = process.env

const outcomeOf = (isApplied: boolean, status: number) =>
  isApplied
    ? { outcome: 'applied' as const, result: process.pid }
    : { outcome: 'notApplied' as const, reason: String(status) }

await startWorker(async () => {
  const { onCommand } = await import('../../handlers.js')
  const { order } = await import('./stage.js')
  const work = onCommand(order, {
    actor: 'test',
    // Longer than the test: the work of a dead process is taken over before its lease ends.
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
    async storeResult(scope, { payload }, pid) {
      const title = `${payload.note} by ${pid}`
      scope.events.record({ type: 'test.fact', entityKey: 'test', title })
      await scope.events.flush()
    },
  })
  return [seam ? dying(work, seam as Seam) : work]
})
