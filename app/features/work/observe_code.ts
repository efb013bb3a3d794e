import { RETRIES } from '#foundation/jobs/retry'
import { onObservation, type CallContext, type Job } from '#foundation/jobs/handlers'
import type { Instant } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { askProvider, unlessGone } from '#integrations/ask_provider'
import { everyPage } from '#integrations/every_page'
import { repositoryOf } from '#integrations/queries/app_integrations'
import type { PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import { isOpen } from '#releases/lifecycle/open_releases'
import { releaseStillThere } from '#releases/queries/find_release'
import { readReleaseStillThere } from '#releases/queries/read_release'
import { findRepository } from '#version_control/repository/app_repository'
import { branchOf, codeBranchOf } from '#version_control/repository/release_branch'
import { codeSubscribers } from '../code_subscribers.js'
import { readWords } from '../code/read_commit.js'
import { mergedPulls } from '../queries/merged_pulls.js'
import { storePulls, seenPulls, type SeenPull } from '../queries/seen_pulls.js'
import { patchlessAmong, patchlessCommits } from '../queries/patchless_commits.js'
import { releaseFeaturesOf, type ReleaseFeatures } from '../queries/release_features.js'
import { waitsForTickets } from '../readiness/first_look.js'
import { deriveFeatures } from '../readiness/derive_features.js'
import { takeBranch } from '../readiness/take_branch.js'
import { takeCode } from '../readiness/take_code.js'
import type { CommitRange, OpenPull } from '../tables.js'
import { codeKind } from '../work_kinds.js'
import { askPatches } from './ask_patches.js'
import { askPulls } from './ask_pulls.js'
import { baseCandidates, findBase, type NamedCommit } from './find_base.js'
import type { CodeObservation, SeenRange } from './code_look.js'
import { isUnreadImport, readImported, storeImported } from './imported_code.js'
import { rangeDelta } from './range_delta.js'

/** Polls the commits of a release, and reads only those that it has not seen before. */
export const observeCode = onObservation(codeKind, {
  actor: 'version control',
  lease: 10 * MINUTE,
  every: { least: MINUTE, most: 10 * MINUTE },
  retry: RETRIES.ofPoll,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  poll: pollCode,
  async store(scope, { subject, payload }, observation: CodeObservation | null) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    const features = release && (await releaseFeaturesOf(scope, subject))
    if (!release || !features) return 'over'
    if (release.imported) {
      await storeImported(scope, release, observation)
      return 'over'
    }
    if (observation === null || !features.watchesCode || !isOpen(release)) {
      await deriveFeatures(scope, release)
      return 'over'
    }
    const place = { appId: release.appId, repository: observation.repository }
    const pullsChanged = await storePulls(scope, place, observation.pulls)
    const branchChanged = await takeBranch(scope, release, features, observation)
    const codeChanged = await takeCode(scope, release, features, observation)
    const hasChanged = codeChanged || pullsChanged || branchChanged
    const waits = waitsForTickets(features, (await releaseFeaturesOf(scope, subject)) ?? features)
    if (!waits && (hasChanged || features.counts === null)) await deriveFeatures(scope, release)
    if (hasChanged) {
      for (const each of codeSubscribers.all) await each.codeChanged(scope, release)
    }
    const kept = observation.awaited.length > 0 && (await releaseFeaturesOf(scope, subject))
    if (kept && shows(observation, kept)) {
      for (const each of codeSubscribers.all) await each.seen?.(scope, release, observation.awaited)
    }
    return hasChanged ? 'changed' : 'unchanged'
  },
})

/** Returns whether the stored range of a release's branch is that of this poll. */
const shows = ({ missingBranch, release }: CodeObservation, { releaseRange }: ReleaseFeatures) =>
  missingBranch === null &&
  release !== null &&
  JSON.stringify(release.range) === JSON.stringify(releaseRange)

async function awaitedCode(scope: Scope, releaseId: string): Promise<string[]> {
  const awaited: string[] = []
  for (const each of codeSubscribers.all) {
    awaited.push(...((await each.awaits?.(scope, releaseId)) ?? []))
  }
  return awaited
}

