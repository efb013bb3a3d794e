import { RETRIES } from '#foundation/jobs/retry'
import { onCommand, type Job, type Outcome } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import { KickOffRelease } from '#releases/actions/kick_off_release'
import type { KickoffFacts } from '#releases/engine/facts'
import { ruleOn } from '#releases/engine/transitions'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import { planningPort, type Ended } from '#releases/ports'
import { recordKickoff } from '#releases/lifecycle/record_kickoff'
import { recordCode } from '#releases/lifecycle/record_code'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { blockKickoff } from '#releases/lifecycle/block_kickoff'
import { branchKind, type RequestedBranch } from './branch_kind.js'
import { branchStanding, isSameBranch } from './branch_standing.js'
import { recordBump } from '../commits/bump_version.js'
import { askCode } from '../code_commands.js'
import { findTag, isFullHash } from '../repository/find_tag.js'
import type { BranchStart } from '../repository/release_branch.js'
import { errorsText, writeVersion, type WrittenVersion } from '../commits/write_version.js'

/** The branch of a release, and whether it was there before. */
interface MadeBranch {
  sha: string
  isFound: boolean
  /** The results of writing the version, by branch. */
  bumps?: { branch: string; written: Exclude<WrittenVersion, { kind: 'faulty' }> }[]
}

/** The result when no call was made, because the branch is no longer wanted. */
const UNASKED = null

/** The reason why version files cannot take the version; a retry would not help. */
interface Unfit {
  unfit: string
}

/**
 * Cuts the branch of a release, or finds it, and then kicks the release off. A failure blocks the
 * kickoff, with the reason and the connection. If the release has changed in the meantime, its
 * present state decides, both before and after the call.
 */
export const cutBranch = onCommand(branchKind, {
  actor: 'version control',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.minutes,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(job, context): Promise<Outcome<MadeBranch | Unfit | typeof UNASKED>> {
    const { kind } = await branchStanding(context.scope, job)
    if (kind !== 'wanted') return { outcome: 'applied', result: UNASKED }
    return askCode(job, context, (versionControl) => make(versionControl, job))
  },
  async find(job, context): Promise<Outcome<MadeBranch | Unfit | typeof UNASKED>> {
    const found = await askCode(job, context, (versionControl) =>
      find(versionControl, job.payload.name)
    )
    if (found.outcome !== 'applied') return { outcome: 'unknown', reason: found.reason }
    // With a bump, the version may still have to be written.
    if (found.result && !job.payload.bump) return { outcome: 'applied', result: found.result }
    return { outcome: 'notApplied', reason: 'It has not been done yet' }
  },
  async storeResult(scope, job, created: MadeBranch | Unfit | typeof UNASKED) {
    if (created === UNASKED) return followUp(scope, job, null)
    if (!('unfit' in created)) return keep(scope, job, created)
    await followUp(scope, job, { reason: created.unfit, isOfVersionFiles: true })
  },
  afterLast: (scope, job, reason) =>
    followUp(scope, job, { reason, connection: job.payload.connectionId }),
})

/**
 * Makes the branch; each step finds what an earlier attempt has done.
 * @throws ProviderError
 */
async function make(
  versionControl: VersionControl,
  { payload: { name, from, bump }, idempotencyKey }: Job<RequestedBranch>
): Promise<MadeBranch | Unfit> {
  const bumps: MadeBranch['bumps'] = []
  /** @returns what is unfit; null for nothing */
  const write = async (branch: string, isRaise: boolean): Promise<Unfit | null> => {
    if (!bump) return null
    const { version, files } = bump
    const wanted = { branch, version, files, isRaise }
    const key = { idempotencyKey: `${idempotencyKey} ${branch}` }
    const written = await writeVersion(versionControl, wanted, key)
    if (written.kind === 'faulty') {
      return {
        unfit: `${branch} could not be bumped to ${version}: ${errorsText(written.errors)}`,
      }
    }
    bumps.push({ branch, written })
    return null
  }
  let created = await find(versionControl, name)
  if (!created) {
    // The source gets the version first, so that both branches have it.
    const unfit = from.tag === null && from.branch !== null && (await write(from.branch, true))
    if (unfit) return unfit
    const start = await startOf(versionControl, from)
    const { sha } = await versionControl.createBranch(name, start, { idempotencyKey })
    created = { sha, isFound: false }
  }
  return (await write(name, false)) ?? { ...created, bumps }
}

