import { onCommand, type CallContext, type Job, type Outcome } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import type { PayloadOf } from '#foundation/core/jobs/kinds'
import { later } from '#foundation/core/clock'
import { HOUR, MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { BetaState, BetaTesting } from '#plugin-kit/capabilities/stores'
import type { Observed } from '#plugin-kit/context'
import { releaseStillThere } from '#releases/queries/find_release'
import { reasonNotToAct } from '#releases/queries/reason_not_to_act'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { storeBuildsById } from '../queries/store_builds.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { appStoreBuilds } from '../tables.js'
import { NO_REFUSAL, type Distribution } from '../vocabulary.js'
import { askStore, everyPage, refusalOf, targetOf, type Refusal } from '../work/ask_store.js'
import { betaBuildsKind, testersKind } from '../work_kinds.js'

type TestersJob = Job<PayloadOf<typeof testersKind>>

/** The result of the call. `isSuperseded`: a later request replaced this one. */
type Result = Observed<BetaState> | Refusal | { isSuperseded: true }

/**
 * Maximum time for which the store may process a build, in milliseconds. After it, the build counts
 * as distributed.
 */
const MAX_PROCESSING_TIME = HOUR
/** Interval between checks of a build that is processed, in milliseconds. */
const RETRY_AFTER = 5 * MINUTE

/** Distributes a build, with its test notes, to groups of testers. Idempotent. */
export const giveToTesters = onCommand(testersKind, {
  actor: 'beta testing',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context): Promise<Outcome<Result>> {
    const outcome = await outcomeOfCall(() => callStore(job, context))
    if (outcome.outcome !== 'applied' || !isProcessing(outcome.result)) return outcome
    const build = await pendingBuild(context.scope, job)
    const isTimedOut =
      !build || context.scope.now > later(build.distribution.askedAt, MAX_PROCESSING_TIME)
    if (isTimedOut) return outcome
    const reason = 'The store is preparing the build for testers.'
    return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: RETRY_AFTER }
  },
  async storeResult(scope, job, result: Result) {
    if ('isSuperseded' in result) return
    if ('state' in result) {
      await recordResult(scope, job, { state: 'sent', ...NO_REFUSAL })
      await scope.jobs.hasten(betaBuildsKind, [job.payload.integrationId])
    } else {
      await recordResult(scope, job, { state: 'refused', ...result })
    }
  },
  afterLast: (scope, job, reason) =>
    recordResult(scope, job, { state: 'refused', reason: reason.slice(0, 1000), action: null }),
})

const isProcessing = (result: Result) => 'state' in result && result.state === 'processing'

async function callStore(job: TestersJob, context: CallContext): Promise<Result> {
  const { scope } = context
  const { payload } = job
  const build = await pendingBuild(scope, job)
  if (!build) return { isSuperseded: true }
  const target = await targetOf(scope, payload)
  if (!target)
    return {
      reason: 'The app no longer has an integration for beta testing in this store.',
      action: null,
    }
  const obstacle = await reasonNotToAct(scope, payload, payload.askedBy, { mustBeOpen: true })
  if (obstacle !== null) return { reason: obstacle, action: null }
  const ref = (build.beta ?? build.seen)!.storeRef
  try {
    return await askStore({ payload: target }, context, 'betaTesting', (testing) =>
      distribute(testing, ref, build.distribution, { target, key: job.idempotencyKey })
    )
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return refusal
  }
}

async function distribute(
  testing: BetaTesting,
  ref: string,
  { groups: names, notes }: Distribution,
  { target: { storeType }, key }: { target: StoreTarget; key: string }
): Promise<Observed<BetaState> | Refusal> {
  const groups = await everyPage((cursor) => testing.listGroups(cursor))
  const matched = names.map(
    (name) => groups.find(({ id }) => id === name) ?? findByName(groups, name)
  )
  const unknown = names.filter((_, index) => !matched[index])
  if (unknown.length > 0) return refuseUnknown(unknown, groups)
  const ids = matched.flatMap((group) => group?.id ?? [])
  const setNotes = async () => {
    if (notes.length > 0) await testing.setNotes(ref, notes, { idempotencyKey: `${key} notes` })
  }
  const distributeBuild = () =>
    testing.distribute(ref, ids, { idempotencyKey: `${key} ${ids.join(' ')}` })
  // Apple reviews the build with its notes, so they come first. Google adds notes only to a release
  // that testers already have.
  if (storeType === 'apple') {
    await setNotes()
    return distributeBuild()
  }
  const result = await distributeBuild()
  await setNotes()
  return result
}

const findByName = (groups: readonly { id: string; name: string }[], name: string) =>
  groups.find((group) => group.name === name)

function refuseUnknown(unknown: readonly string[], groups: readonly { name: string }[]): Refusal {
  const existing = groups.map(({ name }) => name).join(', ') || 'none'
  return {
    reason: `The store has no tester groups named ${unknown.join(', ')}.`.slice(0, 1000),
    action: `Use an existing group: ${existing}.`.slice(0, 1000),
  }
}

/** Returns the build while its request is pending; null afterwards. */
async function pendingBuild(scope: Scope, { subject, payload: { distributionId } }: TestersJob) {
  const [build] = await storeBuildsById(scope, [subject])
  const distribution = build?.distribution
  const isWanted = distribution?.id === distributionId && distribution.state === 'pending'
  return isWanted ? { ...build, distribution } : null
}

async function recordResult(
  scope: Scope,
  job: TestersJob,
  change: Pick<Distribution, 'state' | 'reason' | 'action'>
): Promise<void> {
  const build = await pendingBuild(scope, job)
  if (!build) return
  const distribution = { ...build.distribution, ...change, endedAt: scope.now }
  await scope.update(appStoreBuilds, { id: build.id }, { distribution })
  const { appId, releaseId } = job.payload
  const release = await releaseStillThere(scope, appId, releaseId)
  if (!release) return
  const { buildNumber, destinationId } = build
  const groups = distribution.groups.join(', ')
  const isDistributed = change.state === 'sent'
  const title = isDistributed
    ? `Build ${buildNumber} was distributed to ${groups}`
    : `Build ${buildNumber} could not be distributed to ${groups}: ${change.reason}`
  recordReleaseEvent(scope, release, {
    type: isDistributed ? 'build.givenToTesters' : 'build.testersFailed',
    title: title.slice(0, 1000),
    data: { appStoreBuildId: build.id, destinationId, groups: distribution.groups },
    payload: null,
  })
}