async function namedPulls(scope: Scope, releaseId: string, repository: string) {
  const named: number[] = []
  for (const each of codeSubscribers.all) {
    named.push(...((await each.namedPulls?.(scope, releaseId, repository)) ?? []))
  }
  return named
}

/** Polls the code of a release; null if there is nothing to poll any more. */
async function pollCode(
  { subject, payload: { appId } }: Job<{ appId: string }>,
  { scope, signal }: CallContext
): Promise<CodeObservation | null> {
  const found = await readReleaseStillThere(scope, appId, subject)
  if (!found) return null
  const { release } = found
  const repository = await findRepository(scope, appId)
  const features = await releaseFeaturesOf(scope, subject)
  const home = await repositoryOf(scope, appId)
  const isWanted = isOpen(release) || isUnreadImport(release, features)
  if (!isWanted || !repository || home === null || !features?.watchesCode) return null
  const candidates = await baseCandidates(scope, repository.app, release, home)
  const { integration, branches } = repository
  const requested = { integration, kind: 'versionControl', signal } as const
  const { tag } = release
  if (release.imported && tag) {
    const wanted = { repository: home, integrationId: integration.id, candidates, tag }
    return unlessGone(() => askProvider(scope, requested, (host) => readImported(host, wanted)))
  }
  const workingBranch = branches?.workingBranch ?? null
  const own = release.kickedOffAt === null ? null : codeBranchOf(repository, release)
  const called = own === null ? null : branchOf(repository, release)
  const otherName = called && 'name' in called ? called.name : null
  const ends = { own, otherName, workingBranch }
  // Read before the host is asked, so that the observation covers these requests.
  const awaited = await awaitedCode(scope, subject)
  // Numbers of another repository do not apply here.
  const isElsewhere = features.repository !== null && features.repository !== home
  const merged = isElsewhere ? [] : await mergedPulls(scope, subject)
  const named = [...merged, ...(await namedPulls(scope, subject, home))]
  const known = await seenPulls(scope, { appId, repository: home }, named)
  const pulls = { named, known, now: scope.now }
  return unlessGone(() =>
    askProvider(scope, requested, (versionControl) =>
      seeCode(versionControl, integration.id, {
        repository: home,
        isElsewhere,
        candidates,
        features,
        ...ends,
        pulls,
        awaited,
        leftOut: () => patchlessCommits(scope, subject),
        leftOutAmong: (hashes) => patchlessAmong(scope, subject, hashes),
      })
    )
  )
}

interface Wanted {
  /** Identity of the repository. */
  repository: string
  /** True if the stored data is of another repository. */
  isElsewhere: boolean
  candidates: Awaited<ReturnType<typeof baseCandidates>>
  features: Pick<ReleaseFeatures, 'releaseRange' | 'workingRange' | 'patchesOwed'>
  /** The branch of a release that is kicked off. */
  own: string | null
  /** The name of the branch by the app's current settings. */
  otherName: string | null
  workingBranch: string | null
  /** Pull requests that were named so far, and what is known of them. */
  pulls: { named: number[]; known: ReadonlyMap<number, SeenPull>; now: Instant }
  awaited: readonly string[]
  /** Commits whose changes are not known yet. */
  leftOut: () => Promise<string[]>
  leftOutAmong: (hashes: readonly string[]) => Promise<ReadonlySet<string>>
}

