import { Type } from '@sinclair/typebox'
import { commandKind, type PayloadOf } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { feature } from '#plugin-kit/capabilities/map'
import type { PullRequest } from '#plugin-kit/capabilities/source'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { planningPort } from '#releases/ports'
import { findRepository } from '../repository/app_repository.js'
import {
  codeCommand,
  onCodeCommand,
  placeOf,
  unlessConflicting,
  type Conflict,
} from '../code_commands.js'
import { openPullIfProtected, requestMergePull } from './merge_pull.js'
import { mergedVersions } from './merged_versions.js'
import { entityKeyOf } from '../branches/request_branch.js'
import type { CodeCommand } from '#releases/ports'

/** The branch of a release is to be merged back into the working branch. */
export const backMergeKind = commandKind(
  'release.backMerge',
  codeCommand({
    from: Type.String(),
    into: Type.String(),
    /** Files that hold the version; absent in commands of older releases of the service. */
    versionFiles: Type.Optional(Type.Array(Type.String())),
  }),
  'versionControl'
)

/** Plans that a worker merges the branch of a release back, once for each pair of branches. */
export async function requestBackMerge(scope: Scope, release: Release): Promise<CodeCommand> {
  const repository = await findRepository(scope, release.appId)
  if (!repository) return { kind: 'blocked', reason: 'The app has no version-control integration.' }
  const { releaseBranch: from } = release
  const into = repository.branches?.workingBranch ?? null
  if (from === null) return { kind: 'blocked', reason: 'It has no branch of its own.' }
  if (into === null)
    return { kind: 'blocked', reason: 'The app has no workingBranch in its branchSettings.' }
  await scope.jobs.command(backMergeKind, {
    subject: release.id,
    entityKey: entityKeyOf(release),
    idempotencyKey: `${release.id} ${from} ${into}`,
    payload: {
      ...placeOf(scope, repository),
      from,
      into,
      versionFiles: release.settings.versionFiles,
    },
  })
  return { kind: 'underWay' }
}

interface Merged {
  sha: string
  isMerged: boolean
}

/** The target branch takes no direct merge, so a pull request was opened. */
interface OpenedPull {
  pull: Pick<PullRequest, 'number' | 'url'>
}

/**
 * Merges the branch of a release back; a repeated call finds that the target has all of it.
 * Versions that were written on both branches are no conflict: the higher one wins.
 */
export const mergeBack = onCodeCommand(backMergeKind, {
  action: 'backMerge',
  async call(
    versionControl,
    { payload: { from, into, versionFiles = [] }, idempotencyKey }
  ): Promise<Merged | Conflict | OpenedPull> {
    const merge = feature(versionControl, 'mergeBranch')
    const message = `Merge ${from} into ${into}`
    let result: Merged | Conflict
    try {
      result = await unlessConflicting<Merged>(() => merge(from, into, message, { idempotencyKey }))
    } catch (error) {
      const wanted = { from, into, message }
      const pull = await openPullIfProtected(versionControl, error, wanted, idempotencyKey)
      if (pull === null) throw error
      return { pull: { number: pull.number, url: pull.url } }
    }
    if (!('files' in result) || result.files.length === 0) return result
    if (!result.files.every((path) => versionFiles.includes(path))) return result
    const resolved = await mergedVersions(versionControl, { from, into }, result.files)
    if (resolved === null) return result
    return unlessConflicting<Merged>(() => merge(from, into, message, { idempotencyKey }, resolved))
  },
  async done(scope, release, { payload }, result: Merged | Conflict | OpenedPull) {
    const { from, into, askedBy } = payload
    if ('pull' in result) {
      await requestMergePull(scope, release, payload, result.pull)
      const what = `pull request #${result.pull.number} asks for it`
      const ended = { result: 'done', what } as const
      return planningPort.provided.ended(scope, release, { action: 'backMerge', askedBy, ...ended })
    }
    if ('files' in result) {
      const why = `these files are in conflict: ${result.files.join(', ')}`
      return failed(scope, release, payload, why, result.files)
    }
    const { sha, isMerged } = result
    recordReleaseEvent(scope, release, {
      type: 'release.backMerged',
      title: isMerged ? `${from} was merged into ${into}` : `${into} has all of ${from}`,
      data: { from, into, commitHash: sha, merged: isMerged },
      payload: null,
    })
    await planningPort.provided.ended(scope, release, {
      action: 'backMerge',
      askedBy,
      result: 'done',
    })
  },
  failed: (scope, release, { payload }, why) => failed(scope, release, payload, why, []),
})

async function failed(
  scope: Scope,
  release: Release,
  { from, into, connectionId: connection, askedBy }: PayloadOf<typeof backMergeKind>,
  why: string,
  files: string[]
): Promise<void> {
  const reason = `${from} could not be merged into ${into}: ${why}`.slice(0, 500)
  recordReleaseEvent(scope, release, {
    type: 'release.backMergeFailed',
    title: reason,
    data: { from, into, connection, files },
    payload: null,
  })
  await planningPort.provided.ended(scope, release, {
    action: 'backMerge',
    askedBy,
    result: 'failed',
    reason,
  })
}
