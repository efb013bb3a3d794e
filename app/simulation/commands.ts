import { Rehearse } from './commands/rehearse.js'
import { SimStart } from './commands/sim_start.js'
import { SimScenario } from './commands/sim_scenario.js'
import { SimAdvance } from './commands/sim_advance.js'
import { SimConsole } from './commands/sim_console.js'
import { SimState } from './commands/sim_state.js'
import { SimReset } from './commands/sim_reset.js'

/** The console commands of the module. */
export const commands = [
  Rehearse,
  SimStart,
  SimScenario,
  SimAdvance,
  SimConsole,
  SimState,
  SimReset,
]
