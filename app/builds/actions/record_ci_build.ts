import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { releaseById } from '#releases/queries/find_release'
import { storeCandidateFacts } from '../candidate_runs.js'
import { buildFollowers } from '../followers.js'
import { plainBranch } from '../plain_branch.js'
import { ciBuildOf, ciBuildsById, ciFilesOf, type CiBuildRow } from '../queries/ci_builds.js'
import { releaseOfBranch, type MatchedRelease } from '../queries/match_release.js'
import { recordBuildStatus } from '../record_build_event.js'
import { chooseCandidate } from '../release_candidate.js'
import { putFile, type CiFile } from '../store_files.js'
import { ciBuilds } from '../tables.js'
import { isFinalStatus, progress, type CIBuildStatus } from '../vocabulary.js'

/** The data of a CI build from an upload or a poll. */
export interface ToldBuild {
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
  /** The release it was built for, where somebody said so; the branch tells it else. */
  release?: MatchedRelease
  /** Files of the build that are new, or are stored by now. */
  files: readonly CiFile[]
}

const LATER_TOLD = ['commitMessage', 'commitAuthor', 'commitUrl', 'url'] as const

/**
 * Takes in what is told of a CI build. A build is known by its integration, workflow and
 * identifier: told again it goes on, and nothing happens twice.
 */
export class RecordCiBuild {
  constructor(private readonly scope: Scope) {}

  /**
   * For uploads, which hear what cannot be.
   * @throws conflict when the build is of another commit, was over before, or has another file
   */
  async handle(told: ToldBuild): Promise<CiBuildRow> {
    return this.#record(told, true)
  }

  /** For looks at a provider: what comes late or again changes nothing. */
  async observe(told: ToldBuild): Promise<CiBuildRow> {
    return this.#record(told, false)
  }

  /**
   * For a build that was asked for, once the CI system has told of it: it goes on under the
   * identifier that it has there.
   */
  async adopt(id: string, told: ToldBuild): Promise<CiBuildRow> {
    const { scope } = this
    await scope.lock('apps', told.appId)
    const { buildIdentifier, commitHash } = told
    const { workflowName } = told.workflowData
    const own = { buildIdentifier, commitHash, workflowName, isRequested: false }
    await scope.update(ciBuilds, { id }, { ...own, updatedAt: scope.now })
    return this.#record(told, false)
  }

  async #record(told: ToldBuild, isStrict: boolean): Promise<CiBuildRow> {
    const { scope } = this
    // As every write to the app does first.
    await scope.lock('apps', told.appId)
    const { installationId, buildIdentifier } = told
    const { workflowId } = told.workflowData
    const before = await ciBuildOf(scope, { installationId, workflowId, buildIdentifier })
    if (before && isStrict) demandPossible(before, told)
    const id = before?.id ?? newId('build')
    let isFurther = true
    if (before) isFurther = await this.#goOn(before, told)
    else await this.#insert(id, told)
    const hasNewFile = await this.#putFiles(id, told, before, isStrict)
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
  async #putFiles(id: string, told: ToldBuild, before: CiBuildRow | null, isStrict: boolean) {
    const isOver = before !== null && isFinalStatus(before.status)
    const others = !isOver ? 'replaced' : isStrict ? stateMembers(before) : 'kept'
    let hasNew = false
    for (const file of told.files) {
      const isNew = await putFile(this.scope, id, file, { others, isOnly: isStrict })
      hasNew ||= isNew
    }
    return hasNew
  }

  async #insert(id: string, told: ToldBuild): Promise<void> {
    const { scope } = this
    const branch = plainBranch(told.branch)
    const { releaseId, version } =
      told.release ?? (await releaseOfBranch(scope, told.appId, branch))
    await scope.insert(ciBuilds, [
      {
        id,
        appId: told.appId,
        installationId: told.installationId,
        integrationId: told.integrationId,
        buildIdentifier: told.buildIdentifier,
        isRequested: told.isRequested ?? false,
        status: told.status,
        branch,
        baseBranch: told.baseBranch === null ? null : plainBranch(told.baseBranch),
        commitHash: told.commitHash,
        commitMessage: told.commitMessage ?? null,
        commitAuthor: told.commitAuthor ?? null,
        commitUrl: told.commitUrl ?? null,
        url: told.url ?? null,
        workflowId: told.workflowData.workflowId,
        workflowName: told.workflowData.workflowName,
        startedAt: told.startedAt ?? scope.now,
        finishedAt: isFinalStatus(told.status) ? (told.finishedAt ?? scope.now) : null,
        version,
        releaseId,
        createdBy: scope.actor,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
  }

  /** @returns whether its status changed */
  async #goOn(before: CiBuildRow, told: ToldBuild): Promise<boolean> {
    const { scope } = this
    const { status } = told
    const isFurther = progress(before.status, status) === 'further'
    const values: Partial<CiBuildRow> = {}
    for (const name of LATER_TOLD) {
      if (before[name] === null && told[name]) values[name] = told[name]
    }
    if (before.releaseId === null && told.release) Object.assign(values, told.release)
    if (isFurther) {
      values.status = status
      if (isFinalStatus(status)) values.finishedAt = told.finishedAt ?? scope.now
    }
    if (Object.keys(values).length > 0) {
      await scope.update(ciBuilds, { id: before.id }, { ...values, updatedAt: scope.now })
    }
    return isFurther
  }
}

/** Tells those who follow builds of one that changed. */
export async function followBuild(scope: Scope, build: CiBuildRow): Promise<void> {
  const files = await ciFilesOf(scope, [build.id])
  for (const follow of buildFollowers.parts) await follow(scope, build, files)
}

/** @throws conflict */
function demandPossible(before: CiBuildRow, told: ToldBuild): void {
  const name = `The build ${before.buildIdentifier} of ${before.workflowName}`
  const standing = stateMembers(before)
  if (before.commitHash !== told.commitHash) {
    const detail = `${name} is of the commit ${before.commitHash}.`
    throw refuse('conflict', { detail, ...standing })
  }
  if (progress(before.status, told.status) === 'impossible') {
    const detail = `${name} is ${before.status}; it cannot become ${told.status}.`
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
