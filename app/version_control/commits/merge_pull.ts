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

/** A pull request that merges the branch of a release back is to be merged once it may be. */
export const mergePullKind = commandKind(
  'release.mergePull',
  codeCommand({
    from: Type.String(),
    into: Type.String(),
    number: Type.Integer(),
    /** From then on it is left to people. */
    until: Type.String(),
  }),
  'versionControl'
)

const LOOK_EVERY = 10 * MINUTE
const FOR_DAYS = 14

/** Errors of a branch that takes changes only by pull requests. */
const BY_RULE: readonly string[] = ['preconditionFailed', 'forbidden']

/**
 * Opens a pull request for a merge that was refused because of a rule of the target branch; an open
 * one is reused.
 * @returns null if there is no such rule, or the provider has no pull requests
 */
export async function pullUnlessFree(
  versionControl: VersionControl,
  error: unknown,
  { from, into, message }: { from: string; into: string; message: string },
  key: string
): Promise<PullRequest | null> {
  if (!isProviderError(error) || error.detail.outcome !== 'notApplied') return null
  if (!BY_RULE.includes(error.code) || !versionControl.openPullRequest) return null
  const branch = await versionControl.getBranch(into)
  if (!branch?.protected) return null
  const body = `${into} takes changes only by pull request.`
  return versionControl.openPullRequest(from, into, message, body, {
    idempotencyKey: `${key} pull`,
  })
}

/** Plans that a worker merges a release's pull request as soon as that is allowed. */
export async function requestMergePull(
  scope: Scope,
  release: Release,
  place: AskedPlace & { from: string; into: string },
  { number, url }: Pick<PullRequest, 'number' | 'url'>
): Promise<void> {
  const { from, into } = place
  recordReleaseEvent(scope, release, {
    type: 'release.backMergeAsked',
    title: `${into} accepts no direct merges: pull request #${number} asks to merge ${from}`,
    data: { from, into, number, url: url ?? null },
    payload: null,
  })
  const { appId, integrationId, connectionId, askedBy } = place
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
      until: later(scope.now, FOR_DAYS * DAY),
    },
  })
}

/** The end of a pull request. */
type Ended = { is: 'merged'; sha: string } | { is: 'closed' | 'gone' | 'left' }

/** Merges the pull request of a release once its checks have passed and its branch takes it. */
export const mergePull = onCodeCommand(mergePullKind, {
  async call(versionControl, { payload: { number, until }, idempotencyKey }, { scope }) {
    const pull = await feature(versionControl, 'getPullRequest')(number)
    if (pull === null) return { is: 'gone' } as Ended
    const { state } = pull.status
    if (state === 'merged') return { is: 'merged', sha: pull.sha } as Ended
    if (state === 'closed') return { is: 'closed' } as Ended
    const isReady = state === 'open' && ['none', 'passing'].includes(pull.checks.state)
    if (isReady && pull.mergeable !== false) {
      const merged = await merge(versionControl, pull, `${idempotencyKey} ${pull.sha}`)
      if (merged) return { is: 'merged', sha: merged.sha } as Ended
    }
    if (scope.now > until) return { is: 'left' } as Ended
    throw new NotYet(`Pull request #${number} waits to be merged`, LOOK_EVERY)
  },
  async done(scope, release, { payload }, ended: Ended) {
    const { from, into, number } = payload
    if (ended.is === 'merged') {
      recordReleaseEvent(scope, release, {
        type: 'release.backMerged',
        title: `${from} was merged into ${into} by pull request #${number}`,
        data: { from, into, commitHash: ended.sha, merged: true, number },
        payload: null,
      })
      return
    }
    failed(scope, release, payload, WHY[ended.is])
  },
  failed: async (scope, release, { payload }, why) => failed(scope, release, payload, why),
})

const WHY = {
  closed: 'it was closed',
  gone: 'it is no longer there',
  left: `it is still open after ${FOR_DAYS} days; someone who may merge it has to do so`,
} as const

/** @returns null if its branch does not take it yet, or the pull request has just changed */
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
    const isWaiting =
      isProviderError(error) &&
      error.detail.outcome === 'notApplied' &&
      ['conflict', ...BY_RULE].includes(error.code)
    if (isWaiting) return null
    throw error
  }
}

function failed(
  scope: Scope,
  release: Release,
  { from, into, number, connectionId: connection }: PayloadOf<typeof mergePullKind>,
  why: string
): void {
  const reason = `${from} was not merged into ${into} by pull request #${number}: ${why}`
  recordReleaseEvent(scope, release, {
    type: 'release.backMergeFailed',
    title: reason.slice(0, 500),
    data: { from, into, connection, files: [] },
    payload: null,
  })
}
