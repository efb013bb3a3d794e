import { recordAppEvent } from '#apps/record_app_event'
import type { Scope } from '#foundation/core/scope'
import { CreateRelease } from '#releases/actions/create_release'
import { normalVersion } from '#workflow/version'
import { daysAfter } from '../calendar/local_time.js'
import type { Decision } from '../calendar/next_decision.js'
import type { PredictedTrain } from '../calendar/schedule.js'
import { decisionOf, planDrafting } from '../cadence/plan_drafting.js'
import { changeAppPlan, changeReleasePlan } from '../plans/plans.js'

type Reason = Extract<Decision, { what: 'leaveOut' }>['reason']

const WHY: Record<Reason, string> = {
  skipped: 'it was skipped by hand',
  frozen: 'one of its dates falls in a freeze',
  own: 'a release created by hand takes its place',
  drafted: 'a release that was drafted before the cadence changed takes its place',
  passed: 'its kickoff had passed before it could be drafted',
  versions: 'there is no higher version',
}

/**
 * Drafts the first undecided train when it is due, or leaves it out. A draft is made by the same
 * action as `POST …/release`. A train is decided once: a release that people delete or change
 * afterwards is not drafted again.
 */
export class DecideTrain {
  constructor(private readonly scope: Scope) {}

  async handle(appId: string): Promise<void> {
    const { scope } = this
    const decision = await decisionOf(scope, appId)
    if (decision && decision.at <= scope.now) {
      const { date } = decision.slot
      await changeAppPlan(scope, appId, { undecidedFrom: daysAfter(date, 1) })
      if (decision.what === 'draft') await this.#draft(appId, decision.train)
      else this.#leaveOut(appId, date, decision.reason)
    }
    // Each train is decided in a transaction of its own.
    await planDrafting(scope, appId)
  }

  async #draft(appId: string, { date, version, pilotId, dates }: PredictedTrain): Promise<void> {
    const release = await new CreateRelease(this.scope).handle(appId, {
      version: normalVersion(version),
      releasePilotId: pilotId,
      targetKickoffAt: dates.kickoffAt,
      targetSubmitAt: dates.submitAt,
      targetReleaseAt: dates.releaseAt,
    })
    await changeReleasePlan(this.scope, release, { slot: date })
  }

  #leaveOut(appId: string, date: string, reason: Reason): void {
    recordAppEvent(this.scope, appId, {
      type: 'app.trainLeftOut',
      title: `The train of ${date} was skipped: ${WHY[reason]}`,
      data: { date, reason },
    })
  }
}
