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
import { standsAgainst } from '#releases/queries/stands_against'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { storeBuildsById } from '../queries/store_builds.js'
import type { StoreTarget } from '../queries/store_targets.js'
import { appStoreBuilds } from '../tables.js'
import { NO_REFUSAL, type Distribution } from '../vocabulary.js'
import { askStore, everyPage, refusalOf, targetOf, type Refusal } from '../work/ask_store.js'
import { betaBuildsKind, testersKind } from '../work_kinds.js'

type Asked = Job<PayloadOf<typeof testersKind>>

/** `unasked`: other groups took their place. */
type Came = Observed<BetaState> | Refusal | { unasked: true }

/** The service has the store make a build ready for testers for so long. */
const READY_WITHIN = HOUR
const ASK_AGAIN = 5 * MINUTE

/** Gives a build to groups of testers, with its test notes; repeating it changes nothing. */
export const giveToTesters = onCommand(testersKind, {
  actor: 'beta testing',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context): Promise<Outcome<Came>> {
    const outcome = await outcomeOfCall(() => give(job, context))
    if (outcome.outcome !== 'applied' || !isProcessing(outcome.answer)) return outcome
    const build = await pendingBuild(context.scope, job)
    const isLate = !build || context.scope.now > later(build.distribution.askedAt, READY_WITHIN)
    if (isLate) return outcome
    const reason = 'The store makes the build ready for testers.'
    return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs: ASK_AGAIN }
  },
  async answer(scope, job, came: Came) {
    if ('unasked' in came) return
    if ('state' in came) {
      await end(scope, job, { state: 'sent', ...NO_REFUSAL })
      await scope.jobs.hasten(betaBuildsKind, [job.payload.integrationId])
    } else {
      await end(scope, job, { state: 'refused', ...came })
    }
  },
  afterLast: (scope, job, reason) =>
    end(scope, job, { state: 'refused', reason: reason.slice(0, 1000), action: null }),
})

const isProcessing = (came: Came) => 'state' in came && came.state === 'processing'

async function give(job: Asked, context: CallContext): Promise<Came> {
  const { scope } = context
  const { payload } = job
  const build = await pendingBuild(scope, job)
  if (!build) return { unasked: true }
  const target = await targetOf(scope, payload)
  if (!target) return { reason: 'The app is tested there no more.', action: null }
  const against = await standsAgainst(scope, payload, payload.askedBy, { whileOpen: true })
  if (against !== null) return { reason: against, action: null }
  const ref = (build.beta ?? build.seen)!.storeRef
  try {
    return await askStore({ payload: target }, context, 'betaTesting', (testing) =>
      giveTo(testing, ref, build.distribution, { target, key: job.idempotencyKey })
    )
  } catch (error) {
    const refusal = refusalOf(error)
    if (!refusal) throw error
    return refusal
  }
}

async function giveTo(
  testing: BetaTesting,
  ref: string,
  { groups: names, notes }: Distribution,
  { target: { storeType }, key }: { target: StoreTarget; key: string }
): Promise<Observed<BetaState> | Refusal> {
  const groups = await everyPage((cursor) => testing.listGroups(cursor))
  const found = names.map((name) => groups.find(({ id }) => id === name) ?? named(groups, name))
  const unknown = names.filter((_, index) => !found[index])
  if (unknown.length > 0) return unknownGroups(unknown, groups)
  const ids = found.flatMap((group) => group?.id ?? [])
  const report = async () => {
    if (notes.length > 0) await testing.setNotes(ref, notes, { idempotencyKey: `${key} notes` })
  }
  const distribute = () =>
    testing.distribute(ref, ids, { idempotencyKey: `${key} ${ids.join(' ')}` })
  // Apple reviews test notes; at Google they belong to a release that testers have.
  if (storeType === 'apple') {
    await report()
    return distribute()
  }
  const given = await distribute()
  await report()
  return given
}

const named = (groups: readonly { id: string; name: string }[], name: string) =>
  groups.find((group) => group.name === name)

function unknownGroups(unknown: readonly string[], groups: readonly { name: string }[]): Refusal {
  const there = groups.map(({ name }) => name).join(', ') || 'none'
  return {
    reason: `The store has no groups of testers named ${unknown.join(', ')}.`.slice(0, 1000),
    action: `Name one of those that are there: ${there}.`.slice(0, 1000),
  }
}

/** The build, while it is to be given to the groups that are asked for. */
async function pendingBuild(scope: Scope, { subject, payload: { distributionId } }: Asked) {
  const [build] = await storeBuildsById(scope, [subject])
  const distribution = build?.distribution
  const isWanted = distribution?.id === distributionId && distribution.state === 'pending'
  return isWanted ? { ...build, distribution } : null
}

async function end(
  scope: Scope,
  job: Asked,
  how: Pick<Distribution, 'state' | 'reason' | 'action'>
): Promise<void> {
  const build = await pendingBuild(scope, job)
  if (!build) return
  const distribution = { ...build.distribution, ...how, endedAt: scope.now }
  await scope.update(appStoreBuilds, { id: build.id }, { distribution })
  const { appId, releaseId } = job.payload
  const release = await releaseStillThere(scope, appId, releaseId)
  if (!release) return
  const { buildNumber, destinationId } = build
  const groups = distribution.groups.join(', ')
  const isGiven = how.state === 'sent'
  const title = isGiven
    ? `Build ${buildNumber} was given to ${groups}`
    : `Build ${buildNumber} could not be given to ${groups}: ${how.reason}`
  recordReleaseEvent(scope, release, {
    type: isGiven ? 'build.givenToTesters' : 'build.testersFailed',
    title: title.slice(0, 1000),
    data: { appStoreBuildId: build.id, destinationId, groups: distribution.groups },
    payload: null,
  })
}
