import { recordAppEvent } from '#apps/record_app_event'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Actor } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import { pauseAutomations } from '#releases/lifecycle/pause_automations'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { findReferencedRelease } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { chooseBuildsAgain } from '../plans/touch_releases.js'
import { resumeKind } from '../work_kinds.js'
import { appPlan, changeAppPlan, changeReleasePlan, releasePlan } from '../plans/plans.js'
import { isPaused } from '../plans/plan_state.js'
import type { Pause } from '../tables.js'
import type { SetPauseInput } from '../validators/planning_input.js'

/** The actor that ends a pause at its end. */
const CLOCK: Actor = { type: 'system', id: null, name: 'clock' }

/** Pauses the automations of an app, or of one release, with or without an end; or resumes them. */
export class SetPause {
  constructor(private readonly scope: Scope) {}

  /**
   * @returns the release it was set for; null for the app
   * @throws invalid_input, not_found, release_completed, release_skipped
   */
  async handle(appId: string, input: SetPauseInput): Promise<Release | null> {
    const { scope } = this
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const { releaseId, paused } = input
    const release =
      releaseId === undefined ? null : await findReferencedRelease(scope, appId, releaseId)
    if (release) requireOpen(release)
    const { pause: stored } = release
      ? await releasePlan(scope, release)
      : await appPlan(scope, appId)
    const before = isPaused(stored, scope.now) ? stored : null
    const reason = input.reason ?? null
    const resumeAt = input.resumeAt ?? null
    const isSame = before && before.reason === reason && before.resumeAt === resumeAt
    if (paused ? isSame : before === null) return release
    // A pause that ended by time but was not recorded yet ends before the next one begins.
    if (stored && !before) this.#report(appId, release, null, CLOCK)
    await this.set(
      appId,
      release,
      paused
        ? {
            pausedAt: before?.pausedAt ?? scope.now,
            pausedBy: scope.actor.name,
            reason,
            resumeAt,
          }
        : null
    )
    return release
  }

  /** Collects the errors of an input beyond its shape. */
  check({ paused, resumeAt }: PartiallyValid<SetPauseInput>, errors: InputErrors): void {
    const add = (code: string, message: string) =>
      errors.add({ pointer: '/resumeAt', code, message })
    if (!resumeAt) return
    if (paused === false) add('not_paused', 'Only a pause can have an end.')
    else if (resumeAt <= this.scope.now) add('past', 'resumeAt must be in the future.')
  }

  /** Sets a pause, or ends it, and updates the releases concerned. */
  async set(appId: string, release: Release | null, pause: Pause | null): Promise<void> {
    const { scope } = this
    const subject = release?.id ?? appId
    if (release) {
      await changeReleasePlan(scope, release, { pause })
      await pauseAutomations(scope, release, pause !== null)
    } else await changeAppPlan(scope, appId, { pause })
    this.#report(appId, release, pause)
    const at = pause?.resumeAt ?? null
    if (at === null) await scope.jobs.cancel(resumeKind, subject)
    else {
      const payload = { appId, releaseId: release?.id ?? null }
      await scope.jobs.plan(resumeKind, { subject, at, payload })
    }
    await chooseBuildsAgain(scope, appId, release?.id)
  }

  #report(appId: string, release: Release | null, pause: Pause | null, actor?: Actor): void {
    const { scope } = this
    const title = titleOf(pause)
    if (!release) {
      const type = pause ? 'app.automationsPaused' : 'app.automationsResumed'
      recordAppEvent(scope, appId, { type, title, actor, data: { ...pause } })
      return
    }
    recordReleaseEvent(scope, release, {
      type: 'release.updated',
      title: `${title} for ${release.version}`,
      actor,
      data: { automationsPaused: pause !== null, ...pause },
      payload: null,
    })
  }
}

function titleOf(pause: Pause | null): string {
  if (!pause) return 'Automations resumed'
  const until = pause.resumeAt === null ? '' : ` until ${pause.resumeAt}`
  return `Automations are paused${until}${pause.reason ? `: ${pause.reason}` : ''}`
}
