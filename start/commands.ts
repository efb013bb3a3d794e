import { ListLoader } from '@adonisjs/core/ace'
import Add from '@adonisjs/core/commands/add'
import Configure from '@adonisjs/core/commands/configure'
import { modules } from '#start/modules'

/*
 * The console commands of every module, and those that add a plugin's package.
 */
const loader = new ListLoader([
  Add,
  Configure,
  ...modules.flatMap(({ commands }) => commands ?? []),
] as never)

export const getMetaData = loader.getMetaData.bind(loader)
export const getCommand = loader.getCommand.bind(loader)
