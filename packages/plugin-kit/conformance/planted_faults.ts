import type { Plugin } from '../plugin.js'
import type { ConformanceOptions } from './options.js'
import type { TestFunction } from './register.js'
import { Conformance } from './run.js'

/** A deliberately broken plugin, and the rule of the suite that has to detect it. */
export interface PlantedFault {
  /** The fault, for the test title. */
  what: string
  /** The id of the rule, such as `appStore.C4`. */
  rule: string
  broken: Plugin
}

/**
 * Registers one test per fault: the rule passes for the plugin as it is, and fails for the broken
 * one.
 */
export function registerPlantedFaults({
  test,
  faults,
  ...options
}: ConformanceOptions & { test: TestFunction; faults: readonly PlantedFault[] }): void {
  test.group(`${options.plugin.manifest.name} | planted faults`, () => {
    for (const { what, rule, broken } of faults) {
      test(`${rule} finds that ${what}`, async () => {
        const failing = await failureOf({ ...options, plugin: options.plugin }, rule)
        if (failing) throw failing
        if (!(await failureOf({ ...options, plugin: broken }, rule))) {
          throw new Error(`${rule} does not find it`)
        }
      })
    }
  })
}

/** Returns the failure of a rule; null if it passes. @throws Error if the suite has no such rule */
async function failureOf(options: ConformanceOptions, rule: string): Promise<Error | null> {
  const conformance = new Conformance(options)
  const found = conformance.rules.find(({ id }) => id === rule)
  if (!found) throw new Error(`The suite has no rule ${rule}`)
  return conformance.try(found).then(
    () => null,
    (error: Error) => error
  )
}
