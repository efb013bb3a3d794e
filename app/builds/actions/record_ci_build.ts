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
import { putFile, type CiFile, type PutFileOptions } from '../store_files.js'
import { ciBuilds } from '../tables.js'
import { isFinalStatus, progress, type CIBuildStatus } from '../vocabulary.js'

/** The data of a CI build from an upload or a poll. */
export interface ReportedBuild {
  appId: string
  /** The integration of the app that reports it. */
  installationId: string
  /** The CI system, one of `CIIntegrationId`. */
  integrationId: string
  buildIdentifier: string
  /** True while `buildIdentifier` is a placeholder for a build that Tarmac requested. */
  isRequested?: boolean
  /** A full ref is accepted. */
  branch: string
  /** Base branch of the pull request that was built; null for a build of a branch. */
  baseBranch: string | null
  commitHash: string
  workflowData: { workflowId: string; workflowName: string }
  status: CIBuildStatus
  /** Defaults to the current time. */
  startedAt?: string
  finishedAt?: string | null
  commitMessage?: string | null
  commitAuthor?: string | null
  commitUrl?: string | null
  url?: string | null
  /** The release it was built for. By default, the branch determines it. */
  release?: MatchedRelease
  /** Files of the build that are new, or whose content has been stored since the last report. */
  files: readonly CiFile[]
  /** Why its files are missing, and what to do. */
  filesMissing?: string
}

const REPORTED_LATER = ['commitMessage', 'commitAuthor', 'commitUrl', 'url'] as const

/**
 * Records a report about a CI build. A build is identified by its integration, workflow and
 * identifier. A second report updates the build, and repeating a report has no effect.
 */
export class RecordCiBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * Records an upload, and refuses one that contradicts the recorded build.
   * @throws conflict when the build is of another commit, has already ended, or has another file
   */
  async handle(reported: ReportedBuild): Promise<CiBuildRow> {
    return this.#record(reported, true)
  }

  /** Records an observation of a provider. A late or repeated one is ignored. */
  async observe(reported: ReportedBuild): Promise<CiBuildRow> {
    return this.#record(reported, false)
  }

  /**
   * Records the first report about a requested build, and replaces the placeholder with the
   * identifier of the CI system. Returns null, and changes nothing, if another build has that
   * identifier.
   */
  async adopt(id: string, reported: ReportedBuild): Promise<CiBuildRow | null> {
    const { scope } = this
    await scope.lock('apps', reported.appId)
    const { installationId, buildIdentifier, commitHash } = reported
    const { workflowId, workflowName } = reported.workflowData
    const known = await ciBuildOf(scope, { installationId, workflowId, buildIdentifier })
    if (known && known.id !== id) return null
    const own = { buildIdentifier, commitHash, workflowName, isRequested: false }
    await scope.update(ciBuilds, { id }, { ...own, updatedAt: scope.now })
    return this.#record(reported, false)
  }

  async #record(reported: ReportedBuild, isStrict: boolean): Promise<CiBuildRow> {
    const { scope } = this
    // Every write to an app takes this lock first.
    await scope.lock('apps', reported.appId)
    const { installationId, buildIdentifier } = reported
    const { workflowId } = reported.workflowData
    const before = await ciBuildOf(scope, { installationId, workflowId, buildIdentifier })
    if (before && isStrict) requirePossible(before, reported)
    const id = before?.id ?? newId('build')
    let hasNewStatus = true
    if (before) hasNewStatus = await this.#update(before, reported)
    else await this.#insert(id, reported)
    const hasNewFile = await this.#putFiles(id, reported, before, isStrict)
    const [build] = await ciBuildsById(scope, [id])
    await chooseCandidate(scope, build)
    if (hasNewStatus) {
      recordBuildStatus(scope, build, before?.status ?? null, reported.filesMissing ?? null)
    }
    await this.#updateRelease(build)
    if (hasNewStatus || hasNewFile) await notifyBuildSubscribers(scope, build)
    return build
  }

  /** Updates the facts of the build's release. */
  async #updateRelease(build: CiBuildRow): Promise<void> {
    if (build.releaseId === null) return
    const release = await releaseById(this.scope, build.appId, build.releaseId)
    await storeCandidateFacts(this.scope, release, build)
  }

  /** @returns whether a file or its content is new */
  async #putFiles(
    id: string,
    reported: ReportedBuild,
    before: CiBuildRow | null,
    isStrict: boolean
  ) {
    let others: PutFileOptions['others'] = 'replaced'
    if (before && isFinalStatus(before.status)) others = isStrict ? stateMembers(before) : 'kept'
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

  /** @returns whether the status of the build changed */
  async #update(before: CiBuildRow, reported: ReportedBuild): Promise<boolean> {
    const { scope } = this
    const { status } = reported
    const hasNewStatus = progress(before.status, status) === 'further'
    const values: Partial<CiBuildRow> = {}
    for (const name of REPORTED_LATER) {
      if (before[name] === null && reported[name]) values[name] = reported[name]
    }
    if (before.releaseId === null && reported.release) Object.assign(values, reported.release)
    if (hasNewStatus) {
      values.status = status
      if (isFinalStatus(status)) values.finishedAt = reported.finishedAt ?? scope.now
    }
    if (Object.keys(values).length > 0) {
      await scope.update(ciBuilds, { id: before.id }, { ...values, updatedAt: scope.now })
    }
    return hasNewStatus
  }
}

/** Notifies the subscribers of builds that a build or one of its files changed. */
export async function notifyBuildSubscribers(scope: Scope, build: CiBuildRow): Promise<void> {
  const files = await ciFilesOf(scope, [build.id])
  for (const notify of buildSubscribers.all) await notify(scope, build, files)
}

/** @throws conflict when the report contradicts the build that is recorded */
function requirePossible(before: CiBuildRow, reported: ReportedBuild): void {
  const name = `The build ${before.buildIdentifier} of ${before.workflowName}`
  if (before.commitHash !== reported.commitHash) {
    const detail = `${name} was built from the commit ${before.commitHash}.`
    throw refuse('conflict', { detail, ...stateMembers(before) })
  }
  if (progress(before.status, reported.status) === 'impossible') {
    const detail = `${name} is ${before.status}; it cannot become ${reported.status}.`
    throw refuse('conflict', { detail, ...stateMembers(before) })
  }
}

const stateMembers = ({ status }: CiBuildRow) => ({
  currentStatus: status,
  allowedActions: allowedActions(status),
})

/** Returns what a client may still do with a build: upload it again, or attach a file. */
export function allowedActions(status: CIBuildStatus): string[] {
  return isFinalStatus(status) ? ['attach'] : ['upload', 'attach']
}
