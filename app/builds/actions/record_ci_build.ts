import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { releaseById } from '#releases/queries/find_release'
import { storeCandidateFacts } from '../candidate_runs.js'
import { buildSubscribers } from '../subscribers.js'
import { plainBranch } from '../plain_branch.js'
import { ciBuildOf, ciBuildsById, ciFilesOf, type CiBuildRow } from '../queries/ci_builds.js'
import { releaseOfBranch, type MatchedRelease } from '../queries/match_release.js'
import { recordBuildStatus } from '../record_build_event.js'
import { chooseCandidate } from '../release_candidate.js'
import { putFile, type CiFile } from '../store_files.js'
import { ciBuilds } from '../tables.js'
import { isFinalStatus, progress, type CIBuildStatus } from '../vocabulary.js'

/** The data of a CI build from an upload or a poll. */
export interface ReportedBuild {
  appId: string
  /** The integration of the app that it comes from. */
  installationId: string
  /** The CI system, one of `CIIntegrationId`. */
  integrationId: string
  buildIdentifier: string
  /** It was asked for, and the identifier is one of our own for the time being. */
  isRequested?: boolean
  /** A full ref is accepted. */
  branch: string
  /** Base branch of the pull request that was built; null for a build of a branch. */
  baseBranch: string | null
  commitHash: string
  workflowData: { workflowId: string; workflowName: string }
  status: CIBuildStatus
  /** By default the present. */
  startedAt?: string
  finishedAt?: string | null
  commitMessage?: string | null
  commitAuthor?: string | null
  commitUrl?: string | null
  url?: string | null
  /** The release it was built for, if the caller named one; otherwise the branch decides. */
  release?: MatchedRelease
  /** Files of the build that are new, or are stored by now. */
  files: readonly CiFile[]
}

const REPORTED_LATER = ['commitMessage', 'commitAuthor', 'commitUrl', 'url'] as const

/**
 * Records a report about a CI build. A build is identified by its integration, workflow and
 * identifier; a second report of it updates it, and nothing happens twice.
 */
