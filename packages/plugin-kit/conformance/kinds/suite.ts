import type { CapabilityMap } from '../../capabilities/map.js'
import type { Mutation, Observed, Page } from '../../context.js'
import type { Scenario, TestedKind } from '../../fake/scenario.js'
import type { Bench } from '../bench.js'

/** A rule of one kind. */
export interface KindRule<Capability> {
  /** `C1`, `C2`, and so on. */
  id: string
  title: string
  /** The optional method that it is about. */
  feature?: string
  run(bench: Bench, capability: Capability): Promise<void>
}

/** The suite's test of one kind: initial state, reads and changes. */
export interface KindSuite<Each extends TestedKind = TestedKind> {
  kind: Each
  /** Returns the initial state before each rule. */
  scenario(data: Readonly<Record<string, unknown>>): Scenario
  /** Reads what the scenario has. */
  read(capability: CapabilityMap[Each], data: Data): Promise<unknown>
  /** Reads by a name that nothing has: null. */
  absent?(capability: CapabilityMap[Each], data: Data): Promise<unknown>
  list?: {
    /** So many things to list. */
    scenario(count: number, data: Data): Scenario
    page(
      capability: CapabilityMap[Each],
      cursor: string | undefined,
      data: Data
    ): Promise<Page<unknown>>
    idOf(item: unknown): string
  }
  change?: {
    /** The optional method that it is made by. */
    feature?: string
    run(capability: CapabilityMap[Each], mutation: Mutation, data: Data): Promise<unknown>
    /** Returns how often it happened. */
    effects(state: Scenario): number
  }
  strange?: {
    /** The optional method that it is seen by. */
    feature?: string
    /** The scenario, with a state that nobody knows. */
    scenario(state: string, data: Data): Scenario
    observe(capability: CapabilityMap[Each], data: Data): Promise<Observed<string>>
  }
  /** Calls every method that is there once; errors are no matter. */
  tour(
    capability: CapabilityMap[Each],
    mutation: () => Mutation,
    data: Data
  ): (() => Promise<unknown> | undefined)[]
  rules: KindRule<CapabilityMap[Each]>[]
}

export type Data = Readonly<Record<string, unknown>>

/** The text that an integration's data has by a name. */
export function textIn(data: Data, name: string, otherwise: string): string {
  const value = data[name]
  return typeof value === 'string' ? value : otherwise
}
