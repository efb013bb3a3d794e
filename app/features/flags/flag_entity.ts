import type { Flag } from '#plugin-kit/capabilities/monitoring'
import type { Version } from '#workflow/version'
import type { FeatureFlag } from '../flag_entities.js'
import { isWithin, readRange } from './version_range.js'

/** The place of flags, from the integration's data. */
export interface FlagPlace {
  projectId: string | null
  environmentId: string
  versionAttributeName: string | null
}

/** Returns a flag as the API shows it, including what it means to a version. */
export function flagEntity(flag: Flag, place: FlagPlace, version: Version): FeatureFlag {
  const ranges = flag.rules.flatMap(({ versionRange }) => {
    const bounds = versionRange === undefined ? null : readRange(versionRange)
    return bounds ? [bounds] : []
  })
  const bounds = ranges.flat()
  const textOf = (begins: string) =>
    bounds.find(({ operator }) => operator.startsWith(begins))?.text
  return {
    id: flag.id,
    key: flag.key,
    name: flag.name,
    enabled: flag.enabled,
    archived: flag.archived ?? false,
    createdAt: flag.createdAt ?? null,
    minimumVersion: textOf('>') ?? null,
    maximumVersion: textOf('<') ?? null,
    targetVersions: [
      ...new Set(bounds.filter(({ operator }) => operator === '=').map(({ text }) => text)),
    ].slice(0, 100),
    targetsCurrentVersion: ranges.some((range) => isWithin(range, version)),
    variations: flag.variations.slice(0, 100).map(({ key, value }) => ({
      id: key,
      key,
      name: key,
      value: shownValue(value),
      rolloutPercentage: shareOf(flag, key),
      variables: variablesOf(value),
    })),
    rules: flag.rules.slice(0, 200).map((rule, index) => ruleOf(flag, rule, index, place)),
    environmentId: place.environmentId,
    projectId: place.projectId,
    url: flag.url ?? null,
    etag: flag.etag ?? null,
  } as FeatureFlag
}

/** Returns a value as text; JSON if it is none. */
const shownValue = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 10_000)

function variablesOf(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value)
    .slice(0, 100)
    .map(([key, each]) => ({ key: key.slice(0, 200), type: typeof each, value: shownValue(each) }))
}

/** Returns the share of a variation among all users, by the rule that has no audience. */
function shareOf({ rules }: Flag, key: string): number | null {
  const open = rules.find(
    ({ audience, versionRange, weights }) => audience === '' && !versionRange && weights
  )
  return open ? percent(open.weights![key] ?? 0) : null
}

function ruleOf(
  { key }: Flag,
  { audience, versionRange, weights = {} }: Flag['rules'][number],
  index: number,
  { versionAttributeName }: FlagPlace
) {
  const bounds = versionRange === undefined ? null : readRange(versionRange)
  const attribute = versionAttributeName ?? 'version'
  const predicates = bounds
    ? bounds.map(({ operator, text }) => ({ attribute, operator, values: [text] }))
    : versionRange
      ? [{ attribute, operator: 'matches', values: [versionRange.slice(0, 1000)] }]
      : []
  return {
    id: `${key}:${index}`.slice(0, 300),
    name: (audience || versionRange || 'everybody').slice(0, 300),
    enabled: true,
    audiences: audience
      ? [{ id: audience.slice(0, 300), name: audience.slice(0, 300), conditions: [] }]
      : [],
    conditions: predicates.length > 0 ? [{ predicates }] : [],
    weightedVariations: Object.entries(weights)
      .slice(0, 100)
      .map(([variationId, weight]) => ({ variationId, weight: percent(weight) })),
  }
}

/** Weights are shares of 1 or of 100. */
const percent = (weight: number) => Math.min(100, Math.max(0, weight <= 1 ? weight * 100 : weight))
