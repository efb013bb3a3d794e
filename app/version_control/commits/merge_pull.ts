import { Type } from '@sinclair/typebox'
import { later } from '#foundation/core/clock'
import { commandKind, type PayloadOf } from '#foundation/core/jobs/kinds'
import { DAY, MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import { feature } from '#plugin-kit/capabilities/map'
import type { PullRequest, VersionControl } from '#plugin-kit/capabilities/source'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { codeCommand, NotYet, onCodeCommand, type AskedPlace } from '../code_commands.js'

/** Merges the pull request of a back-merge as soon as the host allows it. */
export const mergePullKind = commandKind(
  'release.mergePull',
  codeCommand({
    from: Type.String(),
    into: Type.String(),
    number: Type.Integer(),
    /** When the service gives up and leaves the pull request to people. */
    until: Type.String(),
  }),
  'versionControl'
)

const CHECK_INTERVAL = 10 * MINUTE
const MAX_DAYS = 14

/** Errors of a branch that accepts changes only through pull requests. */
const PROTECTION_ERRORS: readonly string[] = ['preconditionFailed', 'forbidden']

/**
 * Opens a pull request for a merge that the protection of the target branch refused. An open pull
 * request is reused.
 * @returns null if the branch is not protected, or the provider has no pull requests
 */
export async function openPullIfProtected(
  versionControl: VersionControl,
  error: unknown,
  { from, into, message }: { from: string; into: string; message: string },
  key: string
): Promise<PullRequest | null> {
  if (!isProviderError(error) || error.detail.outcome !== 'notApplied') return null
  if (!PROTECTION_ERRORS.includes(error.code) || !versionControl.openPullRequest) return null
  const branch = await versionControl.getBranch(into)
  if (!branch?.protected) return null
  const body = `${into} accepts changes only through pull requests.`
  return versionControl.openPullRequest(from, into, message, body, {
    idempotencyKey: `${key} pull`,
  })
}

/** Queues the merge of a release's pull request. */
export async function requestMergePull(
  scope: Scope,
  release: Release,
  source: AskedPlace & { from: string; into: string },
  { number, url }: Pick<PullRequest, 'number' | 'url'>
): Promise<void> {
  const { from, into } = source
  recordReleaseEvent(scope, release, {
    type: 'release.backMergeAsked',
    title: `${into} accepts no direct merges: pull request #${number} was opened to merge ${from}`,
    data: { from, into, number, url: url ?? null },
    payload: null,
  })
  const { appId, integrationId, connectionId, askedBy } = source
  await scope.jobs.command(mergePullKind, {
    subject: release.id,
    idempotencyKey: `${release.id} ${integrationId} ${number}`,
    payload: {
      appId,
      integrationId,
      connectionId,
      askedBy,
      from,
      into,
      number,
      until: later(scope.now, MAX_DAYS * DAY),
    },
  })
}

/** The outcome of a pull request. */
type Ended = { kind: 'merged'; sha: string } | { kind: 'closed' | 'gone' | 'left' }

/** Merges the pull request of a release once its checks have passed and its branch accepts it. */
export const mergePull = onCodeCommand(mergePullKind, {
  async call(versionControl, { payload: { number, until }, idempotencyKey }, { scope }) {
    const pull = await feature(versionControl, 'getPullRequest')(number)
    if (pull === null) return { kind: 'gone' } as Ended
    const { state } = pull.status
    if (state === 'merged') return { kind: 'merged', sha: pull.sha } as Ended
    if (state === 'closed') return { kind: 'closed' } as Ended
    const isReady = state === 'open' && ['none', 'passing'].includes(pull.checks.state)
    if (isReady && pull.mergeable !== false) {
      const merged = await merge(versionControl, pull, `${idempotencyKey} ${pull.sha}`)
      if (merged) return { kind: 'merged', sha: merged.sha } as Ended
    }
    if (scope.now > until) return { kind: 'left' } as Ended
    throw new NotYet(`Pull request #${number} cannot be merged yet`, CHECK_INTERVAL)
  },
  async done(scope, release, { payload }, ended: Ended) {
    const { from, into, number } = payload
    if (ended.kind === 'merged') {
      recordReleaseEvent(scope, release, {
        type: 'release.backMerged',
        title: `${from} was merged into ${into} by pull request #${number}`,
        data: { from, into, commitHash: ended.sha, merged: true, number },
        payload: null,
      })
      return
    }
    failed(scope, release, payload, REASONS[ended.kind])
  },
  failed: async (scope, release, { payload }, cause) => failed(scope, release, payload, cause),
})

const REASONS = {
  closed: 'it was closed',
  gone: 'it no longer exists',
  left: `it is still open after ${MAX_DAYS} days. Merge it yourself`,
} as const

/** @returns null if the branch does not accept it yet, or the pull request has just changed */
async function merge(
  versionControl: VersionControl,
  { number, sha }: PullRequest,
  idempotencyKey: string
): Promise<PullRequest | null> {
  try {
    return await feature(versionControl, 'mergePullRequest')(number, 'merge', sha, {
      idempotencyKey,
    })
  } catch (error) {
    const isNotMergeable =
      isProviderError(error) &&
      error.detail.outcome === 'notApplied' &&
      ['conflict', ...PROTECTION_ERRORS].includes(error.code)
    if (isNotMergeable) return null
    throw error
  }
}

function failed(
  scope: Scope,
  release: Release,
  { from, into, number, connectionId: connection }: PayloadOf<typeof mergePullKind>,
  cause: string
): void {
  const reason = `${from} was not merged into ${into} by pull request #${number}: ${cause}`
  recordReleaseEvent(scope, release, {
    type: 'release.backMergeFailed',
    title: reason.slice(0, 500),
    data: { from, into, connection, files: [] },
    payload: null,
  })
}
