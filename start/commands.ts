import { ListLoader } from '@adonisjs/core/ace'
import Add from '@adonisjs/core/commands/add'
import Configure from '@adonisjs/core/commands/configure'
import { modules } from '#start/modules'

/*
 * The console commands of every module, and the two that add a plugin's package (`add`,
 * `configure`).
 */
const loadedCommands = await Promise.all(modules.map(({ commands }) => commands?.()))
const loader = new ListLoader([
  Add,
  Configure,
  ...loadedCommands.flatMap((loaded) => loaded?.commands ?? []),
] as never)

export const getMetaData = loader.getMetaData.bind(loader)
export const getCommand = loader.getCommand.bind(loader)
