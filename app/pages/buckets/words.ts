import type { StatusWords } from '../words/statuses.js'
import type { Bucket, Build } from './answers.js'

export const BUCKET_TYPES: Readonly<Record<string, string>> = {
  rc: 'Release candidates',
  dev: 'Development builds',
  custom: 'Custom',
  personal: 'Personal',
}

/** Words for the states of builds in buckets. */
export const BUILD_STATUSES: Readonly<Record<string, StatusWords>> = {
  pending: { word: 'Waiting', icon: 'hourglass', colour: 'hint' },
  processing: { word: 'Being stored', icon: 'loader', colour: 'blue' },
  active: { word: 'Can be installed', icon: 'circle-check', colour: 'green' },
  failed: { word: 'Failed', icon: 'circle-x', colour: 'red' },
  expired: { word: 'Expired', icon: 'clock', colour: 'hint' },
}

/** The most members that a row names. */
const MAX_NAMED = 3

/** Describes who sees the builds of a bucket. */
export function seenByText({ orgWideAccessEnabled, members }: Bucket): string {
  if (orgWideAccessEnabled) return 'Everybody in the organization'
  if (members.length === 0) return 'People who manage buckets or upload builds'
  const names = members.slice(0, MAX_NAMED).map(({ name }) => name)
  const more = members.length - names.length
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}

/** Returns the name of a build: its version with its number, else its file. */
export const buildName = ({ version, buildNumber, artifactFileName }: Build): string =>
  version === null ? artifactFileName : `${version}${buildNumber ? ` (${buildNumber})` : ''}`

/** Describes which builds a rule brings in. */
export function ruleText({
  branch,
  baseBranch,
  workflow,
  fileFilterPatterns,
}: Bucket['rules'][number]) {
  const of = branch === null ? `Pull requests onto ${baseBranch}` : `Builds of ${branch}`
  const by = workflow === null ? '' : ` by ${workflow}`
  return fileFilterPatterns.length > 0 ? `${of}${by}: ${fileFilterPatterns.join(', ')}` : of + by
}

/** Describes when builds of a bucket expire; null if they are kept. */
export function retentionText({ automations }: Bucket): string | null {
  const [retention] = automations.filter(({ type }) => type === 'expireOldBuilds')
  if (!retention?.enabled) return null
  const { maxAgeDays, maxBuilds } = retention.config as Partial<Retention>
  const parts = [
    maxAgeDays && `after ${maxAgeDays} days`,
    maxBuilds && `once there are ${maxBuilds} newer ones`,
  ].filter(Boolean)
  return `Builds expire ${parts.join(', or ')}.`
}

/** The limits beyond which builds of a bucket expire. */
export interface Retention {
  maxAgeDays: number | null
  maxBuilds: number | null
}
