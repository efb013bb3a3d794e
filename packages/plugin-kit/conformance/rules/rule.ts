import type { Bench } from '../bench.js'
import type { ConformanceOptions } from '../options.js'
import type { KindSuite } from '../kinds/suite.js'

/** The groups of rules, as `conformance.json` names them. */
export const GROUPS = {
  M: 'manifest',
  V: 'configuration',
  A: 'authentication',
  H: 'hygiene',
  R: 'resilience',
  P: 'pages',
  C: 'capabilities',
  W: 'webhooks',
  K: 'contract',
} as const
export type Group = keyof typeof GROUPS

/** One rule that a plugin passes or fails. */
export interface Rule {
  /** `M3`, or `chat.R2` for a rule about one kind. */
  id: string
  title: string
  /** Throws an error that says what is wrong. */
  run(bench: Bench): Promise<void>
}

/** A plugin, and the suites of its kinds. */
export interface RuleInput {
  options: ConformanceOptions
  suites: readonly KindSuite[]
}

export function groupOf({ id }: Pick<Rule, 'id'>): Group {
  return id.slice(id.indexOf('.') + 1).charAt(0) as Group
}
