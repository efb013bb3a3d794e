import { ListLoader } from '@adonisjs/core/ace'
import { modules } from '#start/modules'

/*
 * The console commands of every module.
 */
const loader = new ListLoader(modules.flatMap(({ commands }) => commands ?? []) as never)

export const getMetaData = loader.getMetaData.bind(loader)
export const getCommand = loader.getCommand.bind(loader)
