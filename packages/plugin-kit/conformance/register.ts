import { writeFile } from 'node:fs/promises'
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
  /** Japa's. */
  test: TestFunction
  /** Where `conformance.json` is written; not at all without. */
  output?: URL
}

/**
 * Registers one test per rule, named by the rule, and writes down what came of them. It registers
 * nothing that cannot fail for this plugin: rules of webhooks want webhooks, and so on.
 */
export function registerProviderConformance({ test, output, ...options }: ConformanceTests): void {
  const conformance = new Conformance(options)
  const { manifest } = options.plugin
  const groups = [...new Set(conformance.rules.map(groupOf))]
  for (const group of groups) registerGroup(group, group === groups.at(-1))

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
