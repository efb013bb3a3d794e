import { onWish, type CallContext, type Entry, type Outcome } from '#foundation/agenda/handlers'
import type { PayloadOf } from '#foundation/core/agenda/kinds'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import { ruleOn } from '../engine/transitions.js'
import type Release from '../models/release.js'
import { releaseById } from '../queries/find_release.js'
import { recordKickoff } from '../record_kickoff.js'
import { recordReleaseEvent } from '../record_release_event.js'
import { findRepository } from './app_repository.js'
import { blockKickoff } from './block_kickoff.js'
import { branchKind } from './branch_kind.js'
import { branchOf, type BranchStart } from './release_branch.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

type Payload = PayloadOf<typeof branchKind>

/** The branch of a release, and whether it was there before. */
interface MadeBranch {
  sha: string
  isFound: boolean
}

/**
 * Cuts the branch of a release, or finds it, and kicks the release off by it. What cannot be done
 * blocks the kickoff, with the reason and the connection.
 */
export const cutBranch = onWish(branchKind, {
  actor: 'version control',
  lease: 4 * MINUTE,
  retry: { steps: [10 * SECOND, MINUTE, 10 * MINUTE] },
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call: (entry, context) =>
    asked(entry, context, async (versionControl) => {
      const { name, from } = entry.payload
      const found = await find(versionControl, name)
      if (found) return found
      const start = await startOf(versionControl, from)
      const { idempotencyKey } = entry
      const { sha } = await versionControl.createBranch(name, start, { idempotencyKey })
      return { sha, isFound: false }
    }),
  async find(entry, context): Promise<Outcome<MadeBranch>> {
    const found = await asked(entry, context, (versionControl) =>
      find(versionControl, entry.payload.name)
    )
    if (found.outcome !== 'applied') return { outcome: 'unknown', reason: found.reason }
    if (found.answer) return { outcome: 'applied', answer: found.answer }
    return { outcome: 'notApplied', reason: 'There is no branch yet' }
  },
  answer: (scope, entry, made: MadeBranch) => keep(scope, entry, made),
  async afterLast(scope, { subject, payload: { appId, name, connectionId } }, reason) {
    const release = await releaseThere(scope, appId, subject)
    if (!release || release.kickedOffAt !== null) return
    await blockKickoff(scope, release, {
      blockedReason: `The branch ${name} could not be made: ${reason}`.slice(0, 1000),
      connection: connectionId,
    })
  },
})

function asked<Answer>(
  { payload: { integrationId: id, connectionId, isPersons } }: Entry<Payload>,
  { scope, signal }: CallContext,
  ask: (versionControl: VersionControl) => Promise<Answer>
): Promise<Outcome<Answer>> {
  const integration = { id, connectionId }
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

/** The release, unless it was deleted meanwhile. */
async function releaseThere(scope: Scope, appId: string, id: string): Promise<Release | null> {
  const there = scope.table('releases').where({ id, app_id: appId }).select('id')
  return (await there.first()) ? releaseById(scope, appId, id) : null
}

async function keep(
  scope: Scope,
  { subject, payload: { appId, name } }: Entry<Payload>,
  { sha, isFound }: MadeBranch
): Promise<void> {
  const release = await releaseThere(scope, appId, subject)
  if (!release || release.kickedOffAt !== null) return
  const repository = await findRepository(scope, appId)
  const wanted = repository && branchOf(repository, release)
  // Its version, and so its branch, may be another by now: who changed it kicks it off again.
  const isWanted = wanted !== null && 'name' in wanted && wanted.name === name
  if (isWanted) release.releaseBranch = name
  recordReleaseEvent(scope, release, {
    type: 'release.branchMade',
    title: isFound ? `The branch ${name} is there` : `The branch ${name} was cut`,
    data: { branch: name, commitHash: sha, found: isFound },
    payload: null,
  })
  const ruling = ruleOn(release.status, 'kickoff', release, [])
  if (isWanted && ruling.allowed && ruling.to !== 'deleted') {
    return recordKickoff(scope, release, ruling.to)
  }
  // Whoever skipped it meanwhile has the last word; the branch is there all the same.
  await release.useTransaction(scope.transaction).save()
}
