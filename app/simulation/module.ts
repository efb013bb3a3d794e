import type { Module } from '#foundation/api/module'
import { inProcessHosts } from '#integrations/port/in_process'
import { operations } from './routes.js'
import { worldHost } from './world_host.js'

/** Worlds to rehearse in: providers that are simulated, behind the same port as any other. */
export const simulation: Module = {
  name: 'simulation',
  operations,
  tags: { Simulation: 'Simulated providers to rehearse with, for tests.' },
  commands: () => import('./commands.js'),
  extensions: [inProcessHosts.extend(worldHost)],
}
