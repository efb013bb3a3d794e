/*
 * Tools for testing a plugin: a fake to build on, and the conformance suite.
 */
export { FakeHang, FakeReset, type Failure } from './fake/failures.js'
export {
  FakeProvider,
  type Delivery,
  type DeliveryOptions,
  type Exchange,
  type Press,
  type ProviderFake,
} from './fake/fake_provider.js'
export type * from './fake/scenario.js'
export { serve } from './fake/serve.js'
export type {
  ConformanceOptions,
  ContractOperation,
  PluginAssumption,
  TesterWords,
  Unreported,
} from './conformance/options.js'
export { registerPlantedFaults, type PlantedFault } from './conformance/planted_faults.js'
export { registerProviderConformance, type ConformanceTests } from './conformance/register.js'
export type { ConformanceReport } from './conformance/report.js'
export { Bench } from './conformance/bench.js'
export { Conformance, runConformance } from './conformance/run.js'
export { LiveProvider } from './conformance/live/live_provider.js'
export { liveAccount, type LiveAccount } from './conformance/live/live_options.js'
export { tryLive, type Finding } from './conformance/live/live_run.js'
