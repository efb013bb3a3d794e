import { Type } from '@sinclair/typebox'
import { commandKind, type PayloadOf } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { planningPort } from '#releases/ports'
import { findRepository } from '../repository/app_repository.js'
import { codeCommand, onCodeCommand, placeOf } from '../code_commands.js'
import { entityKeyOf } from '../branches/request_branch.js'
import type { CodeCommand } from '#releases/ports'
import { errorsText, writeVersion, type WrittenVersion } from './write_version.js'

/** Writes a version into the version files of a branch. */
export const bumpKind = commandKind(
  'release.bump',
  codeCommand({
    branch: Type.String(),
    version: Type.String(),
    files: Type.Array(Type.String()),
    isRaise: Type.Boolean(),
  }),
  'versionControl'
)
type Payload = PayloadOf<typeof bumpKind>

/**
 * Queues a command that writes a version into the app's version files, on the given branch or on
 * the working branch. On the working branch, a higher version stays.
 */
export async function requestBump(
  scope: Scope,
  release: Release,
  target: { version: string; branch: string } | { version: string; isWorkingBranch: true }
): Promise<CodeCommand> {
  const repository = await findRepository(scope, release.appId)
  if (!repository) return { kind: 'blocked', reason: 'The app has no version-control integration.' }
  const files = release.settings.versionFiles
  if (files.length === 0)
    return { kind: 'blocked', reason: 'The app has no versionFiles in its appSettings.' }
  const branch = 'branch' in target ? target.branch : repository.branches?.workingBranch
  if (!branch)
    return { kind: 'blocked', reason: 'The app has no workingBranch in its branchSettings.' }
  const { version } = target
  await scope.jobs.command(bumpKind, {
    subject: release.id,
    entityKey: entityKeyOf(release),
    payload: {
      ...placeOf(scope, repository),
      branch,
      version,
      files,
      isRaise: 'isWorkingBranch' in target,
    },
  })
  return { kind: 'underWay' }
}

/** Writes a version. Idempotent. */
export const bumpVersion = onCodeCommand(bumpKind, {
  action: 'bump',
  call: (versionControl, { payload, idempotencyKey }) =>
    writeVersion(versionControl, payload, { idempotencyKey }),
  async done(scope, release, { payload }, written: WrittenVersion) {
    if (written.kind === 'faulty')
      return failed(scope, release, payload, errorsText(written.errors))
    recordBump(scope, release, payload, written)
    const { askedBy } = payload
    await planningPort.provided.ended(scope, release, { action: 'bump', askedBy, result: 'done' })
  },
  failed: (scope, release, { payload }, cause) => failed(scope, release, payload, cause),
})

/** Records in the timeline that the files of a branch have a version now, or had it already. */
export function recordBump(
  scope: Scope,
  release: Release,
  { branch, version }: Pick<Payload, 'branch' | 'version'>,
  written: Exclude<WrittenVersion, { kind: 'faulty' }>
): void {
  const isWritten = written.kind === 'written'
  recordReleaseEvent(scope, release, {
    type: 'release.versionBumped',
    title: isWritten ? `${branch} is now at ${version}` : `${branch} needs no bump to ${version}`,
    data: {
      branch,
      version,
      commitHash: isWritten ? written.sha : null,
      files: isWritten ? written.changed : [],
    },
    payload: null,
  })
}

async function failed(
  scope: Scope,
  release: Release,
  { branch, version, connectionId: connection, askedBy }: Payload,
  cause: string
): Promise<void> {
  const reason = `${branch} could not be bumped to ${version}: ${cause}`.slice(0, 500)
  recordReleaseEvent(scope, release, {
    type: 'release.bumpFailed',
    title: reason,
    data: { branch, version, connection },
    payload: null,
  })
  await planningPort.provided.ended(scope, release, {
    action: 'bump',
    askedBy,
    result: 'failed',
    reason,
  })
}
