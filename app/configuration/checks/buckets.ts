import { checkPattern } from '#apps/patterns/pattern'
import { globProblem } from '#apps/patterns/glob'
import type { PatternPurpose } from '#apps/patterns/tokens'
import {
  BRANCH_OF_RULE,
  BUCKET_RULE_TYPES,
  CONFIGURABLE_BUCKET_TYPES,
  MAX_AGE_DAYS,
  MAX_BUCKETS,
  MAX_FILTERS,
  MAX_KEPT_BUILDS,
  MAX_MEMBERS,
  MAX_RULES,
  PERMISSION_LEVELS,
  type BucketRuleType,
} from '#distribution/vocabulary'
import type {
  BucketConfiguration,
  BucketMember,
  BucketRetention,
  BucketRule,
} from '#distribution/settings'
import { RETENTION_KEY } from '../document.js'
import { isNull, type Inspector, type KeyedElement, type Element } from './inspector.js'
import type { MemberDirectory } from './member_directory.js'
import { quote } from './problems.js'

const BUCKET_FIELDS = [
  'type',
  'orgWideAccessEnabled',
  'notificationsEnabled',
  'members',
  'rules',
  RETENTION_KEY,
] as const

/**
 * Checks `buildDistro.buckets`: at most one of type `rc` and one of type `dev`. A member is a group
 * or a user.
 */
export function checkBuckets(
  inspector: Inspector,
  element: Element,
  members: MemberDirectory
): BucketConfiguration[] {
  const checker = new BucketChecker(inspector, members)
  const entries = inspector.entries(element, 'bucket name to bucket', MAX_BUCKETS)
  const buckets = entries.flatMap((entry) => checker.check(entry) ?? [])
  for (const type of ['rc', 'dev'] as const) {
    const names = buckets.filter((bucket) => bucket.type === type).map((bucket) => bucket.name)
    if (names.length < 2) continue
    for (const { key, keyAt } of entries.filter((entry) => names.slice(1).includes(entry.key))) {
      const message = `${quote(key)} is a second bucket of type ${type}. An app can have only one, here ${quote(names[0])}`
      inspector.problems.add(keyAt, 'duplicate', message)
    }
  }
  return buckets
}

class BucketChecker {
  constructor(
    readonly inspector: Inspector,
    readonly members: MemberDirectory
  ) {}

  check({ key, value }: KeyedElement): BucketConfiguration | undefined {
    const { inspector } = this
    // A bucket without settings is a key without a value.
    const fields = inspector.optional(value, (element) => inspector.fields(element, BUCKET_FIELDS))
    if (fields === undefined) return undefined
    const settings = fields ?? {}
    const flag = (element: Element) => inspector.flag(element)
    return {
      name: key,
      type:
        inspector.optional(settings.type, (element) =>
          inspector.choice(element, CONFIGURABLE_BUCKET_TYPES)
        ) ?? 'custom',
      orgWideAccessEnabled: inspector.optional(settings.orgWideAccessEnabled, flag) ?? false,
      notificationsEnabled: inspector.optional(settings.notificationsEnabled, flag) ?? false,
      members: inspector.optional(settings.members, (element) => this.#members(element)) ?? [],
      rules: inspector.optional(settings.rules, (element) => this.#rules(element)) ?? [],
      retention:
        inspector.optional(settings[RETENTION_KEY], (element) => this.#retention(element)) ?? null,
    }
  }

  #retention(element: Element): BucketRetention | undefined {
    const { inspector } = this
    const fields = inspector.fields(element, ['enabled', 'maxAgeDays', 'maxBuilds'])
    if (!fields) return undefined
    const { enabled, maxAgeDays, maxBuilds } = fields
    const read = {
      enabled: inspector.optional(enabled, (each) => inspector.flag(each)) ?? true,
      maxAgeDays:
        inspector.optional(maxAgeDays, (each) => inspector.integer(each, 1, MAX_AGE_DAYS)) ?? null,
      maxBuilds:
        inspector.optional(maxBuilds, (each) => inspector.integer(each, 1, MAX_KEPT_BUILDS)) ??
        null,
    }
    if ([maxAgeDays, maxBuilds].every((each) => !each || isNull(each))) {
      const message = 'Needs maxAgeDays, maxBuilds or both'
      inspector.problems.add(element, 'required', message)
    }
    return read
  }

  #members(element: Element): BucketMember[] {
    const { inspector } = this
    const seen = new Set<string>()
    const entries = inspector.entries(element, 'group or user to permission level', MAX_MEMBERS)
    return entries.flatMap(({ key, keyAt, value }) => {
      const member = this.members.find(inspector.problems, keyAt, key)
      const permissionLevel = inspector.choice(value, PERMISSION_LEVELS)
      if (!member) return []
      const identity = `${member.type}:${member.name}`
      if (seen.has(identity)) {
        const message = `${quote(key)} is ${member.name}, already a member of this bucket`
        inspector.problems.add(keyAt, 'duplicate', message)
      }
      seen.add(identity)
      return permissionLevel ? [{ ...member, permissionLevel }] : []
    })
  }

  #rules(element: Element): BucketRule[] {
    return this.inspector
      .items(element, 'bucket rules', MAX_RULES)
      .flatMap((item) => this.#rule(item) ?? [])
  }

  #rule(element: Element): BucketRule | undefined {
    const { inspector } = this
    const names = ['branch', 'baseBranch', 'type', 'workflow', 'fileFilterPatterns'] as const
    const fields = inspector.fields(element, names)
    if (!fields) return undefined
    const pattern = (each: Element) => readPattern(inspector, each, 'bucketBranch')
    const branch = inspector.optional(fields.branch, pattern)
    const baseBranch = inspector.optional(fields.baseBranch, pattern)
    const type = inspector.required(element, 'type', fields.type, (each) =>
      inspector.choice(each, BUCKET_RULE_TYPES)
    )
    if (type) this.#checkBranch(element, type, fields)
    const workflow = inspector.optional(fields.workflow, (each) => inspector.text(each))
    const filters = inspector.optional(fields.fileFilterPatterns, (each) => this.#filters(each))
    if (!type) return undefined
    return {
      type,
      branch: branch ?? null,
      baseBranch: baseBranch ?? null,
      workflow: workflow ?? null,
      fileFilterPatterns: filters ?? [],
    }
  }

  #checkBranch(
    element: Element,
    type: BucketRuleType,
    fields: Partial<Record<'branch' | 'baseBranch', Element>>
  ): void {
    const { needed, refused } = BRANCH_OF_RULE[type]
    this.inspector.required(element, needed, fields[needed], () => true)
    const other = this.inspector.optional(fields[refused], (each) => each)
    if (!other) return
    const message = `A rule of type ${type} takes ${needed}, not ${refused}`
    this.inspector.problems.add(other, 'not_allowed', message)
  }

  #filters(element: Element): string[] {
    return this.inspector.items(element, 'file patterns', MAX_FILTERS).flatMap((item) => {
      const glob = this.inspector.text(item)
      if (glob === undefined) return []
      const problem = globProblem(glob)
      if (problem) this.inspector.problems.add(item, 'pattern_too_long', problem)
      return [glob]
    })
  }
}

/** Reads a pattern, and checks its tokens and their positions. */
export function readPattern(
  inspector: Inspector,
  element: Element,
  purpose: PatternPurpose
): string | undefined {
  const pattern = inspector.text(element)
  if (pattern === undefined) return undefined
  const { problems } = inspector
  for (const { code, message, suggestion } of checkPattern(pattern, purpose, problems.guesses)) {
    problems.add(element, code, message, suggestion)
  }
  return pattern
}