async function find(versionControl: VersionControl, name: string): Promise<MadeBranch | null> {
  const found = await versionControl.getBranch(name)
  return found && { sha: found.sha, isFound: true }
}

/** Returns the commit that the branch begins at. @throws ProviderError `notFound` */
async function startOf(
  versionControl: VersionControl,
  { branch, tag, commit }: BranchStart
): Promise<string> {
  if (commit !== null && isFullHash(commit)) return commit
  const found =
    tag === null
      ? branch !== null && (await versionControl.getBranch(branch))
      : await findTag(versionControl, tag)
  if (found) return found.sha
  const missing = tag === null ? `no branch ${branch ?? 'to begin at'}` : `no tag ${tag}`
  throw new ProviderError('notFound', `There is ${missing}`, { outcome: 'notApplied' })
}

/**
 * Records the branch, and kicks the release off if it is still the one that the release should
 * have.
 */
async function keep(
  scope: Scope,
  job: Job<RequestedBranch>,
  { sha, isFound, bumps = [] }: MadeBranch
): Promise<void> {
  const { name, appId } = job.payload
  const release = await releaseStillThere(scope, appId, job.subject)
  if (!release || release.kickedOffAt !== null) return
  const isOwn = await isSameBranch(scope, release, job.payload)
  if (isOwn) release.releaseBranch = name
  recordReleaseEvent(scope, release, {
    type: 'release.branchMade',
    title: isFound ? `The branch ${name} already exists` : `The branch ${name} was cut`,
    data: { branch: name, commitHash: sha, found: isFound },
    payload: null,
  })
  const { bump } = job.payload
  for (const { branch, written } of bumps) {
    if (written.kind !== 'written') continue
    recordBump(scope, release, { branch, version: bump!.version }, written)
  }
  await reportOfBump(scope, release, job, { result: 'done' })
  const ruling = ruleOn(release.status, 'kickoff', release, [])
  if (!ruling.allowed || ruling.to === 'deleted') {
    // A later skip wins; the branch exists all the same.
    if (isOwn) await recordCode(scope, release, { releaseBranch: name })
  } else if (isOwn) await recordKickoff(scope, release, ruling.to)
  else await again(scope, release, job)
}

/**
 * Handles the case that there is no branch: it is no longer wanted, or it could not be made.
 * @param why it could not be made; null if the host was not asked
 */
async function followUp(
  scope: Scope,
  job: Job<RequestedBranch>,
  why: ({ reason: string } & Omit<KickoffFacts, 'blockedReason'>) | null
): Promise<void> {
  const { appId, name } = job.payload
  const release = await releaseStillThere(scope, appId, job.subject)
  const standing = await branchStanding(scope, job)
  if (!release || standing.kind === 'over') return
  if (standing.kind === 'held') {
    await planningPort.provided.ended(scope, release, {
      action: 'kickoff',
      result: 'held',
      reason: standing.by,
    })
  } else if (standing.kind === 'other' || why === null) await again(scope, release, job)
  else {
    const { reason, ...facts } = why
    const blockedReason = `The branch ${name} could not be created: ${reason}`.slice(0, 1000)
    await blockKickoff(scope, release, { blockedReason, ...facts })
    await reportOfBump(scope, release, job, { result: 'failed', reason: blockedReason })
    await planningPort.provided.ended(scope, release, {
      action: 'kickoff',
      result: 'failed',
      reason: blockedReason,
    })
  }
}

async function reportOfBump(
  scope: Scope,
  release: Release,
  { payload: { bump } }: Job<RequestedBranch>,
  ended: Ended
): Promise<void> {
  if (!bump?.askedBy) return
  await planningPort.provided.ended(scope, release, {
    action: 'bump',
    askedBy: bump.askedBy,
    ...ended,
  })
}

/** Starts the kickoff again with the present settings of the release and the app. */
async function again(scope: Scope, release: Release, { id: ending }: Job): Promise<void> {
  const kickoff = await new KickOffRelease(scope).handle(release, { ending })
  if (kickoff.kind !== 'blocked') return
  const { reason } = kickoff
  await planningPort.provided.ended(scope, release, { action: 'kickoff', result: 'failed', reason })
}
