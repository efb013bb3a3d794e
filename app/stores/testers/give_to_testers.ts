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

/** The result of the call. `isSuperseded`: another request replaced this one. */
type Result = Observed<BetaState> | Refusal | { isSuperseded: true }

/**
 * Longest wait for the store to process a build, in milliseconds; after it, the build counts as
 * given to testers.
 */
const MAX_PROCESSING_TIME = HOUR
/** Time until a build in processing is checked again, in milliseconds. */
const CHECK_AGAIN_AFTER = 5 * MINUTE

/** Gives a build to groups of testers, with its test notes. Idempotent. */
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
    const isLate =
      !build || context.scope.now > later(build.distribution.askedAt, MAX_PROCESSING_TIME)
    if (isLate) return outcome
    const reason = 'The store is preparing the build for testers.'
    return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: CHECK_AGAIN_AFTER }
  },
  async storeResult(scope, job, result: Result) {
    if ('isSuperseded' in result) return
    if ('state' in result) {
      await recordEnd(scope, job, { state: 'sent', ...NO_REFUSAL })
      await scope.jobs.hasten(betaBuildsKind, [job.payload.integrationId])
    } else {
      await recordEnd(scope, job, { state: 'refused', ...result })
    }
  },
  afterLast: (scope, job, reason) =>
    recordEnd(scope, job, { state: 'refused', reason: reason.slice(0, 1000), action: null }),
})

const isProcessing = (result: Result) => 'state' in result && result.state === 'processing'

async function callStore(job: TestersJob, context: CallContext): Promise<Result> {
  const { scope } = context
  const { payload } = job
  const build = await pendingBuild(scope, job)
  if (!build) return { isSuperseded: true }
  const target = await targetOf(scope, payload)
  if (!target) return { reason: 'The app is no longer tested there.', action: null }
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
  if (unknown.length > 0) return unknownGroups(unknown, groups)
  const ids = matched.flatMap((group) => group?.id ?? [])
  const setNotes = async () => {
    if (notes.length > 0) await testing.setNotes(ref, notes, { idempotencyKey: `${key} notes` })
  }
  const give = () => testing.distribute(ref, ids, { idempotencyKey: `${key} ${ids.join(' ')}` })
  // Apple reviews the build with its notes, so they are set first. Google attaches notes to a release
  // that testers already have.
  if (storeType === 'apple') {
    await setNotes()
    return give()
  }
  const given = await give()
  await setNotes()
  return given
}

const findByName = (groups: readonly { id: string; name: string }[], name: string) =>
  groups.find((group) => group.name === name)

function unknownGroups(unknown: readonly string[], groups: readonly { name: string }[]): Refusal {
  const existing = groups.map(({ name }) => name).join(', ') || 'none'
  return {
    reason: `The store has no tester groups named ${unknown.join(', ')}.`.slice(0, 1000),
    action: `Name one of those that exist: ${existing}.`.slice(0, 1000),
  }
}

/** Returns the build while the request is pending; null after that. */
async function pendingBuild(scope: Scope, { subject, payload: { distributionId } }: TestersJob) {
  const [build] = await storeBuildsById(scope, [subject])
  const distribution = build?.distribution
  const isWanted = distribution?.id === distributionId && distribution.state === 'pending'
  return isWanted ? { ...build, distribution } : null
}

async function recordEnd(
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
  const isGiven = change.state === 'sent'
  const title = isGiven
    ? `Build ${buildNumber} was given to ${groups}`
    : `Build ${buildNumber} could not be given to ${groups}: ${change.reason}`
  recordReleaseEvent(scope, release, {
    type: isGiven ? 'build.givenToTesters' : 'build.testersFailed',
    title: title.slice(0, 1000),
    data: { appStoreBuildId: build.id, destinationId, groups: distribution.groups },
    payload: null,
  })
}