async function seeCode(
  versionControl: VersionControl,
  integrationId: string,
  { repository, isElsewhere, candidates, features, own, otherName, ...wanted }: Wanted
): Promise<CodeObservation> {
  const { workingBranch, pulls, awaited, ...leftOut } = wanted
  const found = await ownTip(versionControl, { own, otherName, seen: features.releaseRange })
  const head = found ?? (own === null ? await tipOf(versionControl, workingBranch) : null)
  const base = head && (await findBase(versionControl, candidates))
  const open = await openPullsOf(versionControl)
  const see = async (from: NamedCommit | null, to: NamedCommit, before: CommitRange | null) => {
    const was = !isElsewhere && before?.integrationId === integrationId ? before : null
    const names = { baseName: from?.name ?? null, headName: to.name }
    const range = { integrationId, base: from?.sha ?? null, head: to.sha, ...names }
    return { range, was: before, delta: await rangeDelta(versionControl, was, range) }
  }
  // A branch that is gone changes nothing: the last observed range stays.
  const asItWas = (was: CommitRange | null, name: string | null): SeenRange | null =>
    was && !isElsewhere && was.integrationId === integrationId && was.headName === name
      ? { range: was, was, delta: { isAnew: false, came: [], went: [] } }
      : null
  const { releaseRange, workingRange } = features
  const release = head
    ? await see(base, head, releaseRange)
    : asItWas(releaseRange, own ?? workingBranch)
  const isApart = own !== null && own !== workingBranch
  const tip = isApart && head ? await tipOf(versionControl, workingBranch) : null
  const isKept = isApart && release !== null && (head === null || tip === null)
  const working = isKept
    ? asItWas(workingRange, workingBranch)
    : head && tip && (await see(head, tip, workingRange))
  const came = [...(release?.delta.came ?? []), ...(working?.delta.came ?? [])]
  const named = [
    ...pulls.named,
    ...came.flatMap((each) => readWords(each.message).pullRequest ?? []),
  ]
  const reportedPulls = open ? await askPulls(versionControl, open, { ...pulls, named }) : []
  const isOwed = features.patchesOwed
  const patches = await askPatches(versionControl, { release, working, isOwed, ...leftOut })
  return {
    repository,
    missingBranch: head === null ? (own ?? workingBranch) : null,
    renamedTo: own !== null && head !== null && head.name !== own ? head.name : null,
    release,
    working,
    openPulls: open && open.flatMap(openPull).sort((one, other) => one.number - other.number),
    pulls: reportedPulls,
    patches: patches.patches,
    patchesOwed: patches.isOwed,
    awaited,
  }
}

/**
 * Returns the tip of the branch of a release that is kicked off. A renamed branch counts as the
 * same; so does a branch of the name that the app's settings give now, if it contains everything
 * that was observed.
 */
async function ownTip(
  versionControl: VersionControl,
  { own, otherName, seen }: Pick<Wanted, 'own' | 'otherName'> & { seen: CommitRange | null }
): Promise<NamedCommit | null> {
  const found = await tipOf(versionControl, own)
  if (found || otherName === null || otherName === own || seen === null) return found
  const other = await tipOf(versionControl, otherName)
  if (!other) return null
  try {
    const { behind } = await versionControl.compare(seen.head, other.sha)
    return behind === 0 ? other : null
  } catch (error) {
    if (isProviderError(error) && error.code === 'notFound') return null
    throw error
  }
}

async function tipOf(
  versionControl: VersionControl,
  name: string | null
): Promise<NamedCommit | null> {
  const branch = name === null ? null : await versionControl.getBranch(name)
  return branch && { name: branch.name, sha: branch.sha }
}

/** Most pages of open pull requests that are read. */
const MAX_PAGES = 20

/**
 * Returns the open pull requests. Null if the host fails to report them: the stored ones stay, and
 * commits are read all the same.
 */
async function openPullsOf(versionControl: VersionControl): Promise<PullRequest[] | null> {
  if (!versionControl.listOpenPullRequests) return []
  try {
    return await everyPage((cursor) => versionControl.listOpenPullRequests!(cursor), MAX_PAGES)
  } catch (error) {
    if (!isProviderError(error)) throw error
    return null
  }
}

function openPull({ number, title, head, base, sha, status, url }: PullRequest): OpenPull[] {
  if (status.state !== 'open' && status.state !== 'draft') return []
  const { tickets } = readWords(`${title}\n${head.replace(/[/_]/g, ' ')}`)
  // The name of a branch begins with a key and goes on with words: `SHOP-1-fix-login`.
  const named = [...head.matchAll(/(?:^|[/_])([A-Za-z][A-Za-z0-9]{0,19}-\d{1,9})(?![A-Za-z0-9])/g)]
  const keys = [...new Set([...tickets, ...named.map(([, key]) => key.toUpperCase())])]
  return [
    {
      number,
      title: title.slice(0, 1000),
      head,
      base,
      sha,
      status: status.state,
      url: url ?? null,
      keys,
    },
  ]
}
