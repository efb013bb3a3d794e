import type { Module } from '#foundation/api/module'
import { inProcessHosts } from '#integrations/port/in_process'
import { exampleRehearsal } from './rehearsals/entities.js'
import { forgetRehearsals } from './rehearsals/forget.js'
import { playRehearsal } from './rehearsals/play_rehearsal.js'
import { problems } from './rehearsals/problems.js'
import { operations as rehearsalOperations } from './rehearsals/routes.js'
import { operations } from './routes.js'
import { worldHost } from './world_host.js'

/** Worlds to rehearse in: providers that are simulated, behind the same port as any other. */
export const simulation: Module = {
  name: 'simulation',
  operations: [...operations, ...rehearsalOperations],
  problems,
  parameters: {
    rehearsalId: { description: 'Id of the rehearsal.', example: exampleRehearsal.id },
  },
  tags: { Simulation: 'Simulated providers for tests and rehearsals.' },
  work: [playRehearsal, forgetRehearsals],
  commands: () => import('./commands.js'),
  extensions: [inProcessHosts.extend(worldHost)],
}
