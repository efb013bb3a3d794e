import { LADDER } from '#stores/derive/seen'
import type { StoreType } from '#stores/vocabulary'
import type { RolloutPolicyEntity } from '../entities.js'
import type { SetPolicyInput } from '../validators/policy_input.js'
import { EVERY_DAY, type CrashMeasure } from '../vocabulary.js'

type Policy = NonNullable<RolloutPolicyEntity['policy']>
type Guard = NonNullable<Policy['guard']>

/** The rules by which the guard judges a version. */
export interface GuardPolicy extends Omit<Guard, 'metrics'> {
  /** The metrics that it compares. */
  metrics: GuardMetric[]
}

interface NamedEvents {
  /** Name of the event that counts all cases. */
  total: string
  /** Name of the event that counts the bad ones. */
  bad: string
}

/** A metric: the share of bad cases among all cases. */
export type GuardMetric = {
  /** The name that the app's team gives it, such as `crashFreeSessions`. */
  name: string
} &
  /** Custom events; their values are summed. */
  (
    | ({ source: 'events' } & NamedEvents)
    /** Events that a provider counts. */
    | ({ source: 'productAnalytics' } & NamedEvents)
    | { source: 'crashMonitoring'; measure: CrashMeasure }
    /** Reviews of the version in the store; those with one or two stars are bad. */
    | { source: 'appReviews' }
  )

/**
 * Returns what a metric measures, regardless of its name. Stored counts apply only to metrics that
 * measure the same.
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
export interface RolloutPolicy extends Omit<Policy, 'guard'> {
  /** Null if health is not judged. */
  guard: GuardPolicy | null
}

/** A stored policy. Older ones have former guard settings. */
export type StoredPolicy = Omit<RolloutPolicy, 'guard' | 'hotfix'> & {
  hotfix?: RolloutPolicy['hotfix']
  guard:
    | (Pick<GuardPolicy, 'metrics' | 'errorBound'> &
        Partial<GuardPolicy> & { minimumSample?: number; tolerance?: number })
    | null
}

/** A policy as users write it; absent settings have their defaults. */
export type PolicyInput = NonNullable<SetPolicyInput['policy']>
export type GuardInput = NonNullable<PolicyInput['guard']>
export type MetricInput = GuardInput['metrics'][number]

const DEFAULT_GUARD = { errorBound: 0.01, harmBudget: 0.5, whenUnsure: 'hold' } as const

/** Former guard settings, each with its warning. */
const OLD_SETTINGS = {
  tolerance:
    'tolerance was renamed to harmBudget, and its value was used as that: the largest drop that a version with all users may have.',
  minimumSample: 'minimumSample is no longer needed, and was ignored.',
} as const

const LADDER_IGNORED =
  'The App Store has its own ladder, so the ladder of the policy has no effect there.'

/** A warning about a policy. */
export interface PolicyWarning {
  /** JSON Pointer to the setting in the policy. */
  pointer: string
  code: NonNullable<RolloutPolicyEntity['warnings']>[number]['code']
  message: string
}

/** Returns warnings about renamed or removed settings, and about settings without effect. */
export function warningsOf(
  { ladder, guard }: Pick<PolicyInput, 'ladder' | 'guard'>,
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
      ? [{ pointer: '/ladder', code: 'no_meaning' as const, message: LADDER_IGNORED }]
      : []),
  ]
}

/** Completes a policy with defaults, and puts lists into their canonical order. */
export function policyFrom(input: PolicyInput): RolloutPolicy {
  const { guard, officeHours } = input
  return {
    ladder: (input.ladder ?? []).map(({ percentage, hours }) => ({ percentage, hours })),
    healthyHours: input.healthyHours ?? null,
    timezone: input.timezone ?? 'UTC',
    officeHours: officeHours ? { from: officeHours.from, to: officeHours.to } : null,
    weekdays: [...(input.weekdays ?? EVERY_DAY)].sort((one, other) => one - other),
    quietDays: [...(input.quietDays ?? [])].sort(),
    finishWithinDays: input.finishWithinDays ?? null,
    call: [...(input.call ?? [])],
    guard: guard
      ? {
          metrics: guard.metrics.map(metricFrom),
          errorBound: guard.errorBound ?? DEFAULT_GUARD.errorBound,
          harmBudget: guard.harmBudget ?? guard.tolerance ?? DEFAULT_GUARD.harmBudget,
          whenUnsure: guard.whenUnsure ?? DEFAULT_GUARD.whenUnsure,
        }
      : null,
    hotfix: input.hotfix ?? 'atOnce',
    stops: input.stops ?? 'own',
  }
}

/** Migrates a stored policy to the current form. */
export function policyStored({ guard, ...policy }: StoredPolicy): RolloutPolicy {
  const { hotfix = 'atOnce', stops, ...rest } = policy
  if (guard === null) return { ...rest, guard, hotfix, stops }
  const { metrics, errorBound, tolerance, whenUnsure = DEFAULT_GUARD.whenUnsure } = guard
  const harmBudget = guard.harmBudget ?? tolerance ?? DEFAULT_GUARD.harmBudget
  return { ...rest, guard: { metrics, errorBound, harmBudget, whenUnsure }, hotfix, stops }
}

/** Converts a validated metric, which has the fields that its source needs. */
function metricFrom({ name, source = 'events', measure, total, bad }: MetricInput): GuardMetric {
  switch (source) {
    case 'appReviews':
      return { name, source }
    case 'crashMonitoring':
      return { name, source, measure: measure! }
    default:
      return { name, source, total: total!, bad: bad! }
  }
}

/** Returns the initial share of a rollout under a policy, for `StoreExtension`. */
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
