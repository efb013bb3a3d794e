import { writeFile } from 'node:fs/promises'
import { liveAccount, type LiveAccount } from './live/live_options.js'
import { tryLive, type Finding } from './live/live_run.js'
import type { ConformanceOptions } from './options.js'
import { groupOf, GROUPS, type Group } from './rules/rule.js'
import { Conformance } from './run.js'

/** The part of a Japa group that the suite needs. */
interface TestGroup {
  teardown(handler: () => Promise<void>): unknown
}

/** The part of Japa's `test` that the suite needs. */
export interface TestFunction {
  (title: string, run: () => Promise<void>): unknown
  group(title: string, define: (group: TestGroup) => void): unknown
}

export interface ConformanceTests extends ConformanceOptions {
  /** Japa's `test` function. */
  test: TestFunction
  /** The file for the report; no report is written without it. */
  output?: URL
  /** Also tests a real account, if environment variables describe one; true by default. */
  live?: boolean
}

/**
 * Registers one test per rule, named after the rule, and writes a report of the results. Rules that
 * do not apply to this plugin are left out, such as those about webhooks if it has none. If the
 * environment describes a real account (`LIVE_<ID>_*`), reads from it are tested, too.
 */
export function registerProviderConformance({
  test,
  output,
  live = true,
  ...options
}: ConformanceTests): void {
  const conformance = new Conformance(options)
  const { manifest } = options.plugin
  const groups = [...new Set(conformance.rules.map(groupOf))]
  for (const group of groups) registerGroup(group, group === groups.at(-1))
  const account = live ? liveAccount(options.plugin, process.env) : null
  if (account) registerLive(test, options, account)

  function registerGroup(group: Group, isLast: boolean): void {
    test.group(`${manifest.name} | ${group} ${GROUPS[group]}`, (tests) => {
      for (const rule of conformance.rules.filter((each) => groupOf(each) === group)) {
        test(`${rule.id} ${rule.title}`, () => conformance.try(rule))
      }
      if (!isLast || !output) return
      tests.teardown(async () => {
        const report = await conformance.report()
        await writeFile(output, `${JSON.stringify(report, null, 2)}\n`)
      })
    })
  }
}

/** Registers one test that checks every assumption with a real account and prints the findings. */
function registerLive(test: TestFunction, options: ConformanceOptions, account: LiveAccount): void {
  const { name } = options.plugin.manifest
  test.group(`${name} | L live`, () => {
    test('what it assumes about its provider', async () => {
      const findings = await tryLive(options, account)
      process.stdout.write(`${reportedFindings(name, findings, account.missing)}\n`)
      const wrong = findings.filter(({ outcome }) => outcome === 'contradicted')
      if (wrong.length === 0) return
      throw new Error(wrong.map(({ title, problem }) => `${title}: ${problem}`).join('\n'))
    })
  })
}

/** Returns the findings as lines, after a line with their count. */
export function reportedFindings(
  name: string,
  findings: readonly Finding[],
  missing: readonly string[]
): string {
  const confirmed = findings.filter(({ outcome }) => outcome === 'confirmed').length
  return [
    `${name}: ${confirmed} of ${findings.length} assumptions confirmed with a real account`,
    ...findings.map(
      ({ outcome, title, problem }) => `  ${outcome}: ${title}${problem ? ` (${problem})` : ''}`
    ),
    ...missing.map((variable) => `  not tested without ${variable}`),
  ].join('\n')
}
