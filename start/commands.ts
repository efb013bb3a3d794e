import { ListLoader } from '@adonisjs/core/ace'
import { commands as configuration } from '#configuration/commands/index'
import { commands as foundation } from '#foundation/console/index'
import { commands as organizations } from '#organizations/commands/index'
import { commands as releases } from '#releases/commands/index'
import { commands as webhooks } from '#webhooks/commands/index'

/*
 * The console commands of every module.
 */
const loader = new ListLoader([
  ...organizations,
  ...configuration,
  ...releases,
  ...webhooks,
  ...foundation,
])

export const getMetaData = loader.getMetaData.bind(loader)
export const getCommand = loader.getCommand.bind(loader)
