import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { planningPort } from '#releases/ports'
import { storeStepFacts } from '../observations/store_step_facts.js'
import { changePlan } from './change_plan.js'
import { holdersOf, type Holder } from '../queries/store_holders.js'
import { planPairCheckOf } from '../pairs/plan_pair_check.js'
import { versionsOf } from '../queries/store_state.js'
import { saveRecord, type OpenStore } from '../queries/store_record.js'
import { decideOutsideChange, takeVerdict } from '../reconciler/decide.js'
import type { ObservedOutsideChange, Observations, Restarted } from '../reconciler/observe.js'
import { reconcile, type Verdict } from '../reconciler/reconcile.js'
import type { VersionRecord, Wanted } from '../reconciler/record.js'
import { isSubmittedAgain, recordObservation } from '../observations/record_shown.js'
import { planLanes } from './plan_lanes.js'
import { planStopCheck } from './plan_stop_check.js'
import { nameOf } from './rollout_names.js'
import { isAtRest, stateKey } from '../reconciler/states.js'
import { appStoreVersions } from '../tables.js'

/** The actor of store changes that the service did not make. */
export const OUTSIDE: Actor = { type: 'system', id: null, name: 'outside of Tarmac' }

const STAGE_CHANGES: Record<Wanted['what'], string> = {
  submitted: 'was submitted',
  withdrawn: 'was withdrawn from review',
  released: 'was released',
}

/** The end of a title about a rollout that continued although a stop was decided. */
const STOP_NOT_APPLIED = 'although it was stopped here, but the store did not apply that stop'

/** The changes that led to a reconciliation. */
interface Change extends Partial<Observations> {
  /** The release that was decided about; its rows may not exist yet. */
  decided?: Holder
}

/**
 * Applies a change of a store's record: stores observations, gets a verdict on each decision from
 * `reconcile`, stores the differences, schedules the next calls and derives the affected releases.
 * The caller holds the locks of the store and of the apps whose releases are derived.
 */
export class ReconcileStore {
  #needsWorker = false
  /** Versions whose first row was inserted here. */
  readonly #inserted = new Set<string>()
  readonly #touched = new Map<string, { release: Release; isResubmitted: boolean }>()
  /** Decisions that ended. Automations are notified after the releases are derived. */
  readonly #ended: { release: Release; wanted: Wanted }[] = []

  constructor(
    private readonly scope: Scope,
    private readonly store: OpenStore,
    /** Apps whose lock is held; a worker derives the releases of other apps. */
    private readonly lockedApps: readonly string[]
  ) {}

  /** @returns whether the store showed a change */
  async handle(change: Change = {}): Promise<boolean> {
    const { scope, store } = this
    const { shown = [], outsideChanges = [], restarted = [] } = change
    const holders = await holdersOf(scope, store, change.decided ?? null)
    for (const holder of holders) await this.#storeObservation(holder)
    for (const each of outsideChanges) await this.#decideOutsideChange(each, holders)
    for (const each of restarted) await this.#restart(each, holders)
    const { verdicts, lanes } = reconcile(store.record, scope.now)
    for (const verdict of verdicts) await this.#judge(verdict, holders)
    await this.#storePlans(holders)
    await this.#endVersions()
    await saveRecord(scope, store, this.#inserted)
    const usual = this.#needsWorker ? ({ do: 'poll' } as const) : lanes.usual
    const hasDecisions = change.decided !== undefined || verdicts.length > 0
    await planLanes(scope, store, { ...lanes, usual }, hasDecisions)
    if (change.decided) {
      const release = await this.#release(change.decided)
      if (release) this.#touch(release)
    }
    for (const { release, isResubmitted } of this.#touched.values()) {
      await storeStepFacts(scope, release, isResubmitted)
    }
    for (const { release, wanted } of this.#ended) await reportEnd(scope, release, wanted)
    return shown.length > 0
  }

  /** Stores the observed version of one release, and records events about its changes. */
  async #storeObservation(holder: Holder): Promise<void> {
    const { scope, store } = this
    const { version, releaseId, integrationId } = holder
    const shown = store.record.versions.find((each) => each.version === version)
    if (!shown?.seen) return
    const { seen, known, past } = shown
    const isOwn = (each: { releaseId: string; integrationId: string }) =>
      each.releaseId === releaseId && each.integrationId === integrationId
    const row = store.versions.find(isOwn)
    if (row && stateKey(row.seen) === stateKey(seen)) {
      if (JSON.stringify([row.seen, row.past]) === JSON.stringify([seen, past])) return
      return scope.update(appStoreVersions, { id: row.id }, { seen, known, past })
    }
    const release = await this.#release(holder)
    if (!release) return
    // Rows of versions that are over are not loaded with the record.
    const before = row ?? (await versionsOf(scope, [releaseId])).find(isOwn) ?? null
    await recordObservation(scope, { release, holder, before, after: shown })
    if (!before && holder.target) this.#inserted.add(version)
    this.#touch(release, isSubmittedAgain(before?.known, known) && release.submittedAt !== null)
  }

  async #release({ appId, releaseId }: Holder): Promise<Release | null> {
    if (!this.lockedApps.includes(appId)) return null
    return releaseStillThere(this.scope, appId, releaseId)
  }

