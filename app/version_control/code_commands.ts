import { RETRIES } from '#foundation/jobs/retry'
import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import {
  onCommand,
  type CallContext,
  type Job,
  type Outcome,
  type Work,
} from '#foundation/jobs/handlers'
import type { WorkKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { Asker } from '#foundation/core/jobs/asker'
import { askProvider, isPersonal, isProviderError } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import type { AppRepository } from './repository/app_repository.js'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import { reasonNotToAct } from '#releases/queries/reason_not_to_act'
import { planningPort } from '#releases/ports'

/** The location of the code, and the requester. */
const PLACE = {
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
  askedBy: Asker,
}
const Placed = Type.Object(PLACE)
export type AskedPlace = Static<typeof Placed>
type Placed = Omit<AskedPlace, 'askedBy'> & Partial<Pick<AskedPlace, 'askedBy'>>

/**
 * Returns the payload of a change to the code of a release; the subject is the release's internal
 * id.
 */
export const codeCommand = <Members extends TProperties>(members: Members) =>
  Type.Object({ ...PLACE, ...members })

/** Returns the common payload of requests: the requester and the repository of the release. */
export const placeOf = (scope: Scope, { app, integration }: AppRepository): AskedPlace => ({
  appId: app.id,
  integrationId: integration.id,
  connectionId: integration.connectionId,
  askedBy: scope.actor,
})

/** It is too early: the command is repeated later, without counting as failed. */
export class NotYet extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number
  ) {
    super(message)
  }
}

type CodeKind<Payload> = WorkKind<'command', TSchema & { static: Payload }>

/** The definition of one kind of change to code: its call, and the recording of its result. */
interface CodeWork<Payload, Result> {
  /** The action that the planning module waits for. */
  action?: 'tag' | 'bump' | 'backMerge'
  /** @throws NotYet if it is asked again later, however often */
  call(versionControl: VersionControl, job: Job<Payload>, context: CallContext): Promise<Result>
  /**
   * Finds the result of an earlier attempt; null if there is none. Absent if repeating the call is
   * idempotent.
   */
  find?(versionControl: VersionControl, job: Job<Payload>): Promise<Result | null>
  done(scope: Scope, release: Release, job: Job<Payload>, result: Result): Promise<unknown>
  failed(scope: Scope, release: Release, job: Job<Payload>, reason: string): Promise<unknown>
}

/** Retry, lease and actor of changes to the code of a release. */
export const CODE_COMMAND = {
  actor: 'version control',
  onBehalfOf: ({ payload }: Job<Pick<AskedPlace, 'askedBy'>>) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  lock: (scope: Scope, { payload }: Job<Pick<AskedPlace, 'appId'>>) =>
    scope.lock('apps', payload.appId),
}

/** Defines the handler of a change to the code of a release; does nothing for a deleted one. */
export function onCodeCommand<Payload extends AskedPlace, Result>(
  kind: CodeKind<Payload>,
  work: CodeWork<Payload, Result>
): Work {
  /** The result of version control, or the reason why it was not called. */
  type Given = { result: Result } | { unasked: string }
  const reportHeld = async (
    scope: Scope,
    release: Release,
    { payload }: Job<Payload>,
    why: string
  ) => {
    const { action } = work
    const { askedBy } = payload
    if (action)
      await planningPort.provided.ended(scope, release, {
        action,
        askedBy,
        result: 'held',
        reason: why,
      })
  }
  const common = {
    ...CODE_COMMAND,
    async call(job: Job<Payload>, context: CallContext): Promise<Outcome<Given>> {
      const { subject: releaseId, payload } = job
      const place = { appId: payload.appId, releaseId }
      const unasked = await reasonNotToAct(context.scope, place, payload.askedBy)
      if (unasked !== null) return { outcome: 'applied', result: { unasked } }
      try {
        return await askCode(job, context, async (versionControl) => ({
          result: await work.call(versionControl, job, context),
        }))
      } catch (error) {
        if (!(error instanceof NotYet)) throw error
        const { message: reason, retryAfterMs } = error
        return { outcome: 'notApplied', reason, isEarly: true, retryAfterMs }
      }
    },
    async storeResult(scope: Scope, job: Job<Payload>, given: Given) {
      const release = await releaseStillThere(scope, job.payload.appId, job.subject)
      if (!release) return
      if ('unasked' in given) await reportHeld(scope, release, job, given.unasked)
      else await work.done(scope, release, job, given.result)
    },
    async afterLast(scope: Scope, job: Job<Payload>, reason: string) {
      const release = await releaseStillThere(scope, job.payload.appId, job.subject)
      if (!release) return
      if (release.status !== 'skipped') await work.failed(scope, release, job, reason)
      else await reportHeld(scope, release, job, `${release.version} was skipped`)
    },
  }
  const { find } = work
  if (!find) return onCommand(kind, { ...common, isRepeatable: true })
  return onCommand(kind, {
    ...common,
    async find(job: Job<Payload>, context: CallContext): Promise<Outcome<Given>> {
      const found = await askCode(job, context, (versionControl) => find(versionControl, job))
      if (found.outcome !== 'applied') return { outcome: 'unknown', reason: found.reason }
      if (found.result !== null) return { outcome: 'applied', result: { result: found.result } }
      return { outcome: 'notApplied', reason: 'It has not been done yet' }
    },
  })
}

/** Calls the version control that a job is for. */
export function askCode<Result>(
  { payload: { integrationId: id, connectionId, askedBy } }: Job<Placed>,
  { scope, signal }: CallContext,
  ask: (versionControl: VersionControl) => Promise<Result>
): Promise<Outcome<Result>> {
  const integration = { id, connectionId }
  // A person's request takes precedence over automatic calls, also when a worker makes it.
  const isForPerson = askedBy !== undefined && isPersonal({ actor: askedBy })
  const what = { integration, kind: 'versionControl', signal, isForPerson } as const
  return outcomeOfCall(() => askProvider(scope, what, ask))
}

/** A merge conflict, with the files in conflict. */
export interface Conflict {
  files: string[]
}

/**
 * Returns the answer of a call, or the files in conflict. A conflict is no failure: a retry would
 * not fix it.
 */
export async function unlessConflicting<Result>(
  call: () => Promise<Result>
): Promise<Result | Conflict> {
  try {
    return await call()
  } catch (error) {
    if (!isProviderError(error) || error.code !== 'conflict') throw error
    const { reason, fields = [] } = error.detail
    if (reason !== 'merge') throw error
    return { files: fields.map(({ path }) => path) }
  }
}
