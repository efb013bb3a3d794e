import type { CapabilityMap } from '../../capabilities/map.js'
import type { Mutation, Observed, Page } from '../../context.js'
import type { Scenario, TestedKind } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'

/** A rule of one kind. */
export interface KindRule<Capability> {
  /** `C1`, `C2`, and so on. */
  id: string
  title: string
  /** The optional method that the rule needs. */
  feature?: string
  run(bench: Bench, capability: Capability): Promise<void>
}

/** The tests of one kind: its initial state, reads and changes. */
export interface KindSuite<Each extends TestedKind = TestedKind> {
  kind: Each
  /** Returns the initial state before each rule. */
  scenario(data: Readonly<Record<string, unknown>>): Scenario
  /** Reads something that the scenario contains. */
  read(capability: CapabilityMap[Each], data: Data): Promise<unknown>
  /** Reads by an unknown name. Must return null. */
  absent?(capability: CapabilityMap[Each], data: Data): Promise<unknown>
  list?: {
    /** Returns a state with this many items to list. */
    scenario(count: number, data: Data): Scenario
    page(
      capability: CapabilityMap[Each],
      cursor: string | undefined,
      data: Data
    ): Promise<Page<unknown>>
    idOf(item: unknown): string
  }
  change?: {
    /** The optional method that makes the change. */
    feature?: string
    run(capability: CapabilityMap[Each], mutation: Mutation, data: Data): Promise<unknown>
    /** Returns how many times the change was made. */
    effects(state: Scenario): number
  }
  strange?: {
    /** The optional method that observes it. */
    feature?: string
    /** Returns the scenario with an unknown state. */
    scenario(state: string, data: Data): Scenario
    observe(capability: CapabilityMap[Each], data: Data): Promise<Observed<string>>
  }
  /** Calls every method of the plugin once; errors are ignored. */
  tour(
    capability: CapabilityMap[Each],
    mutation: () => Mutation,
    data: Data
  ): (() => Promise<unknown> | undefined)[]
  rules: KindRule<CapabilityMap[Each]>[]
}

export type Data = Readonly<Record<string, unknown>>

/** Returns a text member of an integration's data, or a default. */
export function textIn(data: Data, name: string, otherwise: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : otherwise
}
