import { differences } from '#releases/engine/differences'
import { evaluate } from '#releases/engine/evaluate'
import Release from '#releases/models/release'
import { loadFacts } from '#releases/queries/load_facts'
import { verifyTimeline } from '#releases/queries/verify_timeline'
import type { World } from '#tests/support/world'
import { reported, type ReportedEvent } from './release_world.js'

/** Returns the differences between the stored state of releases and an evaluation of the facts. */
export async function unevaluated(world: World, appId?: string): Promise<string[]> {
  const wrong: string[] = []
  await world.write(async (scope) => {
    const query = scope.query(Release).orderBy('id')
    if (appId !== undefined) query.where('appId', appId)
    for (const release of await query.exec()) {
      const note = (text: string) => wrong.push(`${release.publicId}: ${text}`)
      const { facts, steps } = await loadFacts(scope, release)
      const evaluation = evaluate(facts, scope.now)
      const stored = {
        steps: steps.map(({ id: stepId, status }) => ({ stepId, status })),
        regressionStatus: release.regressionStatus,
        phase: release.phase,
        readyToSubmit: release.readyToSubmit,
        readyToRelease: release.readyToRelease,
      }
      for (const edge of differences(stored, evaluation)) note(JSON.stringify(edge))
      if (evaluation.finished && release.status === 'active') note('finished and still active')
      const runs = await scope.table('step_runs').where('release_id', release.id)
      for (const step of steps) {
        const run = runs.find(({ id }) => id === step.runId)
        if (run?.status !== step.status) note(`${step.name} is ${step.status}, its run is not`)
        if ((run?.completed_at === null) === (run?.status === 'complete')) {
          note(`the run of ${step.name} is ${run?.status} and ended ${run?.completed_at}`)
        }
      }
    }
  })
  return wrong
}

/** Returns the events that deriving every release again would record. There should be none. */
async function unconverged(world: World): Promise<string[]> {
  let types: string[] = []
  await world.write(async (scope) => {
    const { recorded } = await scope.rehearse(async (rehearsal) => {
      for (const release of await rehearsal.query(Release).exec()) rehearsal.touch(release)
      return async () => {}
    })
    types = recorded.map(({ type }) => type)
  })
  return types.map((type) => `${type} is recorded where a release is derived once more`)
}

/**
 * Returns violated invariants of the releases of an organization: stored state equals the
 * evaluation of the facts, every timeline is consistent, each step's events lead from one status to
 * the next, and no edge is recorded twice.
 */
export async function unsoundness(world: World): Promise<string[]> {
  const wrong = [
    ...eventProblems(await reported(world)),
    ...(await unevaluated(world)),
    ...(await unconverged(world)),
  ]
  await world.write(async (scope) => {
    for (const { id, publicId } of await scope.query(Release).exec()) {
      const { broken } = await verifyTimeline(scope, id)
      if (broken) wrong.push(`${publicId} breaks at ${broken.position}: ${broken.reason}`)
    }
  })
  return wrong
}

/** Returns the step or item whose status an event reports; null for other events. */
function changedSubject(type: string, payload: any): { id: string; status: string } | null {
  if (type === 'releaseStep.statusChanged') return payload.releaseSteps[0]
  if (type !== 'checklistItem.statusChanged') return null
  const { checklistItem, release } = payload
  return { id: `${checklistItem.id} ${release.createdAt}`, status: checklistItem.status.type }
}

function eventProblems(events: readonly ReportedEvent[]): string[] {
  const wrong: string[] = []
  const statuses = new Map<string, string>()
  const kickedOff = new Set<string>()
  for (const { type, payload, sequence } of events) {
    const changed = changedSubject(type, payload)
    if (changed) {
      const before = statuses.get(changed.id) ?? 'notStarted'
      if (payload.previousStatus !== before) {
        wrong.push(`${sequence}: ${changed.id} came from ${payload.previousStatus}, not ${before}`)
      }
      if (changed.status === before) wrong.push(`${sequence}: ${changed.id} was ${before} already`)
      statuses.set(changed.id, changed.status)
    }
    if (type === 'release.kickedOff') {
      const name = `${payload.app.id} ${payload.release.createdAt}`
      if (kickedOff.has(name)) wrong.push(`${sequence}: kicked off twice`)
      kickedOff.add(name)
    }
  }
  return wrong
}
