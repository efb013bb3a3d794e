import { compareTexts } from '../../foundation/core/compare_texts.js'
import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { touchOpenReleases } from '../plans/touch_releases.js'
import { appPlan, changeAppPlan } from '../plans/plans.js'
import type { NamedFreeze } from '../tables.js'
import type { UpdateFreezesInput } from '../validators/planning_input.js'

/** Replaces the freezes of an app. An unchanged freeze keeps its id; freezes may overlap. */
export class UpdateFreezes {
  constructor(private readonly scope: Scope) {}

  /** @throws invalid_input */
  async handle(appId: string, input: UpdateFreezesInput): Promise<void> {
    const { scope } = this
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const { freezes: before } = await appPlan(scope, appId)
    const freezes = this.#withIds(input, before)
    if (JSON.stringify(freezes) === JSON.stringify(before)) return
    await changeAppPlan(scope, appId, { freezes })
    recordAppEvent(scope, appId, {
      type: 'app.lifecycleFreezesChanged',
      title: `Freezes: ${freezes.map(({ name }) => name).join(', ') || 'none'}`,
      data: { from: before, to: freezes },
    })
    await touchOpenReleases(scope, appId)
  }

  /** Collects the errors of an input beyond its shape. */
  check({ freezes }: PartiallyValid<UpdateFreezesInput>, errors: InputErrors): void {
    for (const [index, freeze] of (freezes ?? []).entries()) {
      if (!freeze?.startAt || !freeze.endAt || freeze.endAt > freeze.startAt) continue
      const message = 'endAt must come after startAt.'
      errors.add({ pointer: `/freezes/${index}/endAt`, code: 'period', message })
    }
  }

  #withIds({ freezes }: UpdateFreezesInput, before: readonly NamedFreeze[]): NamedFreeze[] {
    const unmatched = Map.groupBy(before, textOf)
    const result = freezes.map(({ name, startAt, endAt, phases }) => {
      const content = { name, startAt, endAt, phases }
      const same = unmatched.get(textOf(content))?.shift()
      return same ?? { id: newId('frz'), ...content, createdAt: this.scope.now }
    })
    return result.sort(
      (one, other) => compareTexts(one.startAt, other.startAt) || compareTexts(one.id, other.id)
    )
  }
}

type Content = Omit<NamedFreeze, 'id' | 'createdAt'>

/** Returns a text that is equal for equal freezes. */
const textOf = ({ name, startAt, endAt, phases }: Content) =>
  JSON.stringify([name, startAt, endAt, [...phases].sort()])
