import type { Module } from '#foundation/api/module'
import { inProcessHosts } from '#integrations/port/in_process'
import { Rehearse } from './commands/rehearse.js'
import { SimAdvance } from './commands/sim_advance.js'
import { SimReset } from './commands/sim_reset.js'
import { SimScenario } from './commands/sim_scenario.js'
import { SimStart } from './commands/sim_start.js'
import { SimState } from './commands/sim_state.js'
import { operations } from './routes.js'
import { worldHost } from './world_host.js'

/** Worlds to rehearse in: providers that are simulated, behind the same port as any other. */
export const simulation: Module = {
  name: 'simulation',
  operations,
  tags: { Simulation: 'Simulated providers to rehearse with, for tests.' },
  commands: [Rehearse, SimStart, SimScenario, SimAdvance, SimState, SimReset],
  extensions: [inProcessHosts.extend(worldHost)],
}
