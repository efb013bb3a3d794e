import { ListLoader } from '@adonisjs/core/ace'
import Add from '@adonisjs/core/commands/add'
import Configure from '@adonisjs/core/commands/configure'
import { modules } from '#start/modules'

/*
 * The console commands of every module, and those that add a plugin's package.
 */
const own = await Promise.all(modules.map(({ commands }) => commands?.()))
const loader = new ListLoader([
  Add,
  Configure,
  ...own.flatMap((loaded) => loaded?.commands ?? []),
] as never)

export const getMetaData = loader.getMetaData.bind(loader)
export const getCommand = loader.getCommand.bind(loader)
