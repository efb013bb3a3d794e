import type { Plugin } from '@tarmac/plugin-kit'
import { randomFrom } from '../../../examples/hostile-store/src/core/index.js'
import { shrinking, type Failure } from '#stores/tests/reconciler/explore'
import { judge } from '#stores/tests/reconciler/oracle'
import { RecordSystem } from '#stores/tests/reconciler/record_system'
import { optionsOf, scenarioOf, type Scenario } from '#stores/tests/reconciler/scenario'
import { runThrough } from './plugin_run.js'
import { VENDORS } from './vendors.js'

/** Most runs that shrinking a failing scenario may take. */
const MAX_TRIALS = 120

export type VendorName = keyof typeof VENDORS

/** Returns the first `count` scenarios of a vendor with seeds from `from` on. */
export function scenariosOf(vendor: VendorName, from: number, count: number): Scenario[] {
  const found: Scenario[] = []
  for (let seed = from; found.length < count; seed += 1) {
    if (optionsOf(seed).kind !== vendor) continue
    found.push(scenarioOf(seed, randomFrom(seed)))
  }
  return found
}

/** Runs a scenario through a plugin, and judges the run by the true state of the fake. */
export async function tryThrough(
  scenario: Scenario,
  plugin: Plugin = VENDORS[scenario.options.kind].plugin
): Promise<Failure> {
  const make = (setting: ConstructorParameters<typeof RecordSystem>[0]) => new RecordSystem(setting)
  const vendor = VENDORS[scenario.options.kind]
  const journal = await runThrough(scenario, vendor, plugin, make)
  return { seed: scenario.seed, scenario, findings: judge(journal), journal }
}

/** Shrinks a failing scenario: leaves out steps as long as it still breaks the same rule. */
export async function shrinkThrough(failure: Failure, plugin?: Plugin): Promise<Failure> {
  const smaller = shrinking(failure, MAX_TRIALS)
  for (let next = smaller.next(); ;) {
    if (next.done) return next.value
    next = smaller.next(await tryThrough(next.value, plugin))
  }
}
