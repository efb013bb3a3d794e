import { recordAppEvent } from '#apps/record_app_event'
import { Faults, type Sound } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import { findPilot } from '#releases/queries/find_pilot'
import { datesOf, firstSlot, slotAfter, type Cadence } from '../calendar/cadence.js'
import { checkCadence } from '../check_cadence.js'
import { daysAfter, dateIn, type LocalDate } from '../calendar/local_time.js'
import { planDrafting } from '../plan_drafting.js'
import { appPlan, changeAppPlan } from '../plans.js'
import type { SetCadenceInput } from '../validators/planning_input.js'

type ExceptionInput = NonNullable<SetCadenceInput['exceptions']>[number]

/** Sets how often trains leave; what is not given stays. */
export class SetCadence {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input */
  async handle(appId: string, input: SetCadenceInput): Promise<void> {
    const faults = new Faults()
    const cadence = await this.check(appId, input, faults)
    faults.demandNone()
    await this.store(appId, cadence!)
  }

  /** Gathers what is wrong beyond its shape; without a fault, the cadence as it will be. */
  async check(
    appId: string,
    input: Sound<SetCadenceInput>,
    faults: Faults
  ): Promise<Cadence | undefined> {
    const { cadence: before } = await appPlan(this.scope, appId)
    const exceptions = await this.#exceptions(input.exceptions, faults)
    const absences = await this.#absences(input.absences, faults)
    const [targets] = input.targets ?? []
    const given = {
      ...input,
      targets: targets && {
        kickoff: targets.kickoff,
        submit: targets.submit ?? null,
        release: targets.release ?? null,
      },
      exceptions,
      absences,
    }
    return checkCadence(before, given as Partial<Cadence>, faults)
  }

  /** Stores a cadence that is sound, and plans the next train by it; the same writes nothing. */
  async store(appId: string, cadence: Cadence | null): Promise<void> {
    const { scope } = this
    const plan = await appPlan(scope, appId)
    if (JSON.stringify(cadence) === JSON.stringify(plan.cadence)) return
    const undecidedFrom = cadence && this.#undecidedFrom(cadence, plan.undecidedFrom)
    await changeAppPlan(scope, appId, { cadence, undecidedFrom })
    recordAppEvent(scope, appId, {
      type: 'app.scheduleCadenceChanged',
      title: titleOf(cadence),
      data: { from: plan.cadence, to: cadence },
    })
    await planDrafting(scope, appId)
  }

  /** No train is made for a day that was decided, or whose kickoff has passed. */
  #undecidedFrom(cadence: Cadence, before: LocalDate | null): LocalDate {
    const { timezone, targets } = cadence
    const today = dateIn(timezone, this.scope.now)
    let slot = firstSlot(cadence, daysAfter(today, -targets.kickoff.dayOffset))
    if (datesOf(cadence, slot).kickoffAt < this.scope.now) slot = slotAfter(cadence, slot)
    return before !== null && before > slot ? before : slot
  }

  async #exceptions(
    given: Sound<SetCadenceInput>['exceptions'],
    faults: Faults
  ): Promise<Cadence['exceptions'] | undefined> {
    if (!given || !faults.isSound('/exceptions')) return undefined
    const exceptions: Cadence['exceptions'] = []
    for (const [index, each] of (given as ExceptionInput[]).entries()) {
      const { date, skipped = false, movedTo = null, releasePilotId } = each
      const pointer = `/exceptions/${index}/releasePilotId`
      const pilotId = releasePilotId ? await this.#user(releasePilotId, pointer, faults) : null
      exceptions.push({ date, skipped, movedTo, pilotId })
    }
    return exceptions
  }

  async #absences(
    given: Sound<SetCadenceInput>['absences'],
    faults: Faults
  ): Promise<Cadence['absences'] | undefined> {
    if (!given || !faults.isSound('/absences')) return undefined
    const absences: Cadence['absences'] = []
    for (const [index, each] of (given as NonNullable<SetCadenceInput['absences']>).entries()) {
      const userId = await this.#user(each.userId, `/absences/${index}/userId`, faults)
      absences.push({ userId: userId ?? '', from: each.from, to: each.to })
    }
    return absences
  }

  async #user(named: string, pointer: string, faults: Faults): Promise<string | null> {
    const found = new Faults()
    const user = await found.collect(() => findPilot(this.scope, named))
    for (const place of found.places) faults.add({ ...place, pointer })
    return user ?? null
  }
}

function titleOf(cadence: Cadence | null): string {
  if (cadence === null) return 'The schedule cadence was removed'
  const { enabled, paused, intervalWeeks } = cadence
  if (!enabled) return 'The schedule cadence is switched off'
  const often = intervalWeeks === 1 ? 'every week' : `every ${intervalWeeks} weeks`
  return `A release is to leave ${often}${paused ? '; the cadence is paused' : ''}`
}