  #touch(release: Release, isResubmitted = false): void {
    const before = this.#touched.get(release.id)?.isResubmitted ?? false
    this.#touched.set(release.id, { release, isResubmitted: before || isResubmitted })
  }

  /** Records a change that was made outside of Tarmac as the current decision. */
  async #decideOutsideChange(
    change: ObservedOutsideChange,
    holders: readonly Holder[]
  ): Promise<void> {
    const { scope, store } = this
    decideOutsideChange(store.record, change, OUTSIDE)
    const what = change.wanted
      ? STAGE_CHANGES[change.wanted]
      : `had its rollout ${nameOf(change.rollout!)}`
    for (const holder of ofVersion(holders, change.version)) {
      const release = await this.#release(holder)
      if (!release) continue
      const { afterStop } = change
      const stopped = afterStop === 'done' ? 'after it was stopped here' : STOP_NOT_APPLIED
      recordReleaseEvent(scope, release, {
        type: afterStop ? 'store.failed' : 'store.adopted',
        title: `${release.version} ${what} outside of Tarmac${afterStop ? `, ${stopped}. Check that this is intended` : ''}`,
        actor: OUTSIDE,
        data: {
          destinationId: holder.target?.destinationId ?? null,
          what,
          ...(afterStop && { call: [] }),
        },
        payload: null,
      })
      this.#touch(release)
    }
  }

  /** Reports a review that restarted because of a call about another version. */
  async #restart({ version, cause }: Restarted, holders: readonly Holder[]): Promise<void> {
    const why =
      cause.method === 'cancelReview'
        ? `${cause.version} was withdrawn from review`
        : `the rollout of ${cause.version} was stopped`
    for (const holder of ofVersion(holders, version)) {
      const release = await this.#release(holder)
      if (!release) continue
      recordReleaseEvent(this.scope, release, {
        type: 'store.reviewRestarted',
        title: `Google Play reviews ${version} from the beginning: ${why}, which sends all changes of the app again`,
        data: { destinationId: holder.target?.destinationId ?? null, cause: cause.version },
        payload: null,
      })
    }
  }

  async #judge(verdict: Verdict, holders: readonly Holder[]): Promise<void> {
    const version = this.store.record.versions.find((each) => each.version === verdict.version)!
    const decision = version[verdict.slot]!
    const { status, reason, asks } = verdict
    if (decision.status === status && decision.reason === reason) return
    // A worker, which takes all locks, judges versions shared with an app whose lock is not held.
    if (ofVersion(holders, verdict.version).some(({ appId }) => !this.lockedApps.includes(appId))) {
      this.#needsWorker = true
      return
    }
    const before = { ...decision }
    const isAsked = version.question?.message === reason
    takeVerdict(version, verdict, this.scope.now)
    for (const holder of ofVersion(holders, verdict.version)) {
      const release = await this.#release(holder)
      if (!release) continue
      this.#touch(release)
      if (verdict.slot === 'rollout' && before.status === 'done' && status !== 'done') {
        await planStopCheck(this.scope, placeOf(holder), verdict.generation)
      }
      // A decision that already failed is not reported again with another reason, and a stop that
      // failed again not with the same.
      const isKnown = status === 'failed' && (before.status === 'failed' || isAsked)
      if ((status === 'failed' || asks) && !isKnown) this.#reportFailure(release, verdict, version)
      if (verdict.slot === 'wanted' && before.status !== status) {
        this.#ended.push({ release, wanted: version.wanted! })
      }
    }
  }

  #reportFailure(release: Release, { slot, reason, asks }: Verdict, version: VersionRecord): void {
    const what = slot === 'rollout' ? 'rollout' : version.wanted!.what
    recordReleaseEvent(this.scope, release, {
      type: asks ? 'store.question' : 'store.failed',
      title: asks ? reason! : `${release.version} could not be ${DONE[what]}: ${reason}`,
      data: { what, reason },
      payload: null,
    })
  }

  /** Marks the rows of versions that are over once no decision about them is open. */
  async #endVersions(): Promise<void> {
    const { record, versions } = this.store
    for (const { id, version, isOver } of versions) {
      const found = record.versions.find((each) => each.version === version)
      if (isOver || !found || !isAtRest(found)) continue
      await this.scope.update(appStoreVersions, { id }, { isOver: true })
    }
  }

  async #storePlans(holders: readonly Holder[]): Promise<void> {
    const { scope, store } = this
    for (const { version, wanted, rollout, question } of store.record.versions) {
      if (wanted === null && rollout === null && question === null) {
        if (!store.plans.some((each) => each.version === version)) continue
      }
      for (const { releaseId, appId, integrationId } of ofVersion(holders, version)) {
        const isOwn = (each: { releaseId: string; integrationId: string }) =>
          each.releaseId === releaseId && each.integrationId === integrationId
        const row = store.plans.find(isOwn)
        // The settings of the submission outlive the decision: they determine how the version goes
        // to users.
        const submittedAs =
          wanted?.what === 'submitted' ? (wanted.how ?? null) : (row?.submittedAs ?? null)
        const values = { wanted, rollout, question, submittedAs }
        const before = row && {
          wanted: row.wanted,
          rollout: row.rollout,
          question: row.question,
          submittedAs: row.submittedAs,
        }
        if (JSON.stringify(before) === JSON.stringify(values)) continue
        await changePlan(scope, releaseId, { appId, integrationId }, values)
        await planPairCheckOf(scope, { id: releaseId })
      }
    }
  }
}

const placeOf = ({ appId, releaseId, integrationId }: Holder) => ({
  appId,
  releaseId,
  integrationId,
})

const ofVersion = (holders: readonly Holder[], version: string) =>
  holders.filter((each) => each.version === version)

const DONE: Record<Wanted['what'] | 'rollout', string> = {
  submitted: 'submitted',
  withdrawn: 'withdrawn',
  released: 'released',
  rollout: 'rolled out as requested',
}

/** Notifies an automation of the end of its submission or takeoff. */
async function reportEnd(
  scope: Scope,
  release: Release,
  { what, by, status, reason }: Wanted
): Promise<void> {
  if (by.type !== 'automation' || what === 'withdrawn' || status === 'underWay') return
  const action = what === 'submitted' ? 'submit' : 'release'
  const ended =
    status === 'done'
      ? ({ result: 'done' } as const)
      : ({ result: 'failed', reason: reason! } as const)
  await planningPort.provided.ended(scope, release, { action, ...ended })
}