export class RecordCiBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * For uploads, which hear what cannot be.
   * @throws conflict when the build is of another commit, was over before, or has another file
   */
  async handle(reported: ReportedBuild): Promise<CiBuildRow> {
    return this.#record(reported, true)
  }

  /** For looks at a provider: what comes late or again changes nothing. */
  async observe(reported: ReportedBuild): Promise<CiBuildRow> {
    return this.#record(reported, false)
  }

  /**
   * For a requested build, once the CI system has reported it: it continues under its identifier
   * there.
   */
  async adopt(id: string, reported: ReportedBuild): Promise<CiBuildRow> {
    const { scope } = this
    await scope.lock('apps', reported.appId)
    const { buildIdentifier, commitHash } = reported
    const { workflowName } = reported.workflowData
    const own = { buildIdentifier, commitHash, workflowName, isRequested: false }
    await scope.update(ciBuilds, { id }, { ...own, updatedAt: scope.now })
    return this.#record(reported, false)
  }

  async #record(reported: ReportedBuild, isStrict: boolean): Promise<CiBuildRow> {
    const { scope } = this
    // As every write to the app does first.
    await scope.lock('apps', reported.appId)
    const { installationId, buildIdentifier } = reported
    const { workflowId } = reported.workflowData
    const before = await ciBuildOf(scope, { installationId, workflowId, buildIdentifier })
    if (before && isStrict) demandPossible(before, reported)
    const id = before?.id ?? newId('build')
    let isFurther = true
    if (before) isFurther = await this.#goOn(before, reported)
    else await this.#insert(id, reported)
    const hasNewFile = await this.#putFiles(id, reported, before, isStrict)
    const [build] = await ciBuildsById(scope, [id])
    await chooseCandidate(scope, build)
    if (isFurther) recordBuildStatus(scope, build, before?.status ?? null)
    await this.#carry(build)
    if (isFurther || hasNewFile) await followBuild(scope, build)
    return build
  }

  /** Updates the facts of its release. */
  async #carry(build: CiBuildRow): Promise<void> {
    if (build.releaseId === null) return
    const release = await releaseById(this.scope, build.appId, build.releaseId)
    await storeCandidateFacts(this.scope, release, build)
  }

  /** @returns whether there is something new among them */
  async #putFiles(
    id: string,
    reported: ReportedBuild,
    before: CiBuildRow | null,
    isStrict: boolean
  ) {
    const isOver = before !== null && isFinalStatus(before.status)
    const others = !isOver ? 'replaced' : isStrict ? stateMembers(before) : 'kept'
    let hasNew = false
    for (const file of reported.files) {
      const isNew = await putFile(this.scope, id, file, { others, isOnly: isStrict })
      hasNew ||= isNew
    }
    return hasNew
  }

  async #insert(id: string, reported: ReportedBuild): Promise<void> {
    const { scope } = this
    const branch = plainBranch(reported.branch)
    const { releaseId, version } =
      reported.release ?? (await releaseOfBranch(scope, reported.appId, branch))
    await scope.insert(ciBuilds, [
      {
        id,
        appId: reported.appId,
        installationId: reported.installationId,
        integrationId: reported.integrationId,
        buildIdentifier: reported.buildIdentifier,
        isRequested: reported.isRequested ?? false,
        status: reported.status,
        branch,
        baseBranch: reported.baseBranch === null ? null : plainBranch(reported.baseBranch),
        commitHash: reported.commitHash,
        commitMessage: reported.commitMessage ?? null,
        commitAuthor: reported.commitAuthor ?? null,
        commitUrl: reported.commitUrl ?? null,
        url: reported.url ?? null,
        workflowId: reported.workflowData.workflowId,
        workflowName: reported.workflowData.workflowName,
        startedAt: reported.startedAt ?? scope.now,
        finishedAt: isFinalStatus(reported.status) ? (reported.finishedAt ?? scope.now) : null,
        version,
        releaseId,
        createdBy: scope.actor,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
  }

  /** @returns whether its status changed */
  async #goOn(before: CiBuildRow, reported: ReportedBuild): Promise<boolean> {
    const { scope } = this
    const { status } = reported
    const isFurther = progress(before.status, status) === 'further'
    const values: Partial<CiBuildRow> = {}
    for (const name of REPORTED_LATER) {
      if (before[name] === null && reported[name]) values[name] = reported[name]
    }
    if (before.releaseId === null && reported.release) Object.assign(values, reported.release)
    if (isFurther) {
      values.status = status
      if (isFinalStatus(status)) values.finishedAt = reported.finishedAt ?? scope.now
    }
    if (Object.keys(values).length > 0) {
      await scope.update(ciBuilds, { id: before.id }, { ...values, updatedAt: scope.now })
    }
    return isFurther
  }
}

/** Notifies the subscribers of builds of one that changed. */
export async function followBuild(scope: Scope, build: CiBuildRow): Promise<void> {
  const files = await ciFilesOf(scope, [build.id])
  for (const follow of buildSubscribers.all) await follow(scope, build, files)
}

/** @throws conflict */
function demandPossible(before: CiBuildRow, reported: ReportedBuild): void {
  const name = `The build ${before.buildIdentifier} of ${before.workflowName}`
  const standing = stateMembers(before)
  if (before.commitHash !== reported.commitHash) {
    const detail = `${name} is of the commit ${before.commitHash}.`
    throw refuse('conflict', { detail, ...standing })
  }
  if (progress(before.status, reported.status) === 'impossible') {
    const detail = `${name} is ${before.status}; it cannot become ${reported.status}.`
    throw refuse('conflict', { detail, ...standing })
  }
}

const stateMembers = ({ status }: CiBuildRow) => ({
  currentStatus: status,
  allowedActions: allowedActions(status),
})

/** Returns the actions that sending a build again can cause. */
export function allowedActions(status: CIBuildStatus): string[] {
  return isFinalStatus(status) ? ['attach'] : ['upload', 'attach']
}
