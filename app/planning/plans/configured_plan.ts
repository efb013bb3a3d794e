import { compareTexts } from '../../foundation/core/compare_texts.js'
import type { StoreKind } from '#apps/vocabulary'
import { recordAppEvent } from '#apps/record_app_event'
import type { Scope } from '#foundation/core/scope'
import { UpdateFreezes } from '../actions/update_freezes.js'
import { PHASES, type Freeze, type Phase } from '../calendar/freezes.js'
import { chooseBuildsAgain } from './touch_releases.js'
import { appPlan, automationOf, changeAppPlan } from './plans.js'
import { followUpOf } from '../automations/follow_ups.js'
import type { AutomationState, FollowUpState, NamedFreeze } from '../tables.js'
import {
  AUTOMATED_STORES,
  dependencyOf,
  FOLLOW_UPS,
  isOnByDefault,
  type FollowUp,
} from '../vocabulary.js'

/** A freeze as a configuration file describes it. */
export type FreezeConfiguration = Omit<Freeze, 'id'> & { name: string }

/** The automations in a configuration file; an absent one is off. */
export type AutomationsConfiguration = Partial<
  Record<Phase, Pick<AutomationState, 'enabled' | 'runAfterFreeze'>> &
    Record<FollowUp, Pick<FollowUpState, 'enabled'>>
>

/**
 * Returns the freezes of an app as a configuration file describes them, in the order they begin.
 */
export async function configuredFreezes(
  scope: Scope,
  appId: string
): Promise<FreezeConfiguration[]> {
  const { freezes } = await appPlan(scope, appId)
  return inOrder(freezes)
}

/** Sorts freezes as an export does, whatever their ids. */
export function inOrder(freezes: readonly (FreezeConfiguration | NamedFreeze)[]) {
  return freezes
    .map(({ name, startAt, endAt, phases }) => ({
      name,
      startAt,
      endAt,
      phases: PHASES.filter((phase) => phases.includes(phase)),
    }))
    .sort(
      (one, other) =>
        compareTexts(one.startAt, other.startAt) || compareTexts(textOf(one), textOf(other))
    )
}

const textOf = (freeze: FreezeConfiguration) => JSON.stringify(freeze)

export const storeConfiguredFreezes = (
  scope: Scope,
  appId: string,
  freezes: FreezeConfiguration[]
): Promise<void> => new UpdateFreezes(scope).handle(appId, { freezes })

/** Returns an app's automations that differ from the defaults. */
export async function configuredAutomations(
  scope: Scope,
  appId: string
): Promise<AutomationsConfiguration> {
  const plan = await appPlan(scope, appId)
  return nonDefault(
    Object.fromEntries([
      ...PHASES.map((phase) => {
        const { enabled, runAfterFreeze } = automationOf(plan, phase)
        return [phase, { enabled, runAfterFreeze }]
      }),
      ...FOLLOW_UPS.map((type) => [type, { enabled: followUpOf(plan, type).enabled }]),
    ])
  )
}

/** Returns the automations whose settings differ from the defaults. */
export function nonDefault(automations: AutomationsConfiguration): AutomationsConfiguration {
  return Object.fromEntries([
    ...PHASES.flatMap((phase) => {
      const set = automations[phase]
      return set && (set.enabled || !set.runAfterFreeze) ? [[phase, set]] : []
    }),
    ...FOLLOW_UPS.flatMap((type) => {
      const set = automations[type]
      return set && set.enabled !== isOnByDefault(type) ? [[type, set]] : []
    }),
  ])
}

/**
 * Returns why a phase cannot be automated, by the rules of `PUT …/automations`: the store has no
 * such phase, or another phase must be automated first. Null if it can.
 */
export function automationFault(
  automations: AutomationsConfiguration,
  phase: Phase,
  store: StoreKind
): 'inactive' | Phase | null {
  if (!automations[phase]?.enabled) return null
  if (!AUTOMATED_STORES[phase].includes(store)) return 'inactive'
  const needed = dependencyOf(phase, store)
  return needed === null || automations[needed]?.enabled ? null : needed
}

/** Switches the automations of an app as its configuration says. */
export async function storeConfiguredAutomations(
  scope: Scope,
  appId: string,
  configured: AutomationsConfiguration
): Promise<void> {
  const plan = await appPlan(scope, appId)
  const before = await configuredAutomations(scope, appId)
  if (JSON.stringify(before) === JSON.stringify(nonDefault(configured))) return
  const automations = Object.fromEntries(
    PHASES.map((phase) => {
      const { enabled, runAfterFreeze } = configured[phase] ?? OFF
      return [phase, { ...automationOf(plan, phase), enabled, runAfterFreeze }]
    })
  )
  const followUps = Object.fromEntries(
    FOLLOW_UPS.map((type) => {
      const known = followUpOf(plan, type)
      const enabled = configured[type]?.enabled ?? isOnByDefault(type)
      const enabledAt = enabled ? (known.enabledAt ?? scope.now) : null
      return [type, { ...known, enabled, enabledAt }]
    })
  )
  await changeAppPlan(scope, appId, { automations, followUps })
  recordAppEvent(scope, appId, {
    type: 'app.automationChanged',
    title: 'Automations were changed by the configuration file',
    data: { from: before, to: nonDefault(configured) },
  })
  await chooseBuildsAgain(scope, appId)
}

const OFF = { enabled: false, runAfterFreeze: true }
