import { Bench } from './bench.js'
import type { Kind } from '../kinds.js'
import { betaTestingIn } from './kinds/beta_testing.js'
import { crashMonitoringIn } from './kinds/crash_monitoring.js'
import { KIND_SUITES } from './kinds/index.js'
import { issueTrackingIn } from './kinds/issue_tracking.js'
import type { KindSuite } from './kinds/suite.js'
import { kindsOf, type ConformanceOptions } from './options.js'
import { reportOf, type ConformanceReport, type Outcome } from './report.js'
import { authenticationRules } from './rules/authentication.js'
import { capabilityRules } from './rules/capabilities.js'
import { configurationRules } from './rules/configuration.js'
import { contractRules, type Coverage } from './rules/contract.js'
import { hygieneRules } from './rules/hygiene.js'
import { manifestRules } from './rules/manifest.js'
import { pageRules } from './rules/pages.js'
import { pressRules } from './rules/presses.js'
import { resilienceRules } from './rules/resilience.js'
import type { Rule } from './rules/rule.js'
import { webhookRules } from './rules/webhooks.js'

/** The conformance rules that apply to a plugin, with their outcomes so far. */
export class Conformance {
  readonly rules: readonly Rule[]
  readonly #outcomes = new Map<string, Outcome>()
  #coverage: Coverage | null = null

  constructor(readonly options: ConformanceOptions) {
    const suites = kindsOf(options.plugin).map((kind) => suiteOf(kind, options))
    const subject = { options, suites }
    this.rules = [
      ...manifestRules(subject),
      ...hygieneRules(subject),
      ...configurationRules(subject),
      ...authenticationRules(subject),
      ...resilienceRules(subject),
      ...pageRules(subject),
      ...capabilityRules(subject),
      ...webhookRules(subject),
      ...pressRules(subject),
      ...contractRules(subject, (coverage) => (this.#coverage = coverage)),
    ]
  }

  /** Runs one rule on a new bench. @throws the failure of the rule */
  async try(rule: Rule): Promise<void> {
    const bench = new Bench(this.options)
    try {
      await rule.run(bench)
      this.#outcomes.set(rule.id, { id: rule.id, problem: null })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      this.#outcomes.set(rule.id, { id: rule.id, problem })
      throw error
    } finally {
      bench.close()
    }
  }

  async report(): Promise<ConformanceReport> {
    return reportOf(this.options, this.rules, [...this.#outcomes.values()], this.#coverage)
  }
}

function suiteOf(kind: Kind, { tickets, testers, unreported }: ConformanceOptions): KindSuite {
  const configured = {
    issueTracking: () => issueTrackingIn(tickets),
    betaTesting: () => betaTestingIn(testers, unreported),
    crashMonitoring: () => crashMonitoringIn(unreported),
  }
  const suite = Object.hasOwn(configured, kind)
    ? configured[kind as keyof typeof configured]()
    : KIND_SUITES[kind]
  return suite as unknown as KindSuite
}

/** Runs every rule, even after failures. */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const conformance = new Conformance(options)
  for (const rule of conformance.rules) await conformance.try(rule).catch(() => {})
  return conformance.report()
}
