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
import { pullUnlessFree, requestMergePull } from './merge_pull.js'
import { mergedVersions } from './merged_versions.js'
import { entityKeyOf } from '../branches/request_branch.js'
import type { CodeCommand } from '#releases/ports'

/** The branch of a release is to be merged back into the working branch. */
export const backMergeKind = commandKind(
  'release.backMerge',
  codeCommand({
    from: Type.String(),
    into: Type.String(),
    /** Files that hold the version; absent in what was planned before they were kept. */
    versionFiles: Type.Optional(Type.Array(Type.String())),
  }),
  'versionControl'
)

/** Has the branch of a release merged back by a worker. A repetition asks nothing again. */
export async function requestBackMerge(scope: Scope, release: Release): Promise<CodeCommand> {
  const repository = await findRepository(scope, release.appId)
  if (!repository) return { is: 'blocked', reason: 'The app has no version control.' }
  const { releaseBranch: from } = release
  const into = repository.branches?.workingBranch ?? null
  if (from === null) return { is: 'blocked', reason: 'It has no branch of its own.' }
  if (into === null) return { is: 'blocked', reason: 'The app names no working branch.' }
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
  return { is: 'underWay' }
}

interface Merged {
  sha: string
  isMerged: boolean
}

/** The other branch takes no direct merge, and a pull request asks for it. */
interface Asked {
  pull: Pick<PullRequest, 'number' | 'url'>
}

/**
 * Merges the branch of a release back; a repetition finds that the other has all of it. Versions
 * that were written on both branches are no conflict: the higher one stands.
 */
export const mergeBack = onCodeCommand(backMergeKind, {
  action: 'backMerge',
  async call(
    versionControl,
    { payload: { from, into, versionFiles = [] }, idempotencyKey }
  ): Promise<Merged | Conflict | Asked> {
    const merge = feature(versionControl, 'mergeBranch')
    const message = `Merge ${from} into ${into}`
    let came: Merged | Conflict
    try {
      came = await unlessConflicting<Merged>(() => merge(from, into, message, { idempotencyKey }))
    } catch (error) {
      const wanted = { from, into, message }
      const pull = await pullUnlessFree(versionControl, error, wanted, idempotencyKey)
      if (pull === null) throw error
      return { pull: { number: pull.number, url: pull.url } }
    }
    if (!('files' in came) || came.files.length === 0) return came
    if (!came.files.every((path) => versionFiles.includes(path))) return came
    const resolved = await mergedVersions(versionControl, { from, into }, came.files)
    if (resolved === null) return came
    return unlessConflicting<Merged>(() => merge(from, into, message, { idempotencyKey }, resolved))
  },
  async done(scope, release, { payload }, came: Merged | Conflict | Asked) {
    const { from, into, askedBy } = payload
    if ('pull' in came) {
      await requestMergePull(scope, release, payload, came.pull)
      const what = `pull request #${came.pull.number} asks for it`
      const ended = { result: 'done', what } as const
      return planningPort.provided.ended(scope, release, { action: 'backMerge', askedBy, ...ended })
    }
    if ('files' in came) {
      const why = `these files are in conflict: ${came.files.join(', ')}`
      return failed(scope, release, payload, why, came.files)
    }
    const { sha, isMerged } = came
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
