import { onWish, type CallContext, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isPersonal } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import { KickOffRelease } from '../actions/kick_off_release.js'
import { ruleOn } from '../engine/transitions.js'
import type Release from '../models/release.js'
import { releaseStillThere } from '../queries/find_release.js'
import { recordKickoff } from '../record_kickoff.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { tellParts } from '../tell_parts.js'
import { blockKickoff } from './block_kickoff.js'
import { branchKind, type WishedBranch } from './branch_kind.js'
import { branchStanding, isSameBranch } from './branch_standing.js'
import type { BranchStart } from './release_branch.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The branch of a release, and whether it was there before. */
interface MadeBranch {
  sha: string
  isFound: boolean
}

/** What is brought back where nobody was asked, as the branch is not wanted any more. */
const UNASKED = null

/**
 * Cuts the branch of a release, or finds it, and kicks the release off by it. What cannot be done
 * blocks the kickoff, with the reason and the connection. What became of the release meanwhile
 * has the last word, before the call as after it.
 */
export const cutBranch = onWish(branchKind, {
  actor: 'version control',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async call(entry, context): Promise<Outcome<MadeBranch | typeof UNASKED>> {
    const { is } = await branchStanding(context.scope, entry)
    if (is !== 'wanted') return { outcome: 'applied', answer: UNASKED }
    return asked(entry, context, async (versionControl) => {
      const { name, from } = entry.payload
      const found = await find(versionControl, name)
      if (found) return found
      const start = await startOf(versionControl, from)
      const { idempotencyKey } = entry
      const { sha } = await versionControl.createBranch(name, start, { idempotencyKey })
      return { sha, isFound: false }
    })
  },
  async find(entry, context): Promise<Outcome<MadeBranch | typeof UNASKED>> {
    const found = await asked(entry, context, (versionControl) =>
      find(versionControl, entry.payload.name)
    )
    if (found.outcome !== 'applied') return { outcome: 'unknown', reason: found.reason }
    if (found.answer) return { outcome: 'applied', answer: found.answer }
    return { outcome: 'notApplied', reason: 'There is no branch yet' }
  },
  answer: (scope, entry, made: MadeBranch | typeof UNASKED) =>
    made === UNASKED ? followUp(scope, entry, null) : keep(scope, entry, made),
  afterLast: (scope, entry, reason) => followUp(scope, entry, reason),
})

function asked<Answer>(
  { payload: { integrationId: id, connectionId, askedBy } }: Entry<WishedBranch>,
  { scope, signal }: CallContext,
  ask: (versionControl: VersionControl) => Promise<Answer>
): Promise<Outcome<Answer>> {
  const integration = { id, connectionId }
  // What a person asked for goes before what runs by itself, also when a worker does it.
  const isPersons = askedBy !== undefined && isPersonal({ actor: askedBy })
  const what = { integration, kind: 'versionControl', signal, isPersons } as const
  return outcomeOfCall(() => askProvider(scope, what, ask))
}

async function find(versionControl: VersionControl, name: string): Promise<MadeBranch | null> {
  const found = await versionControl.getBranch(name)
  return found && { sha: found.sha, isFound: true }
}

/** The commit that the branch begins at. @throws ProviderError `notFound` */
async function startOf(
  versionControl: VersionControl,
  { branch, tag, commit }: BranchStart
): Promise<string> {
  if (commit !== null && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return commit
  const found =
    tag === null
      ? branch !== null && (await versionControl.getBranch(branch))
      : await findTag(versionControl, tag)
  if (found) return found.sha
  const missing = tag === null ? `no branch ${branch ?? 'to begin at'}` : `no tag ${tag}`
  throw new ProviderError('notFound', `There is ${missing}`, { outcome: 'notApplied' })
}

async function findTag(versionControl: VersionControl, name: string) {
  for (let cursor: string | undefined; ;) {
    const { items, next } = await versionControl.listTags(name, cursor)
    const found = items.find((tag) => tag.name === name)
    if (found || next === undefined) return found
    cursor = next
  }
}

/** Kicks the release off by the branch that there is now, if it still is its branch. */
async function keep(
  scope: Scope,
  entry: Entry<WishedBranch>,
  { sha, isFound }: MadeBranch
): Promise<void> {
  const { name, appId } = entry.payload
  const release = await releaseStillThere(scope, appId, entry.subject)
  if (!release || release.kickedOffAt !== null) return
  const isIts = await isSameBranch(scope, release, entry.payload)
  if (isIts) release.releaseBranch = name
  recordReleaseEvent(scope, release, {
    type: 'release.branchMade',
    title: isFound ? `The branch ${name} is there` : `The branch ${name} was cut`,
    data: { branch: name, commitHash: sha, found: isFound },
    payload: null,
  })
  const ruling = ruleOn(release.status, 'kickoff', release, [])
  if (!ruling.allowed || ruling.to === 'deleted') {
    // Whoever skipped it meanwhile has the last word; the branch is there all the same.
    await release.useTransaction(scope.transaction).save()
  } else if (isIts) await recordKickoff(scope, release, ruling.to)
  else await again(scope, release, entry)
}

/**
 * What follows where there is no branch: it was not asked for any more, or it could not be made.
 * @param reason why it could not be made; null where nobody was asked
 */
async function followUp(
  scope: Scope,
  entry: Entry<WishedBranch>,
  reason: string | null
): Promise<void> {
  const { appId, name, connectionId: connection } = entry.payload
  const release = await releaseStillThere(scope, appId, entry.subject)
  const standing = await branchStanding(scope, entry)
  if (!release || standing.is === 'over') return
  if (standing.is === 'held') {
    await tellParts(scope, release, { action: 'kickoff', result: 'held', reason: standing.by })
  } else if (standing.is === 'other' || reason === null) await again(scope, release, entry)
  else {
    const blockedReason = `The branch ${name} could not be made: ${reason}`.slice(0, 1000)
    await blockKickoff(scope, release, { blockedReason, connection })
    await tellParts(scope, release, { action: 'kickoff', result: 'failed', reason: blockedReason })
  }
}

/** Kicks off anew, as the release is called and the app is set now. */
async function again(scope: Scope, release: Release, { id: ending }: Entry): Promise<void> {
  const kickoff = await new KickOffRelease(scope).handle(release, { ending })
  if (kickoff.is !== 'blocked') return
  const { reason } = kickoff
  await tellParts(scope, release, { action: 'kickoff', result: 'failed', reason })
}
