import type { Scope } from '#foundation/core/scope'
import { destinationsOf } from '#apps/store_destinations'
import { CreateTriageIssue } from '#fixes/actions/create_triage_issue'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { SetPause } from '#planning/actions/set_pause'
import { liveOthers, liveBeside, standingOf } from '#releases/preconditions/require_not_live'
import type { ReleaseWarning } from '#releases/ports'
import { afterStop } from '#stores/queries/after_stop'
import { endTakeoffOfPair } from '#stores/pairs/part_releases'
import { storeRecordOf } from '#stores/queries/store_record'
import { storesOfRelease } from '#stores/queries/store_state'
import { standingStop } from '#stores/decisions/standing_stop'
import type Release from '#releases/models/release'
import { isEnded, isOpen } from '#releases/lifecycle/open_releases'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { endPress } from '../end_press.js'
import { isOtherStopped, stopOtherOfPair, type PairWarning } from '../stop_other_of_pair.js'
import { pressedOf } from '../queries/pressed.js'
import { requireStop, stopRelease } from '../stop_release.js'
import { redButtons } from '../tables.js'

/**
 * Stops a release at once: its rollouts in every store and its automations, and opens a triage
 * issue. Already stopped parts stay as they are.
 */
export class PressRedButton {
  constructor(private readonly scope: Scope) {}

  /**
   * @param isForBoth whether to stop the other release of its pair as well
   * @returns warnings about what the stop leaves to users, and about other releases in stores
   * @throws release_completed, release_skipped if stores have nothing of such a release;
   * rollout_not_running, rollout_no_predecessor if nothing can be stopped, nor in the other release
   * if both are meant
   */
  async handle(
    release: Release,
    reason: string | null,
    isForBoth = false
  ): Promise<ReleaseWarning[]> {
    const { scope } = this
    await endPress(scope, release)
    await endTakeoffOfPair(scope, release)
    // Read before the stop, which may take effect at once.
    const left = await afterStop(scope, release)
    const stopped = await stopRelease(scope, release, 'Stopped by the red button')
    const unstopped = await this.#unstopped(release)
    const paired = await stopOtherOfPair(scope, release, { reason, isForBoth })
    if (stopped === null && isEnded(release)) {
      const members = { inStores: await liveOthers(scope, release) }
      const detail = `The release ${release.version} is ${release.status}, and no store has anything of it to stop.`
      const own = refuse(`release_${release.status}`, {
        detail,
        ...(await standingOf(scope, release)),
      })
      const refusal = unstopped[0]?.refusal ?? own
      const { code, extras, message } = refusal
      // The other release is stopped anyway; of this one, the answer only says why not.
      if (isForBoth && isOtherStopped(paired)) return [{ code, message }, ...paired]
      throw refuse(code, {
        ...extras,
        detail: joined([extras.detail, ...paired.map((each) => each.message)]),
        remedy: joined([extras.remedy, ...paired.map((each) => each.remedy)]),
        members,
      })
    }
    await this.#press(release, reason, stopped)
    const isReviewReported = left.some(({ code }) => code === 'review_restarts')
    const live = await liveBeside(scope, release, isReviewReported)
    return [...left, ...unstopped.map(inWords), ...live, ...paired.map(inOneText)]
  }

  async #press(release: Release, reason: string | null, stopped: number | null): Promise<void> {
    const { scope } = this
    if (isOpen(release)) await this.#pause(release, reason)
    const { id: releaseId, appId, version, publicId } = release
    const generations = await this.#generations(release)
    if (await pressedOf(scope, release)) {
      await scope.update(redButtons, { releaseId }, { generations })
      return
    }
    const issueId = await new CreateTriageIssue(scope).handle(appId, {
      title: `The red button of ${version} was pressed`,
      description: reason ?? undefined,
      source: 'manual',
      severity: 'critical',
      releaseId: publicId,
      affectedVersions: [version],
    })
    await scope.insert(redButtons, [
      {
        releaseId,
        appId,
        reason,
        issueId,
        generations,
        pressedAt: scope.now,
        pressedBy: scope.actor,
      },
    ])
    recordReleaseEvent(scope, release, {
      type: 'redButton.pressed',
      title: `The red button of ${version} was pressed${reason === null ? '' : `: ${reason}`}`,
      data: { reason, triageIssueId: issueId, rollouts: stopped ?? 'nothing' },
      payload: null,
    })
  }

  /** Returns the generation of each store; later decisions there have a higher one. */
  async #generations(release: Release): Promise<Record<string, number>> {
    const stores = await storesOfRelease(this.scope, release)
    const all = stores.map(async ({ target }) => {
      const record = await storeRecordOf(this.scope, target)
      return [target.integrationId, record?.generation ?? 0] as const
    })
    return Object.fromEntries(await Promise.all(all))
  }

  /** Returns the stores that have the release with users and cannot stop it, and why. */
  async #unstopped(release: Release): Promise<Unstopped[]> {
    const { scope } = this
    const stores = await storesOfRelease(scope, release)
    const names = await destinationsOf(scope, release.appId)
    const unstopped: Unstopped[] = []
    for (const { facts, plan, destinationId } of stores) {
      if (facts.rollout.state === null || standingStop(plan) !== null) continue
      const named = names.find(({ id }) => id === destinationId) ?? names[0]
      const name = stores.length > 1 ? (named?.name ?? null) : null
      try {
        await requireStop(scope, release, { destinationId })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        unstopped.push({ name, refusal: error })
      }
    }
    return unstopped
  }

  async #pause(release: Release, reason: string | null): Promise<void> {
    if (release.automationsPaused) return
    await new SetPause(this.scope).handle(release.appId, {
      releaseId: release.publicId,
      paused: true,
      reason: reason ?? 'The red button was pressed',
    })
  }
}

interface Unstopped {
  /** Name of the destination, if the release has several; else null. */
  name: string | null
  refusal: Problem
}

const inWords = ({ name, refusal: { code, message } }: Unstopped): ReleaseWarning => ({
  code,
  message: name === null ? message : `${name}: ${message}`,
})

const inOneText = ({ code, message, remedy }: PairWarning): ReleaseWarning => ({
  code,
  message: joined([message, remedy]),
})

const joined = (texts: readonly (string | undefined)[]) => texts.filter(Boolean).join(' ')
