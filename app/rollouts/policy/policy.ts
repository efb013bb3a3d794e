import { LADDER } from '#stores/derive/seen'
import type { StoreType } from '#stores/vocabulary'
import type { RolloutPolicyEntity } from '../entities.js'
import type { SetPolicyInput } from '../validators/policy_input.js'
import { EVERY_DAY, type CrashMeasure } from '../vocabulary.js'

type Shown = NonNullable<RolloutPolicyEntity['policy']>
type ShownGuard = NonNullable<Shown['guard']>

/** The rules by which the guard judges a version. */
export interface GuardPolicy extends Omit<ShownGuard, 'metrics'> {
  /** The metrics that it compares. */
  metrics: GuardMetric[]
}

interface NamedEvents {
  /** Events that say how many there were. */
  total: string
  /** Events that say how many of them went wrong. */
  bad: string
}

/** A metric: a number of cases, and how many of them went wrong. */
export type GuardMetric = {
  /** The name that the app's team gives it, such as `crashFreeSessions`. */
  name: string
} &
  /** Custom events, whose values are added up. */
  (
    | ({ source: 'events' } & NamedEvents)
    /** Events that a provider counts. */
    | ({ source: 'productAnalytics' } & NamedEvents)
    | { source: 'crashMonitoring'; measure: CrashMeasure }
    /** Reviews of the version that users wrote in the store: one of one or two stars went wrong. */
    | { source: 'appReviews' }
  )

/**
 * Returns the meaning of a metric, regardless of its name. Counts apply only to metrics of the same
 * meaning.
 */
export function meaningOf(metric: GuardMetric): string {
  switch (metric.source) {
    case 'appReviews':
      return metric.source
    case 'crashMonitoring':
      return `${metric.source} ${metric.measure}`
    default:
      return JSON.stringify([metric.source, metric.total, metric.bad])
  }
}

/** A complete policy: how rollouts grow by themselves. */
export interface RolloutPolicy extends Omit<Shown, 'guard'> {
  /** Null if health is not judged. */
  guard: GuardPolicy | null
}

/** A stored policy; older ones have other settings of the guard. */
export type StoredPolicy = Omit<RolloutPolicy, 'guard' | 'hotfix'> & {
  hotfix?: RolloutPolicy['hotfix']
  guard:
    | (Pick<GuardPolicy, 'metrics' | 'errorBound'> &
        Partial<GuardPolicy> & { minimumSample?: number; tolerance?: number })
    | null
}

/** A policy as people write it; absent settings have their defaults. */
export type GivenPolicy = NonNullable<SetPolicyInput['policy']>
export type GivenGuard = NonNullable<GivenPolicy['guard']>
export type GivenMetric = GivenGuard['metrics'][number]

const DEFAULT_GUARD = { errorBound: 0.01, harmBudget: 0.5, whenUnsure: 'hold' } as const

/** Former settings of guards, and the warning about each. */
const OLD_SETTINGS = {
  tolerance:
    'tolerance is harmBudget now, and was read as that: the drop that a version with all users surely does not have.',
  minimumSample: 'minimumSample is not needed any more, and was left out.',
} as const

const APPLES_LADDER = 'The App Store has its own ladder: the one of the policy has no effect there.'

/** A warning about a policy. */
export interface PolicyWarning {
  /** Pointer to the member of the policy. */
  pointer: string
  code: NonNullable<RolloutPolicyEntity['warnings']>[number]['code']
  message: string
}

/** Returns warnings about former settings, and about settings without effect. */
export function warningsOf(
  { ladder, guard }: Pick<GivenPolicy, 'ladder' | 'guard'>,
  isApple: boolean
): PolicyWarning[] {
  const names = Object.keys(OLD_SETTINGS) as (keyof typeof OLD_SETTINGS)[]
  const old = names.filter((name) => guard?.[name] !== undefined)
  return [
    ...old.map((name) => ({
      pointer: `/guard/${name}`,
      code: 'old_setting' as const,
      message: OLD_SETTINGS[name],
    })),
    ...(isApple && ladder
      ? [{ pointer: '/ladder', code: 'no_meaning' as const, message: APPLES_LADDER }]
      : []),
  ]
}

/** Completes a policy with defaults, and puts lists into their canonical order. */
export function policyFrom(given: GivenPolicy): RolloutPolicy {
  const { guard, officeHours } = given
  return {
    ladder: (given.ladder ?? []).map(({ percentage, hours }) => ({ percentage, hours })),
    healthyHours: given.healthyHours ?? null,
    timezone: given.timezone ?? 'UTC',
    officeHours: officeHours ? { from: officeHours.from, to: officeHours.to } : null,
    weekdays: [...(given.weekdays ?? EVERY_DAY)].sort((one, other) => one - other),
    quietDays: [...(given.quietDays ?? [])].sort(),
    finishWithinDays: given.finishWithinDays ?? null,
    call: [...(given.call ?? [])],
    guard: guard
      ? {
          metrics: guard.metrics.map(metricFrom),
          errorBound: guard.errorBound ?? DEFAULT_GUARD.errorBound,
          harmBudget: guard.harmBudget ?? guard.tolerance ?? DEFAULT_GUARD.harmBudget,
          whenUnsure: guard.whenUnsure ?? DEFAULT_GUARD.whenUnsure,
        }
      : null,
    hotfix: given.hotfix ?? 'atOnce',
    stops: given.stops ?? 'own',
  }
}

/** Converts a stored policy, of any age, to the present form. */
export function policyStored({ guard, ...policy }: StoredPolicy): RolloutPolicy {
  const { hotfix = 'atOnce', stops, ...rest } = policy
  if (guard === null) return { ...rest, guard, hotfix, stops }
  const { metrics, errorBound, tolerance, whenUnsure = DEFAULT_GUARD.whenUnsure } = guard
  const harmBudget = guard.harmBudget ?? tolerance ?? DEFAULT_GUARD.harmBudget
  return { ...rest, guard: { metrics, errorBound, harmBudget, whenUnsure }, hotfix, stops }
}

/** Converts a checked metric, which has the members that its source needs. */
function metricFrom({ name, source = 'events', measure, total, bad }: GivenMetric): GuardMetric {
  switch (source) {
    case 'appReviews':
      return { name, source }
    case 'crashMonitoring':
      return { name, source, measure: measure! }
    default:
      return { name, source, total: total!, bad: bad! }
  }
}

/** Returns the initial share of a rollout by a policy, for `StoreExtension`. */
export function firstShareBy(
  policy: RolloutPolicy | null,
  { storeType }: { storeType: StoreType },
  { isHotfix }: { isHotfix: boolean }
): number | null {
  if (isHotfix && policy?.hotfix !== 'ladder') return 1
  // At Apple, the store settings decide whether releases climb its ladder.
  if (storeType === 'apple') return isHotfix ? LADDER[0] / 100 : null
  return policy?.ladder.length ? policy.ladder[0].percentage / 100 : null
}
