import { KIND_SUITES } from './kinds/index.js'
import { kindsOf, speaksHttp, type ConformanceOptions } from './options.js'
import type { Coverage } from './rules/contract.js'
import { groupOf, GROUPS, type Group, type Rule } from './rules/rule.js'

/** The outcome of one rule. */
export interface Outcome {
  id: string
  /** Null for a rule that holds. */
  problem: string | null
}

/** The content of `conformance.json`. */
export interface ConformanceReport {
  plugin: string
  version: string
  spi: number
  /** True if every rule was tried and holds. */
  passed: boolean
  /** Number of rules that hold per group; groups without a rule for this plugin are left out. */
  groups: Partial<Record<Group, { passed: number; rules: number }>>
  /** Broken rules, with their problems. */
  failed: { rule: string; problem: string }[]
  /** Kinds with their optional methods. */
  features: Record<string, readonly string[]>
  /** Kinds that the suite has no tests for. */
  untested: string[]
  /** Coverage of the operations in the vendor's document; null if there is none. */
  contract: Coverage | null
  /**
   * Operations that no vendor document confirms, and other assumptions of the plugin; `*` stands for
   * all operations if there is no document. A plugin without HTTP has none.
   */
  unverified: string[]
}

export async function reportOf(
  { plugin, contract, assumptions = [] }: ConformanceOptions,
  rules: readonly Rule[],
  outcomes: readonly Outcome[],
  coverage: Coverage | null
): Promise<ConformanceReport> {
  const { id, version, spi, capabilities } = plugin.manifest
  const failed = outcomes.flatMap(({ id: rule, problem }) =>
    problem === null ? [] : [{ rule, problem }]
  )
  const kept = new Set(outcomes.flatMap(({ id: rule, problem }) => (problem === null ? rule : [])))
  const groups: ConformanceReport['groups'] = {}
  for (const group of Object.keys(GROUPS) as Group[]) {
    const ofGroup = rules.filter((rule) => groupOf(rule) === group)
    if (ofGroup.length === 0) continue
    groups[group] = {
      passed: ofGroup.filter((rule) => kept.has(rule.id)).length,
      rules: ofGroup.length,
    }
  }
  const operations = contract ? (await contract()).default : null
  return {
    plugin: id,
    version,
    spi,
    passed: kept.size === rules.length,
    groups,
    failed,
    features: Object.fromEntries(
      Object.entries(capabilities).map(([kind, { features }]) => [kind, features])
    ),
    untested: kindsOf(plugin).filter((kind) => !(kind in KIND_SUITES)),
    contract: coverage,
    unverified: [
      ...(operations?.filter(({ verified }) => !verified).map((operation) => operation.id) ??
        (speaksHttp(plugin) ? ['*'] : [])),
      ...assumptions.map(({ title }) => title),
    ],
  }
}
